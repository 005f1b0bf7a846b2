"""What monitoring reads: counts and times as Prometheus text, and nothing that was written or asked."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from recollect.errors import RecollectError
from recollect.index.footprint import resident_bytes
from recollect.served import Served
from recollect.web.door import App, Scope

PLACE = "/metrics"
TYPE = "text/plain; version=0.0.4; charset=utf-8"
BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
"""Seconds."""
_PAGES = ("search", "graph", "memories", "dreams", "index", "bench", "settings", "static")
_ESCAPED = str.maketrans({"\\": r"\\", '"': r"\"", "\n": r"\n"})


class Sample(NamedTuple):
    """One number, with what tells it from others of its name."""

    name: str
    value: float
    labels: Mapping[str, str] = {}


HELP = {
    "recollect_up": ("gauge", "Whether the project is open and can be asked."),
    "recollect_store_up": ("gauge", "Whether the store of the memories answered just now."),
    "recollect_store_seconds": ("gauge", "How long the store took to answer."),
    "recollect_items": ("gauge", "What the index holds, by sort."),
    "recollect_generation": ("counter", "How often the index was published."),
    "recollect_pending_files": ("gauge", "Files that changed and were not read again yet."),
    "recollect_memories": ("gauge", "Memories, those put away left out."),
    "recollect_queued_writes": ("gauge", "Writes that wait for the server to come back."),
    "recollect_transactions_total": ("counter", "Transactions with the server."),
    "recollect_transactions_again_total": (
        "counter",
        "Transactions that a cut or a collision made be done again.",
    ),
    "recollect_store_away_total": ("counter", "How often the server was given up."),
    "recollect_requests_total": ("counter", "Answers of the page, by place and state."),
    "recollect_request_seconds": ("histogram", "How long answers took, by place."),
    "process_start_time_seconds": ("gauge", "When the process began."),
    "process_cpu_seconds_total": ("counter", "Processor time of the process."),
    "process_resident_memory_bytes": ("gauge", "Memory of the process."),
}


class Metrics:
    """Counts what the page answers, and looks at the project when it is asked."""

    def __init__(self, served: Served) -> None:
        self._served = served
        self._began = time.time()
        self._answers: Counter[tuple[str, int]] = Counter()
        self._seconds: Counter[str] = Counter()
        self._buckets: Counter[tuple[str, float]] = Counter()

    def counted(self, app: App) -> App:
        """Return an application whose answers are counted."""

        async def counting(scope: Scope, receive: App, send: App) -> None:
            if scope["type"] != "http":
                await app(scope, receive, send)
                return
            state = [500]

            async def sending(message: dict[str, Any]) -> None:
                if message["type"] == "http.response.start":
                    state[0] = message["status"]
                await send(message)

            started = time.perf_counter()
            try:
                await app(scope, receive, sending)
            finally:
                self._count(_place(scope["path"]), state[0], time.perf_counter() - started)

        return counting

    def route(self) -> Route:
        """Return where the numbers are read."""

        def answer(_: Request) -> Response:
            return PlainTextResponse(written(self._samples()), media_type=TYPE)

        return Route(PLACE, answer)

    def _count(self, place: str, state: int, seconds: float) -> None:
        self._answers[place, state] += 1
        self._seconds[place] += seconds  # type: ignore[assignment]  # a Counter adds any numbers
        for most in BUCKETS:
            if seconds <= most:
                self._buckets[place, most] += 1

    def _samples(self) -> Iterator[Sample]:
        yield from _project(self._served)
        places = Counter[str]()
        for (place, state), count in sorted(self._answers.items()):
            yield Sample("recollect_requests_total", count, {"place": place, "state": str(state)})
            places[place] += count
        for place, count in sorted(places.items()):
            for most in BUCKETS:
                labels = {"place": place, "le": f"{most:g}"}
                yield Sample("recollect_request_seconds_bucket", self._buckets[place, most], labels)
            yield Sample("recollect_request_seconds_bucket", count, {"place": place, "le": "+Inf"})
            yield Sample("recollect_request_seconds_sum", self._seconds[place], {"place": place})
            yield Sample("recollect_request_seconds_count", count, {"place": place})
        yield Sample("process_start_time_seconds", self._began)
        yield Sample("process_cpu_seconds_total", time.process_time())
        yield Sample("process_resident_memory_bytes", resident_bytes())


def written(samples: Iterator[Sample]) -> str:
    """Return samples as Prometheus reads them."""
    lines: list[str] = []
    told: set[str] = set()
    for name, value, labels in samples:
        family = name if name in HELP else name.rpartition("_")[0]
        if family not in told:
            told.add(family)
            kind, text = HELP[family]
            lines += (f"# HELP {family} {text}", f"# TYPE {family} {kind}")
        inside = ",".join(f'{key}="{text.translate(_ESCAPED)}"' for key, text in labels.items())
        lines.append(f"{name}{{{inside}}} {value:.15g}" if inside else f"{name} {value:.15g}")
    return "\n".join(lines) + "\n"


def _project(served: Served) -> Iterator[Sample]:
    try:
        project = served.project()
        status = project.status()
    except RecollectError:
        yield Sample("recollect_up", 0)
        return
    yield Sample("recollect_up", 1)
    for sort, count in status.counts.items():
        yield Sample("recollect_items", count, {"sort": sort})
    yield Sample("recollect_generation", status.generation)
    yield Sample("recollect_pending_files", status.pending)
    started = time.perf_counter()
    try:
        total = project.memories.of("project").timeline(0, 1, {}).total
    except RecollectError:
        yield Sample("recollect_store_up", 0)
    else:
        yield Sample("recollect_store_up", 1)
        yield Sample("recollect_store_seconds", time.perf_counter() - started)
        yield Sample("recollect_memories", total)
    told = project.memories.of("project").counts()
    for name, key in _COUNTS.items():
        yield Sample(name, told.get(key, 0))


_COUNTS = {
    "recollect_queued_writes": "queued",
    "recollect_transactions_total": "transactions",
    "recollect_transactions_again_total": "again",
    "recollect_store_away_total": "away",
}


def _place(path: str) -> str:
    """Return the page of a path; whatever else was asked for is one place, so that nobody makes many."""
    first = path.strip("/").partition("/")[0]
    return "search" if not first else first if first in _PAGES else "other"
