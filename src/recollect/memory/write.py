"""Writes memories: verbatim, once each, without secrets, tied to what they name."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from recollect.errors import NotFoundError, SecretError
from recollect.memory import entities, similar
from recollect.memory.code import Code, Named
from recollect.memory.entities import Mention
from recollect.memory.note import LINK_TYPES, PRIORITIES, Note, layer_of
from recollect.memory.relate import relate
from recollect.memory.secrets import blotted
from recollect.memory.signs import signs
from recollect.memory.surprise import importance, nearest, surprise
from recollect.source.secrets import Finding
from recollect.store.ids import uid_from, uid_of
from recollect.store.memories import SENSITIVE, HistoryRow, LinkRow, MemoryRow
from recollect.store.memory_port import MemoryWriter

ADD, UPDATE, NOOP = "ADD", "UPDATE", "NOOP"
_CANDIDATES = 8

Cut = Callable[[str], list[str]]


class Prepared(NamedTuple):
    """A note with all that can be known of it before the database is asked."""

    note: Note
    words: list[str]
    sketches: tuple[int, int]
    mentions: tuple[Mention, ...]
    named: list[Named]
    redacted: tuple[str, ...]
    counted: bool = True
    """Whether it is said now, and not only taken in from a file."""


class Written(NamedTuple):
    """What became of a note."""

    action: str
    row: MemoryRow
    similar: tuple[int, ...] = ()
    """Uids of older memories that say nearly the same, and may be contradicted."""
    redacted: tuple[str, ...] = ()
    surprise: float | None = None
    """Which share of its words is new beside the memories nearest to it; None when that was not looked at."""


def prepare(note: Note, cut: Cut, code: Code | None, redact: bool, now: int) -> Prepared:
    """Check a note for secrets and read what it names; raise SecretError unless they are to be blotted out."""
    text, findings = blotted(note.text)
    if findings and not redact:
        raise SecretError(_refusal(findings))
    _refuse_elsewhere(note)
    words = cut(text)
    mentions = entities.find(text, now if note.created is None else note.created)
    return Prepared(
        replace(note, text=text) if findings else note,
        words,
        similar.sketches(words, text),
        mentions,
        code.named(mentions) if code else [],
        tuple(sorted({finding.rule for finding in findings})),
    )


def numbered(notes: Iterable[Note]) -> list[Note]:
    """Count how often the same author says the same in the same session, so that each time is kept."""
    said: Counter[tuple[str, str, str]] = Counter()
    counted = []
    for one in notes:
        key = (one.session, one.author, one.text)
        counted.append(replace(one, repeat=said[key]) if is_said(one) and said[key] else one)
        said[key] += 1
    return counted


def is_said(note: Note) -> bool:
    """Tell whether a note is a line of a conversation, which is kept as it was said, and never folded."""
    return bool(note.session and (note.author or note.position is not None))


def write(writer: MemoryWriter, prepared: Prepared, now: int, cut: Cut, stem: Cut | None = None) -> Written:
    """Write one note, or count it as written again; with `stem` its importance moves by how much is new about it."""
    note = prepared.note
    uid = uid_of_note(note)
    old = writer.memory(uid)
    near: list[MemoryRow] = []
    if old is None and not is_said(note):
        near = writer.sketched(*prepared.sketches, _CANDIDATES)
        near = [row for row in near if not (row.session and (row.author or row.position is not None))]
        old = next((row for row in near if _same(prepared, row, cut)), None)
    if old is not None:
        return _again(writer, prepared, old, now)
    row = _row(prepared, uid, now)
    compared = stem if stem is not None and not is_said(note) else None
    around = nearest(writer, prepared.words, compared) if compared else []
    new = surprise(writer, prepared.words, around, cut) if compared and not note.weighed else None
    if new is not None:
        row = row._replace(importance=round(importance(note.importance, new) * 100))
    row = row._replace(number=writer.add(row, prepared.mentions))
    _tie(writer, prepared, row, now)
    surprised = None if new is None else round(new, 2)
    alike = _alike(prepared, (*near, *around), cut)
    return Written(ADD, row, alike, prepared.redacted, surprised)


def uid_of_note(note: Note) -> int:
    """Return the uid under which a note is kept."""
    if note.id:
        return uid_of(note.id)
    if is_said(note):
        place = "" if note.position is None else str(note.position)
        return uid_from("memory", "said", note.session, note.author, place, str(note.repeat), note.text)
    return uid_from("memory", note.text)


def _same(prepared: Prepared, row: MemoryRow, cut: Cut) -> bool:
    return similar.says_the_same(prepared.words, prepared.note.text, cut(row.text), row.text)


def _alike(prepared: Prepared, near: Iterable[MemoryRow], cut: Cut) -> tuple[int, ...]:
    """Return the uids of memories that say nearly the same, or another thing in the same words."""
    own = prepared.words
    words = {row.uid: cut(row.text) for row in near}
    return tuple(
        uid
        for uid, other in words.items()
        if similar.likeness(own, other) >= similar.SIMILAR or similar.says_another(own, other)
    )


def _row(prepared: Prepared, uid: int, now: int) -> MemoryRow:
    note = prepared.note
    return MemoryRow(
        uid=uid,
        text=note.text,
        kind=note.kind,
        layer=layer_of(note),
        priority=PRIORITIES.index(note.priority) + 1,
        status=note.status,
        importance=round(note.importance * 100),
        trust=round(note.trust * 100),
        session=note.session,
        position=note.position,
        author=note.author,
        source=note.source,
        created=now if note.created is None else note.created,
        updated=note.updated,
        accessed=None,
        valid_from=note.valid_from,
        valid_until=note.valid_until,
        expires=note.expires,
        seen=note.seen,
        words=len(prepared.words),
        signs=signs(note.text) + SENSITIVE * (note.sensitive or bool(prepared.redacted)),
        sketch=prepared.sketches[0],
        sketch_too=prepared.sketches[1],
        tags=note.tags,
        metadata=json.dumps(note.metadata, ensure_ascii=False) if note.metadata else "",
        pinned=note.pinned,
    )


def _again(writer: MemoryWriter, prepared: Prepared, old: MemoryRow, now: int) -> Written:
    """Fold a note into the memory that says the same: what is new about it is added, nothing is taken away."""
    note = prepared.note
    time = max(now, old.created)
    known = json.loads(old.metadata) if old.metadata else {}
    merged = {**note.metadata, **known}
    new = old._replace(
        tags=tuple(dict.fromkeys((*old.tags, *note.tags))),
        importance=max(old.importance, round(note.importance * 100)),
        source=old.source or note.source,
        pinned=old.pinned or note.pinned,
        signs=old.signs | SENSITIVE * note.sensitive,
        expires=_later(old.expires, note.expires),
        valid_from=old.valid_from if old.valid_from is not None else note.valid_from,
        valid_until=old.valid_until if old.valid_until is not None else note.valid_until,
        metadata=json.dumps(merged, ensure_ascii=False) if merged else "",
    )
    _tie(writer, prepared, old, now)
    # Whatever is only taken in again, from a file or a conversation, was not said once more.
    more = 0 if note.id or is_said(note) or not prepared.counted else 1
    if new == old:
        if more:
            writer.count_again(old.number, time)
            old = old._replace(seen=old.seen + 1, updated=time)
        return Written(NOOP, old, (), prepared.redacted)
    new = new._replace(seen=old.seen + more, updated=time)
    writer.replace(old, new, None)
    writer.add_history(HistoryRow(old.uid, old.number, time, "updated", _difference(old, new)))
    return Written(UPDATE, new, (), prepared.redacted)


def _later(old: int | None, new: int | None) -> int | None:
    """Return the later end; None never ends."""
    return None if old is None or new is None else max(old, new)


def _difference(old: MemoryRow, new: MemoryRow) -> str:
    ignored = {"seen", "updated"}
    changed = {
        name: [before, after]
        for name, before, after in zip(old._fields, old, new, strict=True)
        if before != after and name not in ignored
    }
    return json.dumps(changed, ensure_ascii=False)


def _tie(writer: MemoryWriter, prepared: Prepared, row: MemoryRow, now: int) -> None:
    """Link a memory to the code that it names and to the memories that its writer named."""
    for named in prepared.named:
        writer.put_link(LinkRow(row.uid, "mentions", named.uid, now, named.detail))
    for name, ids in prepared.note.links.items():
        for public in ids:
            target = writer.memory(uid_of(public))
            if target is None:
                raise NotFoundError(f"There is no memory {public} to link to; recall shows the ids.")
            relate(writer, row, LINK_TYPES[name], target, now)


def _refuse_elsewhere(note: Note) -> None:
    """Raise SecretError when a secret hides beside the text, where nothing can be blotted out."""
    if not (note.metadata or note.tags or note.source):
        return
    beside = "\n".join((json.dumps(note.metadata, ensure_ascii=False), *note.tags, note.source))
    _, findings = blotted(beside)
    if findings:
        raise SecretError(f"The tags, the source or the metadata hold a secret. {_refusal(findings)}")


def _refusal(findings: Sequence[Finding]) -> str:
    rules = ", ".join(sorted({finding.rule for finding in findings}))
    lines = ", ".join(str(line) for line in sorted({finding.line for finding in findings}))
    return (
        f"The memory was not stored because it looks like it holds a secret ({rules}, line {lines}); "
        "leave it out, or ask for it to be blotted out (redact=True, --redact)."
    )
