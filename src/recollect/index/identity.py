"""The numbers by which items are known across runs: hashes of what an item is, never of where it happens to stand."""

from __future__ import annotations

from hashlib import blake2b

from recollect.types import CALLABLE_KINDS, TYPE_KINDS

_CLASS_OF_KIND = dict.fromkeys(TYPE_KINDS, "type") | dict.fromkeys(CALLABLE_KINDS, "callable")


class Identity:
    """Hands out the uids of one file's items; equal names get ordinals in the order in which they are asked for."""

    __slots__ = ("_base", "_seen")

    def __init__(self, path: str, domain: str = "code") -> None:
        self._base = blake2b(f"{domain}\0{path}\0".encode("utf-8", "surrogatepass"), digest_size=8)
        self._seen: dict[str, int] = {}

    def uid(self, qualified: str, kind: str) -> int:
        """Return the 63-bit number of the next item of that name and kind; never 0."""
        name = f"{qualified}\0{_CLASS_OF_KIND.get(kind, kind)}"
        ordinal = self._seen.get(name, 0)
        self._seen[name] = ordinal + 1
        state = self._base.copy()
        state.update(f"{name}\0{ordinal}".encode("utf-8", "surrogatepass"))
        return (int.from_bytes(state.digest(), "big") >> 1) or 1


def facts_key(content: bytes, path: str) -> bytes:
    """Return under what a file's facts are kept; its path counts, because it tells tests from the rest."""
    return blake2b(content + path.encode("utf-8", "surrogatepass"), digest_size=32).digest()
