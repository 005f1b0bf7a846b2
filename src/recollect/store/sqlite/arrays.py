"""Arrays kept in one file beside a database, under a root that says what they were made from; read memory-mapped."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

Array = np.ndarray[Any, np.dtype[Any]]
_MAGIC = b"rcarray1"
_ALIGN = 64


class _Layout(msgspec.Struct, array_like=True):
    root: bytes
    arrays: list[tuple[str, str, tuple[int, ...]]]
    """Name, type and shape of each, in the order in which they follow."""


def keep_arrays(path: Path, root: bytes, arrays: Mapping[str, Array]) -> None:
    """Write the arrays, all or nothing; what cannot be kept is only made again next time."""
    layout = _Layout(root, [(name, array.dtype.str, array.shape) for name, array in arrays.items()])
    head = msgspec.msgpack.encode(layout)
    head = _MAGIC + len(head).to_bytes(8, "little") + head
    unfinished = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        with unfinished.open("wb") as file:
            file.write(head + bytes(-len(head) % _ALIGN))
            for array in arrays.values():
                data = np.ascontiguousarray(array).tobytes()
                file.write(data + bytes(-len(data) % _ALIGN))
        unfinished.replace(path)
    except OSError:
        # A full disk, or a folder that is read-only, costs the cache and never the answer.
        _remove(unfinished)


def _remove(path: Path) -> None:
    try:
        path.unlink(missing_ok=True)
    except OSError:
        return


def kept_arrays(path: Path, root: bytes) -> dict[str, Array] | None:
    """Return the arrays that were kept under this root, or None."""
    try:
        data: Array = np.memmap(path, dtype=np.uint8, mode="r")  # type: ignore[no-untyped-call,unused-ignore]
        if data[:8].tobytes() != _MAGIC:
            return None
        size = int.from_bytes(data[8:16].tobytes(), "little")
        layout = msgspec.msgpack.decode(data[16 : 16 + size].tobytes(), type=_Layout)
        return _views(data, 16 + size, layout) if layout.root == root else None
    except (OSError, ValueError, msgspec.DecodeError):
        # Absent, empty, cut short or damaged: it is made again.
        return None


def _views(data: Array, at: int, layout: _Layout) -> dict[str, Array]:
    arrays: dict[str, Array] = {}
    for name, kind, shape in layout.arrays:
        at += -at % _ALIGN
        size = int(np.prod(shape, dtype=np.int64)) * np.dtype(kind).itemsize
        arrays[name] = data[at : at + size].view(kind).reshape(shape)
        at += size
    return arrays
