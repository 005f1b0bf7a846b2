"""Chooses the reader that fits a file's language and name."""

from __future__ import annotations

import functools
from pathlib import PurePosixPath

import msgspec

from recollect.facts import FileFacts, Reference
from recollect.parse import grammars
from recollect.parse.code import read_code
from recollect.parse.deploy import is_deployment, read_deployment
from recollect.parse.manifests import read_manifest, reader_of
from recollect.parse.owners import read_owners
from recollect.parse.plain import read_plain
from recollect.parse.projects import ALIASED, project_name, read_aliases
from recollect.parse.prose import LANGUAGES, read_prose
from recollect.parse.proto import read_proto
from recollect.parse.settings import QUERIES, Settings, read_query

LONGEST_MANIFEST = 2_000_000


def parse(path: str, language: str, content: bytes) -> FileFacts:
    """Return what a file says; `content` is UTF-8, and any language without a reader is kept as plain text."""
    facts = _read(path, language, content)
    if len(content) > LONGEST_MANIFEST:
        return facts
    extra = _by_name(path, content)
    package = project_name(path, content)
    if not extra and not package:
        return facts
    return msgspec.structs.replace(
        facts, references=(*facts.references, *extra), package=package or facts.package
    )


def _read(path: str, language: str, content: bytes) -> FileFacts:
    if language in _names():
        return read_code(path, language, content)
    if language in LANGUAGES:
        return read_prose(path, language, content)
    if language in {"proto", "protobuf"} or path.endswith(".proto"):
        return read_proto(path, language, content)
    return read_plain(path, language, content)


def _by_name(path: str, content: bytes) -> tuple[Reference, ...]:
    """Return what is known of a file because of its name: manifest, deployment or owners."""
    name = PurePosixPath(path).name
    if name == "CODEOWNERS":
        return read_owners(content.decode("utf-8", "replace"))
    if reader_of(path) is not None:
        text = content.decode("utf-8", "replace")
        return (*read_manifest(path, text), *read_aliases(path, text))
    if name in ALIASED:
        return read_aliases(path, content.decode("utf-8", "replace"))
    if "ocker" in name or "ontainerfile" in name or name.endswith((".yml", ".yaml")):
        text = content.decode("utf-8", "replace")
        return read_deployment(path, text) if is_deployment(path, text) else ()
    return ()


@functools.cache
def languages() -> dict[str, Settings]:
    """Return the settings of every language that has a grammar."""
    return {name: read_query(QUERIES / f"{name}.scm")[0] for name in grammars.names()}


@functools.cache
def _names() -> frozenset[str]:
    return frozenset(grammars.names())
