"""The keywords of a task in tiers: what was quoted, what is an identifier, what is a word, what may be a name."""

from __future__ import annotations

import re
from itertools import pairwise

from recollect.retrieve.values import Keywords
from recollect.retrieve.words import WordLists, is_compound, split_identifier, word_lists

MAX_QUOTED = 100
_QUOTED = re.compile(r"`([^`\n]+)`")
_CALL = re.compile(r"(?<!\w)((?:[^\W\d]\w*\.)*[^\W\d]\w*)\(\)?")
_DOTTED = re.compile(r"(?<!\w)[^\W\d]\w*(?:(?:\.|::)[^\W\d]\w*)+")
_PROSE_DOTS = frozenset({"e.g", "i.e", "etc", "a.k.a", "vs", "u.s"})
_WORD = re.compile(r"[^\W_][\w.]*\w|[\w]")


class _Ordered:
    """Keeps what is added in order, once each."""

    def __init__(self) -> None:
        self.rows: dict[str, None] = {}

    def add(self, *words: str) -> None:
        for word in words:
            if word:
                self.rows.setdefault(word)


def quoted_identifiers(text: str) -> tuple[str, ...]:
    """Return what stands in backticks and may be a name, as written and in lower case."""
    found = _Ordered()
    for body in _QUOTED.findall(text):
        name = body.strip().removesuffix("()")
        if name and len(name) <= MAX_QUOTED and not re.search(r"\s", name) and re.search(r"\w", name):
            found.add(name, name.lower())
    return tuple(found.rows)


def code_patterns(text: str) -> tuple[str, ...]:
    """Return what is clearly code: calls with parentheses, `Upper.method`, and dotted paths."""
    found = _Ordered()
    for name in _CALL.findall(text):
        if len(name) > 1:
            _add_with_leaf(found, name)
    for name in _DOTTED.findall(text):
        parts = re.split(r"\.|::", name)
        if name.lower() in _PROSE_DOTS or name.lower().startswith(("www.", "http.")):
            continue
        if parts[0][:1].isupper() and len(parts) == 2:
            _add_with_leaf(found, name)
        elif len(parts) >= 3 or "_" in name or "::" in name:
            found.add(name, name.lower())
    return tuple(found.rows)


def _add_with_leaf(found: _Ordered, name: str) -> None:
    found.add(name, name.lower())
    if "." in name or "::" in name:
        leaf = re.split(r"\.|::", name)[-1]
        found.add(leaf, leaf.lower())


def read_keywords(text: str) -> Keywords:
    """Return the keyword tiers of a task."""
    lists = word_lists()
    exact = quoted_identifiers(text)
    plain = _QUOTED.sub(lambda match: f" {match.group(1)} ", text)
    compounds, components, priority = _Ordered(), _Ordered(), _Ordered()
    compounds.add(*code_patterns(plain))
    words = [word.strip("._") for word in _WORD.findall(plain)]
    words = [word for word in words if word]
    _boost_first_noun(words, lists, compounds, priority)
    for word in words:
        _read_word(word, lists, compounds, components)
    if not (exact or compounds.rows or components.rows):
        components.add(*(word.lower() for word in words if len(word) > 1 or not word.isascii()))
    if not (exact or compounds.rows or components.rows):
        components.add(*(word.lower() for word in words))
    ordered = _Ordered()
    ordered.add(*priority.rows, *sorted(components.rows, key=lambda word: (-len(word), word)))
    known = set(exact)
    return Keywords(
        exact=exact,
        compounds=tuple(word for word in compounds.rows if word not in known),
        components=tuple(ordered.rows),
        speculative=bigrams(words),
    )


def _boost_first_noun(words: list[str], lists: WordLists, compounds: _Ordered, priority: _Ordered) -> None:
    if not words or words[0].lower() not in lists.verbs:
        return
    for word in words[1:]:
        lower = word.lower()
        if lower in lists.fillers or lists.is_noise(lower):
            continue
        if len(word) < 2 or lower in lists.filler_nouns or (word.isupper() and len(word) <= 4):
            continue
        if is_compound(word):
            compounds.add(word)
        else:
            priority.add(lower, lower[:1].upper() + lower[1:])
        return


def _read_word(word: str, lists: WordLists, compounds: _Ordered, components: _Ordered) -> None:
    lower = word.lower()
    if lower in _PROSE_DOTS or _is_version(word):
        return
    if is_compound(word):
        dotted_prose = "." in word and "_" not in word and word == lower and word.count(".") == 1
        if not dotted_prose:
            compounds.add(word)
        for part in split_identifier(word):
            _add_component(part.lower(), lists, components, keep=lists.code_keep)
        return
    _add_component(lower, lists, components)


def _add_component(
    word: str, lists: WordLists, components: _Ordered, keep: frozenset[str] = frozenset()
) -> None:
    if len(word) < 2 and word.isascii():
        return
    if lists.is_noise(word) and word not in keep:
        return
    components.add(word)
    longer = lists.abbreviations.get(word)
    if longer:
        components.add(longer)


def _is_version(word: str) -> bool:
    return bool(re.fullmatch(r"v?\d+(?:\.\w+)*", word)) and "." in word


def bigrams(words: list[str]) -> tuple[str, ...]:
    """Join neighbouring words into names: `blast radius` gives BlastRadius and blast_radius."""
    lists = word_lists()
    found = _Ordered()
    for left, right in pairwise(words):
        if not (_joins(left, lists) and _joins(right, lists)) or max(len(left), len(right)) < 4:
            continue
        a, b = left.lower(), right.lower()
        found.add(a.capitalize() + b.capitalize(), f"{a}_{b}")
    return tuple(found.rows)


def _joins(word: str, lists: WordLists) -> bool:
    lower = word.lower()
    if len(word) < 3 or not word.isalpha() or is_compound(word):
        return False
    return not lists.is_noise(lower) and lower not in lists.filler_nouns
