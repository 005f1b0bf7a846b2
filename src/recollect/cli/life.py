"""`recollect pin`, `archive`, `hygiene`, `dream`, `embed` and `unlearn`: how memories last and go."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from recollect.cli.evidence_lines import wrapped
from recollect.cli.memory import NOTHING, global_option, scope_of
from recollect.cli.offers import memories
from recollect.cli.options import examples, json_option, path_option, print_json
from recollect.cli.render import plural

if TYPE_CHECKING:
    from recollect.memory.dream.dreaming import Dream
    from recollect.memory.opened import OpenMemory

SHAPES = ("exponential", "huber", "elastic")


@click.command(
    "pin", epilog=examples("recollect pin mk2wqlcvjdhqce", "recollect pin mk2wqlcvjdhqce --remove")
)
@click.argument("item_id", metavar="ID", shell_complete=memories)
@path_option
@click.option("--remove", is_flag=True, help="Let it go again.")
@global_option
@json_option
def pin(item_id: str, folder: Path | None, remove: bool, everywhere: bool, as_json: bool) -> int:
    """Keep a memory from ever fading or being put away."""
    from recollect import engine

    with engine.open(folder) as project:
        changed = project.pin(item_id, not remove, scope=scope_of(everywhere))
    return _say({"id": item_id, "pinned": not remove, "changed": changed}, as_json)


@click.command(
    "archive",
    epilog=examples("recollect archive mk2wqlcvjdhqce", "recollect archive mk2wqlcvjdhqce --remove"),
)
@click.argument("item_id", metavar="ID", shell_complete=memories)
@path_option
@click.option("--remove", is_flag=True, help="Take it out again.")
@global_option
@json_option
def archive(item_id: str, folder: Path | None, remove: bool, everywhere: bool, as_json: bool) -> int:
    """Put a memory away; recall shows it only with --archived. It stays in the history and in exports."""
    from recollect import engine

    with engine.open(folder) as project:
        changed = project.archive(item_id, not remove, scope=scope_of(everywhere))
    return _say({"id": item_id, "archived": not remove, "changed": changed}, as_json)


def _say(told: dict[str, object], as_json: bool) -> int:
    if as_json:
        print_json(told)
    else:
        click.echo("Done." if told["changed"] else "Nothing changed; it was so already.")
    return 0


@click.command(
    "hygiene",
    epilog=examples("recollect hygiene --dry-run", "recollect hygiene", "recollect hygiene --delete"),
)
@path_option
@click.option("--dry-run", is_flag=True, help="Only say what would be done.")
@click.option("--delete", is_flag=True, help="Delete what was put away at least 30 days and 10 rounds ago.")
@click.option(
    "--shape", type=click.Choice(SHAPES), default="huber", show_default=True, help="How memories fade."
)
@global_option
@json_option
def hygiene(
    folder: Path | None, dry_run: bool, delete: bool, shape: str, everywhere: bool, as_json: bool
) -> int:
    """Put away the memories that have faded or expired, at most 100 at once.

    Pinned memories and those of priority P1 stay. What was put away comes back with "archive ID --remove".
    """
    from recollect import engine

    with engine.open(folder) as project:
        done = project.hygiene(dry_run, delete=delete, shape=shape, scope=scope_of(everywhere))
    if as_json:
        print_json(done.to_dict())
        return 0
    would = "Would put" if dry_run else "Put"
    click.echo(f"{would} away {plural(len(done.archived), 'memory')} of {done.looked_at}.")
    for one in done.archived:
        click.echo(f"  {one['id']}  {one['reason']}" + (f"  {one['title']}" if dry_run else ""))
    if done.left:
        click.echo(f"{done.left} more wait for the next round.")
    if done.deleted:
        click.echo(f"{'Would delete' if dry_run else 'Deleted'} {', '.join(done.deleted)}.")
    for one in done.stale:
        click.echo(f"Stale: {one['id']}: {'; '.join(one['news'])}")
    for note in done.notes:
        click.echo(f"Note: {note}", err=True)
    return 0


@click.command(
    "dream",
    epilog=examples(
        "recollect dream --dry-run", "recollect dream", "recollect dream --list", "recollect dream --undo 3"
    ),
)
@path_option
@click.option("--dry-run", is_flag=True, help="Only say what would be done.")
@click.option("--undo", type=int, metavar="NUMBER", help="Take this dream back.")
@click.option("--list", "listed", is_flag=True, help="Show every dream.")
@global_option
@json_option
def dream(
    folder: Path | None, dry_run: bool, undo: int | None, listed: bool, everywhere: bool, as_json: bool
) -> int:
    """Consolidate memories without a language model.

    Makes reflections of memories that belong together and cards of what is often named, links near
    duplicates, and promotes what has earned it. Recall shows reflections and cards only with --derived.
    """
    from recollect import engine

    scope = scope_of(everywhere)
    with engine.open(folder) as project:
        if undo is not None:
            taken = project.undo_dream(undo, scope=scope)
            if as_json:
                print_json(taken)
            else:
                click.echo(f"Took dream {undo} back; {plural(len(taken['removed']), 'memory')} removed.")
            return 0
        dreams = project.dreams(scope=scope) if listed else [project.dream(dry_run, scope=scope)]
        names = _names(project.memories.of(scope), dreams[0]) if dreams and not listed and not dry_run else {}
    if as_json:
        print_json([one.to_dict() for one in dreams] if listed else dreams[0].to_dict())
        return 0
    for one in dreams:
        click.echo("\n".join(wrapped([_summary(one)])))
    for item_id, name in names.items():
        click.echo(f"  {item_id}  {name}")
    return 0 if dreams else NOTHING


def _names(memory: OpenMemory, done: Dream) -> dict[str, str]:
    return {one: memory.get(one).name for one in (*done.reflections, *done.cards)}


def _summary(done: Dream) -> str:
    head = "Would make" if done.dry_run else f"Dream {done.number}, {done.time[:16]}:"
    kept_out = ", ".join(f"{count} by {gate}" for gate, count in sorted(done.rejected.items()))
    return (
        f"{head} {plural(len(done.reflections), 'reflection')}, {plural(len(done.cards), 'card')}, "
        f"{plural(done.links, 'link')}, {plural(len(done.promoted) + len(done.raised), 'promotion')} "
        f"from {plural(done.looked_at, 'memory')} in {plural(done.clusters, 'cluster')}"
        + (f"; kept out: {kept_out}" if kept_out else "")
        + (f"; taken back {done.undone[:16]}." if done.undone else ".")
    )


@click.command("embed", epilog=examples("recollect embed", "recollect embed --global --json"))
@path_option
@global_option
@json_option
def embed(folder: Path | None, everywhere: bool, as_json: bool) -> int:
    """Make the vectors that memories lack for the embedder of the settings.

    Recall does the same by itself, a second at a time; until all are there it says how many were found by their
    words only. Exit code 1 means that no embedder is configured or that there are no memories.
    """
    from recollect import engine
    from recollect.cli.progress import ProgressBar

    with engine.open(folder) as project, ProgressBar() as progress:
        done = project.embed(progress, scope_of(everywhere))
    if as_json:
        print_json({} if done is None else done.to_dict())
    elif done is None:
        click.echo("Nothing to do: there are no memories, or the settings name no embedder.")
    else:
        click.echo(f"{done.done} of {plural(done.total, 'memory')} have a vector of {done.model}.")
        if done.kept_back:
            click.echo(f"Note: {done.kept_back} sensitive ones were not sent to another machine.", err=True)
        if done.spent:
            click.echo(done.spent, err=True)
    return 0 if done is not None else NOTHING


@click.command("unlearn", epilog=examples("recollect unlearn", "recollect unlearn --global"))
@path_option
@global_option
@json_option
def unlearn(folder: Path | None, everywhere: bool, as_json: bool) -> int:
    """Remove every record of what was shown and used, and with it all that was learned from it.

    Memories stay, as do weights that came with recollect.
    """
    from recollect import engine

    with engine.open(folder) as project:
        count = project.unlearn(scope=scope_of(everywhere))
    if as_json:
        print_json({"removed": count})
    else:
        click.echo(f"Removed {plural(count, 'event')}.")
    return 0 if count else NOTHING


commands = {
    "pin": pin,
    "archive": archive,
    "hygiene": hygiene,
    "dream": dream,
    "embed": embed,
    "unlearn": unlearn,
}
