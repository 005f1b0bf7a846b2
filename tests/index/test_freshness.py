import os

from recollect.index.freshness import check


def start(tmp_path, opened):
    for name in ("a.py", "b.py", "c.py"):
        (tmp_path / name).write_text(f"NAME = '{name}'\n", encoding="utf-8")
        os.utime(tmp_path / name, ns=(10**18, 10**18))
    index = opened(tmp_path)
    index.update()
    return index


def test_untouched_files_are_fresh(tmp_path, opened):
    with start(tmp_path, opened).reader() as reader:
        assert check(reader, tmp_path, ["a.py", "b.py"]).fresh


def test_changed_and_deleted_files_are_told_apart(tmp_path, opened):
    index = start(tmp_path, opened)
    (tmp_path / "a.py").write_text("OTHER = 1\n", encoding="utf-8")
    (tmp_path / "b.py").unlink()
    with index.reader() as reader:
        found = check(reader, tmp_path, ["a.py", "b.py", "c.py"])
    assert (found.changed, found.deleted) == ({"a.py"}, {"b.py"})


def test_a_file_with_a_new_time_and_the_same_bytes_is_fresh(tmp_path, opened):
    index = start(tmp_path, opened)
    os.utime(tmp_path / "a.py", ns=(1, 1))
    with index.reader() as reader:
        assert check(reader, tmp_path, ["a.py"]).fresh


def test_a_file_that_became_a_folder_is_gone(tmp_path, opened):
    index = start(tmp_path, opened)
    (tmp_path / "a.py").unlink()
    (tmp_path / "a.py").mkdir()
    with index.reader() as reader:
        assert check(reader, tmp_path, ["a.py"]).deleted == {"a.py"}


def test_a_file_that_was_never_indexed_counts_as_changed(tmp_path, opened):
    index = start(tmp_path, opened)
    (tmp_path / "new.py").write_text("x = 1\n", encoding="utf-8")
    with index.reader() as reader:
        assert check(reader, tmp_path, ["new.py"]).changed == {"new.py"}
