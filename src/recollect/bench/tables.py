"""Runs, comparisons and checks as tables: rows first, then plain text or Markdown."""

from __future__ import annotations

from collections.abc import Sequence

from recollect.bench import metrics
from recollect.bench.compare import Comparison
from recollect.bench.gate import Check
from recollect.bench.runs import Run
from recollect.bench.statistics import Difference, interval

Table = list[list[str]]
"""Rows of cells, the first one the heads."""
_DIFFERENCE = ["difference", "95 % interval", "Wilcoxon p", "effect", "better/worse", ""]


def run_table(runs: Sequence[Run]) -> Table:
    """Return one row a run: quality, latency, index, memory."""
    costs = cost_table(runs)
    return [[*row, *cost[1:]] for row, cost in zip(quality_table(runs), costs, strict=True)]


def quality_table(runs: Sequence[Run]) -> Table:
    """Return one row a run with its metrics."""
    shown = shown_metrics(runs)
    rows = [[run.retriever, *(_number(run.metrics.get(metric)) for metric in shown)] for run in runs]
    return [["retriever", *shown], *rows]


def cost_table(runs: Sequence[Run]) -> Table:
    """Return one row a run: latency, index, memory."""
    heads = ["retriever", "p50 ms", "p95 ms", "cpu ms", "index s", "index cpu s", "index", "RSS"]
    rows = [
        [
            run.retriever,
            f"{run.latency_ms['p50']:.2f}",
            f"{run.latency_ms['p95']:.2f}",
            f"{run.cpu_ms['p50']:.2f}" if run.cpu_ms else "?",
            f"{run.build_seconds:.2f}",
            f"{run.build_cpu_seconds:.2f}",
            _size(run.index_bytes),
            _size(run.rss_bytes),
        ]
        for run in runs
    ]
    return [heads, *rows]


def strata_table(runs: Sequence[Run], metric: str) -> Table:
    """Return each run's mean by stratum with its 95 % interval; what there is less of makes the columns."""
    strata = sorted({name for run in runs for name in run.strata})
    names = ["all", *strata] if len(strata) != 1 else strata
    counts = {name: max(len(run.in_stratum(metric, name)) for run in runs) for name in names}
    cells = {(run.retriever, name): _ranged(run.in_stratum(metric, name)) for run in runs for name in names}
    if len(runs) > len(names):
        heads = ["retriever", *(f"{name} ({counts[name]})" for name in names)]
        return [heads, *([run.retriever, *(cells[run.retriever, name] for name in names)] for run in runs)]
    heads = ["stratum", "n", *(run.retriever for run in runs)]
    return [
        heads,
        *([name, str(counts[name]), *(cells[run.retriever, name] for run in runs)] for name in names),
    ]


def splits_table(runs: Sequence[Run], metric: str) -> Table:
    """Return one row a split: each run's mean, and what the split holds; at last the mean of splits."""
    rows = [["split", "documents", *(run.retriever for run in runs)]]
    by_name = [{split.name: split for split in run.splits} for run in runs]
    for name, split in by_name[0].items():
        cells = [_number(known[name].metrics.get(metric)) if name in known else "" for known in by_name]
        rows.append([name or "all", str(split.documents), *cells])
    rows.append(
        [f"mean of {len(by_name[0])}", "", *(_ranged(list(run.by_split(metric).values())) for run in runs)]
    )
    return rows


def tokens_table(runs: Sequence[Run]) -> Table:
    """Return the mean recall within each token budget."""
    found = [metrics.recall_by_budget([asked.recall_within for asked in run.questions]) for run in runs]
    rows = [["tokens", *(run.retriever for run in runs)]]
    for budget in sorted({budget for one in found for budget in one}):
        rows.append([f"{budget:,.0f}", *(_number(one.get(budget)) for one in found)])
    return rows


def reach_table(runs: Sequence[Run]) -> Table:
    """Return the tokens that the median question needs to reach each level of recall, and how many reach it."""
    found = [metrics.tokens_to_reach([asked.tokens_to_recall for asked in run.questions]) for run in runs]
    levels = sorted({level for one in found for level in one}, key=float)
    rows = [["retriever", *(f"{float(level):.0%} of the answers" for level in levels)]]
    for run, one in zip(runs, found, strict=True):
        rows.append([run.retriever, *(_reach(*one[level]) if level in one else "" for level in levels)])
    return rows


def comparison_table(found: Comparison) -> Table:
    """Return the difference overall, by stratum, and of the other metrics."""
    rows = [["", "n", *_DIFFERENCE]]
    rows.append(_difference(found.metric, found.overall))
    rows += [_difference(f"  {name}", one) for name, one in found.strata.items() if len(found.strata) > 1]
    if found.splits is not None:
        rows.append(_difference(f"  mean of {found.splits.n} splits", found.splits))
    rows += [_difference(name, one) for name, one in found.others.items()]
    return rows


def differences_table(found: Sequence[Comparison]) -> Table:
    """Return one row for each run that is compared with the same other one."""
    rows = [[f"against {found[0].old}", "n", *_DIFFERENCE]]
    return [*rows, *(_difference(one.new, one.overall) for one in found)]


def changes_table(found: Comparison) -> Table:
    """Return the questions that changed most."""
    rows = [["question", "stratum", "old", "new", "text"]]
    rows += [[one.id, one.stratum, _number(one.old), _number(one.new), one.text] for one in found.changed]
    return rows


def checks_table(checks: Sequence[Check]) -> Table:
    """Return one row a promise."""
    rows = [["metric", "found", "least", "against", ""]]
    rows += [
        [one.metric, _number(one.found), _number(one.least), one.against, "ok" if one.holds else "FAILED"]
        for one in checks
    ]
    return rows


def shown_metrics(runs: Sequence[Run]) -> list[str]:
    """Return the metrics worth a column: those that the runs have, the kind's own first."""
    main = metrics.MAIN[runs[0].kind]
    order = [main, *(name for name in metrics.SHOWN if name != main), *metrics.STRICT, *metrics.FUNCTIONS]
    return [name for name in order if any(name in run.metrics for run in runs)]


def plain(table: Table, width: int = 48) -> str:
    """Return a table with aligned columns, numbers to the right."""
    cut = [[cell if len(cell) <= width else cell[: width - 1] + "…" for cell in row] for row in table]
    widths = [max(len(row[at]) for row in cut) for at in range(len(cut[0]))]
    right = [all(_looks_like_number(row[at]) for row in cut[1:] if row[at]) for at in range(len(widths))]
    lines = (
        "  ".join(
            cell.rjust(size) if number else cell.ljust(size)
            for cell, size, number in zip(row, widths, right, strict=True)
        )
        for row in cut
    )
    return "\n".join(line.rstrip() for line in lines)


def markdown(table: Table) -> str:
    """Return a table in Markdown."""
    escaped = [[cell.strip().replace("|", "\\|").replace("\n", " ") for cell in row] for row in table]
    lines = ["| " + " | ".join(row) + " |" for row in escaped]
    return "\n".join([lines[0], "|" + "---|" * len(table[0]), *lines[1:]])


def _difference(name: str, one: Difference) -> list[str]:
    return [
        name,
        str(one.n),
        f"{one.delta:+.4f}",
        f"[{one.low:+.4f}, {one.high:+.4f}]",
        f"{one.p_value:.2g}",
        f"{one.effect:+.2f}",
        f"{one.better}/{one.worse}",
        "decisive" if one.decisive else "",
    ]


def _ranged(values: Sequence[float]) -> str:
    if not values:
        return ""
    found = interval(values)
    return f"{found.mean:.3f} [{found.low:.3f}, {found.high:.3f}]"


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.4f}"


def _reach(tokens: float | None, share: float) -> str:
    return f"{'not reached' if tokens is None else f'{tokens:,.0f}'} ({share:.0%})"


def _size(count: int | None) -> str:
    if count is None:
        return "?"
    return f"{count / 1e6:.1f} MB"


def _looks_like_number(cell: str) -> bool:
    return (
        cell.replace(".", "").replace(",", "").replace("-", "").replace("+", "").replace(" MB", "").isdigit()
    )
