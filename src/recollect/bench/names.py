"""Whether two ways of writing a symbol's name mean the same symbol, by the dot-bounded rule of public task sets.

The rule is kept exactly as published sets apply it, with its leniency (a class matches its members, a bare name every
qualified one), because figures compare only under one rule; `same_symbol` is the strict one.
"""

from __future__ import annotations

from functools import lru_cache

_EXTENSIONS = (".go", ".py", ".ts", ".tsx", ".js", ".jsx", ".rs", ".java", ".cs", ".rb")
_DECLARATIONS = ("func ", "type ", "var ", "const ", "def ", "class ", "interface ", "struct ")
_OPENERS = "( {[<"


def matches(retrieved: str, wanted: str) -> bool:
    """Tell whether a name meets a target: equal, suffix, same last part with a shared qualifier, or contained whole."""
    left, right = symbol_of(retrieved), symbol_of(wanted)
    if not left or not right:
        return False
    low, low_right = left.lower(), right.lower()
    if low == low_right or low.endswith("." + low_right) or low_right.endswith("." + low):
        return True
    parts, parts_right = low.split("."), low_right.split(".")
    if parts[-1] and parts[-1] == parts_right[-1]:
        bare = len(parts) == 1 or len(parts_right) == 1
        if bare or set(parts[:-1]) & set(parts_right[:-1]):
            return True
    return _bounded(left, right) or _bounded(right, left)


def same_symbol(retrieved: str, wanted: str) -> bool:
    """Tell whether a name meets a target and ends in the same last part."""
    return _last(retrieved) == _last(wanted) and matches(retrieved, wanted)


@lru_cache(maxsize=65536)
def symbol_of(raw: str) -> str:
    """Return the symbol part of a name that may carry an address, a path or a line."""
    text = raw.strip().rstrip(".").rstrip("(")
    if not text:
        return ""
    placed = _after_place(text)
    if placed is not None:
        return placed
    scheme = text.find("://")
    if scheme >= 0:
        text = text[scheme + 3 :]
    return _without_host(_after_path(text)).rpartition("/")[2]


def _after_place(text: str) -> str | None:
    """Return what stands behind `file:line:` or `file:`, None when the text has no such form."""
    parts = text.split(":", 2)
    if len(parts) == 3 and parts[0].endswith(_EXTENSIONS):
        return _declared(parts[2].strip())
    parts = text.split(":", 1)
    if len(parts) == 2 and parts[0].endswith(_EXTENSIONS):
        return "" if parts[1].isascii() and parts[1].isdigit() else parts[1].strip()
    return None


def _declared(code: str) -> str:
    for word in _DECLARATIONS:
        if code.startswith(word):
            code = code[len(word) :]
            break
    found = [place for place in (code.find(mark) for mark in _OPENERS) if place >= 0]
    return code[: min(found)] if found and min(found) > 0 else code


def _after_path(text: str) -> str:
    for extension in _EXTENSIONS:
        place = text.rfind(extension + ".")
        if place >= 0:
            return text[place + len(extension) + 1 :]
    place = text.rfind("/")
    if place >= 0:
        tail = text[place + 1 :]
        dot = tail.find(".")
        return tail[dot + 1 :] if dot >= 0 else tail
    parts = text.split(".")
    for index, part in enumerate(parts):
        if part and "A" <= part[0] <= "Z":
            return ".".join(parts[index:])
    return parts[-1]


def _without_host(text: str) -> str:
    scheme = text.find("://")
    if scheme >= 0:
        text = text[scheme + 3 :]
    parts = text.split("/")
    if len(parts) >= 3 and "." in parts[0] and not any("A" <= mark <= "Z" for mark in parts[0]):
        return "/".join(parts[3:])
    return text


def _bounded(outer: str, inner: str) -> bool:
    """Tell whether the first occurrence of one name in the other begins and ends at a dot or at an end."""
    whole, part = outer.replace("::", "."), inner.replace("::", ".")
    start = whole.find(part)
    if start < 0 or (start > 0 and whole[start - 1] != "."):
        return False
    end = start + len(part)
    return end == len(whole) or whole[end] == "."


def _last(name: str) -> str:
    return symbol_of(name).replace("::", ".").rsplit(".", 1)[-1].lower()
