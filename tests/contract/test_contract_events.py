import pytest

from recollect.errors import UsageError
from recollect.ports import Event
from recollect.store.ids import id_of

FIRST, SECOND = id_of(1), id_of(2)


def test_events_are_appended_and_found_by_query_and_by_item(store):
    events = [
        Event("q1", FIRST, "retrieved", 1.0),
        Event("q1", SECOND, "retrieved", 1.0, "second place"),
        Event("q1", SECOND, "used", 2.5),
        Event("q2", FIRST, "discarded", 3.0),
    ]
    with store.writer() as writer:
        writer.add_events(events[:2])
    with store.writer() as writer:
        writer.add_events(events[2:])
    with store.reader() as reader:
        assert reader.events() == events
        assert reader.events(query_id="q1") == events[:3]
        assert reader.events(item_id=FIRST) == [events[0], events[3]]
        assert reader.events("q1", SECOND) == events[1:3]
        assert reader.events("q3") == []


@pytest.mark.parametrize("event", [Event("q", FIRST, "adored", 1.0), Event("q", "no id", "used", 1.0)])
def test_an_event_that_makes_no_sense_is_refused(store, event):
    with pytest.raises(UsageError), store.writer() as writer:
        writer.add_events([event])
