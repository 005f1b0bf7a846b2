"""Writes the tables of docs/cost.md from benchmarks/results/index-cost.jsonl: what benchmarks/index_cost.py printed.

A block begins with `<!-- cost: NAME -->` and ends with `<!-- end -->`; tools/docs.py fills and checks it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from statistics import median
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
MEASURED = ROOT / "benchmarks" / "results" / "index-cost.jsonl"
PAGE = ROOT / "docs" / "cost.md"
BLOCK = re.compile(r"(<!-- cost: (?P<name>\w+) -->\n).*?(<!-- end -->)", re.DOTALL)
Row = dict[str, Any]


def rows(what: str) -> list[Row]:
    """Return what was measured of one kind, in the order in which it was measured."""
    lines = MEASURED.read_text(encoding="utf-8").splitlines()
    return [row for line in lines if (row := json.loads(line))["what"] == what]


def table(head: Iterable[str], body: Iterable[Iterable[object]]) -> str:
    """Return a Markdown table whose first column is text."""
    names = list(head)
    lines = [names, ["---", *["---:"] * (len(names) - 1)], *([str(cell) for cell in row] for row in body)]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def cold(other: str) -> str:
    """Compare first runs with those of another tool, the median of each where there are several."""
    found: dict[str, dict[str, list[Row]]] = {}
    for row in rows("cold"):
        found.setdefault(row["folder"], {}).setdefault(row["tool"], []).append(row)
    head = (
        "repository",
        "runs",
        "CPU s",
        other,
        "ratio",
        "peak RSS MB",
        other,
        "ratio",
        "disk MB",
        other,
        "ratio",
    )
    body = []
    for folder, tools in found.items():
        if other in tools:
            cells: list[object] = [folder, len(tools[other])]
            for key, unit in (("cpu_seconds", 1), ("peak_megabytes", 1), ("disk", 1e6)):
                known = [[row[key] for row in tools[name] if key in row] for name in ("recollect", other)]
                ours, theirs = (median(values) / unit if values else 0 for values in known)
                cells += (
                    [f"{ours:.1f}", f"{theirs:.1f}", f"{ours / theirs:.2f}"]
                    if theirs
                    else [f"{ours:.1f}", "", ""]
                )
            body.append(cells)
    return table(head, body)


def curve() -> str:
    """Show how a first run grows with the lines of code."""
    head = ("lines", "files", "edges", "CPU s", "CPU µs a line", "peak RSS MB", "disk MB")
    return table(
        head,
        (
            (
                f"{row['lines']:,}",
                f"{row['files']:,}",
                f"{row['edges']:,}",
                row["cpu_seconds"],
                f"{1e6 * row['cpu_seconds'] / row['lines']:.0f}",
                row["peak_megabytes"],
                f"{row['disk'] / 1e6:.1f}",
            )
            for row in rows("curve")
        ),
    )


def warm() -> str:
    """Show what later runs cost, in this process."""
    found = [
        *((f"nothing changed, {row['files']:,} files", row) for row in rows("nothing changed")),
        *((f"one file edited, {row['folder']}", row) for row in rows("one file edited")),
    ]
    head = ("what", "CPU ms", "wall ms, busy machine")
    return table(
        head,
        ((said, f"{1000 * row['cpu_seconds']:.0f}", f"{1000 * row['seconds']:.0f}") for said, row in found),
    )


TABLES: dict[str, Callable[[], str]] = {
    "knowing": lambda: cold("knowing"),
    "semble": lambda: cold("semble"),
    "curve": curve,
    "warm": warm,
}


def stale(write: bool = False) -> list[Path]:
    """Return the page when its tables are not those of the measurements, and write them where wanted."""
    before = PAGE.read_text(encoding="utf-8")
    after = BLOCK.sub(lambda block: f"{block[1]}{TABLES[block['name']]()}{block[3]}", before)
    if before == after:
        return []
    if write:
        PAGE.write_text(after, encoding="utf-8")
    return [PAGE]
