"""Values as text that reads well in 80 columns."""

from __future__ import annotations

import os
import sys
import textwrap
from collections.abc import Mapping
from datetime import datetime

import click

from recollect.graph.doubts import doubts
from recollect.types import Diagnosis, Hit, Hits, Impact, IndexReport, Past, Seen, Status

WIDTH = 80
SHOWN_LINES = 6
QUOTED_LINES = 20
SHOWN_NOTES = 5
SHOWN_PEOPLE = 3
TOGETHER = 12
"""Items of one file that are named together where nothing is certain."""
_STEPS = (("calls", "calls seen"), ("tests", "runs by tests seen"))
COUNTED = ("files", "symbols", "chunks", "edges")


def colour() -> bool:
    """Say whether colour is wanted: on a terminal, unless NO_COLOR is set."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR")


def style(text: str, **how: bool | str) -> str:
    """Return the text in colour when colour is wanted."""
    return click.style(text, **how) if colour() else text  # type: ignore[arg-type]


def cut(text: str, width: int = WIDTH) -> str:
    """Return a line that fits, with an ellipsis where something was left out."""
    line = text.replace("\t", "    ").rstrip()
    return line if len(line) <= width else line[: width - 1] + "…"


def plain(text: str) -> str:
    """Return a line without characters that would steer a terminal."""
    return "".join(char for char in text if char == "\t" or char.isprintable())


def quotation(text: str) -> list[str]:
    """Return a text as quoted lines, wrapped and whole but for what is very long."""
    lines = [
        part
        for line in map(plain, text.splitlines())
        if line.strip()
        for part in textwrap.wrap(line, WIDTH - 4, replace_whitespace=False, drop_whitespace=True)
    ]
    shown = [f"  > {line}" for line in lines[:QUOTED_LINES]]
    rest = len(lines) - QUOTED_LINES
    return [*shown, f"  … {plural(rest, 'more line')}; --json shows all"] if rest > 0 else shown


def plural(count: int, noun: str) -> str:
    """Return `1 file` or `2 files`."""
    many = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
    return f"{count:,} {noun if count == 1 else many}"


def size(count: int) -> str:
    """Return bytes in the unit that a person reads."""
    amount = float(count)
    for unit in ("B", "kB", "MB"):
        if amount < 1000:
            return f"{amount:.0f} {unit}" if unit == "B" else f"{amount:.1f} {unit}"
        amount /= 1000
    return f"{amount:.1f} GB"


def report_lines(report: IndexReport) -> list[str]:
    """Say what an index run did."""
    if report.mode == "unchanged":
        head = f"Nothing changed: {plural(report.files, 'file')}, looked through in {report.seconds:.2f} s."
        return [head, *map(cut, report.notes[:SHOWN_NOTES])]
    lines = [
        f"Indexed {plural(report.files, 'file')} in {report.seconds:.1f} s: "
        f"{plural(report.symbols, 'symbol')}, {plural(report.edges, 'edge')}.",
        f"  {report.mode}: {report.parsed:,} parsed, {report.reused:,} known from before, {report.removed:,} removed",
    ]
    if report.skipped:
        reasons = ", ".join(f"{count:,} {reason}" for reason, count in sorted(report.skipped.items()))
        lines.append(cut(f"  left out: {reasons}"))
    lines += [cut(f"  {note}") for note in report.notes[:SHOWN_NOTES]]
    rest = len(report.notes) - SHOWN_NOTES
    return [*lines, f"  … {plural(rest, 'more note')}; --json shows all"] if rest > 0 else lines


def hits_lines(hits: Hits) -> list[str]:
    """Show each hit with its place, why it is there and its first lines."""
    lines: list[str] = []
    for hit in hits.hits:
        lines += [*_hit_lines(hit), ""]
    return lines[:-1]


def _hit_lines(hit: Hit) -> list[str]:
    span = f":{hit.start_line}-{hit.end_line}" if hit.start_line else ""
    place = style(f"{hit.path}{span}", fg="cyan")
    head = (
        f"{place}  {hit.kind} {style(hit.name, bold=True)}"
        if hit.name != hit.path
        else f"{place}  {hit.kind}"
    )
    why = (
        f"  {hit.score:.2f}  "
        + "; ".join(hit.reasons)
        + ("; changed since it was indexed" if hit.stale else "")
    )
    body = [plain(line) for line in hit.text.split("\n") if line.strip()]
    shown = [f"    {cut(line, WIDTH - 4)}" for line in body[:SHOWN_LINES]]
    rest = len(body) - SHOWN_LINES
    return [
        head,
        style(cut(why), dim=True),
        *shown,
        *([f"    … {plural(rest, 'more line')}"] if rest > 0 else []),
    ]


def status_lines(status: Status) -> list[str]:
    """Say what is indexed, how fresh and how big it is."""
    if not status.indexed:
        return [f"{status.root} is not indexed yet; recollect index does that."]
    counts = ", ".join(plural(status.counts[name], name[:-1]) for name in COUNTED if name in status.counts)
    lines = [style(status.root, bold=True), *_row("indexed", counts)]
    lines += _row("kinds", _counted(status.kinds))
    lines += _row("languages", _counted(status.languages))
    lines += _row("left out", _counted(status.skipped))
    lines += _row("fresh", _freshness(status))
    lines += _row("evidence", _known(status))
    lines += _row("on disk", ", ".join(f"{name} {size(count)}" for name, count in status.sizes.items()))
    return lines


def diagnosis_lines(diagnosis: Diagnosis) -> list[str]:
    """Say what is wrong and what was repaired."""
    if not diagnosis.findings:
        return ["Nothing is wrong."]
    lines = [f"wrong:    {finding}" for finding in diagnosis.findings]
    lines += [f"repaired: {finding}" for finding in diagnosis.repaired]
    return (
        lines if diagnosis.healthy or diagnosis.repaired else [*lines, "recollect doctor --repair mends it."]
    )


def _known(status: Status) -> str:
    """Say what is known of the code beside reading it."""
    found = status.evidence
    parts = [f"{plural(found['resolved'], 'file')} resolved by tools"] if "resolved" in found else []
    if "ran" in found:
        last = f"seen running, last {moment(status.last_run)}"
        parts.append(f"{plural(found['ran'], 'symbol')} with their types and files {last}")
    parts += [f"{found[name]:,} {what}" for name, what in _STEPS if name in found]
    return ", ".join(parts)


def _freshness(status: Status) -> str:
    if not status.complete:
        left = f": {plural(status.pending, 'file')} still to be read" if status.pending else ""
        return f"the first index is not finished{left}; the next question goes on with it"
    notes = []
    if status.pending:
        notes.append(f"{plural(status.pending, 'file')} changed since; the next search reads them again")
    if status.indexed_commit and status.indexed_commit != status.commit:
        notes.append(f"indexed at commit {status.indexed_commit[:10]}, now at {status.commit[:10] or 'none'}")
    return "; ".join(notes) or "yes, every file is as it was indexed"


def _counted(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {count:,}" for name, count in counts.items())


def _row(label: str, text: str) -> list[str]:
    """Return a label with its text, wrapped under itself; nothing when there is no text."""
    start = f"  {label:<11}"
    return textwrap.wrap(text, WIDTH, initial_indent=start, subsequent_indent=" " * len(start))


def impact_lines(impact: Impact) -> list[str]:
    """Show what was reached, step by step, with how sure it is."""
    starts = ", ".join(f"{item.name} ({item.path}:{item.start_line})" for item in impact.starts)
    backwards = impact.direction == "callers"
    if not impact.reached:
        said = f"Nothing depends on {starts}" if backwards else f"{starts} depends on nothing"
        said = f"{said}, as far as the index can tell."
        return [*textwrap.wrap(said, WIDTH), *_evidence(impact), *map(cut, impact.notes)]
    count = plural(len(impact.reached), "item")
    verb = "depends" if len(impact.reached) == 1 else "depend"
    said = f"{count} {verb} on {starts}" if backwards else f"{starts} depends on {count}"
    said = f"{said}, {impact.proven:,} proven and {impact.possible:,} possible" if impact.possible else said
    lines = [*textwrap.wrap(said, WIDTH, subsequent_indent="  "), *_evidence(impact), *map(cut, impact.notes)]
    distance = 0
    for one in impact.reached:
        if not one.certain:
            continue
        if distance != one.distance:
            distance = one.distance
            lines += ["", style(f"{plural(distance, 'step')} away", bold=True)]
        line = (one.line if backwards else 0) or one.start_line
        place = f"{one.path}:{line}" if one.path else one.kind
        sure = one.provenance
        if one.passed or one.ran:
            sure += f"; {_seen(one.passed)}" if one.passed else f"; itself {_seen(one.ran)}"
        lines += _reached_lines(f"  {one.name}  {place}", f"{one.relation}, {sure}")
    lines += _doubtful(impact, backwards)
    return [*lines, *(["", "More was reached than is listed."] if impact.truncated else [])]


def _reached_lines(head: str, how: str) -> list[str]:
    """Return a place with how it is known, on one line where both fit."""
    if len(head) + 2 + len(how) <= WIDTH:
        return [f"{head}  {style(how, dim=True)}"]
    return [cut(head), style(cut(f"      {how}"), dim=True)]


def _doubtful(impact: Impact, backwards: bool) -> list[str]:
    """Show what is not certain, by file."""
    lines: list[str] = []
    distance = 0
    for doubt in doubts(impact.reached):
        if distance != doubt.distance:
            distance = doubt.distance
            lines += ["", style(f"{plural(distance, 'step')} away, not certain", bold=True)]
        head = f"  {doubt.path}  {style(doubt.said, dim=True)}"
        names = ", ".join(
            f"{one.name}:{(one.line if backwards else 0) or one.start_line}" for one in doubt.items[:TOGETHER]
        )
        rest = len(doubt.items) - TOGETHER
        names += f" and {rest} more" if rest > 0 else ""
        start = " " * 6
        lines += [head, *textwrap.wrap(names, WIDTH, initial_indent=start, subsequent_indent=start)]
    return lines


def moment(time: float) -> str:
    """Return a time as date and time of this place."""
    return datetime.fromtimestamp(time).astimezone().strftime("%Y-%m-%d %H:%M")


def _evidence(impact: Impact) -> list[str]:
    """Say what runs, history and owners tell of the symbols that were asked about."""
    told: dict[str, None] = {}
    for item in impact.starts:
        if unused := impact.unused.get(item.id):
            told[f"{item.name} may be dead, {unused.certainty:.0%} sure: {'; '.join(unused.reasons)}."] = None
        if past := impact.past.get(item.id):
            told.update(dict.fromkeys(_past(item.name, past)))
    wrapped = (textwrap.wrap(text, WIDTH, initial_indent="  ", subsequent_indent="    ") for text in told)
    return [*_ran(impact), *(line for lines in wrapped for line in lines)]


def _past(name: str, past: Past) -> list[str]:
    told = []
    if past.latest:
        people = ", ".join(f"{who} ({count})" for who, count in past.authors[:SHOWN_PEOPLE])
        counts = f"{plural(past.commits, 'commit')}, its file in {past.file_commits:,}"
        told.append(
            f"{name} was changed in {counts}, last {moment(past.latest)[:10]}; by {people or 'nobody known'}."
        )
    if past.owners:
        told.append(f"Owned by {', '.join(past.owners)}.")
    if past.changes_with:
        some = ", ".join(f"{who} ({share} %)" for who, share in past.changes_with[:SHOWN_PEOPLE])
        told.append(f"Changes with {some}.")
    return told


def _ran(impact: Impact) -> list[str]:
    """Say which of the symbols that were asked about were seen running."""
    names = {item.id: item.name for item in impact.starts}
    return [cut(f"  {names[key]} was {_seen(seen)}") for key, seen in impact.ran.items()]


def _seen(seen: Seen | None) -> str:
    return f"seen running {plural(seen.times, 'time')}, last {moment(seen.last)}" if seen else ""
