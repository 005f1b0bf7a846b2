"""Values as a page shows them; nothing that anybody wrote reaches a browser as anything but text."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime
from functools import lru_cache
from typing import Any

from markupsafe import Markup

_HIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]"
)
"""Characters that move, hide or turn round what stands beside them: terminal escapes, bidi marks, half characters."""


def plain(value: Any) -> str:
    """Return a text in which characters that would act instead of being read are shown as what they are."""
    return _HIDDEN.sub(_picture, str(value).replace("\r\n", "\n"))


def _picture(found: re.Match[str]) -> str:
    return f"[U+{ord(found[0]):04X}]"


def size(count: int) -> str:
    """Return bytes in the unit that a person reads."""
    amount = float(count)
    for unit in ("B", "kB", "MB"):
        if amount < 1000:
            return f"{amount:.0f} {unit}" if unit == "B" else f"{amount:.1f} {unit}"
        amount /= 1000
    return f"{amount:.1f} GB"


def plural(count: int, noun: str) -> str:
    """Return `1 file` or `2 files`."""
    many = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
    return f"{count:,} {noun if count == 1 else many}"


def ordinal(number: int) -> str:
    """Return `1st`, `2nd`, `11th`."""
    end = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number:,}{end}"


def day(stamp: str) -> str:
    """Return the day of a point in time, as `8 May 2026`."""
    moment = datetime.fromisoformat(stamp)
    return f"{moment.day} {moment:%B %Y}"


def moment(stamp: str) -> str:
    """Return a point in time to the minute, as `8 May 2026, 13:56 UTC`."""
    return f"{day(stamp)}, {datetime.fromisoformat(stamp):%H:%M} UTC"


def words(name: str) -> str:
    """Return a name of ours as words: `type_hint_of` as `type hint of`."""
    return name.replace("_", " ")


@lru_cache(maxsize=512)
def code(text: str, path: str) -> Markup:
    """Return source text with its words marked by what they are; the classes are coloured by our style sheet."""
    from pygments import highlight
    from pygments.formatters import HtmlFormatter

    lexer = _lexer(path)
    lexer.stripnl = False
    lexer.ensurenl = False
    return Markup(highlight(plain(text), lexer, HtmlFormatter(nowrap=True)))  # noqa: S704  pygments escapes


def _lexer(path: str) -> Any:
    from pygments.lexers import TextLexer, get_lexer_for_filename
    from pygments.util import ClassNotFound

    try:
        return get_lexer_for_filename(path)
    except ClassNotFound:
        return TextLexer()


FILTERS: dict[str, Callable[..., Any]] = {
    "plain": plain,
    "size": size,
    "plural": plural,
    "ordinal": ordinal,
    "day": day,
    "moment": moment,
    "words": words,
    "code": code,
}
