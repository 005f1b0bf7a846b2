"""Small files, symbols and edges to put into a store."""

from recollect.ports import EdgeRow, FileRecord, NewItem
from recollect.store.ids import uid_from


def record(path, content=b"1", **fields):
    language = {"py": "python", "go": "go", "md": "markdown"}.get(path.rpartition(".")[2], "")
    values = {"size": 100, "mtime_ns": 5, "language": language, "lines": 50, **fields}
    return FileRecord(path, content * 32, **values)


def symbol(path, qualified, line=1, kind="function", **fields):
    """A symbol whose uid is made from its path and its qualified name."""
    name = qualified.rpartition(".")[2]
    owner = qualified.rpartition(".")[0]
    fields = {"owner": owner, "signature": f"def {name}()", **fields}
    uid = uid_from("code", path, qualified, kind)
    return NewItem(uid, kind, name, qualified, line, line + 2, line * 10, line * 10 + 25, **fields)


def chunk(path, line=1):
    return NewItem(
        uid_from("code", path, "chunk", str(line)), "chunk", "", "", line, line + 9, line * 10, line * 10 + 90
    )


def symbol_text(item, path, doc=""):
    return item.uid, (item.name, item.name.replace("_", " "), item.qualified, item.signature, path, doc)


def put(writer, path, symbols=(), chunks=(), **fields):
    """Write a file with symbols and (chunk, body) pairs; return the numbers by uid."""
    texts = {
        "text_symbol": [symbol_text(item, path, item.doc) for item in symbols],
        "text_chunk": [(item.uid, (path, body)) for item, body in chunks],
    }
    items = [*symbols, *(item for item, _ in chunks)]
    return writer.put_file(record(path, **fields), items, texts, b"")


def edge(source, target, line=1, kind=0, **fields):
    return EdgeRow(
        source,
        target,
        line,
        kind,
        fields.get("provenance", 1),
        fields.get("confidence", 100),
        fields.get("count", 1),
    )
