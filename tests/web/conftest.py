from contextlib import contextmanager

import pytest
from starlette.testclient import TestClient

import recollect
from recollect.served import Served
from recollect.web.app import build
from recollect.web.door import Door

PORT = 8123
HOSTILE = (
    "<script>document.title='taken'</script>",
    '"><img src=x onerror="document.title=1">',
    "[a](javascript:alert(1)) <a href='javascript:alert(2)'>x</a>",
    "\x1b[31mred\x1b[0m \x07 \u202egnp.exe \u2066x",
    "{{ 7 * 7 }} {% raw %} <!-- --> ]]> &lt;b&gt; hx-get=/x",
)


class Visitor:
    """A browser that came in through the door, as far as a test in this process needs one."""

    def __init__(self, served, door):
        self.served, self.door = served, door
        self.client = TestClient(build(served, door), base_url=door.address, follow_redirects=True)

    def enter(self):
        assert self.client.get(f"/?token={self.door.token}").status_code == 200
        return self

    def see(self, path, **params):
        answer = self.client.get(path, params=params or None)
        assert answer.status_code == 200, answer.text
        return answer.text

    def send(self, path, **fields):
        return self.client.post(path, data={"csrf": self.door.form_token, **fields})


@contextmanager
def visiting(root):
    served = Served(root)
    served.start()
    assert served.wait(20)
    try:
        yield Visitor(served, Door(PORT)).enter()
    finally:
        served.close()


@pytest.fixture
def visitor(shop):
    """Somebody who looks at the page of an indexed shop."""
    with recollect.open(shop) as project:
        project.index()
    with visiting(shop) as one:
        yield one
