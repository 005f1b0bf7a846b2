"""Which questions are alike enough to learn from each other."""

from __future__ import annotations

from hashlib import blake2b

from recollect.retrieve.values import Keywords


def cluster_of(keywords: Keywords) -> str:
    """Return the same short name for questions with the same identifiers, or, without any, the same words."""
    words = sorted({word.lower() for word in keywords.primary or keywords.components})
    return blake2b("\0".join(words).encode("utf-8", "replace"), digest_size=8).hexdigest() if words else ""
