"""The lines that an item stands for, as they are in the working tree now, but for secrets."""

from __future__ import annotations

import os
import threading
import time
from collections import OrderedDict
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from recollect.source.read import read_source
from recollect.source.secrets import redact
from recollect.types import Item

ROOM = 32 << 20
"""How many bytes of text are kept for the next answer."""
WHOLE = 65_536
REACH = 16_384
"""In longer files so many bytes around what is asked for are searched for secrets; keys of 16,384 bits are shorter."""
CLEAN = 50_000
"""How many files, or parts of longer ones, are known to hold no secrets, so that they are not searched again."""
KEPT_PARTS = 64
"""How many parts of such a file are kept as they may be shown."""
SETTLED_NS = 2_000_000_000
"""A file that was written so shortly before it was read may be written again at what looks like the same time."""


class _File(NamedTuple):
    stamp: tuple[int, int]
    path: str
    content: bytes
    """Without secrets, unless it is longer than `WHOLE`."""
    starts: NDArray[np.int64]
    """Where each line begins, and where one after the last would."""
    shown: dict[tuple[int, int], bytes]
    """Parts of a longer file that were searched for secrets."""


class Lines:
    """The lines of the files of a project; a file is read again when it is another than before."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._prefix = os.path.join(root, "")  # joining paths for every item costs more than looking
        self._guard = threading.Lock()
        self._files: OrderedDict[str, _File] = OrderedDict()
        self._size = 0
        self._clean: set[tuple[str, tuple[int, int], int, int]] = set()

    def of(self, item: Item) -> str | None:
        """Return the text of an item, or None when its file is no longer there."""
        file = self._file(item.path)
        if file is None:
            return None
        first, last = item.start_line - 1, min(item.end_line, len(file.starts) - 1)
        if not 0 <= first < last:
            return ""
        part = self._without_secrets(file, int(file.starts[first]), int(file.starts[last]))
        text = part.decode("utf-8", "replace")
        return text.replace("\r\n", "\n").removesuffix("\n")

    def _file(self, path: str) -> _File | None:
        try:
            found = os.lstat(f"{self._prefix}{path}")
        except (OSError, ValueError):
            return None
        with self._guard:
            known = self._files.get(path)
            if known is not None and known.stamp == (found.st_size, found.st_mtime_ns):
                self._files.move_to_end(path)
                return known
        return self._read(path)

    def _read(self, path: str) -> _File | None:
        source = read_source(self._root, path, size_cap=1 << 40)
        if source.reason:
            return None
        stamp = (source.size, source.mtime_ns)
        settled = time.time_ns() - source.mtime_ns > SETTLED_NS
        content = source.text
        if len(content) <= WHOLE and (path, stamp, 0, 0) not in self._clean:
            content, findings = redact(content, path)
            if settled and not findings:
                self._remember_clean((path, stamp, 0, 0))
        breaks = np.flatnonzero(np.frombuffer(content, dtype=np.uint8) == ord("\n")) + 1
        starts = np.concatenate(([0], breaks, [len(content)] if not content.endswith(b"\n") else []))
        file = _File(stamp, path, content, starts.astype(np.int64), {})
        with self._guard:
            self._forget(path)
            if settled and len(content) <= ROOM:
                self._files[path] = file
                self._size += len(content)
            while self._size > ROOM:
                self._forget(next(iter(self._files)))
        return file

    def _without_secrets(self, file: _File, start: int, end: int) -> bytes:
        part = (file.path, file.stamp, start, end)
        if len(file.content) <= WHOLE or part in self._clean:
            return file.content[start:end]
        shown = file.shown.get((start, end))
        if shown is None:
            first = file.content.rfind(b"\n", 0, max(0, start - REACH)) + 1
            last = file.content.find(b"\n", end + REACH) + 1 or len(file.content)
            found = redact(file.content[first:last], file.path)
            shown = found.content[start - first : end - first]
            if not found.findings and time.time_ns() - file.stamp[1] > SETTLED_NS:
                self._remember_clean(part)
                return shown
            if len(file.shown) >= KEPT_PARTS:
                file.shown.clear()
            file.shown[start, end] = shown
        return shown

    def _remember_clean(self, part: tuple[str, tuple[int, int], int, int]) -> None:
        with self._guard:
            if len(self._clean) >= CLEAN:
                self._clean.clear()
            self._clean.add(part)

    def _forget(self, path: str) -> None:
        gone = self._files.pop(path, None)
        self._size -= len(gone.content) if gone is not None else 0
