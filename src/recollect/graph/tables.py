"""The word lists and rules per language that resolving goes by; all of them are data files beside this module."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources
from typing import Any, NamedTuple


class LanguageRules(NamedTuple):
    """How names reach definitions in one language."""

    family: str
    """Languages of one family can use each other's definitions."""
    modules: str = "none"
    """The strategy that finds the files of an import."""
    same: str = "file"
    """What is visible without an import: file, folder, package, target, includes or all."""
    implicit: bool = False
    """Whether members are reached without naming the object."""
    unnested: bool = False
    """Whether a method does not reach the methods of the types around its own type by their bare names."""
    explicit: bool = False
    """Whether a bare name that is neither defined nor imported is certainly not from this repository."""
    structural: bool = False
    """Whether a type implements an interface by having its methods."""
    constructors: tuple[str, ...] = ()
    """Names of the member that runs when the type is called; `*` stands for the name of the type."""
    creators: tuple[str, ...] = ()
    """Members of every type that make an instance, such as `new`."""
    suffixes: tuple[str, ...] = ()
    """What an imported module's file may end in."""
    indexes: tuple[str, ...] = ()
    """File stems that stand for their folder."""
    builtins: frozenset[str] = frozenset()
    """Bare names that the language brings along."""
    methods: frozenset[str] = frozenset()
    """Method names so common that an unknown receiver says nothing."""
    declares: bool = False
    """Whether callables are declared in one file and defined in another."""
    name_first: bool = False
    """Whether a parameter list has the name of a parameter before its type, if any."""
    dynamic: frozenset[str] = frozenset()
    """Declared types that say nothing about what a value is."""
    roots: tuple[str, ...] = ()
    """Folders that are roots of module names."""
    manifests: tuple[str, ...] = ()
    """Files that make their folder such a root."""
    tabled: bool = False
    """Whether a module is a table that its file defines and returns."""


@cache
def table(name: str) -> dict[str, Any]:
    """Return a data file of this package, parsed."""
    text = resources.files("recollect.graph").joinpath("data", f"{name}.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


@cache
def language_of(name: str) -> LanguageRules:
    """Return the rules of a language; one that is not listed is its own family and imports nothing."""
    row = dict(table("languages").get(name, {"family": name}))
    words = table("builtins").get(row.pop("words", name), {})
    for field in ("constructors", "creators", "suffixes", "indexes", "roots", "manifests"):
        row[field] = tuple(row.get(field, ()))
    return LanguageRules(
        dynamic=frozenset(str(row.pop("dynamic", "")).split()),
        builtins=frozenset(words.get("names", "").split()),
        methods=frozenset(words.get("methods", "").split()),
        **row,
    )
