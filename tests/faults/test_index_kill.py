"""An update that is killed at any moment leaves an index that the next update completes without being asked."""

import random
import shutil
import time

import pytest
from tests.faults.index_process import run, start
from tests.index.dumped import difference, dumped
from tests.index.village import FUNCTIONS, Village

import recollect
from recollect.config import Settings
from recollect.index.opened import OpenIndex
from recollect.index.project import project_at


def build_village(seed, edits):
    chance = random.Random(seed)
    village = Village()
    for _ in range(edits):
        village.edit(chance.randrange(18), chance.randrange(150), chance.randrange(150))
    return village, chance


def updated_dump(root):
    index = OpenIndex(project_at(root), Settings())
    try:
        report = index.update()
        assert index.doctor().findings == ()
        return dumped(index), report
    finally:
        index.close()


def survivors(root):
    """Return the workers that still run for this folder."""
    found = []
    for place in root.__class__("/proc").glob("[0-9]*/cmdline"):
        try:
            text = place.read_bytes()
        except OSError:
            continue
        if (
            b"recollect.index.worker" in text
            and (place.parent / "stat").read_text(encoding="utf-8").split()[3] == "1"
        ):
            found.append(place.parent.name)
    return found


def assert_nothing_stale(root, village):
    """Ask at once, without an update of one's own, and look whether what is answered stands in the files."""
    with recollect.open(root) as project:
        for name in FUNCTIONS:
            for hit in project.search(name, limit=20).hits:
                assert hit.path in village.files, f"{hit.path} is gone"
                assert not hit.stale
                assert hit.text in (root / hit.path).read_text(encoding="utf-8")


def kill_again_and_again(tmp_path, times, seed):
    root, fresh = tmp_path / "project", tmp_path / "fresh"
    root.mkdir()
    fresh.mkdir()
    village, chance = build_village(seed, 400)
    village.write(root)
    began = time.monotonic()
    run(root)
    duration = time.monotonic() - began
    for turn in range(times):
        if turn % 3 == 0:
            shutil.rmtree(root / ".recollect", ignore_errors=True)
        else:
            for _ in range(chance.randrange(1, 40)):
                village.edit(chance.randrange(18), chance.randrange(150), chance.randrange(150))
            village.write(root)
        process = start(root)
        time.sleep(chance.uniform(0, duration))
        process.kill()
        process.communicate()
        assert_nothing_stale(root, village)
        if turn % 4 == 3 or turn == times - 1:
            left, _ = updated_dump(root)
            shutil.rmtree(fresh / ".recollect", ignore_errors=True)
            village.write(fresh)
            right, _ = updated_dump(fresh)
            assert left == right, difference(left, right)


def test_a_killed_update_is_completed_by_the_next(tmp_path):
    kill_again_and_again(tmp_path, 4, 1)


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_a_hundred_kills(tmp_path):
    """Slow because it starts and kills a hundred processes."""
    kill_again_and_again(tmp_path, 100, 2)


def test_a_first_run_that_was_killed_goes_on_without_parsing_again(tmp_path):
    village, _ = build_village(3, 600)
    village.write(tmp_path)
    process = start(
        tmp_path, "import recollect.index.build as b; b.resolve_all = lambda *_: __import__('os')._exit(9)\n"
    )
    process.communicate(timeout=50)
    index = OpenIndex(project_at(tmp_path), Settings())
    try:
        with index.reader() as reader:
            assert reader.meta("complete") == "0"
            assert len(list(reader.files())) == len(village.files)
        report = index.update()
        assert (report.parsed, report.reused, report.files) == (0, 0, len(village.files))
        with index.reader() as reader:
            assert reader.meta("complete") == "1"
    finally:
        index.close()


def test_workers_end_with_the_process_that_started_them(tmp_path):
    before = set(survivors(tmp_path))
    for number in range(200):
        (tmp_path / f"m{number}.py").write_text(f"def f{number}(): pass\n" * 50, encoding="utf-8")
    process = start(tmp_path)
    time.sleep(0.7)
    process.kill()
    process.communicate()
    deadline = time.monotonic() + 10
    while set(survivors(tmp_path)) - before and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not set(survivors(tmp_path)) - before
