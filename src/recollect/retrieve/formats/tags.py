"""For models that read tags: well-formed XML whose text stands as it is in the source."""

from __future__ import annotations

import re
from collections.abc import Sequence

from recollect.retrieve.formats.block import Block, Format, left_out

MAX_REASONS = 2
_ILLEGAL = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def block(row: Block) -> str:
    """Write one item; its form is told when it is not a mere signature."""
    said = {
        "path": row.path,
        "lines": row.lines,
        "kind": row.kind,
        "name": row.name,
        "form": "" if row.form == "signature" else row.form,
        "why": "; ".join(row.reasons[:MAX_REASONS]),
    }
    attributes = " ".join(f"{key}={_quoted(_legal(value))}" for key, value in said.items() if value)
    return f"<item {attributes}>\n{_verbatim(_legal(row.text))}\n</item>\n"


def notes(omitted: int, said: Sequence[str], tail: str) -> str:
    """Write notes as elements above the tail."""
    rows = [text for text in (left_out(omitted), *said) if text]
    return "".join(f"<note>{_escaped(_legal(text))}</note>\n" for text in rows) + tail


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _quoted(text: str) -> str:
    """Return a text as the value of an attribute."""
    flat = _escaped(text).replace("\n", "&#10;").replace("\r", "&#13;").replace("\t", "&#9;")
    if '"' in flat and "'" not in flat:
        return f"'{flat}'"
    return '"{}"'.format(flat.replace('"', "&quot;"))


def _legal(text: str) -> str:
    return _ILLEGAL.sub("\ufffd", text)


def _verbatim(text: str) -> str:
    if not re.search("[&<]|]]>", text):
        return text
    return f"<![CDATA[{text.replace(']]>', ']]]]><![CDATA[>')}]]>"


FORMAT = Format("xml", "<context>\n", "</context>\n", block, notes, "place")
