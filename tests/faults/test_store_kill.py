"""A writer that is killed at any point leaves a database that opens, with one whole generation in it."""

import random
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.contract.samples import put, symbol

from recollect.ports import Filters
from recollect.store import open_index, open_memory

CHILD = str(Path(__file__).with_name("store_child.py"))
FILES, SYMBOLS = 4, 12


def child(task, folder, *more):
    command = [sys.executable, CHILD, task, str(folder), *map(str, more)]
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8"
    )


def assert_whole(folder, least):
    """Check that all that is stored is of one generation, not older than what was reported as done."""
    store = open_index(folder / "index.db")
    with store.reader() as reader:
        generation = reader.generation()
        assert generation >= least
        rounds = {record.size for record in reader.files()}
        assert rounds == ({generation} if generation else set())
        wanted = FILES * SYMBOLS if generation else 0
        assert {found.qualified.partition("_")[2] for found in reader.all_definitions()} == {
            str(found) for found in rounds
        }
        assert len(reader.graph().targets) == wanted
        assert len(reader.search("text_chunk", f"round{generation}", (1, 1), 1000, Filters())) == wanted
    assert list(store.check()) == []
    assert store.database.remarks == []
    store.close()


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_kill_at_random_points(tmp_path):
    """Slow: starts forty processes, each of which takes a moment to import."""
    random_ = random.Random(8)
    done = 0
    for _ in range(40):
        process = child("write_forever", tmp_path)
        first = process.stdout.readline()
        # The point of the kill must lie anywhere within a transaction; nothing is waited for here.
        time.sleep(random_.random() * 0.03)
        process.kill()
        rest, _ = process.communicate()
        done = int((first + rest).split()[-1])
        assert_whole(tmp_path, done)
    assert done >= 40


def test_kill_before_the_first_commit(tmp_path):
    for wait in (0.0, 0.1, 0.2):
        process = child("write_forever", tmp_path)
        time.sleep(wait)
        process.kill()
        process.communicate()
        assert_whole(tmp_path, 0)


def test_the_lock_of_a_killed_writer_is_free_at_once(tmp_path):
    process = child("write_forever", tmp_path)
    process.stdout.readline()
    process.kill()
    process.communicate()
    store = open_index(tmp_path / "index.db")
    with store.writer(wait=0) as writer:
        put(writer, "a.py", [symbol("a.py", "run")])
    store.close()


def test_memories_survive_a_kill_of_their_writer(tmp_path):
    store = open_memory(tmp_path / "memory.db")
    with store.writer() as writer:
        writer.set_meta("kept", "yes")
    script = (
        "import os, sys; from pathlib import Path; from recollect.store import open_memory\n"
        "with open_memory(Path(sys.argv[1]) / 'memory.db').writer() as writer:\n"
        "    writer.set_meta('kept', 'no'); os.kill(os.getpid(), 9)"
    )
    assert subprocess.run([sys.executable, "-c", script, str(tmp_path)], check=False).returncode == -9
    with store.reader() as reader:
        assert reader.meta("kept") == "yes"
    store.close()
