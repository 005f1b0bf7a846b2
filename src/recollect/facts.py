"""What one file says, read without knowing any other file; keyed by the file's content and shared by every worktree.

Everything here is msgspec so that it is cheap to make, to store and to check when it is read back.
"""

from __future__ import annotations

import msgspec


class Symbol(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """A named thing that a file defines."""

    name: str
    qualified: str
    """The containers and the name, joined by dots: `Client.send`."""
    kind: str
    """One of recollect.types.SYMBOL_KINDS."""
    start_line: int
    end_line: int
    start_byte: int
    end_byte: int
    signature: str = ""
    doc: str = ""
    parent: int = -1
    """Index of the lexically enclosing symbol in the same file, or -1."""
    owner: str = ""
    """Qualified name of the type it belongs to, also when that type stands in another file (Go methods, Rust impls)."""
    visibility: str = "public"
    test: bool = False
    decorators: tuple[str, ...] = ()
    returns: str = ""
    """The declared result type, normalised like Binding.type."""
    bases: tuple[str, ...] = ()
    """For types: `extends Name` or `implements Name` entries, normalised names."""
    shingles: tuple[int, ...] = ()
    """For functions: at most 64 hashes of the body's token trigrams (the smallest ones), for similarity."""
    parameters: int = -1
    """How many parameters a callable declares without its receiver; -1 when unknown or open-ended."""


class Reference(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """A use of a name, folded over equal uses inside one symbol."""

    kind: str
    """call, type, decorate, throw, field, value, mention, or a manifest kind such as depends, owns, deploys, rpc."""
    name: str
    symbol: int
    """Index of the innermost enclosing symbol, or -1 for the file itself."""
    line: int
    receiver: str = ""
    """What stands before the name, normalised: `self`, `super`, `self.client`, `pkg.mod`, `make()`, `xs[]`, `?`."""
    count: int = 1
    literal: str = ""
    """The first string literal argument of a call or decorator (routes, environment names, flags, commands)."""
    arguments: tuple[str, ...] = ()
    """Plain names passed as arguments: handlers, callbacks."""


class Binding(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """What the type of a local name, parameter or field is said to be."""

    symbol: int
    """The scope: a function's index, a type's index for fields, or -1 for the module."""
    name: str
    type: str
    """A normalised type name when declared (`Foo`, `Foo[]` for a collection, `Foo|Bar` for a union),
    a normalised expression such as `Foo()` or `self.make()` when assigned."""
    declared: bool = True


class Import(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """One imported module or name, as written."""

    module: str
    line: int
    name: str = ""
    """The name taken from the module, `*` for all of them, empty when the module itself is imported."""
    alias: str = ""
    """What it is called in this file; empty when nothing is bound (C includes, side-effect imports)."""
    level: int = 0
    """Leading dots of a Python relative import."""


class Chunk(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """A run of whole lines that is shown and ranked as one."""

    start_line: int
    end_line: int
    start_byte: int
    end_byte: int
    symbol: int = -1
    """The outermost symbol that it is part of or consists of, or -1."""
    kind: str = "code"
    """code, imports or prose."""


class FileFacts(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """All that is known of a file from its bytes, its name and its language alone."""

    language: str
    lines: int
    package: str = ""
    """The package or namespace that the file says it belongs to."""
    symbols: tuple[Symbol, ...] = ()
    references: tuple[Reference, ...] = ()
    bindings: tuple[Binding, ...] = ()
    imports: tuple[Import, ...] = ()
    chunks: tuple[Chunk, ...] = ()
    errors: int = 0
    """How many places the grammar could not read; the rest of the file still counts."""
    test: bool = False
    generated: bool = False
    notes: tuple[str, ...] = ()
    """Sentences about what was left out: lines redacted, encodings guessed, a size cap reached."""
