from recollect.index.doctor import examine


def diagnosis(index):
    return index.doctor()


def test_a_sound_index_has_no_findings(tmp_path, opened):
    (tmp_path / "a.py").write_text("def alpha(): pass\n", encoding="utf-8")
    index = opened(tmp_path)
    index.update()
    assert diagnosis(index).healthy


def test_an_unfinished_first_run_is_found_and_repaired(tmp_path, opened):
    (tmp_path / "a.py").write_text("def alpha(): pass\n", encoding="utf-8")
    index = opened(tmp_path)
    index.update()
    with index._stores()[0].writer() as writer:
        writer.set_meta("complete", "0")
    assert not diagnosis(index).healthy
    mended = index.doctor(repair=True)
    assert (mended.healthy, len(mended.repaired)) == (True, 1)
    assert diagnosis(index).healthy


def test_edges_of_unknown_files_and_deleted_files_are_found(tmp_path, opened):
    (tmp_path / "a.py").write_text("def alpha(): pass\n", encoding="utf-8")
    index = opened(tmp_path)
    index.update()
    with index._stores()[0].writer() as writer:
        writer.put_segment("ghost.py", [], b"")
    (tmp_path / "a.py").unlink()
    found = " ".join(examine(index.project, index._stores()[0]))
    assert "ghost.py" in found
    assert "gone from disk (a.py)" in found


def test_a_damaged_index_is_found_and_repaired(tmp_path, opened):
    for number in range(30):
        (tmp_path / f"m{number}.py").write_text(f"def f{number}(): pass\n" * 20, encoding="utf-8")
    index = opened(tmp_path)
    index.update()
    index.close()
    with (tmp_path / ".recollect" / "index.db").open("r+b") as file:
        file.seek(60_000)
        file.write(b"garbage!" * 9000)
    assert not diagnosis(index).healthy
    assert index.doctor(repair=True).healthy
    with index.reader() as reader:
        assert len(list(reader.all_definitions())) == 600
