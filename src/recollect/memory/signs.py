"""What can be seen of a text at a glance: how much of it asks, and if it tells a time, a number, a name or a title."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from recollect.store.memories import ASKS, NAMES, QUOTES, TELLS_NUMBER, TELLS_TIME, THIRDS

_READ = 20_000
"""How many characters of a long text are looked at."""
_SENTENCE = re.compile(r"[^.!?]+[.!?]*")


def signs(text: str) -> int:
    """Return the signs of a text, added up."""
    text = text[:_READ]
    looks = _looks()
    found = TELLS_TIME * bool(looks.time.search(text)) + TELLS_NUMBER * bool(looks.number.search(text))
    found += NAMES * bool(looks.name.search(text)) + QUOTES * bool(looks.quote.search(text))
    return found + (ASKS + THIRDS * _thirds_asking(text) if "?" in text else 0)


def _thirds_asking(text: str) -> int:
    """Return how many thirds of a text are questions, 0 to 3."""
    sentences = _SENTENCE.findall(text)
    asking = sum(len(one) for one in sentences if "?" in one)
    return round(3 * asking / max(sum(map(len, sentences)), 1))


class _Looks(NamedTuple):
    time: re.Pattern[str]
    number: re.Pattern[str]
    name: re.Pattern[str]
    quote: re.Pattern[str]


@cache
def _looks() -> _Looks:
    table = tomllib.loads((files("recollect.memory") / "signs.toml").read_text("utf-8"))

    def words(key: str) -> re.Pattern[str]:
        return re.compile(rf"\b(?:{''.join(table[key].split())})\b", re.IGNORECASE)

    return _Looks(words("time"), words("number"), re.compile(table["name"]), re.compile(table["quote"]))
