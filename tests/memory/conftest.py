import pytest
from tests.postgres.proven import recorded

from recollect.memory.opened import OpenMemory
from recollect.store import open_memory
from recollect.store.postgres.address import read
from recollect.store.postgres.events import PostgresEvents
from recollect.store.postgres.memory_store import MemorySpace
from recollect.store.postgres.server import Server, Space

START = 1_700_000_000.0


class Clock:
    """A clock that the test sets."""

    def __init__(self):
        self.now = START

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


class Plain:
    """Memories without code, with fields as keywords."""

    def __init__(self, opened):
        self.opened = opened

    def remember(self, text, redact=False, **fields):
        return self.opened.remember(text, fields, None, redact)

    def remember_many(self, rows):
        return self.opened.remember_many(rows, None)

    def recall(self, query, limit=10, **options):
        return self.opened.recall(query, limit, options, None)

    def file_events(self, *events):
        """File events of memories where these memories are kept."""
        place = self.opened.place
        if isinstance(place, MemorySpace):
            server = Server(place.address)
            server.open()
            store = PostgresEvents(server, place.space, "memory")
        else:
            store = open_memory(place.path)
        with store.writer() as writer:
            writer.add_events(events)
        store.close()

    def again(self):
        """Open the same memories once more."""
        place = self.opened.place
        return OpenMemory(getattr(place, "path", place))

    def texts(self, query, limit=10, **options):
        return [hit.text for hit in self.recall(query, limit, **options).hits]


@pytest.fixture
def file_memory(tmp_path, clock):
    opened = OpenMemory(tmp_path / ".recollect" / "memory.db", clock=clock)
    yield Plain(opened)
    opened.close()


@pytest.fixture
def server_memory(store_url, clock):
    address = read(store_url)
    opened = OpenMemory(MemorySpace(address, Space(address.space)), clock=clock)
    yield Plain(opened)
    opened.close()


@pytest.fixture(params=["file", "server"])
def memory(request):
    """Memories on SQLite and on PostgreSQL: what holds for one holds for the other."""
    return request.getfixturevalue(f"{request.param}_memory")


@pytest.fixture(autouse=True)
def _proven(request):
    yield from recorded(request)
