"""References: every use of a name, given to the innermost symbol around it and folded over equal uses."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable
from typing import TypeAlias

from recollect.facts import Import, Reference
from recollect.parse.grammars import Grammar
from recollect.parse.matches import Captures, Matches
from recollect.parse.symbols import Outline, base_names
from recollect.parse.text import Source, unquote
from recollect.parse.written import LITERAL_LIMIT, read_arguments, type_names

ARGUMENT_TEXT = 600
MOST_ARGUMENTS = 8
COMMAND = re.compile(
    r"""\(\s*(?:args\s*=\s*)?[\[(]?\s*([rRfF]?(?:"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'))"""
)
PARAMETER = re.compile(r"(?:^|[({\[,|])\s*[*&$@.]*(\w+)")
TYPE_PARAMETER = re.compile(r"[A-Z]\d?\Z")
LONGEST_RECEIVER = 2000
Use: TypeAlias = tuple[str, int, int, tuple[int, int] | None, Captures]
"""Of what is used by its name: kind, where the name begins and ends, the span of its receiver, and the captures."""


class Collector:
    """Gathers the uses of one file."""

    def __init__(self, grammar: Grammar, source: Source, found: Outline, imports: tuple[Import, ...]) -> None:
        self.grammar = grammar
        self.source = source
        self.found = found
        self.rows: dict[tuple[str, str, int, str, str], tuple[int, int, tuple[str, ...]]] = {}
        self._builtins = frozenset(grammar.settings.builtins)
        self._noise = grammar.settings.type_noise
        self._mode = grammar.settings.values
        wild = any(row.name == "*" for row in imports)
        self._known = {row.alias or row.name for row in imports} | {
            d.name for d in found.drafts if not d.instance
        }
        self.defined = frozenset(draft.name for draft in found.drafts)
        self._any = self._mode == "any" or (wild and self._mode == "declared")
        self.locals: dict[int, set[str]] = {}
        self._hidden: dict[int, frozenset[str]] = {}
        self._borders, self._indexes = found.borders, found.indexes
        self.skipped: Callable[[int], bool] | None = None
        for draft in found.drafts:
            if params := draft.captures.get("params"):
                text = source.take(
                    params[0].start_byte, min(params[-1].end_byte, params[0].start_byte + ARGUMENT_TEXT)
                )
                self.locals[draft.index] = set(PARAMETER.findall(text))

    def add(
        self,
        kind: str,
        name: str,
        at: int,
        receiver: str = "",
        literal: str = "",
        arguments: tuple[str, ...] = (),
    ) -> None:
        """Count one use at a byte offset."""
        key = (kind, name, self._indexes[bisect_right(self._borders, at) - 1], receiver, literal)
        known = self.rows.get(key)
        if known is None:
            self.rows[key] = (at, 1, arguments)
            return
        first, count, merged = known
        if arguments and arguments != merged:
            merged = tuple(dict.fromkeys((*merged, *arguments)))
        self.rows[key] = (first if first < at else at, count + 1, merged)

    def value(self, name: str, at: int) -> None:
        """Count a plain name that is passed on, when it can be something that is defined and not a local."""
        if self._mode == "none" or name in self._builtins or not (self._any or name in self._known):
            return
        if self.skipped is not None and self.skipped(at):
            return
        if not self.is_local(name, at):
            self.add("value", name, at)

    def is_local(self, name: str, at: int) -> bool:
        """Say whether a name is a parameter or variable of the symbols around a byte."""
        return name in self._locals_at(self._indexes[bisect_right(self._borders, at) - 1])

    def is_known(self, name: str, at: int) -> bool:
        """Say whether a name without brackets is a local or a word of the language, so that it calls nothing."""
        return name in self._builtins or self.is_local(name, at)

    def _locals_at(self, index: int) -> frozenset[str]:
        """Return the local names of a symbol and of all around it."""
        known = self._hidden.get(index)
        if known is None:
            names: set[str] = set()
            inside = self.found.drafts[index] if index >= 0 else None
            while inside is not None:
                names |= self.locals.get(inside.index, frozenset())
                inside = inside.parent
            known = self._hidden[index] = frozenset(names)
        return known

    def arguments(self, captures: Captures) -> tuple[str, tuple[str, ...]]:
        """Return the first string literal and the plain names that a call is given."""
        node = captures["args"][0]
        start, end = node.start_byte, node.end_byte
        if end - start < 3:
            return "", ()
        text = self.source.take(start, min(end, start + ARGUMENT_TEXT))
        if text[0] == "(":
            text = text[1:-1] if end - start <= ARGUMENT_TEXT else text[1:]
        literal, names = read_arguments(text)
        if not names:
            return literal, ()
        kept = []
        for name in names:
            if "." in name or "::" in name or "->" in name:
                kept.append(self.grammar.naming.expression(name))
            elif name not in self._builtins and (self._any or name in self._known):
                self.value(name, start + 1)
                kept.append(name)
        return literal, tuple(kept[:MOST_ARGUMENTS])

    def types(self, names: tuple[tuple[str, str], ...], at: int) -> None:
        """Count the names of a type, but for those of the language and single letters that stand for any type."""
        for head, last in names:
            if not head and TYPE_PARAMETER.match(last) and last not in self.defined:
                continue
            if last not in self._builtins and last not in self._noise:
                self.add("type", last, at, head)

    def finish(self) -> tuple[Reference, ...]:
        """Return all uses in the order of their first place."""
        line = self.source.line
        rows = sorted((at, key, count, args) for key, (at, count, args) in self.rows.items())
        return tuple(
            Reference(key[0], key[1], key[2], line(at), key[3], count, key[4], args)
            for at, key, count, args in rows
        )


def read_references(collector: Collector, matches: Matches) -> None:
    """Read all @ref captures of a file."""
    skipped = collector.skipped = _skipped(matches)
    source, expression = collector.source, collector.grammar.naming.expression
    take = source.take
    supers, commands = collector.grammar.settings.super_words, collector.grammar.settings.commands
    uses, received, plain, barred = _named(collector, matches)
    called: set[int] = set()
    for kind, at, end, span, captures in uses:
        if kind == "call" and (
            at in barred
            or (skipped is not None and skipped(at))
            or (at in received and (span is None or span[0] > received[at]))
            or not _is_called(collector, captures, at, end, at in plain)
        ):
            continue
        called.add(at)
        receiver = ""
        if span is not None:
            receiver = expression(take(*span)) if span[1] - span[0] < LONGEST_RECEIVER else "?"
        elif "adjacent" in captures and source.content[at - 1 : at] == b".":
            receiver = "?"
        literal, arguments = collector.arguments(captures) if "args" in captures else ("", ())
        if not literal and "literal" in captures:
            literal = _literal(source, captures)
        name = take(at, end)
        if name in commands and "args" in captures:
            literal = command_of(source, captures)
        if name in supers:
            name, receiver = ("super", receiver) if f"{name}()" in supers else _super(collector, at, receiver)
        collector.add(kind, name, at, receiver, literal, arguments)
        if kind == "decorate":
            _decorate(collector, f"{receiver}.{name}" if receiver else name, at)
    _others(collector, matches, called)
    _types(collector, matches, called | collector.found.named)


def _is_called(collector: Collector, captures: Captures, at: int, end: int, plain: bool) -> bool:
    """Say whether a name is a call where its pattern alone cannot tell: without brackets, or apart from them."""
    if "adjacent" in captures and not _adjacent(collector.source, captures):
        return False
    return "bare" not in captures or not (plain or collector.is_known(collector.source.take(at, end), at))


def _named(
    collector: Collector, matches: Matches
) -> tuple[list[Use], dict[int, int], set[int], frozenset[int]]:
    """Return what is called, thrown or decorates by its name, with what is to be known of all of it together.

    That is where the longest receiver of each called name begins, which names are called with brackets, and which
    places are no calls.
    """
    uses: list[Use] = []
    spans = _receivers(matches)
    received: dict[int, int] = {}
    plain: set[int] = set()
    barred = set(collector.found.named)
    for kind, captures in matches.named:
        names = captures.get("name")
        if names:
            node, span = names[-1], None
        elif "member" in captures:
            node = captures["member"][0]
            span = spans.get(node.start_byte)
        else:
            continue
        at = node.start_byte
        if receivers := captures.get("receiver"):
            span = (receivers[0].start_byte, receivers[-1].end_byte)
        uses.append((kind, at, node.end_byte, span, captures))
        if kind == "decorate":
            barred.add(at)
        elif kind == "call":
            if span is not None and received.get(at, at) >= span[0]:
                received[at] = span[0]
            if "bare" not in captures:
                plain.add(at)
    return uses, received, plain, frozenset(barred)


def _receivers(matches: Matches) -> dict[int, tuple[int, int]]:
    """Return the spans of the receivers of all fields by where the field's name begins, for calls of a `@member`."""
    if not any("member" in captures for _, captures in matches.named):
        return {}
    return {
        captures["name"][0].start_byte: (receivers[0].start_byte, receivers[-1].end_byte)
        for _, captures in matches.others
        if (receivers := captures.get("receiver")) and "name" in captures
    }


def _literal(source: Source, captures: Captures) -> str:
    node = captures["literal"][0]
    return unquote(source.take(node.start_byte, node.end_byte))[:LITERAL_LIMIT]


def command_of(source: Source, captures: Captures) -> str:
    """Return the program that a call runs where it is written: its first argument, or the first of that list."""
    node = captures["args"][0]
    found = COMMAND.match(source.take(node.start_byte, min(node.end_byte, node.start_byte + ARGUMENT_TEXT)))
    return unquote(found[1])[:LITERAL_LIMIT] if found else ""


def _super(collector: Collector, at: int, receiver: str) -> tuple[str, str]:
    """Return what `super` calls: in a method the same method above, else the constructor above."""
    inside = collector.found.around(at)
    while inside is not None and inside.kind not in {"method", "constructor"}:
        inside = inside.parent
    if inside is None or inside.kind == "constructor" or receiver:
        return "super", receiver
    return inside.name, "super"


def _adjacent(source: Source, captures: Captures) -> bool:
    """Say whether nothing but a macro's `!` stands between a name and its arguments."""
    between = source.content[captures["name"][-1].end_byte : captures["adjacent"][0].start_byte]
    return between in {b"", b"!"}


def _skipped(matches: Matches) -> Callable[[int], bool] | None:
    """Return the test whether a byte lies in a `@skip`, where nothing but types is a reference; None without any."""
    nodes = [captures["skip"][0] for captures in matches.skips]
    if not nodes:
        return None
    spans = sorted((node.start_byte, node.end_byte) for node in nodes)

    def inside(at: int) -> bool:
        place = bisect_right(spans, (at, 1 << 62)) - 1
        return place >= 0 and at < spans[place][1]

    return inside


def _decorate(collector: Collector, name: str, at: int) -> None:
    inside = collector.found.around(at)
    if inside is not None and at < inside.name_start:
        inside.decorators.append(name)


def _others(collector: Collector, matches: Matches, called: set[int]) -> None:
    """Read fields and values where nothing is called."""
    source, expression, skipped = collector.source, collector.grammar.naming.expression, collector.skipped
    take, defined = source.take, collector.found.named
    sigils = "".join(collector.grammar.settings.sigils)
    for kind, captures in matches.others:
        if kind == "value":
            node = captures["ref.value"][0]
            at = node.start_byte
            if at not in called and at not in defined and source.content[at - 1 : at] != b".":
                collector.value(take(at, node.end_byte).lstrip(sigils), at)
            continue
        names, receivers = captures.get("name"), captures.get("receiver")
        # A field that is named by a string begins where its receiver does, and so does the whole of any other.
        at = names[0].start_byte if names else receivers[0].start_byte if receivers else -1
        if at in called or (names and at in defined):
            continue
        start = receivers[0].start_byte if receivers else at
        if skipped is not None and skipped(start):
            continue
        called.add(at)
        receiver = ""
        if receivers:
            end = receivers[0].end_byte
            receiver = expression(take(start, end)) if end - start < LONGEST_RECEIVER else "?"
        if receiver != "?":
            literal = _literal(source, captures) if "literal" in captures else ""
            name = take(at, names[0].end_byte) if names else "[]"
            collector.add(kind, name, at, receiver, literal)


def _types(collector: Collector, matches: Matches, taken: set[int]) -> None:
    """Read type mentions: outermost spans only, without what is already a base, a definition or a construction."""
    bases = sorted(
        (node.start_byte, node.end_byte)
        for captures in (*(c for _, _, c in matches.defs), *matches.inherits, *matches.scopes)
        for word in ("base.extends", "base.implements")
        for node in captures.get(word, ())
    )
    named = {entry.rpartition(" ")[2] for draft in collector.found.drafts for entry in draft.bases}
    take, size = collector.source.take, len(collector.source.content)
    covered = 0
    for start, negative in sorted({(node.start_byte, -node.end_byte) for node in matches.types}):
        end = -negative
        if start < covered or start in taken:
            covered = max(covered, end)
            continue
        covered = end
        text = take(start, min(end, start + 1000))
        if bases:
            at = bisect_right(bases, (start, size)) - 1
            if at >= 0 and end <= bases[at][1] and collector.grammar.naming.type(text) in named:
                continue
        collector.types(type_names(text), start)


def implemented_elsewhere(collector: Collector, matches: Matches) -> None:
    """Keep `impl Trait for Foo` of a type that stands in another file, as a reference from Foo to Trait."""
    grammar, source = collector.grammar, collector.source
    here = {draft.qualified for draft in collector.found.drafts}
    for captures in matches.scopes:
        name = captures.get("name")
        owner = grammar.naming.type(source.take(name[0].start_byte, name[0].end_byte)) if name else ""
        if owner and owner not in here:
            for entry in base_names(grammar, source, captures):
                word, _, base = entry.partition(" ")
                collector.add(word, base, captures["scope"][0].start_byte, owner)
