"""An answer in the form that callers see: hits with their text, or a pack inside its budget."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from recollect.retrieve.packing import Entry, Packed
from recollect.retrieve.pipeline import Answer
from recollect.retrieve.ranking import top_score
from recollect.retrieve.values import Candidate, Query
from recollect.types import Hit, Hits, Item, Pack, PackItem

_JOINTS = re.compile(r"::|->|\?\.|#|/")
_MARKED = re.compile(r"[a-z0-9][A-Z]|[A-Z]{2}[a-z]|\w_|_\w|\w(?:\.|::|->|#)\w|\(\)")

SHOWN_WORDS = 8

TextOf = Callable[[Item], str | None]
"""Returns the text of an item as it is on disk now, or None when it is gone."""


def hits_of(answer: Answer, text_of: TextOf, limit: int) -> Hits:
    """Return the best candidates as hits; what is no longer on disk is left out."""
    top = top_score(answer.candidates, 1.0)
    rows: list[Hit] = []
    for row in answer.candidates:
        if len(rows) >= limit:
            break
        item = answer.items.get(row.number)
        text = None if item is None else text_of(item)
        if item is not None and text is not None:
            rows.append(hit_of(answer, item, row, text, top))
    return Hits(answer.query.id, answer.profile.name, answer.channels, _notes(answer), tuple(rows))


def pack_of(answer: Answer) -> Pack:
    """Return what was packed."""
    packed = answer.packed or Packed((), 0, answer.query.budget or 0)
    top = top_score(answer.candidates, 1.0)
    return Pack(
        query_id=answer.query.id,
        profile=answer.profile.name,
        budget=packed.budget,
        tokens=packed.tokens,
        channels=answer.channels,
        degraded=answer.degraded,
        items=tuple(_pack_item(answer, entry, top) for entry in packed.entries),
        omitted=packed.omitted,
        notes=_remarks(answer),
    )


def hit_of(answer: Answer, item: Item, row: Candidate, text: str, top: float) -> Hit:
    """Return one candidate as a hit whose score lies in [0, 1]."""
    score = min(1.0, max(0.0, row.score / max(1.0, top)))
    return Hit(
        id=item.id,
        domain=item.domain,
        kind=item.kind,
        name=item.name or item.path,
        path=item.path,
        start_line=item.start_line,
        end_line=item.end_line,
        text=text,
        score=round(score, 6),
        confidence=1.0 if is_named(answer.query, item) else round(score, 6),
        reasons=tuple(part for part in row.reason.split("; ") if part),
        query_id=answer.query.id,
    )


def _pack_item(answer: Answer, entry: Entry, top: float) -> PackItem:
    hit = hit_of(answer, entry.item, entry.candidate, entry.text, top)
    return PackItem(hit, entry.item.signature, entry.tokens, entry.form, entry.ratio)


def is_named(query: Query, item: Item) -> bool:
    """Say whether the whole question is this item's name, as it is written or as its last parts."""
    if query.shape != "identifier":
        return False
    name = dotted(query.text)
    return item.name == name or item.name.endswith(f".{name}")


def dotted(text: str) -> str:
    """Return a name as the index spells it: parts joined by dots, without call parentheses."""
    return _JOINTS.sub(".", text.strip("`").removesuffix("()"))


def _notes(answer: Answer) -> tuple[str, ...]:
    return (*_remarks(answer), *answer.degraded)


def _remarks(answer: Answer) -> tuple[str, ...]:
    """Say what was cut, ignored or guessed, and when nothing was found, what was looked for."""
    said = (*answer.query.notes, *_unknown_name(answer))
    if answer.candidates or said:
        return said
    if answer.query.files and not answer.query.words:
        return (f"Not indexed: {_listed(answer.query.files)}.",)
    words = list(dict.fromkeys((*answer.query.files, *answer.query.keywords.all, *answer.query.words)))
    return (f"Nothing matches {_listed(words) or 'this question'}.",)


def _listed(words: Sequence[str]) -> str:
    rest = f" and {len(words) - SHOWN_WORDS} more" if len(words) > SHOWN_WORDS else ""
    return f"{', '.join(words[:SHOWN_WORDS])}{rest}"


def _unknown_name(answer: Answer) -> tuple[str, ...]:
    """Say that a question which can only be a name names nothing, so that guesses are not taken for it."""
    query = answer.query
    if query.shape != "identifier" or not _MARKED.search(query.text):
        return ()
    name = f".{dotted(query.text)}".lower()
    if any(f".{item.name}".lower().endswith(name) for item in answer.items.values()):
        return ()
    return (f"Nothing is named {query.text}; these are matches of its words.",)
