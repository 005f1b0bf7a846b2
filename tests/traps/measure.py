"""Measures how well calls are resolved in the trap programs, each a folder with its true calls in calls.txt."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from tests.graph.tree import Tree

from recollect.parse import languages as parsed
from recollect.parse import parse
from recollect.source.languages import language_of
from recollect.types import EDGE_TYPES, PROVENANCES

TRAPS = Path(__file__).parent
DOCS = TRAPS.parent.parent / "docs"
_BEGIN, _END = "<!-- traps: begin -->\n", "<!-- traps: end -->"
_PROVEN = {PROVENANCES.index("resolved"), PROVENANCES.index("syntax")}


class Score(NamedTuple):
    """How the calls that were found compare with the true ones of a language."""

    language: str
    true: int
    proven_precision: float
    proven_recall: float
    possible_precision: float
    """Every edge weighed by its confidence."""
    possible_recall: float
    missed: tuple[str, ...]
    wrong: tuple[str, ...]


def languages() -> list[str]:
    """Return the languages that have a trap program and a grammar."""
    known = parsed()
    return sorted(path.parent.name for path in TRAPS.glob("*/calls.txt") if path.parent.name in known)


def expected(language: str) -> set[str]:
    """Return the true calls, as `file:Caller -> file:Callee`."""
    lines = (TRAPS / language / "calls.txt").read_text(encoding="utf-8").splitlines()
    return {" ".join(line.split()) for line in lines if line.strip() and not line.startswith("#")}


def tree(language: str) -> Tree:
    """Return the trap program of a language, parsed."""
    root = TRAPS / language
    facts = {}
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root).as_posix()
        if path.is_file() and name != "calls.txt":
            content = path.read_bytes()
            facts[name] = parse(name, language_of(name, content), content)
    return Tree(facts)


def measure(language: str) -> Score:
    """Resolve a trap program and compare its calls with the true ones."""
    program = tree(language)
    gathered = {number: name for (kind, name), number in program.externals.items() if kind == "name"}
    proven: set[str] = set()
    possible: dict[str, float] = {}
    for rows in program.rows().values():
        gathered = {number: name for (kind, name), number in program.externals.items() if kind == "name"}
        for row in rows:
            if EDGE_TYPES[row.type] != "calls":
                continue
            targets = [row.target]
            if row.target in gathered:
                last = gathered[row.target].partition(":")[2]
                targets = [one.number for one in program.definitions(last)]
            for target in targets:
                call = f"{program.names[row.source]} -> {program.names[target]}"
                possible[call] = max(possible.get(call, 0.0), row.confidence / 100)
                if row.provenance in _PROVEN:
                    proven.add(call)
    true = expected(language)
    weight = sum(possible.values())
    return Score(
        language,
        len(true),
        len(proven & true) / len(proven) if proven else 0.0,
        len(proven & true) / len(true),
        sum(share for call, share in possible.items() if call in true) / weight if weight else 0.0,
        len(true & set(possible)) / len(true),
        tuple(sorted(true - proven)),
        tuple(sorted(proven - true)),
    )


def lines() -> list[str]:
    """Return the table of all languages in Markdown."""
    rows = [
        "| language | true calls | precision, proven | recall, proven "
        "| precision, with possible | recall, with possible |",
        "|---|---:|---:|---:|---:|---:|",
    ]
    for score in map(measure, languages()):
        shares = " | ".join(f"{share:.2f}" for share in score[2:6])
        rows.append(f"| {score.language} | {score.true} | {shares} |")
    return rows


def table_of(page: Path) -> list[str]:
    """Return the table that stands in a page."""
    return page.read_text(encoding="utf-8").partition(_BEGIN)[2].partition(_END)[0].splitlines()


def write_table(page: Path, table: list[str]) -> None:
    """Replace the table of a page."""
    before, rest = page.read_text(encoding="utf-8").split(_BEGIN)
    text = "\n".join([f"{before}{_BEGIN.rstrip()}", *table, f"{_END}{rest.partition(_END)[2]}"])
    page.write_text(text, encoding="utf-8")
