"""How much memory the index takes, and giving it back."""

from __future__ import annotations

import ctypes
import gc
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_MEGABYTE = 1024 * 1024


def resident_bytes(pid: int | None = None) -> int:
    """Return the resident memory of a process in bytes, 0 where the system does not tell."""
    with suppress(OSError, ValueError, IndexError):
        pages = int(Path(f"/proc/{pid or 'self'}/statm").read_text(encoding="ascii").split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")
    return _peak_bytes() if pid is None else 0


def shared_bytes(pid: int | None = None) -> int:
    """Return the part of the resident memory that is mapped files, which the system can take back at will."""
    with suppress(OSError, ValueError, IndexError):
        pages = int(Path(f"/proc/{pid or 'self'}/statm").read_text(encoding="ascii").split()[2])
        return pages * os.sysconf("SC_PAGE_SIZE")
    return 0


def tree_megabytes(workers: Iterable[int]) -> int:
    """Return the resident memory of this process and its workers together, in MB."""
    return (resident_bytes() + sum(resident_bytes(pid) for pid in workers)) // _MEGABYTE


@contextmanager
def rare_collections() -> Iterator[None]:
    """Look for cycles only when `collect` is called: with millions of live objects the usual rhythm costs a third."""
    usual = gc.isenabled()
    gc.collect()
    gc.freeze()
    gc.disable()
    try:
        yield
    finally:
        gc.unfreeze()
        if usual:
            gc.enable()


def give_back() -> None:
    """Return freed memory to the system, as far as the allocator lets us."""
    gc.collect()
    if sys.platform.startswith("linux"):
        with suppress(OSError, AttributeError):
            trim: Callable[[int], int] = ctypes.CDLL(None).malloc_trim
            trim(0)


def _peak_bytes() -> int:
    try:
        import resource
    except ImportError:
        return 0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024
