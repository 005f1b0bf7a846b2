"""What a reader was shown before in the same session: nothing is sent twice, and of a change only what is different."""

from __future__ import annotations

import difflib
import struct
from pathlib import Path
from typing import Literal, NamedTuple

from recollect.errors import CorruptError, StoreError
from recollect.store.arc import ArcCache

UNCHANGED = "(unchanged since you last saw it)"
AROUND = 1
"""Lines of context around a change."""
SILENCE = 1800.0
"""Seconds without a question after which a session begins anew: whoever asks then has forgotten what it saw."""
_TIMES = struct.Struct("<dd")

Form = Literal["body", "delta", "unchanged"]


class Shown(NamedTuple):
    """A text in the form in which it is worth sending."""

    form: Form
    text: str


class Seen:
    """The texts that sessions were shown; how many are remembered is bounded, and what is forgotten is sent whole."""

    def __init__(self, cache: ArcCache | None = None) -> None:
        self._cache = ArcCache() if cache is None else cache

    def begin(self, session: str, now: float) -> None:
        """Note that a session asks something; one that was silent for long has seen nothing."""
        start, last = self._times(session)
        self._cache.put(session, _TIMES.pack(now if now - last > SILENCE else start, now))

    def mark(self, session: str, item_id: str, text: str) -> None:
        """Remember that a session was shown the whole text of an item."""
        if session:
            self._cache.put(self._key(session, item_id), text.encode("utf-8", "surrogatepass"))

    def before(self, session: str, item_id: str) -> str | None:
        """Return the text of an item as a session last saw it, or None."""
        known = self._cache.get(self._key(session, item_id)) if session else None
        return None if known is None else known.decode("utf-8", "surrogatepass")

    def shown(self, session: str, item_id: str, text: str) -> Shown:
        """Return a text whole when it is new, else what is different, if that is shorter."""
        before = self.before(session, item_id)
        if before is None:
            return Shown("body", text)
        if before == text:
            return Shown("unchanged", UNCHANGED)
        changes = difference(before, text)
        return Shown("delta", changes) if len(changes) < len(text) else Shown("body", text)

    def _key(self, session: str, item_id: str) -> str:
        return f"{session}\0{self._times(session)[0]}\0{item_id}"

    def _times(self, session: str) -> tuple[float, float]:
        """Return when a session began and when it last asked something."""
        known = self._cache.get(session)
        if known is None or len(known) != _TIMES.size:
            return (0.0, 0.0)
        start, last = _TIMES.unpack(known)
        return (start, last)

    def save(self, path: Path) -> None:
        """Keep what was shown for the next process."""
        self._cache.save(path)

    @classmethod
    def load(cls, path: Path) -> Seen:
        """Read what save wrote; when there is nothing to read, nothing was shown."""
        try:
            return cls(ArcCache.load(path))
        except (CorruptError, StoreError):
            return cls()


def difference(before: str, now: str) -> str:
    """Return the changed lines with a little around them: `-` was there, `+` is there now."""
    rows = difflib.unified_diff(before.split("\n"), now.split("\n"), lineterm="", n=AROUND)
    return "\n".join(row for row in rows if not row.startswith(("---", "+++")))


def applied(before: str, changes: str) -> str:
    """Return the text that a difference leads to; the reverse of `difference`."""
    old, out, at = before.split("\n"), [], 0
    for row in changes.split("\n"):
        if row.startswith("@@"):
            start, _, length = row.split(" ")[1][1:].partition(",")
            first = int(start) - (length != "0")
            out += old[at:first]
            at = first
        elif row.startswith("+"):
            out.append(row[1:])
        else:
            at += 1
            out += [] if row.startswith("-") else [row[1:]]
    return "\n".join(out + old[at:])
