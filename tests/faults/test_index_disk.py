"""What the disk can do to an index, each ending in the right answer or in one sentence with the cure."""

import os
import shutil
import threading

import apsw
import pytest
from tests.faults.index_process import run

from recollect.config import Settings
from recollect.errors import NewerSchemaError
from recollect.index.opened import OpenIndex
from recollect.index.project import project_at

LIMITED = (
    "import resource, signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN); "
    "resource.setrlimit(resource.RLIMIT_FSIZE, (65536, 65536))\n"
)
NO_POWERS = ("setpriv", "--inh-caps=-all", "--bounding-set=-all")


@pytest.fixture
def project(tmp_path):
    for number in range(40):
        text = f"def f{number}():\n    return 'marzipan{number}'\n" + f"print({number})\n" * 300
        (tmp_path / f"m{number}.py").write_text(text, encoding="utf-8")
    return tmp_path


def names(root):
    index = OpenIndex(project_at(root), Settings())
    try:
        report = index.update()
        with index.reader() as reader:
            return report, sorted(definition.name for definition in reader.all_definitions())
    finally:
        index.close()


ALL = sorted(f"f{number}" for number in range(40))


def test_a_full_disk_ends_in_a_sentence_and_heals_with_room(project):
    code, said = run(project, LIMITED)
    assert (code, said.split()[0]) == (3, "DiskFullError")
    assert "Free some space" in said
    assert names(project)[1] == ALL


def test_a_full_disk_during_an_update_leaves_the_old_index_whole(project):
    names(project)
    for number in range(40):
        (project / f"m{number}.py").write_text(f"def g{number}(): '{'other ' * 5000}'\n", encoding="utf-8")
    code, said = run(project, LIMITED)
    assert (code, said.split()[0]) == (3, "DiskFullError")
    index = OpenIndex(project_at(project), Settings())
    with index.reader() as reader:
        assert sorted(definition.name for definition in reader.all_definitions()) == ALL
    index.close()
    assert names(project)[1] == sorted(f"g{number}" for number in range(40))


@pytest.mark.skipif(
    os.name == "nt" or not shutil.which("setpriv"), reason="needs to give up the rights of root"
)
def test_a_read_only_folder_ends_in_a_sentence(project):
    project.chmod(0o555)
    try:
        code, said = run(project, prefix=NO_POWERS if os.geteuid() == 0 else ())
    finally:
        project.chmod(0o755)
    assert (code, said.split()[0]) == (3, "ReadOnlyError")
    assert "writable" in said


@pytest.mark.parametrize("where", [0, 20_000])
def test_a_corrupted_index_is_made_anew(project, where):
    names(project)
    with (project / ".recollect" / "index.db").open("r+b") as file:
        file.seek(where)
        file.write(b"garbage!" * 2000)
    assert names(project)[1] == ALL


def test_a_corrupted_store_of_facts_costs_only_time(project):
    names(project)
    for place in (project / ".recollect").glob("parsed.db*"):
        place.unlink()
    (project / ".recollect" / "parsed.db").write_bytes(b"garbage!" * 5000)
    (project / "m0.py").write_text("def f0(): return f1()\n", encoding="utf-8")
    assert names(project)[1] == ALL


def test_lost_facts_are_parsed_again_where_they_are_needed(project):
    (project / "m0.py").write_text("from m1 import f1\n\ndef f0(): return f1()\n", encoding="utf-8")
    names(project)
    for place in (project / ".recollect").glob("parsed.db*"):
        place.unlink()
    (project / "m1.py").write_text("# other\n\ndef f1(y): return y\n", encoding="utf-8")
    report, found = names(project)
    assert (report.resolved, found) == (2, ALL)


def test_an_index_of_a_newer_version_is_refused_with_a_sentence(project):
    names(project)
    connection = apsw.Connection(str(project / ".recollect" / "index.db"))
    connection.pragma("user_version", 999)
    connection.close()
    with pytest.raises(NewerSchemaError, match="pip install -U"):
        names(project)


def test_a_file_that_changes_while_it_is_read_is_right_in_the_end(project):
    stop = threading.Event()

    def scribble():
        number = 0
        while not stop.is_set():
            number += 1
            (project / "m0.py").write_text(
                f"def f0(): return {number}\n" * (number % 50 + 1), encoding="utf-8"
            )

    thread = threading.Thread(target=scribble)
    thread.start()
    try:
        for _ in range(3):
            names(project)
    finally:
        stop.set()
        thread.join()
    (project / "m0.py").write_text("def f0(): return 'done'\n", encoding="utf-8")
    assert names(project)[1] == ALL


def test_a_huge_file_is_listed_and_not_read(project):
    with (project / "huge.py").open("wb") as file:
        file.truncate(500 * 1024 * 1024)
    report, found = names(project)
    assert (report.skipped, found) == ({"too large": 1}, ALL)
    assert names(project)[0].mode == "unchanged"


@pytest.mark.skipif(
    os.name == "nt" or not shutil.which("setpriv"), reason="needs to give up the rights of root"
)
def test_an_unreadable_file_is_listed_and_looked_at_again_when_it_can_be_read(project):
    (project / "m0.py").chmod(0)
    code, said = run(project, prefix=NO_POWERS if os.geteuid() == 0 else ())
    assert (code, said) == (0, "full 39\n")
    code, said = run(project, prefix=NO_POWERS if os.geteuid() == 0 else ())
    assert said == "unchanged 39\n"
    (project / "m0.py").chmod(0o644)
    os.utime(project / "m0.py")
    assert names(project)[1] == ALL


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_a_hundred_thousand_small_files(tmp_path):
    """Slow because it writes and reads a hundred thousand files."""
    for folder in range(1000):
        (tmp_path / f"d{folder}").mkdir()
        for number in range(100):
            (tmp_path / f"d{folder}" / f"m{number}.py").write_text(
                f"def f{folder}_{number}(): pass\n", encoding="utf-8"
            )
    report, found = names(tmp_path)
    assert (report.files, len(found)) == (100_000, 100_000)
    assert names(tmp_path)[0].mode == "unchanged"
