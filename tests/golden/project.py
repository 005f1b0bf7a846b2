"""A readable projection of what a fixture is read as."""

from __future__ import annotations

from pathlib import Path

from recollect.facts import FileFacts
from recollect.parse import parse

FOLDER = Path(__file__).parent


def languages() -> list[str]:
    """Return the languages that have a fixture folder."""
    return sorted(path.name for path in FOLDER.iterdir() if path.is_dir() and any(path.glob("sample.*")))


def sample(language: str, stem: str) -> Path | None:
    """Return a language's fixture file."""
    return next(iter(sorted((FOLDER / language).glob(f"{stem}.*"))), None)


def read(language: str, stem: str) -> dict[str, object] | None:
    """Read a fixture as if it lay in the source folder of a project."""
    path = sample(language, stem)
    return project(parse(f"src/{path.name}", language, path.read_bytes())) if path else None


def project(facts: FileFacts) -> dict[str, object]:
    """Return facts as lines that a person can check."""
    names = [symbol.qualified for symbol in facts.symbols]

    def where(index: int) -> str:
        return names[index] if index >= 0 else "-"

    return {
        "package": facts.package,
        "errors": facts.errors,
        "symbols": [
            {
                "what": f"{s.start_line}-{s.end_line} {s.visibility} {s.kind} {s.qualified}",
                "signature": s.signature,
                **({"doc": s.doc} if s.doc else {}),
                **({"test": True} if s.test else {}),
                **({"owner": s.owner} if s.owner else {}),
                **({"parent": where(s.parent)} if s.parent >= 0 else {}),
                **({"parameters": s.parameters} if s.parameters >= 0 else {}),
                **({"returns": s.returns} if s.returns else {}),
                **({"bases": list(s.bases)} if s.bases else {}),
                **({"decorators": list(s.decorators)} if s.decorators else {}),
            }
            for s in facts.symbols
        ],
        "references": [
            f"{r.line} {where(r.symbol)}: {r.kind} {r.receiver}{' . ' if r.receiver else ''}{r.name}"
            + (f" x{r.count}" if r.count > 1 else "")
            + (f" {r.literal!r}" if r.literal else "")
            + (f" ({', '.join(r.arguments)})" if r.arguments else "")
            for r in facts.references
        ],
        "bindings": [
            f"{where(b.symbol)}: {b.name} {':' if b.declared else '='} {b.type}" for b in facts.bindings
        ],
        "imports": [
            f"{i.line} {'.' * i.level}{i.module}"
            + (f" | {i.name}" if i.name else "")
            + (f" as {i.alias}" if i.alias else "")
            for i in facts.imports
        ],
        "chunks": [f"{c.start_line}-{c.end_line} {c.kind} {where(c.symbol)}" for c in facts.chunks],
    }
