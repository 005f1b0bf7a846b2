"""Several processes update and read one index at the same time."""

import subprocess
import sys

import pytest
from tests.faults.index_process import UPDATE
from tests.index.dumped import difference, dumped
from tests.index.village import Village

import recollect

EDIT_AND_UPDATE = """
import sys
from pathlib import Path
from recollect.config import Settings
from recollect.index.opened import OpenIndex
from recollect.index.project import project_at
root, name = Path(sys.argv[1]), sys.argv[2]
index = OpenIndex(project_at(root), Settings())
for turn in range(3):
    (root / f"own_{name}.py").write_text(f"def own_{name}(): return turn_{turn}_{name}()\\n", encoding="utf-8")
    index.update()
    with index.reader() as reader:
        assert reader.definitions(f"own_{name}"), "an edit is missing after its update"
index.close()
"""

READ = """
import sys, time
from pathlib import Path
from recollect.ports import Filters
from recollect.store import open_index
store = open_index(Path(sys.argv[1], ".recollect", "index.db"))
slowest = 0.0
for _ in range(15):
    began = time.perf_counter()
    with store.reader() as reader:
        assert reader.meta("complete") == "1"
        assert reader.definitions("anchor"), "a file that never changed is missing"
        hits = reader.search("text_chunk", '"anchor"', (1, 1), 5, Filters())
        assert len(reader.items([hit.number for hit in hits])) == len(hits)
    slowest = max(slowest, time.perf_counter() - began)
store.close()
print(slowest)
"""

INDEX_LOOP = """
import subprocess, sys
from pathlib import Path
root, name = Path(sys.argv[1]), sys.argv[2]
for turn in range(5):
    (root / f"own_{name}.py").write_text(f"def own_{name}_{turn}(): pass\\n", encoding="utf-8")
    subprocess.run([sys.executable, "-m", "recollect", "index", "--path", str(root)], check=True, timeout=300)
"""

SEARCH_LOOP = """
import json, subprocess, sys
root, name = sys.argv[1], f"anchor{sys.argv[2]}"
for turn in range(3):
    command = [sys.executable, "-m", "recollect", "search", name, "--limit", "1", "--json", "--path", root]
    done = subprocess.run(command, check=False, timeout=300, capture_output=True)
    assert done.returncode in (0, 1), done.stderr
    hits = json.loads(done.stdout)["hits"]
    assert not hits or hits[0]["name"] == name, hits
assert hits, "a file that never changed is missing"
"""

HOLD = """
import sys
from pathlib import Path
from recollect.index.project import project_at
from recollect.store import open_index
from recollect.store.sqlite.lock import writer_lock
project = project_at(Path(sys.argv[1]))
store = open_index(project.index_db)
with writer_lock(project.lock, 5), store.writer() as writer:
    writer.set_meta("half", "done")
    print("writing", flush=True)
    sys.stdin.readline()
store.close()
"""


def start(code, *arguments):
    command = [sys.executable, "-c", code, *map(str, arguments)]
    return subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )


def test_four_processes_update_while_twenty_read(tmp_path, opened):
    root, fresh = tmp_path / "project", tmp_path / "fresh"
    root.mkdir()
    fresh.mkdir()
    village = Village()
    for number in range(60):
        village.edit(number % 18, number * 7, number * 5)
    village.write(root)
    (root / "anchor.py").write_text("def anchor(): return 1\n", encoding="utf-8")
    opened(root).update()
    running = [start(EDIT_AND_UPDATE, root, f"p{number}") for number in range(4)]
    running += [start(READ, root) for _ in range(20)]
    for process in running:
        _, errors = process.communicate(timeout=55)
        assert process.returncode == 0, errors
    opened(root).update()
    left = dumped(opened(root))
    village.write(fresh)
    for place in (*root.glob("own_*.py"), root / "anchor.py"):
        (fresh / place.name).write_text(place.read_text(encoding="utf-8"), encoding="utf-8")
    opened(fresh).update()
    right = dumped(opened(fresh))
    assert left == right, difference(left, right)


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_four_programs_index_while_twenty_search(tmp_path):
    """Slow because it starts the program hundreds of times."""
    root = tmp_path / "project"
    root.mkdir()
    for number in range(200):
        (root / f"m{number}.py").write_text(f"def anchor{number}(): return {number}\n", encoding="utf-8")
    running = [start(INDEX_LOOP, root, f"p{number}") for number in range(4)]
    running += [start(SEARCH_LOOP, root, number) for number in range(20)]
    for process in running:
        _, errors = process.communicate(timeout=500)
        assert process.returncode == 0, errors
    with recollect.open(root) as project:
        assert project.index().files == 204
        assert project.doctor().healthy
        for number in range(4):
            assert project.search(f"own_p{number}_4", limit=1).hits[0].path == f"own_p{number}.py"


def test_a_reader_does_not_wait_for_a_writer(tmp_path, opened):
    (tmp_path / "a.py").write_text("def alpha(): pass\n", encoding="utf-8")
    index = opened(tmp_path)
    index.update()
    held = start(HOLD, tmp_path)
    assert held.stdout.readline() == "writing\n"
    with recollect.open(tmp_path) as project:
        assert project.search("alpha", limit=1).hits[0].path == "a.py"
    # The writer only ends once it is told to, so the answer above came while it was writing.
    _, errors = held.communicate("go on\n", timeout=30)
    assert held.returncode == 0, errors


def test_two_first_runs_at_once_end_in_one_whole_index(tmp_path):
    for number in range(120):
        (tmp_path / f"m{number}.py").write_text(f"def f{number}(): pass\n", encoding="utf-8")
    runs = [start(UPDATE, tmp_path) for _ in range(2)]
    said = sorted(process.communicate(timeout=55)[0].strip() for process in runs)
    assert said == ["full 120", "unchanged 120"]
