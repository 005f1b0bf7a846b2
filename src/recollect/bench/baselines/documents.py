"""A corpus as plain documents: memories as they are, code cut into chunks or definitions without a parser."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from recollect.bench.checkout import files_of
from recollect.bench.values import Answer, Corpus, Memory, Repository

CHUNK_CHARACTERS = 1500
"""The size at which the public code search baselines cut."""
MAX_FILE_BYTES = 1_000_000
DEFINITION = re.compile(
    r"^[ \t]*(?:(?:pub(?:\([a-z]+\))?|public|private|protected|internal|static|final|abstract|async|export|default|"
    r"override|open|sealed|data|unsafe|const|virtual|inline|extern)\s+)*"
    r"(?:def|class|func|fn|function|struct|enum|trait|interface|type|module|object|impl|macro_rules!|record)"
    r"\s+(?:\([^)]*\)\s*)?([A-Za-z_$][\w$.:?!]*)"
)


@dataclass(frozen=True, slots=True)
class Document:
    """One text that can be retrieved, and what is answered when it is."""

    result: Any
    text: str
    fields: tuple[str, ...] = ()
    """Further texts beside the main one: category, tags, keywords for memories."""
    importance: float = 0.5
    path: str = ""


def documents(corpus: Corpus) -> list[Document]:
    """Return memories one by one, code in chunks that each carry the name that is defined in them first."""
    if isinstance(corpus, Repository):
        return [document for path, text in texts(corpus) for document in _chunks(path, text)]
    return [_memory(memory) for memory in corpus]


def texts(repository: Repository) -> Iterator[tuple[str, str]]:
    """Yield path and text of every text file of ordinary size."""
    for path in files_of(repository):
        file = repository.folder / path
        if file.stat().st_size > MAX_FILE_BYTES:
            continue
        content = file.read_bytes()
        if b"\0" not in content[:8192]:
            yield path, content.decode("utf-8", "replace")


def defined(line: str) -> str:
    """Return the name that a line seems to define, or nothing."""
    found = DEFINITION.match(line)
    return found.group(1).rstrip(":.") if found else ""


def _memory(memory: Memory) -> Document:
    fields = (memory.category, memory.tags, memory.expanded_keywords)
    return Document(memory.id, memory.content, fields, memory.importance)


def _chunks(path: str, text: str) -> Iterator[Document]:
    """Cut at the size limit and before each definition, so that a chunk has at most one name to answer with."""
    start, lines, size, name = 1, list[str](), 0, ""
    for number, line in enumerate(text.split("\n"), start=1):
        found = defined(line)
        if lines and (found or size + len(line) > CHUNK_CHARACTERS):
            yield _chunk(path, start, lines, name)
            start, lines, size = number, [], 0
        name = found or name
        lines.append(line)
        size += len(line) + 1
    if lines:
        yield _chunk(path, start, lines, name)


def _chunk(path: str, start: int, lines: Sequence[str], name: str) -> Document:
    return Document(Answer(path, start, start + len(lines) - 1, name), "\n".join(lines), path=path)
