"""A disk that is full and a folder that is read-only end in one sentence, with the data as it was."""

import ctypes
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.contract.samples import chunk, put, symbol

from recollect.errors import DiskFullError, ReadOnlyError
from recollect.store import open_index
from recollect.store.sqlite.faults import translate_os

resource = pytest.importorskip("resource")

LIBC = ctypes.CDLL(None)
PR_CAPBSET_DROP, CAP_DAC_OVERRIDE = 24, 1
CHILD = str(Path(__file__).with_name("store_child.py"))


def run(task, folder, prepare=None):
    command = [sys.executable, CHILD, task, str(folder)]
    finished = subprocess.run(
        command, preexec_fn=prepare, capture_output=True, text=True, check=False, encoding="utf-8"
    )
    assert finished.returncode == 0, finished.stderr
    return finished.stdout.strip()


def fill(folder):
    store = open_index(folder / "index.db")
    with store.writer() as writer:
        put(writer, "a.py", [symbol("a.py", "run")])
        writer.publish()
    return store


def assert_as_before(store):
    with store.reader() as reader:
        assert reader.generation() == 1
        assert [record.path for record in reader.files()] == ["a.py"]
    assert list(store.check()) == []


def test_a_database_that_may_not_grow(tmp_path):
    store = fill(tmp_path)
    with store.database.connection() as connection:
        pages = connection.pragma("page_count")
        connection.pragma("max_page_count", pages + 1)
    body = " ".join(f"word{at}" for at in range(3000))
    with pytest.raises(DiskFullError, match="Free some space"), store.writer() as writer:
        for at in range(40):
            put(writer, f"{at}.py", [symbol(f"{at}.py", "run")], [(chunk(f"{at}.py"), body)])
        writer.publish()
    assert_as_before(store)
    with store.database.connection() as connection:
        connection.pragma("max_page_count", 1 << 30)
    with store.writer() as writer:
        put(writer, "b.py", [symbol("b.py", "run")], [(chunk("b.py"), body)])
    store.close()


@pytest.mark.skipif(sys.platform == "win32", reason="needs limits of POSIX")
def test_a_file_size_limit(tmp_path):
    store = fill(tmp_path)
    limit = 400_000

    def prepare():
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    said = run("write_once", tmp_path, prepare)
    assert said.startswith("DiskFullError: There is no room left to write")
    assert_as_before(store)
    assert run("write_once", tmp_path) == "written"
    store.close()


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root may mount")
def test_a_file_system_that_is_really_full(tmp_path):
    if subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", tmp_path], capture_output=True, check=False
    ).returncode:
        pytest.skip("this machine does not let root mount")
    try:
        store = fill(tmp_path)
        assert run("write_once", tmp_path).startswith("DiskFullError: ")
        assert_as_before(store)
        store.close()
    finally:
        subprocess.run(["umount", "-l", tmp_path], check=True)


def without_privilege():
    """Give up root's right to write anywhere, which a new program keeps only while it is in this set."""
    if os.geteuid() == 0:
        LIBC.prctl(PR_CAPBSET_DROP, CAP_DAC_OVERRIDE, 0, 0, 0)


@pytest.fixture
def locked_folder(tmp_path):
    """A folder that a test may make read-only."""
    folder = tmp_path / "project"
    folder.mkdir()
    yield folder
    folder.chmod(0o755)


@pytest.mark.skipif(sys.platform != "linux", reason="needs permissions of POSIX")
def test_a_read_only_folder_can_be_read_and_says_that_it_cannot_be_written(locked_folder):
    fill(locked_folder).close()
    for file in locked_folder.iterdir():
        file.chmod(0o444)
    locked_folder.chmod(0o555)
    assert run("read_once", locked_folder, without_privilege) == "1 1 0"
    said = run("write_once", locked_folder, without_privilege)
    assert said.startswith("ReadOnlyError: ")
    assert str(locked_folder) in said
    assert "writable" in said


@pytest.mark.skipif(sys.platform != "linux", reason="needs permissions of POSIX")
def test_a_read_only_folder_without_an_index_says_so(locked_folder):
    locked_folder.chmod(0o555)
    said = run("read_once", locked_folder / ".recollect", without_privilege)
    assert said.startswith("ReadOnlyError: ")


def test_what_the_system_reports_is_named_by_kind():
    path = Path("x.db")
    assert isinstance(translate_os(OSError(28, "no space"), path), DiskFullError)
    assert isinstance(translate_os(OSError(30, "read-only"), path), ReadOnlyError)
