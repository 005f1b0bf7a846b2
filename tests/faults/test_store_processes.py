"""Several processes that write and read the same store lose nothing and never fail."""

import subprocess
import sys
from pathlib import Path

import pytest

from recollect.store import open_facts, open_index

CHILD = str(Path(__file__).with_name("store_child.py"))


def run_all(tasks):
    processes = [
        subprocess.Popen(
            [sys.executable, CHILD, *map(str, task)], stderr=subprocess.PIPE, text=True, encoding="utf-8"
        )
        for task in tasks
    ]
    try:
        for process in processes:
            _, errors = process.communicate(timeout=100)
            assert process.returncode == 0, errors
    finally:
        for process in processes:
            if process.poll() is None:
                process.kill()
                process.communicate()


@pytest.mark.slow
@pytest.mark.timeout(120)
def test_four_writers_and_six_readers(tmp_path):
    """Slow: ten processes import numpy on a small machine."""
    writers = [("write_some", tmp_path, at) for at in range(4)]
    readers = [("read_some", tmp_path) for _ in range(6)]
    run_all([*writers, *readers])
    store = open_index(tmp_path / "index.db")
    with store.reader() as reader:
        assert reader.generation() == 32
        assert reader.counts()["files"] == 32
        assert reader.counts()["edges"] == 32 * 12
    assert list(store.check()) == []
    store.close()


@pytest.mark.slow
def test_four_processes_share_the_facts(tmp_path):
    """Slow: four processes import numpy on a small machine."""
    run_all([("write_facts", tmp_path, at) for at in range(4)])
    facts = open_facts(tmp_path / "parsed.db", "1")
    own = [f"{number}/{at}".encode() for number in range(4) for at in range(20)]
    assert facts.known(own) == set(own)
    facts.close()


@pytest.mark.slow
@pytest.mark.timeout(120)
def test_many_processes_that_make_the_same_new_index_at_once(tmp_path):
    """Slow: thirty processes import numpy on a small machine."""
    for at in range(5):
        run_all([("open_once", tmp_path / str(at)) for _ in range(6)])
        store = open_index(tmp_path / str(at) / "index.db")
        assert list(store.check()) == []
        assert store.database.remarks == []
        store.close()
