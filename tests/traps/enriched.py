"""Measures callers in the trap programs before and after `enrich` with real language servers; `--write` keeps it."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

import msgspec
from tests.traps.measure import DOCS, TRAPS, expected, write_table

import recollect
from recollect.evidence.values import EnrichReport
from recollect.types import EDGE_TYPES, PROVENANCES

LANGUAGES = ("c", "cpp", "csharp", "go", "java", "javascript", "php", "python", "ruby", "rust", "typescript")
STORED = TRAPS / "enriched.json"
PAGE = DOCS / "evidence.md"
_PROVEN = {"resolved", "syntax", "lsp_resolved", "scip"}


class Callers(NamedTuple):
    """How the calls of an index compare with the true ones."""

    proven_precision: float
    proven_recall: float
    possible_precision: float
    possible_recall: float


class Row(msgspec.Struct, frozen=True):
    """What a server did to the callers of one language."""

    server: str
    questions: int
    answered: int
    before: list[float]
    after: list[float]


def measure_enriched(language: str, indexer: tuple[str, ...] = ()) -> tuple[Callers, Callers, EnrichReport]:
    """Return the shares before and after, and the report of the run, by a server or by the index a program writes."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder, "program")
        shutil.copytree(TRAPS / language, root, ignore=shutil.ignore_patterns("calls.txt"))
        with recollect.open(root) as opened:
            opened.index()
            before = _callers(opened, language)
            if indexer:
                subprocess.run(indexer, cwd=root, check=True, capture_output=True)
                report = opened.enrich(scip=[root / "index.scip"])
            else:
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


def lines(rows: dict[str, Row]) -> list[str]:
    """Return the table of what was measured in Markdown."""
    found = [
        "| language | server | questions answered | precision, proven | recall, proven "
        "| precision, with possible | recall, with possible |",
        "|---|---|---:|---:|---:|---:|---:|",
    ]
    for language, row in sorted(rows.items()):
        shares = " | ".join(
            f"{before:.2f} → {after:.2f}" for before, after in zip(row.before, row.after, strict=True)
        )
        answered = f"{row.answered} of {row.questions}"
        found.append(f"| {language} | {row.server} | {answered} | {shares} |")
    return found


def stored() -> dict[str, Row]:
    """Return what was measured last."""
    return msgspec.json.decode(STORED.read_bytes(), type=dict[str, Row])


def main() -> None:
    """Measure every language whose server is installed, and print the table of all; --write keeps it."""
    rows = stored() if STORED.exists() else {}
    named = [one for one in sys.argv[1:] if not one.startswith("-")]
    for language in named or LANGUAGES:
        before, after, report = measure_enriched(language)
        tool = report.tools[0] if report.tools else None
        if tool is None or not tool.resolved:
            print(language, *report.notes, sep="\n  ", file=sys.stderr)
            continue
        version = re.search(r"\d+\.[\w.]+", tool.version)
        server = f"{tool.name} {version[0]}" if version else tool.name
        shares = [[round(share, 2) for share in row] for row in (before, after)]
        rows[language] = Row(server, tool.questions, tool.answered, *shares)
    print("\n".join(lines(rows)))
    if "--write" in sys.argv:
        STORED.write_bytes(msgspec.json.format(msgspec.json.encode(rows, order="sorted"), indent=1) + b"\n")
        write_table(PAGE, lines(rows))


if __name__ == "__main__":
    main()
