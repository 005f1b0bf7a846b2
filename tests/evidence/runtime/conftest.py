import json
import subprocess
import sys
import time

import pytest

from recollect.store.ids import id_of
from recollect.types import EDGE_TYPES

SHOP = {
    "shop.py": '''\
import functools


class Cart:
    """What is bought."""

    def __init__(self, items=[1,
                              2]):
        self.items = items

    def total(self):
        return sum(price(one) for one in self.items)

    @property
    def empty(self): return not self.items

    def full(self): return len(self.items) > 99


@functools.lru_cache(
    maxsize=8,
)
def price(item):
    return item * 2


def unused():
    return 1
''',
    "test_shop.py": """\
import unittest

from shop import Cart, price


class Totals(unittest.TestCase):
    def test_total(self):
        assert Cart().total() == 6


def test_price():
    assert price(20) == 40


def test_empty():
    assert not Cart().empty
""",
}
RUN = "[run]\ndynamic_context = test_function\nbranch = {}\n"


def write(root, files):
    for path, text in files.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return root


@pytest.fixture
def shop(tmp_path):
    """Write the shop into a folder of its own."""
    return write(tmp_path / "shop", SHOP)


@pytest.fixture(scope="session")
def covered(tmp_path_factory):
    """Run the tests of a shop elsewhere under the real coverage.py, and have it write all its reports."""

    def coverage(folder, *words):
        command = [sys.executable, "-m", "coverage", *words]
        subprocess.run(command, cwd=folder, check=True, capture_output=True)

    folder = write(tmp_path_factory.mktemp("elsewhere"), SHOP)
    tests = ("-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "test_shop.py")
    for branch in ("true", "false"):
        (folder / "rc").write_text(RUN.format(branch), encoding="utf-8")
        coverage(folder, "run", "--rcfile=rc", f"--data-file={branch}.coverage", *tests)
    coverage(folder, "json", "--data-file=true.coverage", "--show-contexts", "-o", "coverage.json")
    coverage(folder, "lcov", "--data-file=true.coverage", "-o", "lcov.info")
    coverage(folder, "xml", "--data-file=true.coverage", "-o", "coverage.xml")
    return folder


def ran(opened):
    """Return how often each symbol was seen running, by name."""
    names = _names(opened)
    return {names[id_of(row.uid)]: row.times for row in opened._evidence().ran() if id_of(row.uid) in names}


def steps(opened, kind="calls"):
    """Return how often each step of one type was seen, as `source -> target`."""
    names = _names(opened)
    return {
        f"{names[id_of(row.source)]} -> {names[id_of(row.target)]}": row.times
        for row in opened._evidence().passed()
        if EDGE_TYPES[row.type] == kind
    }


def _names(opened):
    def read(reader):
        paths = [row.path for row in reader.files()]
        return {item.id: item.name for path in paths for item in reader.items_of(path)}

    return opened._index.ask(read)


def span(number, parent=0, ended=0.0, **code):
    """Return a span as OTLP writes it in JSON."""
    attributes = [
        {"key": key, "value": {"intValue": str(value)} if isinstance(value, int) else {"stringValue": value}}
        for key, value in code.items()
    ]
    nanoseconds = int((ended or time.time() - 60) * 1e9)
    above = {"parentSpanId": f"{parent:016x}"} if parent else {}
    return {
        "traceId": "5b8efff798038103d269b633813fc60c", "spanId": f"{number:016x}", **above, "name": "work",
        "startTimeUnixNano": "1", "endTimeUnixNano": str(nanoseconds), "attributes": attributes,
    }  # fmt: skip


def code(name, path="", line=0, space=""):
    """Return the attributes that say which code a span is of."""
    told = {
        "code.function.name": name,
        "code.file.path": path,
        "code.line.number": line,
        "code.namespace": space,
    }
    return {key: value for key, value in told.items() if value}


def trace(*spans):
    """Return one message of OTLP in JSON."""
    resource = {"attributes": [{"key": "service.name", "value": {"stringValue": "shop"}}]}
    scope = {"scope": {"name": "tests"}, "spans": list(spans)}
    return json.dumps({"resourceSpans": [{"resource": resource, "scopeSpans": [scope]}]})
