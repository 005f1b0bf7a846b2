"""Turns what PostgreSQL and its driver report into errors that say what to do, without any password."""

from __future__ import annotations

from typing import Any

from recollect.errors import (
    AwayError,
    BusyError,
    DiskFullError,
    ReadOnlyError,
    RecollectError,
    StoreError,
    UsageError,
)
from recollect.store.postgres.address import Address

DROPPED = frozenset(
    {"57P01", "57P02", "57P03", "08000", "08001", "08003", "08004", "08006", "08007", "08P01"}
)
"""States in which the connection is gone and the same work may be done again on another one."""
COLLIDED = frozenset({"40001", "40P01"})
"""States in which two transactions met and one of them has to begin again."""
READ_ONLY = frozenset({"25006"})
_FULL = frozenset({"53100", "53200"})
_TOO_MUCH = "54000"


class Undone(Exception):  # noqa: N818  # never shown: it ends as another attempt or as an AwayError
    """A transaction was undone because the connection was lost or others were in its way; it may be done again."""


def state_of(error: BaseException) -> str:
    """Return the five signs by which PostgreSQL names an error; empty when it never reached the server."""
    return getattr(error, "sqlstate", None) or ""


def may_be_done_again(error: BaseException, connection: Any) -> bool:
    """Tell whether an error says nothing of the work itself: the connection is gone, or two transactions met."""
    return state_of(error) in DROPPED | COLLIDED or bool(connection.closed)


def reason(error: BaseException, address: Address) -> str:
    """Return what an error says in one line, without passwords."""
    said = getattr(getattr(error, "diag", None), "message_primary", None)
    if said:
        return address.hide(said).rstrip(".")
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return address.hide(lines[-1] if lines else type(error).__name__).rstrip(".")


def away(address: Address, why: str) -> AwayError:
    """Return the error for a server that does not answer."""
    return AwayError(
        f"The store {address.shown} does not answer ({why}); nothing was changed. Try again when the server is back."
    )


def translate(error: BaseException, address: Address) -> RecollectError:
    """Return our error for what the server reported."""
    if isinstance(error, RecollectError):
        return error
    state, why = state_of(error), reason(error, address)
    if state in DROPPED:
        return away(address, why)
    if state in READ_ONLY or "during recovery" in why:
        return ReadOnlyError(
            f"The store {address.shown} takes no writes ({why}); it is a standby or set to read only. "
            "Name the main server, or add target_session_attrs=read-write to a URL with several hosts."
        )
    if state in _FULL:
        return DiskFullError(
            f"The server of {address.shown} has no room left ({why}); nothing was changed. Free some space there."
        )
    if state in COLLIDED or state in {"55P03", "57014"}:
        return BusyError(
            f"Others kept writing to the store {address.shown} for too long ({why}); nothing was changed, try again."
        )
    if state in {"42501", "28000", "28P01"}:
        return ReadOnlyError(
            f"The login of {address.shown} is not allowed to do this ({why}); an owner of the space grants it with "
            "'recollect store grant LOGIN reader|writer|owner'."
        )
    if state == "3D000":
        return StoreError(f"There is no such database at {address.shown} ({why}); create it with createdb.")
    if state.startswith("22") or state == _TOO_MUCH or "cannot contain NUL" in why:
        return UsageError(f"The store {address.shown} cannot keep this value ({why}); nothing was changed.")
    return StoreError(f"The store {address.shown} refused the work ({why}); run 'recollect doctor'.")
