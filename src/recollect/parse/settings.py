"""The settings at the top of a language's query file: what a grammar alone cannot say."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any, Literal

import msgspec

from recollect.errors import ParseError

QUERIES = Path(__file__).parent / "queries"
MARK = ";;;"


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a language's header says; docs/extending.md explains every key."""

    grammar: str
    """Module of the wheel, such as `tree_sitter_python`."""
    entry: str = "language"
    """Function of that module which gives the grammar."""
    extensions: tuple[str, ...] = ()
    filenames: tuple[str, ...] = ()
    shebangs: tuple[str, ...] = ()
    line_comments: tuple[str, ...] = ()
    block_comments: tuple[tuple[str, str], ...] = ()
    docs: Literal["above", "inside"] = "above"
    self_words: tuple[str, ...] = ("this", "self")
    super_words: tuple[str, ...] = ("super",)
    separators: tuple[str, ...] = ()
    sigils: tuple[str, ...] = ()
    field_sigils: tuple[str, ...] = ()
    visibility: Literal["public", "underscore", "capital", "words", "exports", "sections"] = "public"
    visibility_default: str = "public"
    visibility_words: dict[str, str] = {}
    member_visibility: dict[str, str] = {}
    clauses: bool = False
    rewrites: tuple[tuple[str, str], ...] = ()
    constructors: tuple[str, ...] = ()
    properties: tuple[str, ...] = ()
    constants: Literal["upper", "declared"] = "declared"
    values: Literal["declared", "any", "none"] = "declared"
    wrappers: tuple[str, ...] = ()
    collections: tuple[str, ...] = ()
    type_noise: tuple[str, ...] = ()
    builtins: tuple[str, ...] = ()
    test_paths: tuple[str, ...] = ()
    test_names: tuple[str, ...] = ()
    test_decorators: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()
    module_alias: Literal["first", "last", "none"] = "none"
    relative_dots: bool = False


def read_query(path: Path) -> tuple[Settings, str]:
    """Return the checked settings and the query of a language; what it includes comes after its own."""
    raw, query = _read(path)
    try:
        return msgspec.convert(raw, Settings), query
    except msgspec.ValidationError as error:
        raise ParseError(
            f"The header of {path.name} has a wrong setting: {error}. Correct the key, or remove it."
        ) from error


def _read(path: Path) -> tuple[dict[str, Any], str]:
    header: list[str] = []
    body: list[str] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        leading = line.startswith(MARK) and not any(body)
        header.append(line[len(MARK) :].removeprefix(" ") if leading else "")
        body.append("" if leading else line)
    try:
        raw = tomllib.loads("\n".join(header))
    except tomllib.TOMLDecodeError as error:
        raise ParseError(
            f"The header of {path.name} is not TOML: {error}. Correct its `;;;` lines."
        ) from error
    included = raw.pop("include", None)
    if included is None:
        return raw, "\n".join(body)
    base, query = _read(path.parent / f"{included}.scm")
    rewrites = [*base.get("rewrites", ()), *raw.get("rewrites", ())]
    return {**base, **raw, "rewrites": rewrites}, "\n".join([*body, query])
