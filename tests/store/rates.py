"""Measures how fast and how small the store is: python tests/store/rates.py [FOLDER...], or the standard library."""

from __future__ import annotations

import ast
import resource
import sys
import sysconfig
import tempfile
import time
import warnings
from pathlib import Path

from recollect.ports import EdgeRow, FileRecord, Filters, NewItem
from recollect.store import open_index
from recollect.store.ids import uid_from

DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
CHUNK_LINES = 30


def read_files(folders, limit):
    """Return (record, items, texts) of Python files until there are limit symbols."""
    files, symbols, chunks = [], 0, 0
    for folder in folders:
        for path in sorted(Path(folder).rglob("*.py")):
            found = read_file(path, str(path.relative_to(folder)))
            if found is not None:
                files.append(found)
                symbols += len(found[2]["text_symbol"])
                chunks += len(found[2]["text_chunk"])
            if symbols >= limit:
                return files, symbols, chunks
    return files, symbols, chunks


def read_file(path, name):
    content = path.read_bytes()
    try:
        text = content.decode()
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return None
    lines = text.splitlines(keepends=True)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line.encode()))
    items, symbol_texts, chunk_texts = [], [], []

    def visit(node, container, parent):
        for child in ast.iter_child_nodes(node):
            if isinstance(child, DEFINITIONS):
                qualified = f"{container}.{child.name}" if container else child.name
                uid = uid_from("code", name, qualified, str(child.lineno))
                signature = lines[child.lineno - 1].strip()
                doc = (ast.get_docstring(child) or "").split("\n\n")[0]
                kind = "class" if isinstance(child, ast.ClassDef) else "method" if container else "function"
                last = min(child.end_lineno, len(lines))
                items.append(
                    NewItem(uid, kind, child.name, qualified, child.lineno, last, starts[child.lineno - 1],
                            starts[last], parent, signature, doc, container, tokens=last - child.lineno)
                )  # fmt: skip
                words = child.name.replace("_", " ")
                symbol_texts.append((uid, (child.name, words, qualified, signature, name, doc)))
                visit(child, qualified, uid)
            else:
                visit(child, container, parent)

    visit(tree, "", 0)
    for first in range(0, len(lines), CHUNK_LINES):
        last = min(first + CHUNK_LINES, len(lines))
        uid = uid_from("code", name, "chunk", str(first))
        items.append(NewItem(uid, "chunk", "", "", first + 1, last, starts[first], starts[last], tokens=300))
        chunk_texts.append((uid, (name, "".join(lines[first:last]))))
    record = FileRecord(name, uid_from(name).to_bytes(32, "big"), len(content), 1, "python", len(lines))
    return record, items, {"text_symbol": symbol_texts, "text_chunk": chunk_texts}


def cpu():
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def main(folders):
    warnings.simplefilter("ignore")
    files, symbols, chunks = read_files(folders, 100_000)
    print(
        f"{len(files)} files, {symbols} symbols, {chunks} chunks, {sum(f[0].size for f in files) / 1e6:.1f} MB of text"
    )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / ".recollect" / "index.db"
        store = open_index(path)
        before, wall = cpu(), time.perf_counter()
        with store.writer() as writer:
            numbers = [writer.put_file(*found, b"k" * 8 * len(found[1])) for found in files]
            items_seconds, middle = cpu() - before, cpu()
            edges = put_edges(writer, files, numbers)
            writer.publish()
            edge_seconds, last = cpu() - middle, cpu()
        commit_seconds = cpu() - last
        print(
            f"items and texts {items_seconds:.2f} s cpu ({(symbols + chunks) / items_seconds:,.0f}/s), "
            f"{edges} edges {edge_seconds:.2f} s, commit {commit_seconds:.2f} s, "
            f"wall {time.perf_counter() - wall:.2f} s"
        )
        report_sizes(store, symbols)
        report_reads(store, files)
        store.close()
        print(
            f"closed: {path.stat().st_size / 1e6:.1f} MB, {path.stat().st_size / symbols:.0f} bytes a symbol"
        )
    print(
        f"peak RSS {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB (with the texts in memory)"
    )


def put_edges(writer, files, numbers):
    """Write eight edges for each symbol: two inside the file and six to others."""
    everything = [number for found in numbers for number in found.values()]
    total = 0
    for (record, items, _), found in zip(files, numbers, strict=True):
        rows = []
        own = list(found.values())
        for item in items:
            if item.kind == "chunk":
                continue
            source = found[item.uid]
            rows.append(EdgeRow(source, own[0], item.start_line, 4, 0, 100))
            rows.append(EdgeRow(own[0], source, item.start_line, 10, 0, 100))
            for step in range(6):
                target = everything[(item.uid + step * 7919) % len(everything)]
                rows.append(EdgeRow(source, target, item.start_line + step, 0, 1, 90))
        total += len(rows)
        writer.put_segment(record.path, rows, b"dkey" * min(len(rows), 200))
    return total


def report_sizes(store, symbols):
    with store.database.connection() as connection:
        sql = "SELECT name, sum(pgsize) AS size FROM dbstat GROUP BY name ORDER BY size DESC LIMIT 14"
        for name, size in connection.execute(sql):
            print(f"  {name:28} {size / 1e6:7.2f} MB {size / symbols:7.1f} bytes a symbol")


def report_reads(store, files):
    def timed(label, work, times=20):
        best = []
        for _ in range(times):
            start = time.perf_counter()
            result = work()
            best.append(time.perf_counter() - start)
        print(f"  {label:34} {sorted(best)[len(best) // 2] * 1000:8.2f} ms  ({result})")

    with store.reader() as reader:
        timed("graph, first time", lambda: len(reader.graph().targets), 1)
        timed("graph, from its cache", lambda: len(reader.graph().targets))
        timed("all definitions", lambda: sum(1 for _ in reader.all_definitions()), 2)
        timed("definitions('get')", lambda: len(reader.definitions("get")))
        timed("find('get')", lambda: len(reader.find("get", Filters(), 10)))
        timed("files()", lambda: sum(1 for _ in reader.files()), 3)
        timed("dependencies()", lambda: len(reader.dependencies()[0]), 3)
        timed(
            "search symbols",
            lambda: len(reader.search("text_symbol", "read OR file", (1,) * 6, 50, Filters())),
        )
        words = "the OR file OR return OR path"
        timed("search chunks", lambda: len(reader.search("text_chunk", words, (1, 1), 50, Filters())))
        only = Filters(path_prefixes=("test/",))
        timed("search chunks, filtered", lambda: len(reader.search("text_chunk", words, (1, 1), 50, only)))
    record, items, texts = files[len(files) // 2]
    moved = [item._replace(start_line=item.start_line + 1, end_line=item.end_line + 1) for item in items]

    def edit():
        with store.writer() as writer:
            writer.put_file(record, moved, texts, b"")
            writer.put_file(record, items, texts, b"")
            return writer.publish()

    timed(f"edit a file of {len(items)} items twice", edit, 5)


if __name__ == "__main__":
    main(sys.argv[1:] or [sysconfig.get_paths()["stdlib"], sysconfig.get_paths()["purelib"]])
