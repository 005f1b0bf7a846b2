import pytest
from tests.contract.samples import chunk, put, record, symbol

from recollect.errors import UsageError
from recollect.ports import Filters


def test_an_empty_store_has_nothing(store):
    with store.reader() as reader:
        assert list(reader.files()) == []
        assert reader.file("a.py") is None
        assert reader.generation() == 0
        assert reader.counts()["files"] == 0
        assert list(reader.graph().targets) == []


def test_a_file_comes_back_as_it_was_put(store):
    given = record("src/café 🙂\n.py", package="shop", test=True, generated=True)
    with store.writer() as writer:
        writer.put_file(given, [], {}, b"keys")
    with store.reader() as reader:
        found = reader.file(given.path)
        assert found == given._replace(number=found.number)
        assert found.number > 0
        assert reader.exports(given.path) == b"keys"


def test_files_come_by_path(store):
    with store.writer() as writer:
        for path in ("b.py", "a/z.py", "a.py"):
            put(writer, path)
    with store.reader() as reader:
        assert [found.path for found in reader.files()] == ["a.py", "a/z.py", "b.py"]


def test_files_are_found_by_stem_and_by_folder(store):
    with store.writer() as writer:
        for path in ("x/util/api.py", "y/util/api.test.py", "api.go"):
            put(writer, path)
    with store.reader() as reader:
        assert [found.path for found in reader.files_named("api")] == ["api.go", "x/util/api.py"]
        assert [found.path for found in reader.files_named("api.test")] == ["y/util/api.test.py"]
        assert [found.path for found in reader.files_in("util")] == ["x/util/api.py", "y/util/api.test.py"]
        assert [found.path for found in reader.files_in("")] == ["api.go"]


def test_touching_changes_the_record_and_keeps_the_items(store):
    with store.writer() as writer:
        put(writer, "a.py", [symbol("a.py", "run")])
        writer.touch_file(record("a.py", mtime_ns=99))
    with store.reader() as reader:
        assert reader.file("a.py").mtime_ns == 99
        assert [item.name for item in reader.items_of("a.py")] == ["a.py", "run"]


def test_a_skipped_file_is_known_but_is_no_item(store):
    with store.writer() as writer:
        writer.touch_file(record("big.bin", b"", skipped="binary"))
        put(writer, "a.py", [symbol("a.py", "run")])
        put(writer, "a.py", skipped="too big")
    with store.reader() as reader:
        assert {found.path: found.skipped for found in reader.files()} == {
            "a.py": "too big",
            "big.bin": "binary",
        }
        assert reader.items_of("a.py") == []
        counts = reader.counts()
        assert (counts["files"], counts["skipped"], counts["symbols"]) == (0, 2, 0)


def test_a_skipped_file_may_be_indexed_later_under_its_number(store):
    with store.writer() as writer:
        put(writer, "a.py", skipped="too big")
        before = writer.file("a.py").number
        put(writer, "a.py", [symbol("a.py", "run")])
        assert writer.file("a.py").number == before
        assert writer.items_of("a.py")[0].number == before


def test_removing_a_file_removes_all_that_it_brought(store):
    part = chunk("a.py")
    with store.writer() as writer:
        put(writer, "a.py", [symbol("a.py", "run")], [(part, "walrus")])
        writer.remove_file("a.py")
        writer.remove_file("never there.py")
    with store.reader() as reader:
        assert reader.file("a.py") is None
        assert reader.definitions("run") == []
        assert reader.search("text_chunk", "walrus", (1, 1), 5, Filters()) == []
        assert reader.exports("a.py") == b""
        assert reader.counts()["symbols"] == 0


def test_folders_are_replaced_as_a_whole(store):
    with store.writer() as writer:
        writer.set_folders({"": 1, "a": 2, "b": 3})
        writer.set_folders({"": 1, "b": 4, "c": 5})
    with store.reader() as reader:
        assert reader.folders() == {"": 1, "b": 4, "c": 5}


def test_meta_is_kept_replaced_and_forgotten(store):
    with store.writer() as writer:
        writer.set_meta("colour", "red")
        writer.set_meta("colour", "blue")
        writer.set_meta("size", "9")
        writer.set_meta("size", None)
    with store.reader() as reader:
        assert reader.meta("colour") == "blue"
        assert reader.meta("size") is None


@pytest.mark.parametrize("times", [1, 3])
def test_publishing_counts_generations(store, times):
    for _ in range(times):
        with store.writer() as writer:
            published = writer.publish()
    with store.reader() as reader:
        assert reader.generation() == published == times


def test_a_path_that_is_no_unicode_is_refused_and_the_store_goes_on(store):
    with store.writer() as writer:
        with pytest.raises(UsageError, match="UTF-8"):
            writer.touch_file(record("caf\udce9.py"))
        put(writer, "a.py")
    with store.reader() as reader:
        assert [found.path for found in reader.files()] == ["a.py"]
