"""Turns what SQLite and the operating system report into errors that say what to do."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw

from recollect.errors import BusyError, CorruptError, DiskFullError, ReadOnlyError, StoreError

_WRITE_FAILURES = frozenset(
    {
        apsw.SQLITE_IOERR_WRITE,
        apsw.SQLITE_IOERR_FSYNC,
        apsw.SQLITE_IOERR_TRUNCATE,
        apsw.SQLITE_IOERR_SHMSIZE,
        apsw.SQLITE_IOERR_NOMEM,
    }
)


def full(path: Path) -> DiskFullError:
    """Return the error for a disk that took no more."""
    return DiskFullError(
        f"There is no room left to write {path} (disk, quota or size limit); what was written before is intact. "
        "Free some space and run the command again."
    )


def read_only(path: Path) -> ReadOnlyError:
    """Return the error for a place that must be written and cannot."""
    return ReadOnlyError(
        f"{path} cannot be written; make its folder writable for this user, or copy the project to where you may write."
    )


def corrupt(path: Path, detail: str) -> CorruptError:
    """Return the error for a damaged database."""
    return CorruptError(
        f"The database {path} is damaged ({detail}); an index is rebuilt by 'recollect index', "
        "for memories run 'recollect doctor --repair', which keeps the damaged file and looks for a backup."
    )


def translate(error: apsw.Error, path: Path) -> StoreError:
    """Return our error for what SQLite reported about the database at path."""
    if isinstance(error, apsw.FullError):
        return full(path)
    if isinstance(error, apsw.IOError):
        if getattr(error, "extendedresult", 0) in _WRITE_FAILURES:
            return full(path)
        return StoreError(
            f"The database {path} could not be read ({error}); check the disk, then run the command again."
        )
    if isinstance(error, apsw.ReadOnlyError | apsw.CantOpenError | apsw.PermissionsError):
        return read_only(path)
    if isinstance(error, apsw.CorruptError | apsw.NotADBError):
        return corrupt(path, str(error))
    if isinstance(error, apsw.BusyError | apsw.LockedError):
        return BusyError(
            f"Another program keeps the database {path} locked; wait for it or close it, then try again."
        )
    return StoreError(
        f"The database {path} refused the work ({type(error).__name__}: {error}); run 'recollect doctor'."
    )


def translate_os(error: OSError, path: Path) -> StoreError:
    """Return our error for what the operating system reported about a file of the store."""
    if error.errno in {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}:
        return full(path)
    if error.errno in {errno.EROFS, errno.EACCES, errno.EPERM}:
        return read_only(path)
    return StoreError(
        f"{path} could not be used ({error.strerror or error}); check the folder and try again."
    )


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """Raise our errors instead of those of SQLite and the operating system while the block runs."""
    try:
        yield
    except apsw.Error as error:
        raise translate(error, path) from error
    except OSError as error:
        raise translate_os(error, path) from error
