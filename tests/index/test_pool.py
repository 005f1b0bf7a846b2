import os
from pathlib import Path

import pytest

from recollect.errors import RecollectError
from recollect.index import process as processes
from recollect.index.ceiling import Ceiling
from recollect.index.footprint import resident_bytes
from recollect.index.parsing import by_language
from recollect.index.pool import Batches, Pool
from recollect.index.task import Choice, Setup, Task

SABOTAGE = """
import recollect.index.work as work
real = work.Workshop.prepare
def prepare(self, task):
    if "bad" in task.path:
        {deed}
    return real(self, task)
work.Workshop.prepare = prepare
"""

ENDLESS = """
real = r.read_code
def read_code(path, language, content):
    while "bad" in path:
        pass
    return real(path, language, content)
r.read_code = read_code
"""


def sabotaged(monkeypatch, deed):
    monkeypatch.setattr(
        processes,
        "_START",
        processes._START.replace("main()", "") + "\n" + SABOTAGE.format(deed=deed) + "main()",
    )


def never_ending(monkeypatch):
    endless = "import recollect.parse.reader as r\n" + ENDLESS
    monkeypatch.setattr(processes, "_START", processes._START.replace("from", f"exec({endless!r}); from", 1))
    monkeypatch.setattr(processes, "SECONDS_PER_FILE", 1.0)


def run(root, tasks, count=2):
    setup = Setup(str(root), str(root / "parsed.db"), Choice(1_000_000, False, False))
    with Pool(setup, count, 1 << 30) as pool:
        return {file.record.path: file for files in pool.run(Batches(tasks)) for file in files}


@pytest.fixture
def tasks(tmp_path):
    for name in ("a.py", "bad.py", "c.py", "d.py"):
        (tmp_path / name).write_text("def alpha(): pass\n", encoding="utf-8")
    return [Task(name, 18, 5) for name in ("a.py", "bad.py", "c.py", "d.py")]


def test_every_task_is_answered_once(tmp_path, tasks):
    made = run(tmp_path, tasks)
    assert sorted(made) == [task.path for task in tasks]
    assert all(file.facts and not file.record.skipped for file in made.values())


@pytest.mark.parametrize(
    "deed", ["__import__('os')._exit(1)", "__import__('os').kill(__import__('os').getpid(), 9)"]
)
def test_a_file_that_kills_its_worker_is_left_out_alone(tmp_path, tasks, monkeypatch, deed):
    sabotaged(monkeypatch, deed)
    made = run(tmp_path, tasks)
    assert [path for path, file in made.items() if file.record.skipped] == ["bad.py"]
    assert made["bad.py"].record.mtime_ns == 5


def test_a_file_that_never_ends_is_left_out_alone(tmp_path, tasks, monkeypatch):
    sabotaged(monkeypatch, "__import__('time').sleep(100)")
    monkeypatch.setattr(processes, "SECONDS_PER_FILE", 1.0)
    made = run(tmp_path, tasks, count=1)
    assert {path: file.record.skipped for path, file in made.items() if file.record.skipped} == {
        "bad.py": "took too long to parse"
    }


@pytest.mark.parametrize("size", [18, 100_000])
def test_a_file_whose_parse_never_ends_is_kept_as_text(tmp_path, tasks, monkeypatch, size):
    (tmp_path / "bad.py").write_text("def alpha(): pass\n".ljust(size, "#"), encoding="utf-8")
    tasks[1] = Task("bad.py", size, 5)
    never_ending(monkeypatch)
    made = run(tmp_path, tasks, count=1)
    assert sorted(made) == sorted(task.path for task in tasks)
    assert not any(file.record.skipped for file in made.values())
    assert made["bad.py"].notes == ("It took too long to parse, so it is kept as text without structure.",)
    assert [path for path, file in made.items() if not file.symbol_texts] == ["bad.py"]
    assert made["bad.py"].chunk_texts


def test_a_small_update_survives_a_parse_that_never_ends(tmp_path, opened, monkeypatch):
    (tmp_path / "bad.py").write_text("def alpha(): pass\n".ljust(100_000, "#"), encoding="utf-8")
    (tmp_path / "good.py").write_text("def beta(): pass\n", encoding="utf-8")
    never_ending(monkeypatch)
    report = opened(tmp_path).update()
    assert (report.files, report.symbols) == (2, 1)
    assert report.notes == ("bad.py: It took too long to parse, so it is kept as text without structure.",)


def test_no_process_is_left_when_the_consumer_gives_up(tmp_path, tasks):
    setup = Setup(str(tmp_path), str(tmp_path / "parsed.db"), Choice(1_000_000, False, False))
    with pytest.raises(RuntimeError), Pool(setup, 2, 1 << 30) as pool:
        for _ in pool.run(Batches(tasks)):
            pids = pool.pids
            raise RuntimeError
    assert all(not Path(f"/proc/{pid}").exists() for pid in pids)


def test_a_worker_that_grew_too_large_is_replaced(tmp_path, tasks):
    setup = Setup(str(tmp_path), str(tmp_path / "parsed.db"), Choice(1_000_000, False, False))
    batches = Batches([task for task in tasks for _ in range(50)])
    with Pool(setup, 1, 1) as pool:
        assert sum(len(files) for files in pool.run(batches)) == 200


def test_batches_are_cut_by_bytes_and_shrink():
    tasks = [Task(f"{n}.py", 100_000) for n in range(100)]
    batches = Batches(tasks)
    first = len(batches.take())
    assert batches.shrink()
    assert 1 <= len(batches.take()) < first
    while batches.shrink():
        pass
    assert len(batches.take()) == 1


def test_a_single_file_larger_than_a_batch_still_comes():
    batches = Batches([Task("a.py", 10**9), Task("b.py", 1)])
    assert [task.path for task in batches.take()] == ["a.py"]
    assert [task.path for task in batches.take()] == ["b.py"]
    assert not batches.take()


def test_the_ceiling_ends_the_work_with_a_sentence():
    ceiling = Ceiling(1)
    assert ceiling.tight()
    with pytest.raises(RecollectError, match="memory_cap_mb"):
        ceiling.refuse_more()


def test_a_high_ceiling_is_never_tight():
    assert not Ceiling(100_000).tight([os.getpid()])


def test_resident_memory_is_read_for_any_process():
    assert resident_bytes() > 1_000_000
    assert resident_bytes(os.getpid()) > 1_000_000
    assert resident_bytes(2**22 + 1) == 0


def test_files_of_a_language_lie_together_and_in_order():
    tasks = [Task(path, 1) for path in ("b/x.go", "a/y.py", "a/x.go", "a/x.py")]
    assert [task.path for task in by_language(tasks)] == ["a/x.go", "b/x.go", "a/x.py", "a/y.py"]
