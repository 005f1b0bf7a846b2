"""Calls a service with JSON: again when it is busy or broken, never faster than allowed, and counts what it costs."""

from __future__ import annotations

import http.client
import json
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from recollect.errors import ModelError

ATTEMPTS = 4
FIRST_PAUSE = 0.5
LONGEST_PAUSE = 20.0
TIMEOUT = 30.0
_AGAIN = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
_CUT = 200


@dataclass(frozen=True, slots=True)
class Limits:
    """How often and how patiently a service is called, and what it takes for it."""

    per_minute: int = 0
    """Requests a minute; 0 means as many as there are."""
    price: float = 0.0
    """For a million tokens, in the currency of the service."""
    timeout: float = TIMEOUT
    attempts: int = ATTEMPTS


@dataclass(slots=True)
class Spent:
    """What was used of a service since it was opened."""

    requests: int = 0
    retries: int = 0
    tokens: int = 0
    price: float = 0.0

    @property
    def cost(self) -> float:
        """Return what the tokens cost."""
        return self.tokens * self.price / 1_000_000

    def line(self) -> str:
        """Return one line about it."""
        again = f", {self.retries} of them again" if self.retries else ""
        price = f", {self.cost:.4f} at {self.price:g} a million" if self.price else ""
        return f"{self.requests} requests{again}, {self.tokens} tokens{price}"


@dataclass
class Caller:
    """Posts JSON to one address; any thread may call."""

    name: str
    """What the service is called in messages."""
    url: str
    headers: Mapping[str, str] = field(default_factory=dict)
    limits: Limits = field(default_factory=Limits)
    pause: Callable[[float], None] = time.sleep
    clock: Callable[[], float] = time.monotonic
    spent: Spent = field(default_factory=Spent)
    _next: float = 0.0
    _guard: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        self.spent.price = self.limits.price
        if not self.url.startswith(("http://", "https://")):
            raise ModelError(
                f"The address of {self.name} is {self.url!r}; it must begin with http:// or https://."
            )

    def post(self, body: Mapping[str, Any]) -> Any:
        """Return the JSON that the service answers with."""
        content = json.dumps(body, ensure_ascii=False).encode("utf-8", "replace")
        for attempt in range(1, self.limits.attempts + 1):
            self._wait_for_turn()
            self.spent.requests += 1
            trouble, patience = self._once(content)
            if not isinstance(trouble, str):
                return trouble[0]
            if patience is None or attempt == self.limits.attempts:
                tries = f" after {attempt} attempts" if attempt > 1 else ""
                raise ModelError(f"{self.name} at {self.url} failed{tries}: {trouble}")
            self.spent.retries += 1
            self.pause(min(max(patience, FIRST_PAUSE * 2 ** (attempt - 1)), LONGEST_PAUSE))
        raise ModelError(f"{self.name} was not asked; allow at least one attempt.")

    def _once(self, content: bytes) -> tuple[tuple[Any] | str, float | None]:
        """Return the answer in a tuple, or what went wrong with how long to wait, None when waiting does not help."""
        headers = {"Content-Type": "application/json", "User-Agent": "recollect", **self.headers}
        request = urllib.request.Request(self.url, content, headers)  # noqa: S310  # checked when it is opened
        try:
            with urllib.request.urlopen(request, timeout=self.limits.timeout) as answer:  # noqa: S310
                return (json.loads(answer.read()),), None
        except urllib.error.HTTPError as error:
            said = error.read(_CUT).decode("utf-8", "replace").strip()
            trouble = f"it answered {error.code}{f' ({said})' if said else ''}. {_cure(error.code)}"
            return trouble, _asked_to_wait(error.headers.get("Retry-After")) if error.code in _AGAIN else None
        except TimeoutError:
            return f"it did not answer within {self.limits.timeout:g} seconds. Try again later.", 0.0
        except (json.JSONDecodeError, UnicodeDecodeError, http.client.HTTPException) as error:
            return f"its answer was cut off or is no JSON ({error}). Try again later.", 0.0
        except (urllib.error.URLError, OSError) as error:
            reason = getattr(error, "reason", error)
            return f"it cannot be reached ({reason}). Is it running, and is the address right?", 0.0

    def _wait_for_turn(self) -> None:
        if not self.limits.per_minute:
            return
        with self._guard:
            now = self.clock()
            turn = max(now, self._next)
            self._next = turn + 60.0 / self.limits.per_minute
        if turn > now:
            self.pause(turn - now)


def _asked_to_wait(header: str | None) -> float:
    try:
        return max(0.0, float(header or 0))
    except ValueError:
        return 0.0


def _cure(code: int) -> str:
    if code in {401, 403}:
        return "Set the right key in the environment."
    if code == 404:
        return "Is the name of the model right?"
    return "Try again later." if code in _AGAIN else "Check the name of the model and the settings."
