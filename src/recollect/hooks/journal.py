"""What happened in a session so far, one line for each moment, in a small file that goes after two weeks."""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from hashlib import blake2b
from pathlib import Path

FOLDER = "sessions"
KEPT_SECONDS = 14 * 86_400
MOST_WORDS = 400
MOST_SAID = 600
_WORD = re.compile(r"[^\W\d]\w{2,}")


@dataclass(frozen=True, slots=True)
class Line:
    """One thing that happened."""

    at: float
    what: str
    """opened, edited, told, said, settled or noted."""
    paths: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    """The names in the text that an edit put in."""
    text: str = ""


class Journal:
    """The file of one session."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def lines(self) -> list[Line]:
        """Return what happened, oldest first; a line that was cut short is left out."""
        return list(_read(self.file))

    def add(self, what: str, paths: Sequence[str] = (), words: Sequence[str] = (), text: str = "") -> None:
        """Append one line in one write, so that hooks that run at once do not mix theirs."""
        line = Line(time.time(), what, tuple(paths), tuple(words), text)
        self.file.parent.mkdir(parents=True, exist_ok=True)
        data = json.dumps(asdict(line), ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
        handle = os.open(self.file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            os.write(handle, data)
        finally:
            os.close(handle)

    def paths(self, what: str) -> list[str]:
        """Return the files that something was done to, the latest first, each once."""
        named = [path for line in self.lines() if line.what == what for path in line.paths]
        return list(dict.fromkeys(reversed(named)))


def journal(folder: Path, session: str) -> Journal:
    """Return the journal of a session in a project's own folder; the name says nothing of the session."""
    name = blake2b(session.encode("utf-8", "replace"), digest_size=8).hexdigest()
    return Journal(folder / FOLDER / f"{name}.jsonl")


def others(mine: Journal) -> list[Journal]:
    """Return the journals of other sessions, the latest first; what is too old is removed."""
    found: list[tuple[float, Journal]] = []
    for file in mine.file.parent.glob("*.jsonl"):
        age = time.time() - file.stat().st_mtime
        if age > KEPT_SECONDS:
            file.unlink(missing_ok=True)
        elif file != mine.file:
            found.append((age, Journal(file)))
    return [one for _, one in sorted(found, key=lambda pair: (pair[0], pair[1].file))]


def names_in(text: str) -> tuple[str, ...]:
    """Return the names that stand in a text, each once, without what looks like a secret."""
    from recollect.source.secrets import redact_text

    return tuple(dict.fromkeys(_WORD.findall(redact_text(text)[0])))[:MOST_WORDS]


def shortened(text: str) -> str:
    """Return the beginning of what was said, on one line, with secrets blotted out."""
    from recollect.source.secrets import redact_text

    plain = " ".join(redact_text(text)[0].split())
    return plain if len(plain) <= MOST_SAID else f"{plain[: MOST_SAID - 1]}…"


def _read(file: Path) -> Iterator[Line]:
    try:
        text = file.read_text(encoding="utf-8", errors="replace")
    except FileNotFoundError:
        return
    for row in text.splitlines():
        try:
            value = json.loads(row)
            yield Line(
                value["at"], value["what"], tuple(value["paths"]), tuple(value["words"]), value["text"]
            )
        except (ValueError, KeyError, TypeError):
            continue
