"""`recollect bench replay`, `build` and `tune`: questions of one's own, and parameters chosen by them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from recollect.cli.bench_runs import (
    ANYWHERE,
    EXISTING,
    FAILED,
    Kept,
    compress_option,
    data_set_option,
    k_option,
    output_option,
    retrievers_option,
    run_all,
    show_runs,
    texts_option,
)
from recollect.cli.memory import global_option, scope_of
from recollect.cli.options import examples, here_option, json_option, path_option, print_json

if TYPE_CHECKING:
    from recollect.bench.tune import Tuned


@click.command("replay", epilog=examples("recollect bench replay --since v1.0 -r recollect -r bm25"))
@click.option(
    "--path",
    "folders",
    type=EXISTING,
    multiple=True,
    metavar="DIR",
    help="The repository, default the current one; repeatable.",
)
@click.option("--since", default="", metavar="REF", help="Ask the commits after REF of the code at REF.")
@click.option(
    "--limit", type=click.IntRange(1), default=50, show_default=True, help="The most commits that are asked."
)
@click.option("--each", is_flag=True, help="Index anew before every commit: slower, and exact.")
@click.option("--body", is_flag=True, help="Ask the whole message, not only its first line.")
@click.option("--tests", is_flag=True, help="Count changed test files as answers too.")
@click.option("--save", type=ANYWHERE, metavar="DIR", help="Keep the questions as a data set.")
@click.option("--questions-only", is_flag=True, help="Only make the questions, which --save keeps.")
@click.option("--name", default="", help="What the data set is called; default: replay-REPOSITORY.")
@retrievers_option
@k_option
@output_option
@compress_option
@texts_option
@json_option
def replay_command(
    folders: tuple[Path, ...],
    names: tuple[str, ...],
    save: Path | None,
    questions_only: bool,
    k: int | None,
    output: Path,
    compress: bool,
    no_text: bool,
    as_json: bool,
    **wanted: Any,
) -> int:
    """Ask your repository's later commits of the code before them.

    The message is the question; the functions and files that the commit changed are the answer.
    Merges, bumps, reverts, releases and bots are left out. Your working tree is not touched.
    """
    import tempfile

    from recollect.bench import datasets, replay
    from recollect.cli.progress import ProgressBar

    if questions_only and save is None:
        raise click.UsageError("--questions-only needs --save DIR.", click.get_current_context())
    with tempfile.TemporaryDirectory(prefix="recollect-replay-") as scratch:
        place = save or Path(scratch)
        with ProgressBar() as progress:
            count = replay.build(folders or [Path()], place, replay.Wanted(**wanted), progress)
        if questions_only:
            click.echo(
                f"Wrote {count} questions to {place}; ask them with: recollect bench run --data {place}"
            )
            return 0
        data = datasets.load(place)
        runs = run_all(
            data, names or ("recollect",), Kept(output, compress), k=k or 0, keep_texts=not no_text
        )
    return show_runs(runs, as_json)


@click.group("build", epilog=examples("recollect bench build memory -o my-questions"))
def build_group() -> None:
    """Make a data set of what you have."""


@build_group.command(
    "memory",
    epilog=examples(
        "recollect bench build memory -o my-questions",
        "recollect bench build memory -o mine --from old.jsonl",
    ),
)
@path_option
@click.option(
    "--from", "file", type=EXISTING, metavar="FILE", help="Take the memories of an export in JSONL instead."
)
@global_option
@click.option(
    "--output", "-o", type=ANYWHERE, required=True, metavar="DIR", help="The new data set; git ignores it."
)
@click.option(
    "--count", type=click.IntRange(1), default=50, show_default=True, help="Questions of each kind."
)
@click.option(
    "--max-jaccard", type=float, default=0.18, show_default=True, help="Words a paraphrase may share."
)
@click.option("--seed", type=int, default=4, show_default=True, help="Which memories are taken first.")
@click.option(
    "--command", "writer", metavar="CMD", help="Writes a paraphrase for the memory that it reads as JSON."
)
@json_option
def build_memory_command(
    folder: Path | None,
    file: Path | None,
    everywhere: bool,
    output: Path,
    writer: str | None,
    as_json: bool,
    **wanted: Any,
) -> int:
    """Make questions of three kinds (exact, paraphrase, multihop) from the memories of the project.

    Sensitive memories are left out. Without --command the paraphrases are made of words that stand in
    like company in the memories and in the repository: stiff, but no word of them leaves the machine.
    """
    from recollect import engine
    from recollect.bench import build, company, memories

    build.refuse_foreign(output)
    with engine.open(folder) as project:
        if file is not None:
            found = memories.read(file)
        else:
            found = memories.plain(project.memories.of(scope_of(everywhere)).export())
        near = () if writer else company.texts(project.root)
    made = memories.command_writer(writer) if writer else None
    plan = build.Plan(**wanted, writer=made, company=near)
    questions = build.build(found, plan)
    build.write(output, found, questions)
    for sentence in build.shortfalls(questions, plan):
        click.echo(f"Note: {sentence}", err=True)
    counts = {
        kind: sum(one.stratum == kind for one in questions) for kind in ("exact", "paraphrase", "multihop")
    }
    if as_json:
        print_json({"folder": str(output), "memories": len(found), "questions": counts})
        return 0
    kinds = ", ".join(f"{count} {kind}" for kind, count in counts.items())
    click.echo(f"Wrote {len(questions)} questions on {len(found)} memories to {output}: {kinds}.")
    return 0


@click.command(
    "tune", epilog=examples("recollect bench tune --data questions --set channel.chunks.limit=200,400")
)
@data_set_option
@click.option("--set", "choices", multiple=True, required=True, metavar="KEY=V1,V2", help="May be repeated.")
@click.option("--profile", default="", help="The profile to start from.")
@click.option("--metric", default="", help="What to choose by; default: the metric of the kind of data.")
@click.option("--repos", type=EXISTING, metavar="DIR", help="Where the checkouts of repos.json are.")
@here_option
@json_option
def tune_command(
    folder: Path, choices: tuple[str, ...], profile: str, metric: str, repos: Path | None, as_json: bool
) -> int:
    """Choose parameters on one half of the data, and report what they gain on the other.

    A change whose interval on the other half includes zero is refused, with exit code 1.
    """
    from recollect.bench import datasets, tuning
    from recollect.cli.progress import ProgressBar

    wanted = tuning.read_choices(choices)
    data = datasets.load(folder)
    with ProgressBar() as progress:
        tuned = tuning.tune_engine(data, wanted, profile, metric, repos=repos, progress=progress)
    if as_json:
        print_json(tuned.to_dict())
    else:
        _show_tuned(tuned)
    return 0 if tuned.accepted else FAILED


def _show_tuned(tuned: Tuned) -> None:
    click.echo(f"On the {tuned.chosen_on} questions that choose:")
    click.echo(f"  {tuned.default:.4f}  defaults")
    for tried in tuned.tried:
        click.echo(f"  {tried.mean:.4f}  {_settings(tried.settings)}")
    if not tuned.settings:
        click.echo("Refused: no setting was better than the defaults on the choosing half.")
        return
    other = tuned.on_other
    said = "Accepted" if tuned.accepted else "Refused: it may be chance"
    click.echo(
        f"{said}. {_settings(tuned.settings)} gains {other.delta:+.4f} [{other.low:+.4f}, {other.high:+.4f}] "
        f"on the {tuned.reported_on} questions that had no say in it."
    )


def _settings(settings: Mapping[str, Any]) -> str:
    return " ".join(f"{name}={value}" for name, value in settings.items()) or "defaults"
