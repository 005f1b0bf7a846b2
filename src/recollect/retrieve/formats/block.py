"""One entry as every format writes it, and what a format consists of."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

from recollect.types import Item, PackItem

MAX_OMITTED = 99_999
Count = Callable[[str], int]


class Block(NamedTuple):
    """What is shown of an item."""

    path: str
    start_line: int
    end_line: int
    kind: str
    name: str
    text: str
    reasons: tuple[str, ...]
    form: str

    @property
    def lines(self) -> str:
        """Return `12-30`, or nothing for what has no lines."""
        return f"{self.start_line}-{self.end_line}" if self.start_line else ""

    @property
    def place(self) -> str:
        """Return the path with its lines; it never begins with a space, so that blocks cost what they cost alone."""
        lines = f":{self.lines}" if self.lines else ""
        return f'"{self.path}"{lines}' if self.path[:1].isspace() else f"{self.path}{lines}"

    @property
    def title(self) -> str:
        """Return place, kind and name on one line."""
        return " ".join(part for part in (self.place, self.kind, self.name) if part)


class Format(NamedTuple):
    """A way to write an answer; it is also the framing that a packer reckons with.

    Every block begins with no space and ends a line, so that an answer costs the sum of its blocks and its frame.
    """

    name: str
    head: str
    tail: str
    block: Callable[[Block], str]
    notes: Callable[[int, Sequence[str], str], str]
    """The end of an answer with notes: how many were omitted, what is said beside, and the tail."""
    order: Literal["place", "rank"]
    """By place, entries keep their order while scores change a little."""

    def overhead(self, count: Count) -> int:
        """Return what an answer costs without any entry: its frame, and that something was left out."""
        return count(self.head) + count(self.notes(MAX_OMITTED, (), self.tail))

    def cost(self, item: Item, text: str, reason: str, count: Count, form: str = "signature") -> int:
        """Return what an entry costs with everything that is written around it."""
        return count(self.block(block_of(item, text, reason, form)))


def block_of(item: Item, text: str, reason: str, form: str) -> Block:
    """Return what is shown of an item before it is packed."""
    reasons = tuple(part for part in reason.split("; ") if part)
    return _block(item, text, reasons, form)


def packed_block(packed: PackItem) -> Block:
    """Return what is shown of a packed item: the same as before it was packed; a memory is a quotation."""
    if packed.hit.domain == "memory":
        return _memory(packed)
    return _block(packed.hit, packed.hit.text, packed.hit.reasons, packed.form)


def _memory(packed: PackItem) -> Block:
    """Return a memory with its provenance; no line of it can pass for one of ours."""
    hit = packed.hit
    said = tuple(_line(reason) for reason in hit.reasons[-1:])
    return Block("", 0, 0, "memory", hit.id, quoted(hit.text), said, packed.form)


def quoted(text: str) -> str:
    """Return a text with a mark before each line, without what could steer a terminal."""
    lines = clean(text).strip("\n").splitlines()
    legal = ("".join(char for char in line if char == "\t" or char.isprintable()) for line in lines)
    return "\n".join(f"> {line}" for line in legal)


def _block(of: object, text: str, reasons: tuple[str, ...], form: str) -> Block:
    path, name, kind = (_line(getattr(of, key)) for key in ("path", "name", "kind"))
    start, end = getattr(of, "start_line", 0), getattr(of, "end_line", 0)
    # What has no name and no signature is called by its path, which its place says already.
    if name == path:
        name, text = "", "" if text == path else text
    said = tuple(_line(reason) for reason in reasons)
    return Block(path, start, end, kind.strip() or "item", name.strip(), clean(text).strip("\n"), said, form)


def _line(text: str) -> str:
    """Return a text on one line."""
    return " ".join(clean(text).splitlines()) if not text.isprintable() else text


def clean(text: str) -> str:
    """Return a text that can be written as UTF-8."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def left_out(omitted: int) -> str:
    """Say how many did not fit, or nothing."""
    return f"{omitted} more did not fit into the budget." if omitted else ""


def note_lines(omitted: int, notes: Sequence[str], tail: str) -> str:
    """Write notes as lines in parentheses above the tail."""
    said = [text for text in (left_out(omitted), *map(_line, notes)) if text]
    return "".join(f"({text})\n" for text in said) + tail
