"""Runs of imports, assignments and log statements become one remark each, and runs of blank lines one line."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from recollect.retrieve.compress.rows import Row
from recollect.retrieve.compress.syntax import Syntax
from recollect.retrieve.compress.units import Unit, indent

IMPORTS, ASSIGNMENTS, LOGS, BLANKS = 3, 2, 1, 1
"""Longer runs than these are collapsed."""
NAMED = 8


def collapse(units: Sequence[Unit], syntax: Syntax, imports: bool, boilerplate: bool) -> list[Row]:
    """Return the units as rows, with remarks in place of runs."""
    rows: list[Row] = []
    for (sort, kept), group in groupby(units, key=lambda unit: (unit.sort, unit.kept)):
        run = list(group)
        if sort == "blank":
            rows.extend(Row(unit.text, "", False, blank=True) for unit in run[:BLANKS])
            continue
        wanted = imports if sort == "import" else boilerplate
        remark = _remark(run, sort, syntax) if wanted and not kept else ""
        if remark:
            opening, closing = syntax.mark
            text = f"{' ' * indent(run[0].text)}{opening}[{remark}]{closing}"
            rows.append(Row(text, "", False, remark=True))
        else:
            rows.extend(Row(unit.text, unit.bare, unit.kept) for unit in run)
    return rows


def _remark(run: Sequence[Unit], sort: str, syntax: Syntax) -> str:
    if sort == "import":
        names = [name for unit in run for name in _imported(unit.text, syntax)]
        count = max(len(run), len(names))
        return f"{count} imports: {_listed(names)}" if count > IMPORTS else ""
    if sort == "assignment" and len(run) > ASSIGNMENTS:
        names = [found.group(1) for unit in run if (found := syntax.assignment.match(unit.text))]
        return f"{len(run)} assignments: {_listed(names)}"
    return f"{len(run)} log statements" if sort == "log" and len(run) > LOGS else ""


def _imported(text: str, syntax: Syntax) -> list[str]:
    return [next(filter(None, found.groups()), "") for found in syntax.import_names.finditer(text)]


def _listed(names: Sequence[str]) -> str:
    unique = list(dict.fromkeys(filter(None, names)))
    return ", ".join((*unique[:NAMED], *(["..."] if len(unique) > NAMED else [])))
