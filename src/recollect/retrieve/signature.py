"""Which questions are the same but for the order of their words."""

from __future__ import annotations

import hashlib
import re

SHORTEST = 3


def signature_of(text: str) -> str:
    """Return 16 hexadecimal digits made from the sorted words of at least three characters; nothing without any."""
    words = sorted({word for word in re.findall(r"\w+", text.lower()) if len(word) >= SHORTEST})
    if not words:
        return ""
    return hashlib.md5(" ".join(words).encode("utf-8", "replace"), usedforsecurity=False).hexdigest()[:16]
