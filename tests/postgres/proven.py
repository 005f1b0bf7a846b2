"""Every statement that a test issues is proven to name its space; each text once in a run of the tests."""

from recollect.store.postgres import proving
from recollect.store.postgres.address import read
from recollect.store.postgres.server import Server, Space
from recollect.store.postgres.session import Recorded

_proven = set()


def prove(url, statements):
    new = {sql: values for sql, values in statements.items() if sql not in _proven}
    _proven.update(new)
    if not new:
        return
    address = read(url)
    server = Server(address)
    server.open()
    try:
        assert server.own(Space(address.space), lambda one: proving.findings(one, new)) == []
    finally:
        server.close()


def recorded(request):
    """A fixture's body: record while a test runs that uses a server, and prove afterwards."""
    chosen = getattr(getattr(request.node, "callspec", None), "params", {}).values()
    if "store_url" not in request.fixturenames and not {"server", "postgres"} & set(map(str, chosen)):
        yield
        return
    url = request.getfixturevalue("store_url")
    with Recorded() as statements:
        yield
    prove(url, statements)
