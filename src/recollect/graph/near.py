"""Names that a misspelt or half-remembered symbol may have meant."""

from __future__ import annotations

from difflib import SequenceMatcher
from textwrap import shorten

from recollect.graph.keys import last_part
from recollect.ports import Filters, Reader

_LOOKED_AT = 300
_ALIKE = 0.6
_SHOWN = 3
_LEAST_BEGINNING = 2
_OWNERS = 3
_WRITTEN = 80
"""Characters of an unknown name that are said back."""


def missing(reader: Reader, symbol: str) -> str:
    """Say that no symbol has a name, and which ones come near it."""
    found = near(reader, symbol)
    symbol = shorten(symbol, _WRITTEN, placeholder=" …")
    if not found:
        return f"No symbol is called '{symbol}'; 'recollect search' with a part of its name may find it."
    said = " or ".join(f"'{name}'" for name in found)
    return f"No symbol is called '{symbol}'. Did you mean {said}?"


def near(reader: Reader, symbol: str) -> list[str]:
    """Return the names of the index that come nearest, the nearest first."""
    wanted = symbol.rpartition(":")[2].replace("#", ".").strip()
    last = last_part(wanted)
    beginning = last[: max(_LEAST_BEGINNING, len(last) // 2)]
    filters = Filters()
    items = [*reader.find(last, filters, _LOOKED_AT)]
    items += reader.find(beginning, filters, _LOOKED_AT, prefix=True)
    owners = reader.find(wanted.rpartition(".")[0], filters, _OWNERS) if "." in wanted else ()
    items += [item for owner in owners for item in reader.items_of(owner.path)]
    names = {item.name for item in items if item.kind not in {"chunk", "section"}}
    ranked = sorted((-_likeness(wanted, name), name) for name in names)
    return [name for likeness, name in ranked if -likeness >= _ALIKE][:_SHOWN]


def _likeness(wanted: str, name: str) -> float:
    """Compare whole names, or last parts where only such a part was asked for."""
    other = name if "." in wanted else last_part(name)
    return SequenceMatcher(None, wanted.casefold(), other.casefold(), autojunk=False).ratio()
