"""`recollect bench`: measure retrieval on your own data, compare two ways of doing it, and say what is real."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from recollect.cli import bench_make
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
from recollect.cli.options import examples, here_option, json_option, print_json


@click.group(
    "bench",
    epilog=examples(
        "recollect bench replay --retriever recollect --retriever bm25",
        "recollect bench run --data my-questions --retriever recollect",
        "recollect bench compare bench-results/a.json bench-results/b.json",
    ),
)
def command() -> None:
    """Measure how good retrieval is, on your own data.

    The fastest start is `replay`: it asks the messages of later commits of the code before them.
    """


for made in (bench_make.replay_command, bench_make.build_group, bench_make.tune_command):
    command.add_command(made)


@command.command(
    "run", epilog=examples("recollect bench run --data questions -r recollect -r bm25 -r grep_tuned")
)
@data_set_option
@retrievers_option
@click.option("--repos", type=EXISTING, metavar="DIR", help="Where the checkouts of repos.json are.")
@click.option("--split", "splits", multiple=True, metavar="NAME", help="Only this part; may be repeated.")
@click.option("--stratum", "strata", multiple=True, metavar="NAME", help="Only these questions; repeatable.")
@click.option("--limit", type=click.IntRange(0), default=0, help="Only the first questions of each part.")
@k_option
@output_option
@compress_option
@texts_option
@here_option
@json_option
def run_command(
    folder: Path,
    names: tuple[str, ...],
    repos: Path | None,
    splits: tuple[str, ...],
    strata: tuple[str, ...],
    limit: int,
    k: int | None,
    output: Path,
    compress: bool,
    no_text: bool,
    as_json: bool,
) -> int:
    """Run retrievers over a data set and keep every answer."""
    from recollect.bench import datasets

    data = datasets.load(folder, splits, limit, strata)
    runs = run_all(
        data, names or ("recollect",), Kept(output, compress), repos=repos, k=k or 0, keep_texts=not no_text
    )
    return show_runs(runs, as_json)


@command.command("compare", epilog=examples("recollect bench compare old.json new.json --metric ndcg@10"))
@click.argument("old", type=EXISTING)
@click.argument("new", type=EXISTING)
@click.option("--metric", default="", help="What to compare by; default: the metric of the kind of data.")
@click.option(
    "--changed", type=click.IntRange(0), default=10, show_default=True, help="How many questions to show."
)
@here_option
@json_option
def compare_command(old: Path, new: Path, metric: str, changed: int, as_json: bool) -> None:
    """Say how much better NEW is than OLD, and whether that is decisive.

    The interval is a paired bootstrap (10,000 rounds, fixed seed); decisive means that it excludes zero.
    """
    from recollect.bench import runs, tables
    from recollect.bench.compare import compare

    found = compare(runs.load(old), runs.load(new), metric, changed)
    if as_json:
        print_json(found.to_dict())
        return
    click.echo(f"{found.new} against {found.old} on {found.data}, by {found.metric}\n")
    click.echo(tables.plain(tables.comparison_table(found)))
    for note in found.notes:
        click.echo(f"Note: {note}", err=True)
    if found.changed:
        click.echo(f"\nQuestions that changed most:\n{tables.plain(tables.changes_table(found))}")


@command.command(
    "gate",
    epilog=examples(
        "recollect bench gate new.json --baseline last-release.json --tolerance 0.02",
        "recollect bench gate last-release.json new.json",
        "recollect bench gate new.json --min recall@10=0.75",
    ),
)
@click.argument("files", type=EXISTING, nargs=-1, required=True, metavar="[OLD] NEW")
@click.option("--baseline", type=EXISTING, metavar="FILE", help="OLD, an older run of the same questions.")
@click.option("--metric", "chosen", multiple=True, help="A metric that must not fall; may be repeated.")
@click.option("--tolerance", type=float, default=0.02, show_default=True, help="How far a metric may fall.")
@click.option("--min", "floors", multiple=True, metavar="METRIC=VALUE", help="A floor; may be repeated.")
@here_option
@json_option
def gate_command(
    files: tuple[Path, ...],
    baseline: Path | None,
    chosen: tuple[str, ...],
    tolerance: float,
    floors: tuple[str, ...],
    as_json: bool,
) -> int:
    """Exit with 1 when a metric fell too far since OLD, or lies under its floor; for use in CI."""
    from dataclasses import asdict

    from recollect.bench import gate, metrics, runs, tables

    *older, new = [*([baseline] if baseline else []), *files]
    if len(older) > 1:
        raise click.UsageError(
            "Give one run, and one older run that it is held against.", click.get_current_context()
        )
    if not older and not floors:
        raise click.UsageError("Give --baseline FILE or --min METRIC=VALUE.", click.get_current_context())
    run = runs.load(new)
    checks = gate.against_floors(run, dict(map(_floor, floors)))
    if older:
        checks += gate.against_run(run, runs.load(older[0]), chosen or (metrics.MAIN[run.kind],), tolerance)
    if as_json:
        print_json({"checks": [{**asdict(check), "holds": check.holds} for check in checks]})
    else:
        click.echo(tables.plain(tables.checks_table(checks)))
    return 0 if all(check.holds for check in checks) else FAILED


@command.command("stats", epilog=examples("recollect bench stats my-questions"))
@data_set_option
@here_option
@json_option
def stats_command(folder: Path, as_json: bool) -> None:
    """Check a data set and show its aggregates; no text of it is printed, so they are safe to share."""
    from recollect.bench import datasets, stats

    found = stats.describe(datasets.load(folder))
    if as_json:
        print_json(found)
        return
    for name, value in found.items():
        shown = (
            ", ".join(f"{key} {_short(one)}" for key, one in value.items())
            if isinstance(value, dict)
            else value
        )
        click.echo(f"{name.replace('_', ' '):28} {shown}")


@command.command(
    "report", epilog=examples("recollect bench report bench-results/*.json --output report.html")
)
@click.argument("files", type=EXISTING, nargs=-1, required=True)
@click.option("--output", "-o", type=ANYWHERE, default=Path("report.html"), show_default=True, metavar="FILE")
@click.option("--markdown", type=ANYWHERE, metavar="FILE", help="Write the same as Markdown too.")
@here_option
@json_option
def report_command(files: tuple[Path, ...], output: Path, markdown: Path | None, as_json: bool) -> None:
    """Write one page about runs, with plots; it needs no network and no other file.

    Of several runs over one data set, the first is what the others are compared with.
    """
    from recollect.bench import report, runs

    loaded = [runs.load(file) for file in files]
    _write(output, report.html(loaded))
    if markdown is not None:
        _write(markdown, report.markdown(loaded))
    if as_json:
        print_json({"runs": len(loaded), "written": [str(one) for one in (output, markdown) if one]})


def _floor(text: str) -> tuple[str, float]:
    name, _, value = text.partition("=")
    try:
        return name, float(value)
    except ValueError as error:
        raise click.UsageError(
            f"--min wants METRIC=VALUE, not {text!r}.", click.get_current_context()
        ) from error


def _short(value: Any) -> str:
    return f"{value:.3g}" if isinstance(value, float) else json.dumps(value)


def _write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    click.echo(f"Wrote {file}", err=True)
