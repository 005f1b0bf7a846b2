"""The connection is cut at every message of every kind of operation; what was asked happens once all the same."""

import json
import re
import secrets

import pytest
from tests.postgres.proxy import Proxy

from recollect.errors import AwayError
from recollect.memory.forget import Selection
from recollect.memory.hygiene import Wish
from recollect.memory.opened import OpenMemory
from recollect.ports import Event
from recollect.store.postgres.address import read
from recollect.store.postgres.events import PostgresEvents
from recollect.store.postgres.memory_store import MemorySpace
from recollect.store.postgres.server import Server, Space

NOW = 1_800_000_000.0
TEXTS = (
    "We retry idempotent calls only",
    "Tea is brewed for three minutes",
    "The port is 5432",
    "Anna owns the client",
)


@pytest.fixture
def line(postgres):
    proxy = Proxy(postgres.port)
    yield proxy
    proxy.close()


@pytest.fixture
def through(line, store_url, postgres):
    """Return a function that opens a space over the line that may be cut."""
    opened = []
    base = store_url.replace(f":{postgres.port}/", f":{line.port}/")

    def open_space():
        name = f"s{secrets.token_hex(6)}"
        address = read(re.sub(r"space=\w+", f"space={name}", base))
        opened.append(OpenMemory(MemorySpace(address, Space(name)), clock=lambda: NOW))
        return opened[-1]

    yield open_space
    for memory in opened:
        memory.close()


def filled(memory):
    items = [memory.remember(text, {"tags": ["known"], "created": "2020-01-01"}, None) for text in TEXTS]
    memory.link(items[2].id, "see-also", items[3].id)
    return items


OPERATIONS = {
    "remember": lambda memory, items: (
        memory.remember("Something new", {"tags": ["a", "b"], "author": "Ann"}, None).id
    ),
    "remember again": lambda memory, items: memory.remember(TEXTS[0], {}, None).id,
    "remember many": lambda memory, items: [
        item.id for item in memory.remember_many([f"number {n} of many" for n in range(20)], None)
    ],
    "recall": lambda memory, items: [hit.id for hit in memory.recall("retry tea", 5, {}, None).hits],
    "timeline": lambda memory, items: [item.id for item in memory.timeline(0, 10, {}).items],
    "history": lambda memory, items: len(memory.history(items[2].id)),
    "link": lambda memory, items: memory.link(items[0].id, "supersedes", items[1].id),
    "unlink": lambda memory, items: memory.link(items[2].id, "see-also", items[3].id, remove=True),
    "pin": lambda memory, items: memory.pin(items[1].id),
    "archive": lambda memory, items: memory.set_status(items[1].id, "archived"),
    "forget": lambda memory, items: (
        memory.forget(Selection(ids=(items[0].id, items[2].id)), dry_run=False).ids
    ),
    "hygiene": lambda memory, items: len(memory.clean(Wish(), None).archived),
    "dream": lambda memory, items: memory.dream().number,
    "export": lambda memory, items: [line["id"] for line in memory.export()],
    "unlearn": lambda memory, items: memory.unlearn(),
}


def state(memory):
    """Return everything that is kept, in an order of its own."""
    rows = [json.dumps(row, sort_keys=True) for row in memory.export()]
    changes = [json.dumps(memory.history(json.loads(row)["id"]), sort_keys=True) for row in rows]
    return sorted(rows), changes, len(memory.dreams()), memory.check()


@pytest.mark.parametrize("heard", [False, True], ids=["unheard", "unanswered"])
@pytest.mark.parametrize("name", sorted(OPERATIONS))
def test_an_operation_that_is_cut_anywhere_happens_exactly_once(name, heard, line, through):
    operation = OPERATIONS[name]
    whole = through()
    items = filled(whole)
    line.cut_at(0, heard)
    expected = operation(whole, items)
    messages = line.messages
    wanted = state(whole)
    assert messages >= 3
    # Every message would take minutes for all operations: the first, the last ones, and some between.
    places = sorted({1, 2, messages // 3, messages // 2, messages - 2, messages - 1, messages} - {0, -1})
    for place in places:
        memory = through()
        items = filled(memory)
        before = line.cuts
        line.cut_at(place, heard)
        assert operation(memory, items) == expected, f"cut at {place} of {messages}"
        assert line.cuts == before + 1 or line.messages < place
        assert state(memory) == wanted, f"cut at {place} of {messages}"


def test_events_that_are_cut_are_filed_once_or_not_at_all(line, store_url, postgres):
    address = read(store_url.replace(f":{postgres.port}/", f":{line.port}/"))
    server = Server(address, 5.0)
    server.open()
    events = PostgresEvents(server, Space(address.space), "memory")
    event = Event("q", "m" + "a" * 13, "used", NOW)
    for place in range(1, 12):
        line.cut_at(place, heard=True)
        try:
            with events.writer() as writer:
                writer.add_events([event])
        except AwayError:
            pass
        line.cut_at(0, heard=False)
        with events.reader() as reader:
            assert len(reader.events()) <= place
    events.close()


def test_a_server_that_stays_away_is_told_in_one_sentence_and_found_again(line, store_url, postgres):
    address = read(store_url.replace(f":{postgres.port}/", f":{line.port}/"))
    server = Server(address, 0.5)
    server.open()
    space = Space(address.space)
    server.enter(space)
    line.leave()
    with pytest.raises(AwayError, match=r"does not answer .* Try again when the server is back"):
        server.read(space, lambda session: session.rows("SELECT 1 WHERE $1 = $1"))
    line.come_back()
    assert server.read(
        space, lambda session: session.rows("SELECT count(*) FROM space WHERE space = $1")
    ) == [(1,)]
    server.close()
