"""Accounts: a realistic module that shows what the reader must find."""

from __future__ import annotations

import os
import os.path as osp
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Generic, Literal, Optional, TypeVar, overload

from . import storage
from ..shared.errors import AccountError as Failure, NotFound
from .models import *

try:
    import orjson
except ImportError:
    orjson = None

T = TypeVar("T")
MAX_RETRIES = int(os.environ["ACCOUNT_RETRIES"])
_cache: dict[str, "Account"] = {}
low, high = 1, 2


def traced(label: str) -> Callable:
    """Decorate a function so that its calls are recorded."""

    def wrap(function):
        def inner(*args, **kwargs):
            log(label, function.__name__)
            return function(*args, **kwargs)

        return inner

    return wrap


# Loads the settings, once.
# Falls back to the defaults.
def load_settings(path: str, strict=False):
    raw = os.environ.get("ACCOUNT_FILE", path)
    if strict and not osp.exists(raw):
        raise Failure(f"no settings at {raw}")
    return storage.read(raw)


@dataclass(frozen=True)
class Account(storage.Row, Generic[T], metaclass=storage.Meta):
    """One account.

    Holds an owner and a balance.
    """

    owner: str
    balance: int = field(default=0)
    parent: Optional[Account] = None
    KINDS = ("open", "closed")

    class Event:
        name: str

        def fire(self) -> None:
            self.fired = True

    def __init__(self, store: storage.Store, history: Iterable[Event] = ()):
        self.store = store
        self.client = storage.Client("main", timeout=3)
        self.retries = 0
        self.retries = MAX_RETRIES

    @property
    def open(self) -> bool:
        """Whether money can move."""
        return self.balance >= 0

    @open.setter
    def open(self, value: bool) -> None:
        self._open = value

    @overload
    def find(self, key: int) -> Account: ...
    @overload
    def find(self, key: str) -> Account: ...
    def find(self, key, mode: Literal["fast", "slow"] = "fast"):
        for event in self.history:
            event.fire()
        found = self.client.connect().fetch(key)
        return found or self._miss(key, default=traced)

    @staticmethod
    def make(*owners: str) -> list[Account]:
        return [Account(name) for name in owners]

    @traced("miss")
    async def _miss(self, key: str, default: T | None = None) -> T | None:
        async with storage.session() as session:
            rows = await session.run("select", key)
            handler = lambda row: self.apply(row, key)
            return sorted(map(handler, rows), key=storage.rank)

    def __len__(self):
        return super().__len__() + len(self.Event.name)


def register(hooks: list[Callable]) -> None:
    hooks.append(load_settings)
    on_close(load_settings, "closing")
    default = load_settings
    default("x")


def test_account_opens():
    account = Account(storage.Store())
    assert account.open


if sys.platform == "win32":
    SEPARATOR = ";"
else:
    SEPARATOR = ":"
    HOME = "~"

try:
    import orjson
except ImportError:
    orjson = None
    HAS_ORJSON = False

if __name__ == "__main__":
    started = True
