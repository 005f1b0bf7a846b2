from contextlib import contextmanager

import pytest

import recollect
from recollect.errors import BusyError
from recollect.learn.log import MemoryLog, StoreLog
from recollect.ports import Event


class Table:
    """A store of events whose writer may be busy."""

    def __init__(self):
        self.rows = []
        self.busy = False

    @contextmanager
    def reader(self):
        yield self

    @contextmanager
    def writer(self, wait):
        if self.busy:
            raise BusyError("another process writes")
        yield self

    def events(self):
        return list(self.rows)

    def add_events(self, events):
        self.rows += events


def event(number):
    return Event(f"q{number}", "a", "used", float(number))


@pytest.mark.parametrize("make", [MemoryLog, lambda: StoreLog(Table().reader, Table().writer)])
def test_what_was_added_is_read_in_order(make):
    log = make()
    assert list(log.events()) == []
    log.add([event(1)])
    log.add([event(2)])
    assert [row.query_id for row in log.events()] == ["q1", "q2"]


def test_an_answer_never_waits_for_a_writer_and_nothing_is_lost():
    table = Table()
    log = StoreLog(table.reader, table.writer)
    table.busy = True
    log.add([event(1)])
    assert table.rows == []
    table.busy = False
    log.add([event(2)])
    assert [row.query_id for row in table.rows] == ["q1", "q2"]


def test_what_others_added_is_read_after_forgetting():
    table = Table()
    log = StoreLog(table.reader, table.writer)
    assert list(log.events()) == []
    table.rows.append(event(7))
    assert list(log.events()) == []
    log.forget()
    assert [row.query_id for row in log.events()] == ["q7"]


def test_events_live_in_the_store_of_a_project(tmp_path):
    (tmp_path / "a.py").write_text("def pay():\n    return 1\n", encoding="utf-8")
    with recollect.open(tmp_path) as opened:
        opened.index()
        (store, *_) = opened._index._stores()
        log = StoreLog(store.reader, store.writer)
        with store.reader() as reader:
            (item,) = [item for item in reader.items_of("a.py") if item.name == "pay"]
        log.add([Event("q1", item.id, "used", 1.0, '{"words":["pay"]}')])
        assert [row.item_id for row in StoreLog(store.reader, store.writer).events()] == [item.id]
