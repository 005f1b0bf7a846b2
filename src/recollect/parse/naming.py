"""Expressions and types of all languages as one dotted notation: `a::b`, `a->b` and `a?.b` become `a.b`."""

from __future__ import annotations

import re

from recollect.parse.settings import Settings

LONGEST = 2000
CACHED = 40_000
PLAIN = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*\Z")
TOKEN = re.compile(
    r"""(?P<word>[^\W\d][\w$]*)|(?P<sep>::|->|\?\.|&\.|!!\.|!\.|\.)|(?P<open>[(\[{])|(?P<close>[)\]}])"""
    r"""|(?P<text>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`[^`]*`)|(?P<space>\s+)|(?P<mark>[&*!?])|(?P<generic><)|(?P<other>.)""",
    re.S,
)
BRACKET = re.compile(
    r"""[^()\[\]{}"'`]*+(?:(?P<open>[(\[{])|(?P<close>[)\]}])|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`[^`]*`|.)""",
    re.S,
)
"""What comes before the next bracket or string, and that."""
NESTING = re.compile(r"""[(\[{<)\]}>"'`]""")
GENERIC = re.compile(r"""(?:::)?<[\w\s,.:<>?\[\]*&'|]*>(?=\s*[({.:?]|->)""")
PREFIXES = frozenset(
    {"new", "await", "try", "unsafe", "yield", "co_await", "mut", "ref", "in", "go", "const"}
)
NOTHING = frozenset({"None", "null", "undefined", "nil", "NoneType", "nullptr", "void", "()", ""})
NOISE = re.compile(
    r"\b(?:const|mut|readonly|dyn|impl|ref|out|volatile|final|struct|static|inout|some|any|owned|borrowing"
    r"|typename|register|unique|params|vararg|virtual|override|mutable)\s+|(?<!\w)'[a-z_]\w*\b(?!')\s*"
)
HEAD = re.compile(r"[^\W\d][\w$]*(?:(?:::|\.|\\|#)[^\W\d][\w$]*)*\Z")
UNIONS = frozenset({"Union", "Either", "Result"})


class Naming:
    """Normalises the receivers and types of one language, remembering what it has seen."""

    def __init__(self, settings: Settings) -> None:
        self._self = frozenset(settings.self_words)
        self._super = frozenset(settings.super_words)
        bare = {word.removesuffix("()") for word in settings.super_words}
        self._super_heads = bare.union(settings.super_words, (f"{word}()" for word in bare))
        self._wrappers = frozenset(settings.wrappers)
        self._collections = frozenset(settings.collections)
        self._sigils = settings.sigils
        self._field_sigils = tuple(sorted(settings.field_sigils, key=len, reverse=True))
        self._separators = settings.separators
        self._noise = tuple(settings.type_noise)
        self._expressions: dict[str, str] = {}
        self._types: dict[str, str] = {}

    def expression(self, text: str) -> str:
        """Return the normal form of an expression: `self.client`, `make()`, `xs[]`, or `?` for what has no name."""
        known = self._expressions.get(text)
        if known is None:
            if len(self._expressions) > CACHED:
                self._expressions.clear()
            known = self._expressions[text] = self._expression(text)
        return known

    def type(self, text: str) -> str:
        """Return the normal form of a type: `Foo`, `pkg.Foo`, `Foo[]`, `Foo|Bar`, or nothing when it has no name."""
        known = self._types.get(text)
        if known is None:
            if len(self._types) > CACHED:
                self._types.clear()
            known = self._types[text] = self._type(text, 0)
        return known

    def _expression(self, text: str) -> str:
        if len(text) > LONGEST:
            return "?"
        if text in self._super:
            return "super"
        for sigil in self._field_sigils:
            text = re.sub(rf"(?<![\w@$]){re.escape(sigil)}(?=\w)", "self.", text)
        if not PLAIN.match(text):
            for sigil in self._sigils:
                text = re.sub(rf"(?<!{re.escape(sigil)}){re.escape(sigil)}(?=[A-Za-z_{{])", "", text)
            for separator in self._separators:
                text = text.removeprefix(separator).replace(separator, ".")
            text = _reduce(text, 0)
        head, dot, rest = text.partition(".")
        if head in self._super_heads:
            return "super" + dot + rest
        return "self" + dot + rest if head in self._self else text

    def _type(self, text: str, depth: int) -> str:
        text = self._bare(text)
        if depth > 8 or not text or len(text) > LONGEST:
            return ""
        parts = split_top(text, "|")
        if len(parts) > 1:
            return self._union(parts, depth)
        if text.startswith("map["):
            inner = split_closing(text[3:])
            return _many(self._type(inner[1], depth + 1))
        if text[0] == "[":
            inside, rest = split_closing(text)
            element = rest or split_top(split_top(inside, ";")[0], ":")[-1]
            return _many(self._type(element, depth + 1))
        if text.endswith("[]"):
            return _many(self._type(text[:-2], depth + 1))
        if text[0] == "(" and text.endswith(")"):
            inside, rest = split_closing(text)
            first = split_top(inside, ",")
            return "" if rest or "=>" in inside else self._type(_after_name(first[0]), depth + 1)
        return self._generic(text, depth)

    def _bare(self, text: str) -> str:
        text = text.strip()
        while True:
            before = text
            text = text.removeprefix("->").removeprefix("=>").removeprefix("extends ")
            text = NOISE.sub("", text.lstrip(":&*^~@?!").rstrip("?!&* \t\n").strip())
            for word in self._noise:
                text = text.removeprefix(word).strip()
            if len(text) > 1 and text[0] in "\"'" and text[-1] == text[0]:
                text = text[1:-1]
            if text == before:
                return text

    def _union(self, parts: list[str], depth: int) -> str:
        found = [self._type(part, depth + 1) for part in parts if part.strip() not in NOTHING]
        return "|".join(dict.fromkeys(name for name in found if name and name not in NOTHING))

    def _generic(self, text: str, depth: int) -> str:
        opening = min((at for at in (text.find("<"), text.find("[")) if at > 0), default=-1)
        head = text if opening < 0 else text[:opening].rstrip()
        for separator in self._separators:
            head = head.replace(separator, ".")
        if not HEAD.match(head):
            words = head.split()
            if words[1:2] == ["is"]:
                return "boolean"
            if words and words[0] in self._wrappers:
                return self._type(text.partition(" ")[2], depth + 1)
            return self._type(words[0], depth + 1) if len(words) > 1 and HEAD.match(words[0]) else ""
        head = head.replace("::", ".").replace("\\", ".")
        if opening < 0:
            return head
        arguments = split_top(split_closing(text[opening:])[0], ",")
        last = head.rpartition(".")[2]
        if last in self._wrappers:
            return self._type(arguments[-1] if len(arguments) == 3 else arguments[0], depth + 1)
        if last in UNIONS and last not in self._collections:
            return self._union(arguments, depth)
        if last in self._collections:
            found = [part for part in arguments if part.strip() != "..."]
            element = found[0] if len(found) == 3 else found[-1] if found else ""
            return _many(self._type(element, depth + 1)) or head
        return head


def split_top(text: str, separator: str) -> list[str]:
    """Split at a one-character separator that stands outside all brackets and quotes."""
    if separator not in text:
        return [text]
    if not NESTING.search(text):
        return text.split(separator)
    parts: list[str] = []
    depth = start = 0
    quote = ""
    for at, char in enumerate(text):
        if quote:
            quote = "" if char == quote and text[at - 1] != "\\" else quote
        elif char in "\"'`":
            quote = char
        elif char in "([{<":
            depth += 1
        elif char in ")]}" or (char == ">" and text[at - 1] not in "=-"):
            depth -= 1
        elif char == separator and depth <= 0:
            parts.append(text[start:at])
            start = at + 1
    parts.append(text[start:])
    return parts


def split_closing(text: str) -> tuple[str, str]:
    """Split a text that begins with a bracket into what the bracket holds and what follows it."""
    depth = 0
    for at, char in enumerate(text):
        if char in "([{<":
            depth += 1
        elif char in ")]}" or (char == ">" and text[at - 1] not in "=-"):
            depth -= 1
            if depth == 0:
                return text[1:at], text[at + 1 :].strip()
    return text[1:], ""


def _many(element: str) -> str:
    return f"{element}[]" if element else ""


def _after_name(part: str) -> str:
    """Return the type of a named result (`err error`), or the part itself."""
    words = part.strip().split(" ", 1)
    return words[1] if len(words) == 2 and PLAIN.match(words[0]) and words[0].islower() else part


def _reduce(text: str, depth: int) -> str:  # noqa: C901, PLR0912 - one scanner, one loop
    out: list[str] = []
    at = 0
    while token := TOKEN.match(text, at):
        kind, at = token.lastgroup, token.end()
        if kind == "open":
            opened, at = token.start(), _closed(text, at)
            if at < 0:
                return "?"
            whole = _close(out, text[opened:at], text[at:], depth)
            if whole is not None:
                return whole
        elif kind == "space":
            continue
        elif kind == "word":
            if out and out[-1] != ".":
                if token.group() in {"as", "as?"}:
                    return _cast(text[at:].lstrip("?! "))
                if out[-1] not in PREFIXES:
                    return "?"
                out.clear()
            out.append(token.group())
        elif kind == "sep":
            if not out or out[-1] != ".":
                out.append(".")
        elif kind == "generic" and (generic := GENERIC.match(text, token.start())):
            at = generic.end()
        elif kind == "mark" and (token.group() in "&*" if not out else token.group() in "!?"):
            continue
        else:
            return "?"
    if out[1:] and out[-1] == ".":
        out.pop()
    return "".join(out) if out and out[0] != "." else "?"


def _closed(text: str, at: int) -> int:
    """Return where the bracket ends that was opened just before, or -1 when it stays open."""
    level = 1
    while token := BRACKET.match(text, at):
        at = token.end()
        if token.lastgroup == "open":
            level += 1
        elif token.lastgroup == "close":
            level -= 1
            if level == 0:
                return at
    return -1


def _close(out: list[str], group: str, rest: str, depth: int) -> str | None:
    """Take in a closed bracket; a returned text is the answer for the whole expression."""
    bracket = group[0]
    if not out or (out[-1] in PREFIXES and out[-2:-1] != ["."]):
        out.clear()
        if bracket != "(" or depth > 8:
            return "?"
        if re.match(r"\s*[\w(@$]", rest):
            return _cast(group[1:-1])
        out.append(_reduce(group[1:-1], depth + 1))
        return None if out[0] != "?" else "?"
    if out[-1] == ".":
        return _cast(group[1:-1]) + rest if PLAIN.match(group[1:-1].lstrip("*")) else "?"
    if bracket == "{":
        if not out[-1].endswith("()"):
            out.append("()")
    elif bracket == "[":
        out.append("[]")
    else:
        out.append("()")
    return None


def _cast(type_text: str) -> str:
    """Return a cast to a type as the construction of it, which has the same type."""
    name = type_text.strip().lstrip("*&").split("<")[0].strip()
    return f"{name}()" if PLAIN.match(name) else "?"
