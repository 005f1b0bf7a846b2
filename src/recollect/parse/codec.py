"""Facts as bytes, and the version of everything that makes them."""

from __future__ import annotations

import functools
import hashlib
import zlib
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import msgspec

from recollect.errors import ParseError
from recollect.facts import FileFacts
from recollect.parse.grammars import names
from recollect.parse.settings import QUERIES, read_query

_ENCODER = msgspec.msgpack.Encoder()
_DECODER = msgspec.msgpack.Decoder(FileFacts)


def encode(facts: FileFacts) -> bytes:
    """Return facts as compressed bytes."""
    return zlib.compress(_ENCODER.encode(facts), 1)


def decode(data: bytes) -> FileFacts:
    """Return the facts that `encode` made bytes of; raises ParseError for anything else."""
    try:
        return _DECODER.decode(zlib.decompress(data))
    except (zlib.error, msgspec.DecodeError) as error:
        raise ParseError(f"Stored facts cannot be read: {error}. Parse the file again.") from error


@functools.cache
def grammar_version() -> str:
    """Return a hash over the query files, the wheels and this folder's code; facts of another version are not used."""
    digest = hashlib.blake2b(digest_size=16)
    for module in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(module.read_bytes())
    wheels = {"tree-sitter", "tree-sitter-markdown", "tree-sitter-rst"}
    for name in names():
        settings, query = read_query(QUERIES / f"{name}.scm")
        digest.update(f"{name}{settings}{query}".encode())
        wheels.add(settings.grammar.replace("_", "-"))
    for wheel in sorted(wheels):
        digest.update(f"{wheel} {_version(wheel)}".encode())
    return digest.hexdigest()


def _version(wheel: str) -> str:
    try:
        return version(wheel)
    except PackageNotFoundError:
        return "none"
