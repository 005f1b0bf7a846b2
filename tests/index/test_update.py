import os
import subprocess
import time
from pathlib import Path

import pytest

from recollect.index.freshness import check
from recollect.ports import Filters

EVERYTHING = Filters()


def write(root, **files):
    for name, text in files.items():
        place = root / name.replace("__", "/").replace("_py", ".py").replace("_go", ".go")
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")


def names(index):
    with index.reader() as reader:
        return sorted(definition.qualified for definition in reader.all_definitions())


def found(index, word):
    with index.reader() as reader:
        numbers = [hit.number for hit in reader.search("text_chunk", f'"{word}"', (1, 1), 10, EVERYTHING)]
        return [item.path for item in reader.items(numbers)]


def callers(index, name):
    with index.reader() as reader:
        (item,) = reader.find(name, EVERYTHING, 5)
        edges = reader.edges(item.number, incoming=True, types=["calls"])
        return sorted(item.name for item in reader.items([edge.source for edge in edges]))


def test_the_first_update_indexes_everything(tmp_path, opened):
    write(tmp_path, a_py="def alpha():\n    return beta()\n\ndef beta():\n    return 'marzipan'\n")
    index = opened(tmp_path)
    report = index.update()
    assert (report.mode, report.files, report.parsed) == ("full", 1, 1)
    assert names(index) == ["alpha", "beta"]
    assert found(index, "marzipan") == ["a.py"]
    assert callers(index, "beta") == ["alpha"]


def test_an_update_without_edits_changes_nothing(tmp_path, opened):
    write(tmp_path, a_py="def alpha(): pass\n")
    index = opened(tmp_path)
    index.update()
    with index.reader() as reader:
        before = reader.generation()
    index.update()
    report = index.update()
    with index.reader() as reader:
        assert (report.mode, reader.generation()) == ("unchanged", before)


def test_an_edit_is_found_at_once_and_the_old_text_is_gone(tmp_path, opened):
    write(tmp_path, a_py="def alpha():\n    return 'marzipan'\n")
    index = opened(tmp_path)
    index.update()
    write(tmp_path, a_py="def alpha():\n    return 'nougats!'\n")
    report = index.update()
    assert (report.mode, report.parsed) == ("incremental", 1)
    assert (found(index, "nougats"), found(index, "marzipan")) == (["a.py"], [])


def test_edges_into_an_edited_file_follow(tmp_path, opened):
    write(tmp_path, a_py="from b import beta\n\ndef alpha():\n    return beta()\n", b_py="def beta(): pass\n")
    index = opened(tmp_path)
    index.update()
    assert callers(index, "beta") == ["alpha"]
    write(tmp_path, b_py="def gamma(): pass\n")
    assert index.update().resolved == 2
    write(tmp_path, b_py="def gamma(): pass\n\ndef beta(): pass\n")
    index.update()
    assert callers(index, "beta") == ["alpha"]


def test_code_that_only_moves_inside_its_file_disturbs_no_other_file(tmp_path, opened):
    write(tmp_path, a_py="from b import beta\n\ndef alpha():\n    return beta()\n", b_py="def beta(): pass\n")
    index = opened(tmp_path)
    index.update()
    write(tmp_path, b_py="# moved\n\n\ndef beta(): pass\n")
    assert index.update().resolved == 1


def test_a_deleted_file_is_forgotten(tmp_path, opened):
    write(tmp_path, a_py="def alpha(): return 'marzipan'\n", b_py="def beta(): pass\n")
    index = opened(tmp_path)
    index.update()
    (tmp_path / "a.py").unlink()
    assert index.update().removed == 1
    assert (names(index), found(index, "marzipan")) == (["beta"], [])


def test_a_file_that_is_touched_but_not_changed_is_not_parsed(tmp_path, opened):
    write(tmp_path, a_py="def alpha(): pass\n")
    index = opened(tmp_path)
    index.update()
    os.utime(tmp_path / "a.py", ns=(1, 1))
    report = index.update()
    assert (report.mode, report.parsed, report.reused) == ("unchanged", 0, 0)


def test_content_that_was_seen_before_is_not_parsed_again(tmp_path, opened):
    write(tmp_path, a_py="def alpha(): pass\n")
    index = opened(tmp_path)
    index.update()
    write(tmp_path, a_py="def beta(): pass\n")
    index.update()
    write(tmp_path, a_py="def alpha(): pass\n")
    report = index.update()
    assert (report.parsed, report.reused, names(index)) == (0, 1, ["alpha"])


def test_a_same_sized_edit_within_the_clock_tick_is_seen(tmp_path, opened):
    tick = time.time_ns() + 100_000_000
    write(tmp_path, a_py="def alpha(): pass\n")
    os.utime(tmp_path / "a.py", ns=(tick, tick))
    index = opened(tmp_path)
    index.update()
    write(tmp_path, a_py="def omega(): pass\n")
    os.utime(tmp_path / "a.py", ns=(tick, tick))
    with index.reader() as reader:
        assert check(reader, tmp_path, ["a.py"]).changed == {"a.py"}
    while time.time_ns() < tick:
        pass
    index.update()
    assert names(index) == ["omega"]


def test_a_second_worktree_parses_nothing(tmp_path, opened):
    main, second = tmp_path / "main", tmp_path / "second"
    main.mkdir()
    write(main, a_py="def alpha(): pass\n", lib__b_py="def beta(): pass\n")
    git = ["git", "-c", "user.name=t", "-c", "user.email=t@example.com", "-C", str(main)]
    for command in (
        ["init", "-q"],
        ["add", "."],
        ["commit", "-qm", "x"],
        ["worktree", "add", "-q", str(second)],
    ):
        subprocess.run([*git, *command], check=True, capture_output=True)
    opened(main).update()
    index = opened(second)
    report = index.update()
    assert (report.parsed, report.reused, names(index)) == (0, 2, ["alpha", "beta"])
    assert not (second / ".recollect" / "parsed.db").exists()


def test_the_commit_that_was_indexed_is_told_from_the_one_checked_out(tmp_path, opened):
    write(tmp_path, a_py="def alpha(): pass\n")
    git = ["git", "-c", "user.name=t", "-c", "user.email=t@example.com", "-C", str(tmp_path)]
    subprocess.run([*git, "init", "-q"], check=True)
    subprocess.run([*git, "add", "a.py"], check=True)
    subprocess.run([*git, "commit", "-qm", "one"], check=True)
    index = opened(tmp_path)
    index.update()
    before = index.status()
    subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "two"], check=True)
    moved = index.status()
    assert before.commit == before.indexed_commit == moved.indexed_commit != moved.commit
    index.update()
    assert index.status().indexed_commit == moved.commit


def test_status_tells_what_waits(tmp_path, opened):
    write(tmp_path, a_py="def alpha(): pass\n", b_py="def beta(): pass\n")
    index = opened(tmp_path)
    index.update()
    write(tmp_path, a_py="def alpha(): return 1\n", c_py="x = 1\n")
    (tmp_path / "b.py").unlink()
    status = index.status()
    assert (status.pending, status.complete, status.languages) == (3, True, {"python": 2})


def test_larger_updates_go_through_worker_processes(tmp_path, opened):
    for number in range(80):
        text = f"from m{number - 1} import f{number - 1}\n\ndef f{number}():\n    return f{number - 1}()\n"
        (tmp_path / f"m{number}.py").write_text(text, encoding="utf-8")
    index = opened(tmp_path)
    assert index.update().parsed == 80
    assert callers(index, "f3") == ["f4"]


def test_other_settings_take_effect_on_an_index_that_exists(tmp_path, opened):
    write(tmp_path, a_py="def alpha(): pass\n", vendor__b_py="def beta(): pass\n")
    index = opened(tmp_path)
    index.update()
    assert names(index) == ["alpha"]
    index.close()
    wider = opened(tmp_path, include_vendored=True)
    wider.update()
    assert names(wider) == ["alpha", "beta"]


def test_a_secret_is_neither_found_nor_kept(tmp_path, opened):
    secret = "AKIA" + "Q3EGRIUVT7LMZW5B"
    write(tmp_path, a_py=f"def alpha():\n    return connect(key='{secret}')\n")
    index = opened(tmp_path)
    index.update()
    index.close()
    kept = b"".join(place.read_bytes() for place in (tmp_path / ".recollect").iterdir() if place.is_file())
    assert secret.encode() not in kept
    assert secret.lower().encode() not in kept.lower()


@pytest.mark.parametrize(
    "name", ["with space.py", "emoji-🦀.py", "new\nline.py", "quote'\".py", "back\\slash.py"]
)
def test_any_name_will_do(tmp_path, opened, name):
    (tmp_path / name).write_text("def alpha(): return 'marzipan'\n", encoding="utf-8")
    index = opened(tmp_path)
    index.update()
    assert found(index, "marzipan") == [name]
    (tmp_path / name).unlink()
    index.update()
    assert found(index, "marzipan") == []


@pytest.mark.skipif(os.name == "nt", reason="names are always Unicode there")
def test_a_name_that_is_not_unicode_is_reported(tmp_path, opened):
    (tmp_path / "good.py").write_text("def alpha(): pass\n", encoding="utf-8")
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/bad\xff.py")).write_text("1", encoding="utf-8")
    report = opened(tmp_path).update()
    assert report.files == 1
    assert report.notes == ("bad\\udcff.py was left out: its name is not valid UTF-8.",)
