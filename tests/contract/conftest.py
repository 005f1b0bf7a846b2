"""The contract of a Store: a second backend joins by one more entry in BACKENDS and passes everything unchanged."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from tests.postgres.proven import recorded

from recollect.store import dump, open_index


@dataclass(frozen=True)
class Backend:
    open: Callable[..., Any]
    dump: Callable[..., Any]


def sqlite(_):
    return Backend(lambda folder: open_index(folder / ".recollect" / "index.db"), dump)


def postgres(request):
    from recollect.store.postgres.index_dump import dump
    from recollect.store.postgres.index_store import open_index

    # The folder names the tree, so that a test that opens it again meets what it left there.
    url = request.getfixturevalue("store_url")
    return Backend(lambda folder: open_index(url, ("", str(folder)), folder), dump)


BACKENDS = {"sqlite": sqlite, "postgres": postgres}


@pytest.fixture(params=sorted(BACKENDS))
def backend(request):
    return BACKENDS[request.param](request)


@pytest.fixture
def store(backend, tmp_path):
    opened = backend.open(tmp_path)
    yield opened
    opened.close()


@pytest.fixture(autouse=True)
def _proven(request):
    yield from recorded(request)
