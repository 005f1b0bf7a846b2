"""Public ids: short lower-case text made from an item's 63-bit uid, with a letter for its domain."""

from __future__ import annotations

import base64
import binascii
from hashlib import blake2b

from recollect.errors import UsageError

PREFIXES = {"code": "c", "memory": "m"}
ID_LENGTH = 14
_DIGITS = "abcdefghijklmnopqrstuvwxyz234567"
_PAIRS = tuple(first + second for first in _DIGITS for second in _DIGITS)


def uid_from(*parts: str) -> int:
    """Return the 63-bit uid of what the parts name."""
    return (
        int.from_bytes(
            blake2b("\0".join(parts).encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big"
        )
        >> 1
    )


def id_of(uid: int, domain: str = "code") -> str:
    """Return the public id of a uid: one letter for the domain and 13 characters of base32."""
    bits, pairs = uid << 1, _PAIRS
    # Thirteen groups of five bits, two at a time: base64.b32encode takes several times as long.
    return (
        f"{PREFIXES[domain]}{pairs[bits >> 55]}{pairs[bits >> 45 & 1023]}{pairs[bits >> 35 & 1023]}"
        f"{pairs[bits >> 25 & 1023]}{pairs[bits >> 15 & 1023]}{pairs[bits >> 5 & 1023]}{_DIGITS[bits & 31]}"
    )


def uid_of(public_id: str) -> int:
    """Return the uid that a public id stands for."""
    if len(public_id) == ID_LENGTH and public_id[0] in PREFIXES.values():
        try:
            return int.from_bytes(base64.b32decode(public_id[1:].upper() + "==="), "big")
        except (binascii.Error, ValueError):
            pass
    raise UsageError(
        f"'{public_id}' is not an id; an id is c or m and 13 letters or digits, as search prints it."
    )


def content_of(uid: int) -> bytes:
    """Return the key under which the vector of a memory is kept: its text never changes under one uid."""
    return uid.to_bytes(8, "big")
