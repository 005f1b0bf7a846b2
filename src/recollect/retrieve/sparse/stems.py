"""The stem of an English word, by the rules that full-text search uses too (Porter 1980)."""

from __future__ import annotations

import re
from functools import lru_cache

_CONSONANT = "[^aeiou]"
_VOWEL = "[aeiouy]"
_C = f"{_CONSONANT}[^aeiouy]*"
_V = f"{_VOWEL}[aeiou]*"
_ONE = re.compile(f"^(?:{_C})?{_V}{_C}")
_EXACTLY_ONE = re.compile(f"^(?:{_C})?{_V}{_C}(?:{_V})?$")
_MORE = re.compile(f"^(?:{_C})?{_V}{_C}{_V}{_C}")
_HAS_VOWEL = re.compile(f"^(?:{_C})?{_VOWEL}")
_SHORT = re.compile(f"^{_C}{_VOWEL}[^aeiouwxy]$")
_DOUBLE = re.compile(r"([^aeiouylsz])\1$")

_SECOND = {
    "ational": "ate", "tional": "tion", "enci": "ence", "anci": "ance", "izer": "ize", "bli": "ble", "alli": "al",
    "entli": "ent", "eli": "e", "ousli": "ous", "ization": "ize", "ation": "ate", "ator": "ate", "alism": "al",
    "iveness": "ive", "fulness": "ful", "ousness": "ous", "aliti": "al", "iviti": "ive", "biliti": "ble", "logi": "log",
}  # fmt: skip
_THIRD = {
    "icate": "ic", "ative": "", "alize": "al", "iciti": "ic", "ical": "ic", "ful": "", "ness": "",
}  # fmt: skip
_FOURTH = (
    "al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "ou", "ism", "ate", "iti", "ous",
    "ive", "ize",
)  # fmt: skip
_END_SECOND = re.compile(f"({'|'.join(sorted(_SECOND, key=len, reverse=True))})$")
_END_THIRD = re.compile(f"({'|'.join(sorted(_THIRD, key=len, reverse=True))})$")
_END_FOURTH = re.compile(f"({'|'.join(sorted(_FOURTH, key=len, reverse=True))}|(?<=[st])ion)$")


@lru_cache(maxsize=100_000)
def stem(word: str) -> str:
    """Return the stem of a lower-case word; what is no plain English word stays as it is."""
    if len(word) < 3 or not (word.isascii() and word.isalpha()):
        return word
    word = _plural(word)
    word = _past(word)
    if word.endswith("y") and _HAS_VOWEL.match(word[:-1]):
        word = word[:-1] + "i"
    word = _mapped(word, _END_SECOND, _SECOND)
    word = _mapped(word, _END_THIRD, _THIRD)
    found = _END_FOURTH.search(word)
    if found and _MORE.match(word[: found.start()]):
        word = word[: found.start()]
    return _tidy(word)


def _plural(word: str) -> str:
    if word.endswith("sses"):
        return word[:-2]
    if word.endswith("ies"):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def _past(word: str) -> str:
    if word.endswith("eed"):
        return word[:-1] if _ONE.match(word[:-3]) else word
    for ending in ("ed", "ing"):
        base = word.removesuffix(ending)
        if base != word and _HAS_VOWEL.match(base):
            if base.endswith(("at", "bl", "iz")):
                return base + "e"
            if _DOUBLE.search(base):
                return base[:-1]
            return base + "e" if _SHORT.match(base) and _EXACTLY_ONE.match(base) else base
    return word


def _mapped(word: str, endings: re.Pattern[str], table: dict[str, str]) -> str:
    found = endings.search(word)
    if found and _ONE.match(word[: found.start()]):
        return word[: found.start()] + table[found.group()]
    return word


def _tidy(word: str) -> str:
    if word.endswith("e"):
        base = word[:-1]
        if _MORE.match(base) or (_EXACTLY_ONE.match(base) and not _SHORT.match(base)):
            word = base
    if word.endswith("ll") and _MORE.match(word):
        word = word[:-1]
    return word
