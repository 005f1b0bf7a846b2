"""Documentation: the comment above a symbol or the string inside it."""

from __future__ import annotations

from recollect.parse.matches import Captures
from recollect.parse.settings import Settings
from recollect.parse.text import STRING_START, Source, clean_comment, clean_docstring

FURTHEST = 200


def document(settings: Settings, source: Source, start: int, captures: Captures) -> str:
    """Return what is said about a symbol, without comment marks or quotes."""
    if "doc" in captures:
        text = "\n".join(source.take(node.start_byte, node.end_byte) for node in captures["doc"])
        return clean_docstring(text) if STRING_START.match(text) else clean_comment(text)
    if settings.docs == "inside":
        body = captures.get("body")
        if not body:
            return ""
        head = source.take(body[0].start_byte, min(body[0].end_byte, body[0].start_byte + 4))
        match = STRING_START.match(head)
        if not match:
            return ""
        first = body[0].named_child(0)
        return clean_docstring(source.take(first.start_byte, first.end_byte)) if first else ""
    line = source.line(start)
    if source.content[:start].rpartition(b"\n")[2].rstrip().endswith((b"{", b",", b"(")):
        return ""
    above = comment_above(settings, source, line)
    return clean_comment("\n".join(above)) if above else ""


def comment_above(settings: Settings, source: Source, line: int) -> list[str]:
    """Return the lines of the comment that ends on the line before the given one."""
    found: list[str] = []
    closing = ""
    for at in range(line - 1, max(0, line - FURTHEST), -1):
        text = source.line_text(at)
        bare = text.strip()
        if closing:
            found.append(text)
            if closing in bare:
                return found[::-1]
            continue
        opening = next((pair[0] for pair in settings.block_comments if bare.endswith(pair[1])), "")
        if opening and bare.startswith(opening):
            return [text, *found[::-1]]
        if opening and not found and opening not in bare:
            closing = opening
        elif not bare.startswith(settings.line_comments or ("\0",)) or (at == 1 and bare.startswith("#!")):
            break
        found.append(text)
    return [] if closing else found[::-1]
