"""What is done to one file, wherever it is done: read, recognise, parse, and make rows of it."""

from __future__ import annotations

import functools
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import msgspec

from recollect.facts import FileFacts
from recollect.graph.contributions import contributions
from recollect.index.identity import facts_key
from recollect.index.reading import Source, read_for_index
from recollect.index.rows import Texts, rows_of
from recollect.index.task import LARGE_BYTES, Setup, Task
from recollect.plugins import load
from recollect.ports import FactsStore, FileRecord, NewItem, Parser


class Prepared(NamedTuple):
    """One file ready to be written."""

    record: FileRecord
    same: bool = False
    """The bytes are those that are indexed already."""
    gone: bool = False
    """It was deleted or replaced before it could be read."""
    key: bytes = b""
    """Under which its facts are kept."""
    facts: bytes = b""
    """The encoded facts, empty when they were known."""
    items: list[NewItem] = []  # noqa: RUF012  never changed
    symbol_texts: Texts = []  # noqa: RUF012
    chunk_texts: Texts = []  # noqa: RUF012
    exports: bytes = b""
    reused: bool = False
    notes: tuple[str, ...] = ()


class Reply(msgspec.Struct, array_like=True):
    """What a worker answers to a batch or to the next files of one."""

    files: list[Prepared]
    more: bool = False
    """Whether the batch has files that were not answered yet."""


_SECONDS_PER_REPLY = 0.25
_encoder = msgspec.msgpack.Encoder()
_facts_decoder = msgspec.msgpack.Decoder(FileFacts)
encode_setup = _encoder.encode
encode_batch = _encoder.encode
encode_reply = _encoder.encode
encode_facts = _encoder.encode
decode_facts = _facts_decoder.decode
decode_setup = msgspec.msgpack.Decoder(Setup).decode
decode_batch = msgspec.msgpack.Decoder(list[Task]).decode
decode_reply = msgspec.msgpack.Decoder(Reply).decode


@functools.cache
def _parser() -> Parser:
    parser: Parser = load("parsers", "default")()
    return parser


class Workshop:
    """A parser and the facts that are known already, ready for any number of files."""

    def __init__(self, setup: Setup, facts: FactsStore | None = None) -> None:
        self._setup = setup
        self._root = Path(setup.root)
        self._facts = facts

    def answer(self, batch: Sequence[Task]) -> Iterator[Reply]:
        """Prepare each file of a batch, telling of those done before a large file, after it and now and then."""
        files: list[Prepared] = []
        told = time.monotonic()
        for task in batch:
            large = task.size > LARGE_BYTES
            if files and (large or time.monotonic() - told > _SECONDS_PER_REPLY):
                yield Reply(files, more=True)
                files, told = [], time.monotonic()
            files.append(self.prepare(task))
            if large:
                told = 0.0
        yield Reply(files)

    def prepare(self, task: Task) -> Prepared:
        """Read one file and make its rows, parsing only what is not known by its content."""
        source = read_for_index(self._root, task.path, task.size, self._setup.choice)
        if source is None:
            return Prepared(FileRecord(task.path, b"", 0, 0), gone=True)
        if source.skipped:
            # What cannot even be opened is known by what the folder said of it.
            seen = source if source.mtime_ns else replace(source, size=task.size, mtime_ns=task.mtime_ns)
            return Prepared(_record(seen), notes=source.notes)
        if source.content == task.known:
            return Prepared(_record(source), same=True)
        key = facts_key(source.content, task.path)
        known = self._facts.get(key) if self._facts is not None and self._facts.seen(key) else None
        facts = decode_facts(known) if known is not None else self.parse(source, task.plain)
        rows = rows_of(task.path, facts, source.text)
        return Prepared(
            _record(source, facts),
            key=key,
            facts=b"" if known is not None else encode_facts(facts),
            items=rows.items,
            symbol_texts=rows.symbol_texts,
            chunk_texts=rows.chunk_texts,
            exports=contributions(task.path, facts),
            reused=known is not None,
            notes=(*source.notes, *facts.notes),
        )

    def parse(self, source: Source, plain: str = "") -> FileFacts:
        """Return the facts of a file that was read; `plain` says why only its lines are wanted."""
        if plain:
            from recollect.parse.plain import read_plain

            note = f"It {plain}, so it is kept as text without structure."
            return read_plain(source.path, source.language, source.text, (note,))
        return _parser().parse(source.path, source.language, source.text)

    def facts_again(self, record: FileRecord) -> FileFacts | None:
        """Return the facts of an indexed file whose facts were lost, None when the file has changed since."""
        source = read_for_index(self._root, record.path, record.size, self._setup.choice)
        if source is None or source.skipped or source.content != record.content:
            return None
        return self.parse(source)

    def close(self) -> None:
        """Close the facts that were opened for reading."""
        if self._facts is not None:
            self._facts.close()


def failed(task: Task, reason: str) -> Prepared:
    """Return a file that is listed but not indexed."""
    return Prepared(FileRecord(task.path, b"", task.size, task.mtime_ns, skipped=reason))


def _record(source: Source, facts: FileFacts | None = None) -> FileRecord:
    return FileRecord(
        source.path,
        b"" if source.skipped else source.content,
        source.size,
        source.mtime_ns,
        source.language,
        facts.lines if facts else 0,
        facts.test if facts else False,
        source.generated or bool(facts and facts.generated),
        source.skipped,
        facts.package if facts else "",
    )
