"""What a report says of runs, part by part; a page and Markdown are drawn from the same parts."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from importlib.resources import files

from recollect.bench import curves, metrics, notes, tables
from recollect.bench.compare import Comparison, compare
from recollect.bench.runs import Run
from recollect.bench.statistics import interval
from recollect.errors import UsageError


@dataclass(frozen=True, slots=True)
class Block:
    """One part of a report."""

    kind: str
    """heading, lead, text, code, table or plot."""
    caption: str
    table: tables.Table = field(default_factory=list)
    svg: str = ""
    folded: bool = False
    """Shown only when a reader asks for it."""
    wide: bool = False
    names: tuple[str, ...] = ()
    """What the colours of a plot or the rows of a table stand for, in their order."""
    main: str = ""
    """The column of a table that is drawn as bars."""


def blocks(runs: Sequence[Run]) -> Iterator[Block]:
    """Yield the parts of a report on runs, one data set after the other."""
    if not runs:
        raise UsageError("A report needs at least one run; make one with: recollect bench run.")
    for digest in dict.fromkeys(run.digest for run in runs):
        yield from _data(_labelled([run for run in runs if run.digest == digest]))
    yield Block("heading", "How to read this")
    yield Block("table", "", _reading(runs))
    yield from (
        Block("text", sentence)
        for sentence in (_sentences()[key] for key in ("interval", "tokens", "memory"))
    )


def _data(runs: Sequence[Run]) -> Iterator[Block]:
    metric = metrics.MAIN[runs[0].kind]
    names = tuple(run.retriever for run in runs)
    found = [compare(runs[0], run) for run in runs[1:]]
    yield Block("heading", f"{runs[0].data}: {len(runs[0].questions):,} questions")
    yield Block("lead", _lead(runs, metric))
    yield Block("text", f"Quoted by {metric}; {runs[0].k} results were asked for. {_made(runs)}")
    yield Block("table", "", tables.quality_table(runs), names=names, main=metric)
    yield Block(
        "plot",
        f"{metric} by stratum, with 95 % intervals",
        svg=curves.strata(runs, metric),
        wide=True,
        names=names,
    )
    if found:
        caption = f"Difference from {names[0]}, with 95 % intervals; a hollow point may be chance"
        yield Block("plot", caption, svg=curves.differences(found), wide=True)
        caption = f"Difference in {metric} from {names[0]}"
        yield Block("table", caption, tables.differences_table(found), folded=True)
        yield from (Block("text", f"{one.new}: {note}") for one in found for note in one.notes)
    yield Block(
        "table", f"{metric} by stratum, with 95 % intervals", tables.strata_table(runs, metric), folded=True
    )
    yield from _costs(runs, metric, names)
    yield from _growth(runs, metric, names)
    yield from _differences(found)
    yield from _provenance(runs)


def _costs(runs: Sequence[Run], metric: str, names: tuple[str, ...]) -> Iterator[Block]:
    yield Block("plot", f"{metric} against median latency", svg=curves.latency(runs, metric), names=names)
    within = "Recall within a budget of tokens, read from the top"
    yield Block("plot", within, svg=curves.tokens(runs), names=names)
    yield Block("table", "What answers and indexes cost", tables.cost_table(runs), names=names)
    caption = "Tokens read until half, 80 % or all of the answers are found: median, and how many get there"
    yield Block("table", caption, tables.reach_table(runs))
    yield Block("table", within, tables.tokens_table(runs), folded=True)


def _growth(runs: Sequence[Run], metric: str, names: tuple[str, ...]) -> Iterator[Block]:
    if len(runs[0].splits) < 2:
        return
    for caption, cost, label in (
        ("Processor time of indexing against the size of the corpus", curves.index_time, "seconds"),
        ("Size of the index against the size of the corpus", curves.index_size, "megabytes"),
        ("Processor time of the median answer against the size", curves.answer_time, "milliseconds"),
    ):
        yield Block("plot", caption, svg=curves.growth(runs, cost, label), names=names)
    yield Block("table", f"{metric} by split", tables.splits_table(runs, metric), folded=True)


def _differences(found: Sequence[Comparison]) -> Iterator[Block]:
    for one in found:
        yield Block("table", f"{one.new} against {one.old}", tables.comparison_table(one), folded=True)


def _provenance(runs: Sequence[Run]) -> Iterator[Block]:
    rows = [
        [run.retriever, sentence]
        for run in runs
        for sentence in notes.sentences([split.notes for split in run.splits])
    ]
    if rows:
        yield Block("table", "What the retrievers had to say", [["retriever", "note"], *rows], folded=True)
    rows = [[run.retriever, run.command, run.revision[:12], run.made] for run in runs]
    yield Block("table", "How it was made", [["retriever", "command", "commit", "made"], *rows], folded=True)


def _lead(runs: Sequence[Run], metric: str) -> str:
    """Say which run is best and whether that is decisive."""
    ranked = sorted(runs, key=lambda run: -run.metrics[metric])
    best = interval(list(ranked[0].values(metric).values()))
    said = f"{ranked[0].retriever} reaches {metric} {best.mean:.3f} [{best.low:.3f}, {best.high:.3f}]"
    if len(ranked) == 1:
        return f"{said}."
    gap = compare(ranked[1], ranked[0], metric).overall
    verdict = "which is decisive" if gap.decisive else "which may be chance"
    return (
        f"{said}, the most of {len(ranked)}; {ranked[1].retriever} follows with {ranked[1].metrics[metric]:.3f}, "
        f"a difference of {gap.delta:+.3f} [{gap.low:+.3f}, {gap.high:+.3f}], {verdict}."
    )


def _labelled(runs: Sequence[Run]) -> list[Run]:
    """Return the runs with names that differ, so that two runs of one retriever can be told apart."""
    seen: dict[str, int] = {}
    named = []
    for run in runs:
        seen[run.retriever] = count = seen.get(run.retriever, 0) + 1
        named.append(run if count == 1 else replace(run, retriever=f"{run.retriever} ({count})"))
    return named


def _made(runs: Sequence[Run]) -> str:
    places = ", ".join(sorted({run.machine for run in runs}))
    versions = ", ".join(sorted({run.version for run in runs}))
    return f"Machine: {places}. recollect {versions}."


def _reading(runs: Sequence[Run]) -> tables.Table:
    """Return one row for each metric that is shown, by the longest key that it begins with."""
    known = _sentences()
    shown = dict.fromkeys(metric for run in runs for metric in tables.shown_metrics([run]))
    rows: dict[str, list[str]] = {}
    for metric in shown:
        key = max((key for key in known if metric.startswith(key)), key=len, default="")
        if key:
            rows.setdefault(key, []).append(metric)
    return [["metric", "meaning"], *([", ".join(names), known[key]] for key, names in rows.items())]


def _sentences() -> dict[str, str]:
    return tomllib.loads(files("recollect.bench").joinpath("reading.toml").read_text(encoding="utf-8"))
