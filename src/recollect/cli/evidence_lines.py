"""What was gathered of evidence, as text that reads well in 80 columns."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping

from recollect.cli.render import WIDTH, cut, moment, plural
from recollect.evidence.values import DeadReport, EnrichReport, HistoryReport, KnownRuns, ObserveReport

_REPORTS = 10
_GUESSES = ("inferred", "ambiguous")


def enriched(report: EnrichReport) -> list[str]:
    """Say what servers and indexes resolved, and what that did to the edges."""
    lines = []
    for tool in report.tools:
        version = f" ({tool.version})" if tool.version else ""
        lines.append(f"{tool.name}{version}: {', '.join(tool.languages)}")
        parts = [f"{plural(tool.resolved, 'file')} resolved"]
        parts += [f"{count:,} {what}" for count, what in (
            (tool.known, "known from before"), (tool.failed, "failed"), (tool.left, "left for the next run"),
        ) if count]  # fmt: skip
        lines.append(f"  {', '.join(parts)}")
        if tool.questions:
            lines.append(f"  {tool.answered:,} of {plural(tool.questions, 'question')} answered")
    proven = _proven(report.after) - _proven(report.before)
    guesses = [sum(edges.get(name, 0) for name in _GUESSES) for edges in (report.before, report.after)]
    lines.append(
        f"Edges: {proven:+,} proven, {guesses[0]:,} guesses before and {guesses[1]:,} now; "
        f"{plural(report.outside, 'symbol')} outside."
    )
    return [*lines, *wrapped(report.notes)]


def read(report: HistoryReport) -> list[str]:
    """Say what is known of the history."""
    if not report.commits:
        return wrapped(report.notes)
    lines = [
        f"{plural(report.commits, 'commit')} up to {report.commit[:10]}, {report.read:,} of them new "
        f"({report.seconds:.1f} s)",
        f"{plural(report.files, 'file')} and the lines of {plural(report.symbols, 'symbol')} followed; "
        f"{plural(report.pairs, 'pair')} that change together",
    ]
    return [*wrapped(lines), *wrapped(report.notes)]


def observed(report: ObserveReport) -> list[str]:
    """Say what was learned of runs."""
    if not report.sources:
        return wrapped(report.notes)
    line = (
        f"{plural(report.records, 'record')}: {plural(report.symbols, 'symbol')} seen running, "
        f"{plural(report.steps, 'step')} between symbols"
    )
    left = f", {report.unmatched:,} not recognised" if report.unmatched else ""
    return [*wrapped([f"{line}{left}."]), *wrapped(report.notes)]


def runs(known: KnownRuns) -> list[str]:
    """Say what is known of runs, and from which reports."""
    if not known.symbols:
        return wrapped(
            ["Nothing was seen running yet; recollect observe FILE reads a trace or a coverage report."]
        )
    kept = f"kept for {known.days:g} days" if known.days else "kept for good"
    lines = wrapped([
        f"{plural(known.symbols, 'symbol')}, types and files among them, seen running, last {moment(known.last)}; "
        f"{plural(known.calls, 'call')}, {plural(known.tests, 'run')} by tests; {kept}."
    ])  # fmt: skip
    shown = known.reports[-_REPORTS:]
    lines += [cut(f"  {moment(one['time'])}  {one['format']:<13} {one['name']}") for one in shown]
    rest = len(known.reports) - len(shown)
    return [*lines, f"  and {plural(rest, 'report')} before"] if rest else lines


def dead(report: DeadReport, limit: int) -> list[str]:
    """List the candidates for dead code, surest first."""
    lines = []
    for one in report.candidates[:limit]:
        lines.append(cut(f"{one.certainty:.0%}  {one.kind} {one.name}  {one.path}:{one.start_line}"))
        lines += textwrap.wrap(
            "; ".join(one.reasons), WIDTH, initial_indent="     ", subsequent_indent="     "
        )
    rest = len(report.candidates) - limit
    if rest > 0:
        lines.append(f"and {plural(rest, 'more candidate')}; --limit or --json shows them")
    lines.append(
        f"{plural(len(report.candidates), 'candidate')} among {plural(report.looked_at, 'symbol')}; "
        f"{report.doubtful:,} more are less sure."
    )
    return lines


def _proven(edges: Mapping[str, int]) -> int:
    return sum(edges.get(name, 0) for name in ("lsp_resolved", "scip"))


def wrapped(notes: Iterable[str]) -> list[str]:
    """Return sentences as lines that fit."""
    return [line for note in notes for line in textwrap.wrap(note, WIDTH, subsequent_indent="  ")]
