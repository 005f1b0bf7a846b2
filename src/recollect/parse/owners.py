"""CODEOWNERS: who owns which path pattern."""

from __future__ import annotations

from recollect.facts import Reference


def read_owners(text: str) -> tuple[Reference, ...]:
    """Return one reference of kind `owns` per owner and line: the owner's name, the pattern as literal."""
    found: list[Reference] = []
    for number, line in enumerate(text.splitlines(), 1):
        words = line.split("#", 1)[0].split()
        if len(words) > 1 and not words[0].startswith(("[", "^[")):
            found.extend(Reference("owns", owner, -1, number, literal=words[0]) for owner in words[1:])
    return tuple(found)
