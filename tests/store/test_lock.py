import os
import subprocess
import sys
import time

import pytest

from recollect.errors import BusyError
from recollect.store.sqlite import lock
from recollect.store.sqlite.lock import writer_lock


def test_the_lock_is_free_again_after_its_block(tmp_path):
    for _ in range(3):
        with writer_lock(tmp_path / "lock", 0):
            pass


def test_a_held_lock_is_refused_with_the_pid_of_its_holder(tmp_path):
    script = (
        "import sys; from pathlib import Path; from recollect.store.sqlite.lock import writer_lock\n"
        "with writer_lock(Path(sys.argv[1]), 0): print('held', flush=True); sys.stdin.read()"
    )
    command = [sys.executable, "-c", script, str(tmp_path / "lock")]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
    ) as holder:
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(BusyError, match=f"Process {holder.pid} "), writer_lock(tmp_path / "lock", 0):
            pass
        holder.stdin.close()
    with writer_lock(tmp_path / "lock", 0):
        assert (tmp_path / "lock").read_text("ascii").strip() == str(os.getpid())


def test_the_wait_is_bounded(tmp_path):
    with writer_lock(tmp_path / "lock", 0):
        start = time.monotonic()
        with pytest.raises(BusyError, match=r"0\.05 seconds"), writer_lock(tmp_path / "lock", 0.05):
            pass
        assert time.monotonic() - start >= 0.05


def test_whoever_waits_among_many_waits_on_while_others_get_their_turn(tmp_path, monkeypatch):
    monkeypatch.setattr(lock, "_PATIENT_FROM", 0.2)
    monkeypatch.setattr(lock, "_TURNS", 3)
    path = tmp_path / "lock"
    turns = iter(range(100, 200))
    # As if another process held the lock each time.
    monkeypatch.setattr(lock, "_holder", lambda _: f"Process {next(turns)}")
    with writer_lock(path, 0):
        start = time.monotonic()
        with pytest.raises(BusyError, match="Process 104 "), writer_lock(path, 0.2):
            pass
        assert time.monotonic() - start >= 0.8


def test_an_error_inside_the_block_passes_and_frees_the_lock(tmp_path):
    with pytest.raises(OSError, match="mine"), writer_lock(tmp_path / "lock", 0):
        raise OSError("mine")
    with writer_lock(tmp_path / "lock", 0):
        pass
