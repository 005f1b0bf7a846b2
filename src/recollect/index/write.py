"""Puts prepared files into the open transaction and keeps count of which lookups now answer differently."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from recollect.index.depend import changed_keys, merge_keys
from recollect.index.run import Outcome
from recollect.index.work import Prepared
from recollect.ports import FactsStore, FileRecord, Writer

MAX_NOTES = 50


class Changes:
    """What the open transaction has changed so far; `compared` is false when all edges are made anew anyhow."""

    def __init__(self, compared: bool = True) -> None:
        self._compared = compared
        self.files: set[str] = set()
        """Paths whose rows were written and whose own edges must be made anew."""
        self.removed: set[str] = set()
        self._keys: list[NDArray[np.uint32]] = []

    @property
    def keys(self) -> NDArray[np.uint32]:
        """Every key that gives another answer than before."""
        return merge_keys(self._keys)

    def put(self, writer: Writer, file: Prepared, outcome: Outcome) -> None:
        """Write one file, or forget it when it is gone."""
        path = file.record.path
        if file.gone:
            self.remove(writer, path, outcome)
            return
        known = writer.file(path)
        if known is not None and (file.same or (known.skipped and known.skipped == file.record.skipped)):
            _touch(writer, known, file.record)
            return
        if self._compared:
            self._keys.append(changed_keys(writer.exports(path), file.exports))
        texts = {"text_symbol": file.symbol_texts, "text_chunk": file.chunk_texts}
        writer.put_file(file.record, file.items, texts, file.exports)
        if file.record.skipped:
            writer.remove_segment(path)
            self.removed.add(path)
        else:
            self.files.add(path)
            outcome.parsed += not file.reused
            outcome.reused += file.reused
        outcome.changed = True
        outcome.notes += [f"{path}: {note}" for note in file.notes[: MAX_NOTES - len(outcome.notes)]]

    def remove(self, writer: Writer, path: str, outcome: Outcome) -> None:
        """Forget a file that is not there any more."""
        before = writer.exports(path)
        if writer.file(path) is None:
            return
        self._keys.append(changed_keys(before, b""))
        writer.remove_segment(path)
        writer.remove_file(path)
        self.removed.add(path)
        outcome.removed += 1
        outcome.changed = True


def _touch(writer: Writer, known: FileRecord, seen: FileRecord) -> None:
    if (known.size, known.mtime_ns) != (seen.size, seen.mtime_ns):
        writer.touch_file(known._replace(size=seen.size, mtime_ns=seen.mtime_ns))


def keep_facts(store: FactsStore, files: Iterable[Prepared]) -> None:
    """Keep what was parsed, so that no worktree or branch ever parses it again."""
    rows: Sequence[tuple[bytes, bytes]] = [(file.key, file.facts) for file in files if file.facts]
    if rows:
        store.put(rows)
