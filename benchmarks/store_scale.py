"""Measures memories on a server beside files: python benchmarks/store_scale.py URL COUNT... [CORPUS.jsonl].

The URL should name a local socket and a database that nothing else uses: bytes are those of the whole database. The
same memories go into both stores, in turn, and the same questions are asked; times are medians on the clock, with the
processor time of the client in brackets. The memories are those of memory_scale.py.
"""

from __future__ import annotations

import multiprocessing
import random
import secrets
import sys
import tempfile
from pathlib import Path

import numpy as np
import psycopg
from memory_scale import after_write, ask, median, recalled, rows, timed, written

from recollect.memory.opened import OpenMemory
from recollect.store.postgres.address import read
from recollect.store.postgres.memory_store import MemorySpace
from recollect.store.postgres.server import Server, Space
from recollect.store.postgres.sharing import remove_space

HEAD = ("memories", "store", "written a second", "one write, ms", "bytes an item", "first recall, ms", "recall, ms",
        "after a write, ms")  # fmt: skip


def main(url, counts, corpus):
    print("| " + " | ".join(HEAD) + " |\n|" + "---:|" * len(HEAD))
    for count in counts:
        for store in ("files", "server"):
            with multiprocessing.get_context("spawn").Pool(1) as pool:
                row = pool.apply(measure, (url, store, count, corpus))
            print("| " + " | ".join(row) + " |", flush=True)


def measure(url, store, count, corpus):
    rng, dice = np.random.default_rng(1), random.Random(1)
    given = list(rows(count, corpus, rng))
    with tempfile.TemporaryDirectory() as folder:
        if store == "files":
            file = Path(folder) / ".recollect" / "memory.db"
            return [f"{count:,}", store, *work(OpenMemory(file), lambda: disk(file), given, dice)]
        address, space = read(url), Space(f"scale-{secrets.token_hex(4)}")
        server = Server(address)
        server.open()
        try:
            before = database(address)
            memory = OpenMemory(MemorySpace(address, space))
            return [f"{count:,}", store, *work(memory, lambda: database(address) - before, given, dice)]
        finally:
            remove_space(server, space)
            server.close()


def work(memory, size, given, dice):
    found = [written(memory, given)]
    notes = [f"a single note {number} about {dice.choice(given)['text']}" for number in range(50)]
    found.append(median([timed(lambda note=note: memory.remember(note, {}, None)) for note in notes]))
    found.append(f"{size() / len(given):.0f}")
    questions = [ask(dice.choice(given)["text"], dice) for _ in range(120)]
    found.append(median([recalled(memory, questions[0])]))
    for question in questions[1:20]:
        recalled(memory, question)
    found.append(median([recalled(memory, question) for question in questions[20:]]))
    found.append(median([after_write(memory, number, questions) for number in range(20)]))
    memory.close()
    return found


def disk(file):
    return sum(one.stat().st_size for one in file.parent.rglob("*") if one.is_file())


def database(address):
    with psycopg.connect(address.url, autocommit=True) as connection:
        connection.execute("VACUUM ANALYZE")
        return connection.execute("SELECT pg_database_size(current_database())").fetchone()[0]


if __name__ == "__main__":
    counts = [int(one) for one in sys.argv[2:] if one.isdigit()]
    main(sys.argv[1], counts, next((one for one in sys.argv[2:] if not one.isdigit()), None))
