"""Remembers the whole texts that a session was shown, so that the next answer sends only what changed."""

from __future__ import annotations

from recollect.retrieve.context import Context
from recollect.retrieve.delta import Seen
from recollect.retrieve.packing import WHOLE, Packed
from recollect.retrieve.stage import NoParameters, Stage
from recollect.retrieve.values import Candidates


def run(context: Context, parameters: NoParameters, candidates: Candidates, packed: Packed | None) -> None:
    """Mark what was packed; signatures and shortened texts were not seen whole."""
    del parameters, candidates
    seen: Seen | None = context.services.get("seen")
    text_of = context.services.get("text")
    if seen is None or text_of is None or packed is None:
        return
    for entry in packed.entries:
        text = text_of(entry.item) if entry.form in WHOLE else None
        if text is not None:
            seen.mark(context.query.session, entry.item.id, text)


STAGE = Stage("seen", "record", NoParameters, run)
