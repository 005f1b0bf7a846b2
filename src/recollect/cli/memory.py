"""`recollect remember`, `recall`, `forget`, `history` and `link`: the memories of a project."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO, TypeVar

import click

from recollect.cli.batch import batch_option, questions
from recollect.cli.offers import memories
from recollect.cli.options import (
    either,
    examples,
    json_option,
    overrides,
    path_option,
    print_json,
    profile_option,
    set_option,
    typed,
)

if TYPE_CHECKING:
    from recollect.engine import Recollect
    from recollect.types import Hits

NOTHING = 1
WRITTEN = ("fact", "decision", "procedure", "observation", "preference", "narrative", "negative")
KINDS = (*WRITTEN, "reflection", "entity")
LAYERS = ("working", "episodic", "semantic", "procedural")
PRIORITIES = ("P1", "P2", "P3", "P4")
LINKS = ("supersedes", "contests", "resolves", "part-of", "see-also", "derived-from")
Function = TypeVar("Function", bound=Callable[..., Any])


def global_option(function: Function) -> Function:
    """Add `--global`."""
    return click.option(
        "--global",
        "everywhere",
        is_flag=True,
        help="Use the memories of this user, not those of the project.",
    )(function)


def scope_of(everywhere: bool) -> str:
    """Return the scope that a command is for."""
    return "global" if everywhere else "project"


def _given(options: dict[str, Any]) -> dict[str, Any]:
    """Return the options that were given."""
    return {key: value for key, value in options.items() if value not in (None, (), False)}


@click.command(
    "remember",
    epilog=examples(
        'recollect remember "We retry idempotent calls" --tag http --kind decision',
        'recollect remember "We retry all calls" --supersedes mk2wqlcvjdhqce',
        "git log -1 --format=%B | recollect remember -",
    ),
)
@click.argument("text")
@path_option
@click.option(
    "--kind",
    metavar="KIND",
    type=click.Choice(WRITTEN),
    default="fact",
    show_default=True,
    help=f"What it is: {either(WRITTEN)}; negative is what not to do.",
)
@click.option(
    "--layer",
    metavar="LAYER",
    type=click.Choice(LAYERS),
    help=f"How lasting it is: {either(LAYERS)}; default: by its kind.",
)
@click.option(
    "--priority",
    metavar="P1-P4",
    type=click.Choice(PRIORITIES),
    default="P3",
    show_default=True,
    help="How much it matters; P1 is never put away by itself.",
)
@click.option(
    "--importance",
    metavar="0-1",
    type=click.FloatRange(0, 1),
    default=0.5,
    show_default=True,
    help="How much it weighs when memories are ranked.",
)
@click.option("--tag", "--tags", "tags", multiple=True, metavar="TAG", help="A tag; may be repeated.")
@click.option("--source", metavar="NAME", help="Where it comes from.")
@click.option("--session", metavar="NAME", help="The conversation that it is part of.")
@click.option("--author", metavar="NAME", help="Who said it.")
@click.option("--valid-from", metavar="TIME", help="Since when it is true, as 2026-05-08.")
@click.option("--valid-until", metavar="TIME", help="Until when it is true.")
@click.option("--expires", metavar="TIME", help="When it is no longer shown.")
@click.option("--supersedes", multiple=True, metavar="ID", help="An older memory that it takes the place of.")
@click.option("--contests", multiple=True, metavar="ID", help="A memory that it contradicts.")
@click.option("--sensitive", is_flag=True, help="Never send the text to a model on another machine.")
@click.option("--redact", is_flag=True, help="Blot secrets out instead of refusing the text.")
@global_option
@json_option
def remember(text: str, folder: Path | None, everywhere: bool, as_json: bool, **options: Any) -> int:
    """Remember a TEXT as it is, "-" for stdin.

    What is known already is counted, not stored twice. A text with a secret in it is refused.
    """
    from recollect import engine

    said = sys.stdin.read() if text == "-" else typed(text)
    links = {name: options.pop(name) for name in ("supersedes", "contests")}
    links = {name: ids for name, ids in links.items() if ids}
    with engine.open(folder) as project:
        item = project.remember(said, scope=scope_of(everywhere), links=links, **_given(options))
    if as_json:
        print_json(item.to_dict())
        return 0
    words = {"ADD": "Remembered", "UPDATE": "Known already, now with what is new", "NOOP": "Known already"}
    click.echo(f"{words[item.metadata['action']]}: {item.id}")
    if item.metadata.get("queued"):
        click.echo("Note: the server does not answer; this waits here until it is back.", err=True)
    for other in item.metadata.get("similar", ()):
        click.echo(f"Note: {other} says nearly the same; link them if one replaces the other.", err=True)
    if item.metadata.get("redacted"):
        click.echo(f"Note: blotted out: {', '.join(item.metadata['redacted'])}.", err=True)
    return 0


@click.command(
    "recall",
    epilog=examples(
        'recollect recall "which calls may be retried?"',
        'recollect recall "who decided on retries" --tag http --as-of 2026-05-01',
        "recollect recall --batch questions.jsonl",
    ),
)
@click.argument("words", nargs=-1, metavar="QUERY")
@path_option
@click.option(
    "--limit", type=click.IntRange(1, 1000), default=10, show_default=True, help="How many at most."
)
@click.option("--as-of", metavar="TIME", help="Answer with what was known and true at this time.")
@click.option(
    "--kind",
    "kinds",
    multiple=True,
    metavar="KIND",
    type=click.Choice(KINDS),
    help=f"Only this kind: {either(KINDS)}; may be repeated.",
)
@click.option(
    "--layer",
    "layers",
    multiple=True,
    metavar="LAYER",
    type=click.Choice(LAYERS),
    help=f"Only this layer: {either(LAYERS)}; may be repeated.",
)
@click.option("--tag", "tags", multiple=True, metavar="TAG", help="Only with this tag.")
@click.option("--source", "sources", multiple=True, metavar="NAME", help="Only from this source.")
@click.option("--session", "sessions", multiple=True, metavar="NAME", help="Only from this session.")
@click.option("--author", "authors", multiple=True, metavar="NAME", help="Only by this author.")
@click.option(
    "--mentions", multiple=True, metavar="NAME", help="Only what names this person, path or symbol."
)
@click.option("--since", metavar="TIME", help="Only what was written since.")
@click.option("--until", metavar="TIME", help="Only what was written until then.")
@click.option("--archived", is_flag=True, help="Archived memories too.")
@profile_option
@click.option("--derived", is_flag=True, help="Reflections and cards too, which dreams made.")
@set_option
@global_option
@batch_option
@json_option
def recall(
    words: tuple[str, ...],
    batch: TextIO | None,
    folder: Path | None,
    everywhere: bool,
    as_json: bool,
    **options: Any,
) -> int:
    """Find memories that answer a QUERY.

    What is superseded stands behind its successor; what has expired is not shown. Exit code 1 means that
    nothing was found.
    """
    from recollect import engine

    query = " ".join(map(typed, words))
    if bool(query) == (batch is not None):
        raise click.UsageError("Give either a QUERY or --batch FILE.", click.get_current_context())
    own = overrides(options.pop("settings"), short=True)
    chosen = {**_given(options), **own, "scope": scope_of(everywhere)}
    with engine.open(folder) as project:
        if batch is not None:
            return _answer_all(project, batch, chosen)
        hits = project.recall(query, **chosen)
    if as_json:
        print_json(_answer(hits))
    else:
        _print(hits, query)
    return 0 if hits.hits else NOTHING


def _answer(hits: Hits) -> dict[str, Any]:
    from recollect.cli.search import answer

    return answer(hits)


def _answer_all(project: Recollect, batch: TextIO, chosen: dict[str, Any]) -> int:
    found = False
    for name, query in questions(batch):
        hits = project.recall(query, **chosen)
        found = found or bool(hits.hits)
        print_json({"id": name, **_answer(hits)})
    return 0 if found else NOTHING


def _print(hits: Hits, query: str) -> None:
    """Show memories as quotations, so that no text of theirs reads as ours."""
    from recollect.cli import render

    for note in hits.degraded:
        click.echo(f"Note: {note}", err=True)
    if not hits.hits and not hits.degraded:
        click.echo(f"Nothing that is remembered answers {render.cut(query, 50)!r}.", err=True)
    for hit in hits.hits:
        click.echo(f"{render.style(hit.id, fg='cyan')}  {hit.reasons[-1]}")
        why = "; ".join(hit.reasons[:-1])
        click.echo(render.style(render.cut(f"  {hit.score:.2f}  {why}"), dim=True))
        click.echo("\n".join(render.quotation(hit.text)))
        click.echo()


@click.command(
    "forget",
    epilog=examples(
        "recollect forget mk2wqlcvjdhqce",
        "recollect forget --tag scratch --before 2026-01-01 --dry-run",
        'recollect forget --query "the staging password"',
    ),
)
@click.argument("ids", nargs=-1, metavar="[ID]...", shell_complete=memories)
@path_option
@click.option("--tag", metavar="TAG", help="What has this tag.")
@click.option("--source", metavar="NAME", help="What comes from this source.")
@click.option("--session", metavar="NAME", help="What was said in this session.")
@click.option("--author", metavar="NAME", help="What this author said.")
@click.option("--query", metavar="TEXT", help="What clearly answers this.")
@click.option("--before", metavar="TIME", help="What was written before.")
@click.option("--since", metavar="TIME", help="What was written then or later.")
@click.option("--everything", is_flag=True, help="All memories of the scope.")
@click.option("--dry-run", is_flag=True, help="Only say what would be forgotten.")
@global_option
@json_option
def forget(
    ids: tuple[str, ...], folder: Path | None, dry_run: bool, everywhere: bool, as_json: bool, **options: Any
) -> int:
    """Forget memories for good: rows, words, links, history, backups and free space.

    Several options select what meets all of them. Exit code 1 means that nothing was selected.
    """
    from recollect import engine

    with engine.open(folder) as project:
        gone = project.forget(*ids, dry_run=dry_run, scope=scope_of(everywhere), **_given(options))
    if as_json:
        print_json(gone.to_dict())
    else:
        verb = "Would forget" if dry_run else "Forgot"
        count = f"{len(gone.ids)} {'memory' if len(gone.ids) == 1 else 'memories'}"
        click.echo(f"{verb} {count}.")
        for one, title in zip(gone.ids, gone.titles or gone.ids, strict=True):
            click.echo(f"  {one}  {title}" if gone.titles else f"  {one}")
        for note in gone.notes:
            click.echo(f"Note: {note}", err=True)
    return 0 if gone.ids else NOTHING


@click.command("history", epilog=examples("recollect history mk2wqlcvjdhqce"))
@click.argument("item_id", metavar="ID", shell_complete=memories)
@path_option
@global_option
@json_option
def history(item_id: str, folder: Path | None, everywhere: bool, as_json: bool) -> int:
    """Show what happened to a memory, oldest first."""
    from recollect import engine

    with engine.open(folder) as project:
        changes = project.history(item_id, scope=scope_of(everywhere))
    if as_json:
        print_json({"id": item_id, "history": changes})
        return 0
    for change in changes:
        rest = ", ".join(f"{key} {value}" for key, value in change.items() if key not in {"time", "action"})
        click.echo(f"{change['time']}  {change['action']}  {rest}".rstrip())
    return 0


@click.command(
    "link",
    epilog=examples(
        "recollect link mlltmrtdi6d3y2 mk2wqlcvjdhqce",
        "recollect link mlltmrtdi6d3y2 supersedes mk2wqlcvjdhqce",
        "recollect link mlltmrtdi6d3y2 contests mk2wqlcvjdhqce --remove",
    ),
)
@click.argument("ends", nargs=-1, required=True, metavar="ID [RELATION] ID", shell_complete=memories)
@path_option
@click.option("--remove", is_flag=True, help="Take the link back.")
@global_option
@json_option
def link(
    ends: tuple[str, ...],
    folder: Path | None,
    remove: bool,
    everywhere: bool,
    as_json: bool,
) -> int:
    """Say what one memory is to another: see-also where no RELATION is given.

    Relations are supersedes, contests, resolves, part-of, see-also and derived-from. What is superseded
    ranks behind its successor, what is contested says by whom. Nothing is deleted.
    """
    from recollect import engine

    source, relation, target = _ends(ends)
    with engine.open(folder) as project:
        changed = project.link(source, relation, target, remove=remove, scope=scope_of(everywhere))
    if as_json:
        print_json({"source": source, "type": relation, "target": target, "changed": changed})
    else:
        click.echo("Done." if changed else "Nothing changed; it was so already.")
    return 0


def _ends(ends: tuple[str, ...]) -> tuple[str, str, str]:
    """Return the two memories and what the first is to the second."""
    from recollect.config import suggest

    context = click.get_current_context()
    if len(ends) == 2:
        return ends[0], "see-also", ends[1]
    if len(ends) != 3:
        raise click.UsageError("Give two ids, and between them what the first is to the second.", context)
    if ends[1] not in LINKS:
        hint = suggest(ends[1], LINKS)
        raise click.UsageError(
            f"There is no relation '{ends[1]}'.{hint} Relations: {either(LINKS)}.", context
        )
    return ends[0], ends[1], ends[2]


commands = {
    "remember": remember,
    "recall": recall,
    "forget": forget,
    "history": history,
    "link": link,
}
