"""Kills and crowds: a memory either is there or is not, and nothing is lost or doubled."""

import lzma
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from recollect.memory.opened import OpenMemory

CHILD = Path(__file__).with_name("child.py")
PART = 20


def start(task, folder, number=0):
    return subprocess.Popen(
        [sys.executable, str(CHILD), task, str(folder), str(number)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )


def kill_after(process, lines, delay):
    """Let a process print so many lines, wait a little, kill it, and return the last line."""
    last = ""
    try:
        for _ in range(lines):
            last = process.stdout.readline().strip() or last
        time.sleep(delay)
    finally:
        process.kill()
        # Not communicate(): it would lose what readline has buffered.
        rest, errors = process.stdout.read(), process.stderr.read()
        process.wait()
        process.stdout.close()
        process.stderr.close()
    assert "Traceback" not in errors, errors
    return (rest.split() or [last])[-1]


def check(folder):
    memory = OpenMemory(folder / ".recollect" / "memory.db")
    assert memory.check() == []
    by_part = {}
    for row in memory.export():
        by_part.setdefault(row["tags"][0], []).append(row["text"])
    assert all(len(texts) == PART == len(set(texts)) for texts in by_part.values())
    for tag in list(by_part)[:3]:
        assert len(memory.recall(f"{tag}x story", 100, {"tags": [tag]}, None).hits) > 0
    memory.close()
    return set(by_part)


@pytest.mark.slow
@pytest.mark.timeout(120)
def test_killed_while_it_writes(tmp_path):
    """Slow: starts a process for each kill."""
    dice = random.Random(1)
    for number in range(6):
        last = kill_after(start("write_forever", tmp_path, number), 2, dice.random() * 0.05)
        parts = {part for part in check(tmp_path) if int(part[1:]) // 10_000 == number}
        told = {f"p{part}" for part in range(number * 10_000, int(last) + 1)}
        assert told <= parts
        assert len(parts - told) <= 1


@pytest.mark.slow
@pytest.mark.timeout(120)
def test_killed_while_it_forgets(tmp_path):
    """Slow: starts a process for each kill."""
    dice = random.Random(2)
    memory = OpenMemory(tmp_path / ".recollect" / "memory.db")
    for part in range(40):
        memory.remember_many(
            [{"text": f"part p{part}x line {at}", "tags": [f"p{part}"]} for at in range(PART)], None
        )
    memory.close()
    for _ in range(5):
        before = check(tmp_path)
        if not before:
            break
        process = start("forget_forever", tmp_path)
        time.sleep(0.3 + dice.random() * 0.3)
        process.kill()
        out, errors = process.communicate()
        assert "Traceback" not in errors, errors
        after = check(tmp_path)
        assert {f"p{line}" for line in out.split()}.isdisjoint(after)
        assert after <= before
    # The next forgetting wipes what a killed one had only deleted.
    subprocess.run(
        [sys.executable, str(CHILD), "forget_forever", str(tmp_path)], check=True, stdout=subprocess.DEVNULL
    )


@pytest.mark.slow
@pytest.mark.timeout(180)
def test_killed_while_it_dreams_or_takes_a_dream_back(tmp_path):
    """Slow: starts a process for each kill."""
    dice = random.Random(3)
    memory = OpenMemory(tmp_path / ".recollect" / "memory.db")
    for topic in range(12):
        memory.remember_many(
            [{"text": f"the t{topic}x wheel of the t{topic}x mill turns in season s{at}"} for at in range(8)],
            None,
        )
    memory.close()
    for _ in range(6):
        kill_after(start("dream_forever", tmp_path), 1, dice.random() * 0.2)
        assert memory.check() == []
        rows = list(memory.export())
        dreams = memory.dreams()
        standing = [one for one in dreams if not one.undone]
        made = [row for row in rows if row["kind"] in {"reflection", "entity"}]
        assert len(rows) - len(made) == 12 * 8
        assert all(one.time for one in dreams), "a dream is whole or is not"
        assert len(made) == sum(len(one.reflections) + len(one.cards) for one in standing)
        for one in standing:
            memory.undo_dream(one.number)
        assert len(list(memory.export())) == 12 * 8
    memory.close()


@pytest.mark.slow
@pytest.mark.timeout(120)
@pytest.mark.parametrize("delay", [0.0, 0.02, 0.05, 0.1, 0.2])
def test_killed_while_the_schema_changes(tmp_path, delay):
    """Slow: starts a process for each kill."""
    path = tmp_path / ".recollect" / "memory.db"
    path.parent.mkdir()
    path.write_bytes(lzma.decompress((CHILD.parent / "past" / "memory.v2.db.xz").read_bytes()))
    process = start("migrate", tmp_path)
    assert process.stdout.readline().strip() == "now"
    time.sleep(delay)
    process.kill()
    process.communicate()
    memory = OpenMemory(path)
    assert len(list(memory.export())) == 5
    assert memory.check() == []
    assert memory.recall("Postgres", 1, {}, None).hits
    memory.close()


@pytest.mark.slow
@pytest.mark.timeout(180)
def test_eight_processes_write_and_read_one_store(tmp_path):
    """Slow: eight processes share a small machine."""
    processes = [start("write_and_read", tmp_path, number) for number in range(8)]
    try:
        for process in processes:
            _, errors = process.communicate(timeout=150)
            assert process.returncode == 0, errors
    finally:
        for process in processes:
            if process.poll() is None:
                process.kill()
                process.communicate()
    memory = OpenMemory(tmp_path / ".recollect" / "memory.db")
    rows = list(memory.export())
    assert len(rows) == 8 * 25 + 1
    assert max(row["seen"] for row in rows) == 8 * 25
    assert memory.check() == []
    memory.close()
