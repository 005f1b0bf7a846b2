import os
import threading

import pytest
from tests.contract.samples import edge, put, symbol

from recollect.errors import BusyError, StoreError


def test_a_reader_keeps_seeing_its_generation_while_others_write(store):
    with store.writer() as writer:
        put(writer, "a.py", [symbol("a.py", "old")])
        writer.publish()
    with store.reader() as before:
        with store.writer() as writer:
            put(writer, "a.py", [symbol("a.py", "new")])
            writer.publish()
        with store.reader() as after:
            assert after.generation() == 2
            assert len(after.definitions("new")) == 1
        assert before.generation() == 1
        assert before.definitions("new") == []
        assert len(before.definitions("old")) == 1


def test_a_reader_does_not_see_and_does_not_wait_for_an_open_transaction(store):
    with store.writer() as writer:
        put(writer, "a.py", [symbol("a.py", "run")])
        with store.reader() as reader:
            assert reader.file("a.py") is None
        assert writer.file("a.py") is not None


def test_a_block_that_fails_leaves_nothing_behind(store):
    with store.writer() as writer:
        x = put(writer, "a.py", [symbol("a.py", "x")])[symbol("a.py", "x").uid]
        writer.put_segment("a.py", [edge(x, x)], b"")
        writer.publish()
    with store.reader() as reader:
        before = reader.counts()
    with pytest.raises(ZeroDivisionError), store.writer() as writer:
        put(writer, "b.py", [symbol("b.py", "y", kind="macro")])
        writer.put_segment("a.py", [], b"")
        writer.publish()
        raise ZeroDivisionError
    with store.reader() as reader:
        assert reader.counts() == before
        assert reader.generation() == 1
        assert reader.file("b.py") is None
        assert len(reader.edges(x, incoming=False)) == 1
    with store.writer() as writer:
        put(writer, "b.py", [symbol("b.py", "y", kind="macro")])
    with store.reader() as reader:
        assert [found.kind for found in reader.definitions("y")] == ["macro"]


def test_an_error_of_the_caller_passes_through_unchanged(store):
    with pytest.raises(FileNotFoundError), store.writer():
        raise FileNotFoundError("a source file that vanished")


def test_a_second_writer_waits_only_as_long_as_it_may_and_names_the_first(store):
    with store.writer(), pytest.raises(BusyError, match=str(os.getpid())), store.writer(wait=0.02):
        pass


def test_writers_of_several_threads_take_turns(store):
    def write(name):
        for at in range(5):
            with store.writer() as writer:
                put(writer, f"{name}{at}.py", [symbol(f"{name}{at}.py", "run")])
                writer.publish()

    threads = [threading.Thread(target=write, args=(name,)) for name in "abcd"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with store.reader() as reader:
        assert reader.generation() == 20
        assert reader.counts()["files"] == 20
        assert len(reader.definitions("run")) == 20


def test_a_closed_store_says_so(backend, tmp_path):
    store = backend.open(tmp_path)
    store.close()
    with pytest.raises(StoreError, match="closed"), store.reader():
        pass


def test_a_sound_store_has_no_findings(store):
    with store.writer() as writer:
        put(writer, "a.py", [symbol("a.py", "run")])
    assert list(store.check()) == []


def test_what_was_written_is_there_when_the_store_is_opened_again(backend, tmp_path):
    store = backend.open(tmp_path)
    with store.writer() as writer:
        numbers = put(writer, "a.py", [symbol("a.py", "run")])
        writer.publish()
    store.close()
    store = backend.open(tmp_path)
    with store.reader() as reader:
        assert [item.number for item in reader.items_of("a.py")] == list(numbers.values())
        assert reader.notes()["remarks"] == ()
    store.close()
