"""Protocol buffers, read by hand as no wheel exists for them: services, rpcs, messages, enums and their fields."""

from __future__ import annotations

import re

from recollect.facts import FileFacts, Import, Reference, Symbol
from recollect.parse.comments import comment_above
from recollect.parse.plain import plain_chunks
from recollect.parse.settings import Settings
from recollect.parse.text import Source, clean_comment, one_line

TOKEN = re.compile(
    rb"""//[^\n]*|/\*.*?\*/|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'"""
    rb"""|(?P<open>\b(?P<word>service|message|enum|oneof|extend)\s+(?P<name>[\w.]+)\s*\{)"""
    rb"""|(?P<rpc>\brpc\s+(?P<method>\w+)\s*\(\s*(?:stream\s+)?(?P<input>[\w.]+)\s*\)\s*returns\s*\(\s*(?:stream\s+)?(?P<output>[\w.]+)\s*\))"""
    rb"""|(?P<field>\b(?:repeated\s+|optional\s+|required\s+)?(?P<type>map\s*<[^>]*>|[\w.]+)\s+(?P<member>\w+)\s*=\s*\d+)"""
    rb"""|(?P<brace>\{)|(?P<close>\})""",
    re.S,
)
PACKAGE = re.compile(r"^\s*package\s+([\w.]+)\s*;", re.M)
IMPORT = re.compile(r"^\s*import\s+(?:public\s+|weak\s+)?\"([^\"]+)\"", re.M)
KINDS = {"service": "service", "message": "message", "enum": "enum"}
SCALARS = frozenset(
    {
        "double", "float", "int32", "int64", "uint32", "uint64", "sint32", "sint64", "fixed32", "fixed64",
        "sfixed32", "sfixed64", "bool", "string", "bytes", "option", "syntax",
    }
)  # fmt: skip
COMMENTS = Settings(grammar="", line_comments=("//",), block_comments=(("/*", "*/"),))


def read_proto(path: str, language: str, content: bytes) -> FileFacts:
    """Return the facts of a .proto file; rpcs carry their request and response as type references."""
    del path
    source = Source(content)
    text = content.decode("utf-8", "replace")
    rows: list[list[object]] = []
    references: dict[tuple[str, str, int], int] = {}
    stack: list[int] = []
    for match in TOKEN.finditer(content):
        kind = match.lastgroup and next(
            (k for k in ("open", "rpc", "field", "brace", "close") if match[k]), None
        )
        top = next((index for index in reversed(stack) if index >= 0), -1)
        if kind == "open":
            known = KINDS.get(match["word"].decode())
            stack.append(len(rows) if known else -1)
            if known:
                rows.append(
                    [match["name"].decode(), known, top, match.start(), match.end(), match.end() - 1, ""]
                )
        elif kind == "brace":
            stack.append(-1)
        elif kind == "close" and stack:
            if (done := stack.pop()) >= 0:
                rows[done][4] = match.end()
        elif kind == "rpc":
            output = match["output"].decode()
            rows.append(
                [match["method"].decode(), "rpc", top, match.start(), match.end(), match.end(), output]
            )
            for name in (match["input"].decode(), output):
                references.setdefault(("type", name, len(rows) - 1), match.start())
        elif kind == "field" and top >= 0:
            _field(rows, references, match, top)
    symbols = _symbols(source, rows)
    return FileFacts(
        language=language,
        lines=source.line_count,
        package=found.group(1) if (found := PACKAGE.search(text)) else "",
        symbols=symbols,
        references=tuple(
            Reference(kind, name.rpartition(".")[2], index, source.line(at), name.rpartition(".")[0])
            for (kind, name, index), at in references.items()
        ),
        imports=tuple(Import(m.group(1), text.count("\n", 0, m.start(1)) + 1) for m in IMPORT.finditer(text)),
        chunks=plain_chunks(source, "code"),
    )


def _field(
    rows: list[list[object]], references: dict[tuple[str, str, int], int], match: re.Match[bytes], top: int
) -> None:
    type_text = match["type"].decode()
    kind = "enum_member" if rows[top][1] == "enum" else "field"
    rows.append([match["member"].decode(), kind, top, match.start(), match.end(), match.end(), type_text])
    for name in re.findall(r"[\w.]+", type_text):
        if name not in SCALARS and name != "map":
            references.setdefault(("type", name, top), match.start())


def _symbols(source: Source, rows: list[list[object]]) -> tuple[Symbol, ...]:
    symbols: list[Symbol] = []
    for name, kind, parent, start, end, body, returns in rows:
        assert (
            isinstance(start, int)
            and isinstance(end, int)
            and isinstance(body, int)
            and isinstance(parent, int)
        )
        above = symbols[parent].qualified if parent >= 0 else ""
        line = source.line(start)
        symbols.append(
            Symbol(
                str(name), f"{above}.{name}" if above else str(name), str(kind),
                line, source.last_line(start, end), start, end,
                signature=one_line(source.take(start, body)).rstrip("{ "),
                doc=clean_comment("\n".join(comment_above(COMMENTS, source, line))),
                parent=parent, owner=above,
                returns=str(returns) if kind == "rpc" else "", parameters=1 if kind == "rpc" else -1,
            )
        )  # fmt: skip
    return tuple(symbols)
