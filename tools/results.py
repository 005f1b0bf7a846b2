"""Writes the measured tables into README.md and docs/benchmarks.md from benchmarks/results/*.json.gz.

A block begins with `<!-- results -->` (the one table) or `<!-- results: NAME -->` (all of one data set) and ends with
`<!-- end -->`. With --check nothing is written and a page that does not agree with the stored runs fails.
"""

from __future__ import annotations

import argparse
import re
import sys
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from statistics import fmean
from typing import Any

from recollect.bench import runs, tables
from recollect.bench.compare import compare
from recollect.bench.runs import Run
from recollect.bench.statistics import interval

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "benchmarks" / "results"
BLOCK = re.compile(r"(<!-- results(?:: (?P<name>\S+))? -->\n).*?(<!-- end -->)", re.DOTALL)
PAGES = (ROOT / "README.md", ROOT / "docs" / "benchmarks.md")
OURS = "recollect"


@dataclass(frozen=True)
class Measured:
    """The runs over one data set, and how it is quoted."""

    title: str
    metric: str
    over: str
    runs: tuple[Run, ...]

    def values(self, run: Run) -> list[float]:
        """Return what is averaged: questions, or where repositories weigh the same, their means."""
        rows = run.by_split(self.metric) if self.over == "splits" else run.values(self.metric)
        return list(rows.values())

    @property
    def size(self) -> str:
        """Return how much was asked, in words."""
        first = self.runs[0]
        parts = {"memory": "conversations"}.get(first.kind, "repositories")
        said = f"{len(first.questions):,} questions"
        return f"{said}, {len(first.splits)} {parts}" if len(first.splits) > 1 else said


def measured() -> Mapping[str, Measured]:
    """Return the runs by data set, those over the same questions together."""
    return _measured(RESULTS)


@lru_cache(maxsize=4)
def _measured(folder: Path) -> Mapping[str, Measured]:
    table = tomllib.loads((folder / "tables.toml").read_text(encoding="utf-8"))
    names: dict[str, str] = table["retrievers"]
    found = [runs.load(file) for file in sorted(folder.glob("*.json.gz"))]
    unknown = sorted({run.retriever for run in found} - set(names))
    if unknown:
        raise SystemExit(f"{folder / 'tables.toml'} does not name {', '.join(unknown)}; add or remove them.")
    order = list(names)
    kept = {}
    for one in table["data"]:
        mine = [run for run in found if run.data == one["name"]]
        if len({run.digest for run in mine}) > 1:
            raise SystemExit(f"The runs over {one['name']} asked different questions; make them anew.")
        mine.sort(key=lambda run: order.index(run.retriever))
        named = tuple(replace(run, retriever=names[run.retriever]) for run in mine)
        if named:
            kept[one["name"]] = Measured(one["title"], one["metric"], one.get("over", "questions"), named)
    return kept


def one_table() -> str:
    """Return the table of README: one row a retriever, one column a data set, the best of each in bold."""
    known = measured()
    heads = [f"{one.title}<br>{one.metric}, {one.size}" for one in known.values()]
    table = tomllib.loads((RESULTS / "tables.toml").read_text(encoding="utf-8"))
    here = {run.retriever for one in known.values() for run in one.runs}
    rows = [["", *heads, "an answer, ms of the processor"]]
    for name in (table["retrievers"][key] for key in table["one_table"]):
        if name not in here:
            continue
        cells = [_cell(one, name) for one in known.values()]
        rows.append([name, *cells, _cost(known, name)])
    return tables.markdown(rows)


def _cell(one: Measured, name: str) -> str:
    run = next((run for run in one.runs if run.retriever == name), None)
    if run is None:
        return "–"
    found = interval(one.values(run))
    best = max(fmean(one.values(other)) for other in one.runs)
    shown = f"**{found.mean:.3f}**" if found.mean >= best - 1e-12 else f"{found.mean:.3f}"
    return f"{shown} [{found.low:.3f}, {found.high:.3f}]"


def _cost(known: Mapping[str, Measured], name: str) -> str:
    times = [run.cpu_ms["p50"] for one in known.values() for run in one.runs if run.retriever == name]
    if not times:
        return ""
    low, high = f"{min(times):.3g}", f"{max(times):.3g}"
    return low if low == high else f"{low} to {high}"


def all_of(name: str) -> str:
    """Return everything that is told of one data set."""
    one = measured().get(name)
    if one is None:
        return "Not measured yet."
    parts = [
        f"{one.size}; quoted by {one.metric}.",
        tables.markdown(tables.quality_table(one.runs)),
        f"{one.metric} with 95 % intervals, by kind of question:",
        tables.markdown(tables.strata_table(one.runs, one.metric)),
    ]
    if len(one.runs[0].splits) > 1:
        parts += [
            "By part, and the mean of all parts with the interval over parts:",
            tables.markdown(tables.splits_table(one.runs, one.metric)),
        ]
    parts += [
        "What answers and indexes cost:",
        tables.markdown(tables.cost_table(one.runs)),
        "Tokens read until half, 80 % or all of the answers are found: median, and how many questions get there",
        tables.markdown(tables.reach_table(one.runs)),
    ]
    return "\n\n".join([*parts, *_differences(one), *_made(one)])


def _differences(one: Measured) -> list[str]:
    first, *others = one.runs
    if not others or OURS not in first.retriever:
        return []
    found = [compare(first, run, one.metric) for run in others]
    return [
        "Differences from recollect, question by question:",
        tables.markdown(tables.differences_table(found)),
    ]


def _made(one: Measured) -> list[str]:
    rows = [["", "command", "commit", "day"]]
    rows += [
        [run.retriever, f"`{_portable(run.command)}`", run.revision[:12] + run.revision[40:], run.made[:10]]
        for run in one.runs
    ]
    return ["How they were made:", tables.markdown(rows)]


def _portable(command: str) -> str:
    """Return a command without the folders of the machine that it ran on."""
    return re.sub(r"(?<=[ =])/\S*/(?=\S)", "…/", command)


def fill(text: str) -> str:
    """Return a page with every block of results in it."""
    return BLOCK.sub(
        lambda found: f"{found[1]}{all_of(found['name']) if found['name'] else one_table()}\n{found[3]}", text
    )


def stale(pages: Sequence[Path] = PAGES, write: bool = False) -> list[Path]:
    """Return the pages whose tables differ from the stored runs, and write them anew when asked."""
    found = []
    for page in pages:
        before = page.read_text(encoding="utf-8")
        after = fill(before)
        if after != before:
            found.append(page)
            if write:
                page.write_text(after, encoding="utf-8")
    return found


def main() -> int:
    """Write the tables, or with --check tell which are stale."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; fail when a table is stale")
    given: Any = parser.parse_args()
    found = stale(write=not given.check)
    names = ", ".join(page.relative_to(ROOT).as_posix() for page in found)
    if given.check and found:
        print(f"Not what benchmarks/results says: {names}; run tools/results.py.", file=sys.stderr)
        return 1
    print(f"Written: {names}" if found else "The tables are those of benchmarks/results.")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
