"""Packs that were made before, given again as long as the snapshot, the profile and what was learned are the same."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import Protocol

import msgspec

from recollect.ports import Reader
from recollect.retrieve.answer import pack_of
from recollect.retrieve.ask import Surroundings, ask, context_of
from recollect.retrieve.context import Context
from recollect.retrieve.profile import Profile
from recollect.retrieve.query import Request, query_id
from recollect.retrieve.record.shown import shown_of
from recollect.retrieve.roots import root_of
from recollect.types import Item, Pack

KIND = "context_pack"


class Cache(Protocol):
    """Keeps bytes under a key, for as long as it likes."""

    def get(self, key: str) -> bytes | None:
        """Return what was kept, or None."""
        ...

    def put(self, key: str, value: bytes) -> None:
        """Keep a value."""
        ...


class _Kept(msgspec.Struct, array_like=True, frozen=True):
    stamp: str
    pack: Pack


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(_Kept).decode


def key_of(text: str, request: Request, profile: Profile, form: str = "") -> str:
    """Return the key of a question: its text, what it is restricted to, the whole profile, and how it is written."""
    # Case tells names from words, so only spaces are evened out.
    asked = " ".join(text.split())
    rest = query_id("", request, f"{profile.digest} {form}")
    return hashlib.sha256(f"{KIND}\0{asked}\0{rest}".encode("utf-8", "surrogatepass")).hexdigest()


def stamp_of(reader: Reader, around: Surroundings) -> str:
    """Return what an answer depends on beside the question: the snapshot and what was learned."""
    return f"{reader.meta('space') or ''}/{reader.generation()}/{around.learned.version()}"


def packed(
    reader: Reader, text: str, request: Request, profile: Profile, around: Surroundings, cache: Cache
) -> Pack:
    """Answer from the cache when nothing changed, else anew; either way what was shown is filed.

    A session that is told only what it has not seen yet shares no packs with others.
    """
    context = context_of(reader, text, request, profile, around)
    own = bool(request.session) and "seen" in around.services
    if own or around.learned.touched(request.session, context.now):
        return pack_of(ask(reader, text, request, profile, around))
    form = getattr(around.services.get("framing"), "name", "")
    key, stamp = key_of(text, replace(request, id="", session=""), profile, form), stamp_of(reader, around)
    kept = _read(cache.get(key))
    if kept is None or kept.stamp != stamp:
        made = pack_of(ask(reader, text, request, profile, around))
        # Filing what was shown may itself have changed what was learned.
        cache.put(key, _encode(_Kept(stamp_of(reader, around), made)))
        return made
    if profile.of("record"):
        items = [
            item for item in (_item(context, entry.hit.id) for entry in kept.pack.items) if item is not None
        ]
        around.learned.record(context.query, shown_of(context, items), context.now, root_of(context))
    return _under(kept.pack, context.query.id)


def _item(context: Context, public_id: str) -> Item | None:
    return context.snapshot.memo(("item", public_id), lambda: context.reader.item(public_id))


def _read(data: bytes | None) -> _Kept | None:
    if data is None:
        return None
    try:
        return _decode(data)
    except (msgspec.DecodeError, msgspec.ValidationError):
        return None


def _under(pack: Pack, query_id: str) -> Pack:
    """Return a pack under the id of the question that asks for it now."""
    if pack.query_id == query_id:
        return pack
    items = tuple(replace(item, hit=replace(item.hit, query_id=query_id)) for item in pack.items)
    return replace(pack, query_id=query_id, items=items)
