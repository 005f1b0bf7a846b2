import psycopg
import pytest

from recollect.store.postgres.address import read
from recollect.store.postgres.server import Server, Space


@pytest.fixture
def served():
    """Return a function that opens a server by its URL and closes it after the test."""
    opened = []

    def serve(url, patience=5.0):
        server = Server(read(url), patience)
        server.open()
        opened.append(server)
        return server

    yield serve
    for server in opened:
        server.close()


@pytest.fixture
def server(served, store_url):
    return served(store_url)


@pytest.fixture
def space(server):
    return Space(server.address.space)


@pytest.fixture
def admin(postgres, store_url):
    """A connection past all row policies."""
    with psycopg.connect(read(store_url).url, autocommit=True) as connection:
        yield connection
