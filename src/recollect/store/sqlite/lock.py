"""One writer at a time across processes: a lock on a file, freed by the system when its holder dies."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from recollect.errors import BusyError
from recollect.store.sqlite.faults import translate_os

if sys.platform == "win32":
    import msvcrt

    _LOCKED_AT = 1 << 20

    def _try_lock(handle: int) -> bool:
        os.lseek(handle, _LOCKED_AT, os.SEEK_SET)
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

    def _unlock(handle: int) -> None:
        os.lseek(handle, _LOCKED_AT, os.SEEK_SET)
        msvcrt.locking(handle, msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    def _try_lock(handle: int) -> bool:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def _unlock(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_UN)


_LONGEST_NAP = 0.05
_SIGNATURE = 20
_PATIENT_FROM = 10.0
_TURNS = 10
"""Waits of so many seconds begin anew, so many times at most, whenever another process got its turn meanwhile."""


@contextmanager
def writer_lock(path: Path, wait: float) -> Iterator[None]:
    """Hold the lock file at path, or raise BusyError with the holder's process id after waiting that many seconds."""
    try:
        handle = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o666)
    except OSError as error:
        raise translate_os(error, path) from error
    try:
        _acquire(handle, path, wait)
        try:
            _sign(handle, path)
            yield
        finally:
            _unlock(handle)
    finally:
        os.close(handle)


def _acquire(handle: int, path: Path, wait: float) -> None:
    if _try_lock(handle):
        return
    deadline = time.monotonic() + wait
    turns = _TURNS if wait >= _PATIENT_FROM else 0
    nap, holder = 0.001, _holder(path)
    while not _try_lock(handle):
        if time.monotonic() >= deadline:
            before, holder = holder, _holder(path)
            if holder == before or turns == 0:
                raise BusyError(
                    f"{holder} is writing the database and did not finish within {wait:g} seconds; "
                    "wait for it to end, or end that process, then try again."
                )
            deadline, turns = time.monotonic() + wait, turns - 1
        time.sleep(nap)
        nap = min(nap * 2, _LONGEST_NAP)


def _sign(handle: int, path: Path) -> None:
    try:
        os.lseek(handle, 0, os.SEEK_SET)
        # Always as long, because cutting a file shorter has to wait for the disk.
        os.write(handle, str(os.getpid()).ljust(_SIGNATURE).encode())
    except OSError as error:
        raise translate_os(error, path) from error


def _holder(path: Path) -> str:
    pid = path.read_text("ascii", "replace").strip()
    return f"Process {pid}" if pid.isdigit() else "Another process"
