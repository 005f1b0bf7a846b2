"""What runs look like as plots."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from recollect.bench import plots
from recollect.bench.compare import Comparison
from recollect.bench.metrics import percentile, recall_by_budget
from recollect.bench.runs import Run, SplitCost
from recollect.bench.statistics import interval

Cost = Callable[[Run, SplitCost], float]


def strata(runs: Sequence[Run], metric: str) -> str:
    """Return bars of a metric by stratum."""
    names = sorted({name for run in runs for name in run.strata})
    groups = names if len(names) == 1 else ["all", *names]
    return plots.bars(groups, [_by_group(run, metric, groups) for run in runs], metric)


def latency(runs: Sequence[Run], metric: str) -> str:
    """Return points of quality against the median time of an answer."""
    series = []
    for run in runs:
        found = interval(list(run.values(metric).values()))
        shown = [max(run.latency_ms["p50"], 1e-3)]
        series.append(plots.Series(run.retriever, shown, [found.mean], [found.low], [found.high]))
    return plots.scatter(series, "median milliseconds a question", metric)


def tokens(runs: Sequence[Run]) -> str:
    """Return lines of the recall within each budget of tokens."""
    series = []
    for run in runs:
        found = recall_by_budget([asked.recall_within for asked in run.questions])
        series.append(plots.Series(run.retriever, list(found), list(found.values())))
    return plots.lines(series, "tokens read from the top", "recall")


def growth(runs: Sequence[Run], cost: Cost, label: str) -> str:
    """Return lines of what a split costs against its size; what costs nothing is left out."""
    series = []
    for run in runs:
        known = [(max(split.bytes, 1) / 1000, cost(run, split)) for split in run.splits]
        above = [(size, value) for size, value in known if value]
        series.append(plots.Series(run.retriever, [size for size, _ in above], [value for _, value in above]))
    return plots.lines(series, "kilobytes of corpus", label, powers=True)


def index_time(_: Run, split: SplitCost) -> float:
    """Return the seconds of the processor that indexing took, or of the clock in runs that did not measure them."""
    return split.build_cpu_seconds or split.build_seconds


def index_size(_: Run, split: SplitCost) -> float:
    """Return the megabytes of an index."""
    return (split.index_bytes or 0) / 1e6


def answer_time(run: Run, split: SplitCost) -> float:
    """Return the median milliseconds of the processor for an answer, or of the clock."""
    return (
        percentile([one.cpu_milliseconds for one in run.questions if one.split == split.name], 50)
        or split.p50_ms
    )


def differences(found: Sequence[Comparison]) -> str:
    """Return one row a comparison, in the order of the retrievers that are compared with the first."""
    series = [
        plots.Series(one.new, [0.0], [one.overall.delta], [one.overall.low], [one.overall.high])
        for one in found
    ]
    return plots.differences(series, f"difference in {found[0].metric} from {found[0].old}")


def _by_group(run: Run, metric: str, groups: Sequence[str]) -> plots.Series:
    found = [interval(run.in_stratum(metric, group)) for group in groups]
    return plots.Series(
        run.retriever,
        list(range(len(groups))),
        [one.mean for one in found],
        [one.low for one in found],
        [one.high for one in found],
    )
