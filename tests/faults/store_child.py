"""What the subprocesses of the fault tests do to a store: python store_child.py TASK FOLDER [NUMBER]."""

import sys
from pathlib import Path

from recollect.errors import RecollectError
from recollect.ports import EdgeRow, FileRecord, Filters, NewItem
from recollect.store import open_facts, open_index, open_memory
from recollect.store.ids import uid_from

FILES, SYMBOLS = 4, 12


def write(writer, path, round_):
    """Write a file whose symbols, texts and edges all carry the number of the round."""
    items, texts = [], []
    for at in range(SYMBOLS):
        uid = uid_from("code", path, f"f{at}_{round_}")
        items.append(NewItem(uid, "function", f"f{at}", f"f{at}_{round_}", at, at, at, at))
        texts.append((uid, (f"round{round_} " * 20, "words " * 200)))
    record = FileRecord(path, b"c" * 32, round_, round_, "python", SYMBOLS)
    numbers = writer.put_file(record, items, {"text_chunk": texts}, b"")
    rows = [EdgeRow(numbers[item.uid], numbers[item.uid], 1, 0, 0, 100) for item in items]
    writer.put_segment(path, rows, b"")


def write_forever(folder, _):
    store = open_index(folder / "index.db")
    with store.reader() as reader:
        round_ = reader.generation()
    while True:
        round_ += 1
        with store.writer(60) as writer:
            for at in range(FILES):
                write(writer, f"{at}.py", round_)
            writer.publish()
        print(round_, flush=True)


def write_some(folder, number):
    store = open_index(folder / "index.db")
    for at in range(8):
        with store.writer(60) as writer:
            write(writer, f"{number}/{at}.py", 1)
            writer.publish()
    store.close()


def read_some(folder, _):
    store = open_index(folder / "index.db")
    for _ in range(15):
        with store.reader() as reader:
            published = reader.generation()
            assert reader.counts()["files"] == published
            assert len(reader.definitions("f0")) == published
            assert (
                len(reader.search("text_chunk", "round1", (1, 1), 10_000, Filters())) == published * SYMBOLS
            )
            assert len(reader.graph().targets) == published * SYMBOLS
    store.close()


def open_once(folder, _):
    """Open the index and the facts; an error ends the process with a traceback."""
    store, facts = open_index(folder / "index.db"), open_facts(folder / "parsed.db", "1")
    with store.reader() as reader:
        assert reader.generation() == 0
    facts.close()
    store.close()


def write_facts(folder, number):
    facts = open_facts(folder / "parsed.db", "1")
    for at in range(20):
        facts.put(
            [(uid_from(str(at)).to_bytes(32, "big"), b"facts" * at), (f"{number}/{at}".encode(), b"own")]
        )
    facts.close()


def write_once(folder, _):
    """Write one big transaction; print the error that stops it."""
    try:
        store = open_index(folder / "index.db")
        with store.writer(1) as writer:
            for at in range(200):
                write(writer, f"{at}.py", 1)
            writer.publish()
    except RecollectError as error:
        print(f"{type(error).__name__}: {error}")
    else:
        print("written")


def read_once(folder, _):
    try:
        store = open_index(folder / "index.db")
        with store.reader() as reader:
            print(reader.generation(), reader.counts()["files"], len(reader.graph().targets))
    except RecollectError as error:
        print(f"{type(error).__name__}: {error}")


def open_memories(folder, _):
    try:
        open_memory(folder / "memory.db").close()
    except RecollectError as error:
        print(f"{type(error).__name__}: {error}")
    else:
        print("opened")


if __name__ == "__main__":
    task, folder, *more = sys.argv[1:]
    globals()[task](Path(folder), int(more[0]) if more else 0)
