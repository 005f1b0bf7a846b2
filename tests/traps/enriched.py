"""Measures callers in the trap programs before and after `enrich` with a real language server."""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from tests.traps.measure import TRAPS, expected

import recollect
from recollect.types import EDGE_TYPES, PROVENANCES

LANGUAGES = ("python", "typescript", "javascript", "rust", "go", "c", "cpp")
_PROVEN = {"resolved", "syntax", "lsp_resolved", "scip"}


class Callers(NamedTuple):
    """How the calls of an index compare with the true ones."""

    proven_precision: float
    proven_recall: float
    possible_precision: float
    possible_recall: float


def measure_enriched(language: str) -> tuple[Callers, Callers, recollect.Recollect | object]:
    """Return the shares before and after, and the report of the run."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder, "program")
        shutil.copytree(TRAPS / language, root, ignore=shutil.ignore_patterns("calls.txt"))
        with recollect.open(root) as opened:
            opened.index()
            before = _callers(opened, language)
            report = opened.enrich([language])
            return before, _callers(opened, language), report


def _callers(opened: recollect.Recollect, language: str) -> Callers:
    found = opened._index.ask(_calls)
    true = expected(language)
    proven = {call for call, (provenance, _) in found.items() if provenance in _PROVEN}
    weight = sum(share for _, share in found.values())
    return Callers(
        len(proven & true) / len(proven) if proven else 0.0,
        len(proven & true) / len(true),
        sum(share for call, (_, share) in found.items() if call in true) / weight if weight else 0.0,
        len(true & set(found)) / len(true),
    )


def _calls(reader) -> dict[str, tuple[str, float]]:
    graph = reader.graph()
    items = {item.number: item for item in reader.items(graph.numbers.tolist())}
    names = {
        number: item.path if item.kind == "file" else f"{item.path}:{item.name}"
        for number, item in items.items()
    }
    found: dict[str, tuple[str, float]] = {}
    for edge in range(len(graph.targets)):
        source, target = (int(graph.numbers[ends[edge]]) for ends in (graph.sources, graph.targets))
        if EDGE_TYPES[graph.types[edge]] != "calls" or target not in names:
            continue
        targets = [target]
        if items[target].kind == "name":
            targets = [row.number for row in reader.definitions(items[target].name.partition(":")[2])]
        for one in targets:
            known = PROVENANCES[graph.provenances[edge]], int(graph.confidences[edge]) / 100
            call = f"{names[source]} -> {names[one]}"
            found[call] = max(found.get(call, known), known, key=lambda row: row[1])
    return found


def main() -> None:
    """Print the table in Markdown for every language whose server is installed."""
    print(
        "| language | | precision, proven | recall, proven | precision, with possible | recall, with possible |"
    )
    print("|---|---|---:|---:|---:|---:|")
    for language in sys.argv[1:] or LANGUAGES:
        before, after, report = measure_enriched(language)
        if not report.tools:
            print(f"| {language} | no server | | | | |")
            continue
        for name, row in (("before", before), (f"after {report.tools[0].name}", after)):
            print(f"| {language} | {name} | {' | '.join(f'{share:.2f}' for share in row)} |")
        if not report.tools[0].resolved:
            print(*report.notes, sep="\n", file=sys.stderr)


if __name__ == "__main__":
    main()
