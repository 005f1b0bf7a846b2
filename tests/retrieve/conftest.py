"""One small shop, indexed once, that the tests of retrieval ask."""

from __future__ import annotations

import subprocess

import pytest

import recollect
from recollect.retrieve.ask import Surroundings, ask, profile_for
from recollect.retrieve.context import Snapshot
from recollect.retrieve.query import Request

FILES = {
    "shop/http/client.py": '''
"""Talks to other services."""
from shop.http.retry import RetryPolicy, backoff_delay


class HttpClient:
    """Sends requests and tries again when a service is busy."""

    def __init__(self, policy: RetryPolicy) -> None:
        self.policy = policy

    def send(self, request):
        """Send one request under the retry policy."""
        for attempt in range(self.policy.attempts):
            if self.try_once(request):
                return True
            wait(backoff_delay(attempt))
        return False

    def try_once(self, request):
        return bool(request)


def wait(seconds):
    """Sleep a little."""
    return seconds
''',
    "shop/http/retry.py": '''
"""When and how often to try again."""


class RetryPolicy:
    """How often a call is tried, and how long to pause in between."""

    attempts = 3

    def should_retry(self, error):
        return isinstance(error, TimeoutError)


def backoff_delay(attempt):
    """Double the pause with every attempt."""
    return 2**attempt
''',
    "shop/orders/store.py": '''
"""Keeps orders."""
from abc import ABC, abstractmethod


class OrderStore(ABC):
    """Where orders are kept."""

    @abstractmethod
    def save_order(self, order):
        """Keep an order."""


class MemoryOrderStore(OrderStore):
    """Keeps orders in a list."""

    def save_order(self, order):
        return [order]


class FileOrderStore(OrderStore):
    """Keeps orders in a file."""

    def save_order(self, order):
        return str(order)
''',
    "shop/orders/checkout.py": '''
"""Turns a basket into an order."""
from shop.http.client import HttpClient
from shop.orders.store import OrderStore


class Checkout:
    """Charges the customer and keeps the order."""

    def __init__(self, store: OrderStore, client: HttpClient) -> None:
        self.store = store
        self.client = client

    def place_order(self, basket):
        """Charge the basket, then keep it as an order."""
        if self.client.send(basket):
            return self.store.save_order(basket)
        return None


def parseBasketFile(path):
    """Read a basket from a file."""
    return [path]
''',
    "tests/test_checkout.py": """
from shop.orders.checkout import Checkout


class FakeClient:
    def send(self, basket):
        return True


def test_place_order_keeps_the_order():
    assert Checkout(None, FakeClient())


def test_retry_policy_gives_up():
    assert True
""",
    "vendor/lib/retry.py": "def retry_policy_vendored():\n    return 1\n",
    "README.md": "# Shop\n\nA shop.\n\n## Retry policy\n\nCalls are tried again.\n",
}


def write(folder, files):
    for path, text in files.items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")
    subprocess.run(["git", "init", "-q", str(folder)], check=True)
    return folder


@pytest.fixture(scope="session")
def shop_folder(tmp_path_factory):
    folder = write(tmp_path_factory.mktemp("shop"), FILES)
    with recollect.open(folder) as opened:
        opened.index()
    return folder


@pytest.fixture(scope="session")
def shop(shop_folder):
    with recollect.open(shop_folder) as opened, opened._index.reader() as reader:
        yield reader


@pytest.fixture
def around():
    return Surroundings(Snapshot(), clock=lambda: 1_000_000.0)


@pytest.fixture
def answer(shop, around):
    def answered(
        text="", kind="task", surroundings=None, overrides=None, pack=True, profile="knowing", **request
    ):
        chosen = profile_for(kind, profile, overrides)
        return ask(shop, text, Request(**request), chosen, surroundings or around, pack)

    return answered


def names(answered):
    return [answered.items[row.number].name for row in answered.candidates if row.number in answered.items]
