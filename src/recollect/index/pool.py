"""Two or so worker processes, fed in batches by bytes; a file that a worker fails over costs no other file anything."""

from __future__ import annotations

import contextlib
import queue
import threading
from collections.abc import Iterator, Sequence
from types import TracebackType

import msgspec

from recollect.index.footprint import resident_bytes
from recollect.index.process import Worker
from recollect.index.task import LARGE_BYTES, Setup, Task
from recollect.index.work import Prepared, failed

_BATCH_BYTES = 512 * 1024
_BATCH_FILES = 200
_SMALLEST_BATCH_BYTES = 32 * 1024


class Batches:
    """Cuts the list of tasks into batches, smaller ones when memory gets tight; threads take turns."""

    def __init__(self, tasks: Sequence[Task]) -> None:
        self._tasks = tasks
        self._next = 0
        self._bytes = _BATCH_BYTES
        self._lock = threading.Lock()

    def take(self) -> Sequence[Task]:
        """Return the next batch, empty when there is none left."""
        with self._lock:
            start, size = self._next, 0
            while self._next < len(self._tasks) and self._next - start < _BATCH_FILES:
                size += self._tasks[self._next].size
                if size > self._bytes and self._next > start:
                    break
                self._next += 1
            return self._tasks[start : self._next]

    def shrink(self) -> bool:
        """Halve the batches; return whether that was still possible."""
        with self._lock:
            possible = self._bytes > _SMALLEST_BATCH_BYTES
            self._bytes = max(_SMALLEST_BATCH_BYTES, self._bytes // 2)
            return possible

    def stop(self) -> None:
        """Hand out nothing any more."""
        with self._lock:
            self._next = len(self._tasks)


class Pool:
    """Runs tasks in worker processes and yields what they made, a few batches ahead and no more."""

    def __init__(self, setup: Setup, count: int, worker_cap_bytes: int) -> None:
        self._workers = [Worker(setup) for _ in range(count)]
        self._cap = worker_cap_bytes
        self._results: queue.Queue[list[Prepared] | BaseException | None] = queue.Queue(maxsize=count)
        self._threads: list[threading.Thread] = []
        self._stopping = threading.Event()

    def __enter__(self) -> Pool:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def pids(self) -> list[int]:
        """The processes that are running."""
        return [worker.pid for worker in self._workers if worker.pid]

    def run(self, batches: Batches) -> Iterator[list[Prepared]]:
        """Yield the results of every batch, in the order in which they get ready."""
        self._threads = [
            threading.Thread(target=self._serve, args=(worker, batches), daemon=True)
            for worker in self._workers
        ]
        for thread in self._threads:
            thread.start()
        running = len(self._threads)
        while running:
            result = self._results.get()
            if result is None:
                running -= 1
            elif isinstance(result, BaseException):
                raise result
            else:
                yield result

    def close(self) -> None:
        """End every process and thread, whether or not the work is done."""
        self._stopping.set()
        for thread in self._threads:
            while thread.is_alive():
                with contextlib.suppress(queue.Empty):
                    self._results.get_nowait()
                thread.join(0.01)
        for worker in self._workers:
            worker.end(kill=True)

    def _serve(self, worker: Worker, batches: Batches) -> None:
        try:
            while not self._stopping.is_set() and (batch := batches.take()):
                self._results.put(self._ask(worker, batch))
                if worker.pid and resident_bytes(worker.pid) > self._cap:
                    worker.end()
            worker.end()
        except BaseException as error:  # noqa: BLE001  a thread's error belongs to the one who waits for it
            self._results.put(error)
        else:
            self._results.put(None)

    def _ask(self, worker: Worker, batch: Sequence[Task]) -> list[Prepared]:
        """Have a batch prepared; a file that a worker fails over is found and costs no other file anything."""
        found: list[Prepared] = []
        while batch and not self._stopping.is_set():
            answer = worker.ask(batch)
            found += answer.files
            batch = batch[len(answer.files) :]
            if answer.failure and batch:
                passed = self._pass_culprit(worker, batch, answer.failure)
                found += passed
                batch = batch[len(passed) :]
        return found

    def _pass_culprit(self, worker: Worker, batch: Sequence[Task], failure: str) -> list[Prepared]:
        """Ask file by file until the culprit is passed; a large file is always answered alone, so it is known."""
        if batch[0].size > LARGE_BYTES:
            return [_as_text(worker, batch[0], failure)]
        found: list[Prepared] = []
        for task in batch:
            if self._stopping.is_set() or task.size > LARGE_BYTES:
                break
            answer = worker.ask([task])
            if answer.failure:
                return [*found, _as_text(worker, task, answer.failure)]
            found += answer.files
        return found


def _as_text(worker: Worker, task: Task, failure: str) -> Prepared:
    """Have a file read that cannot be parsed, as text without structure; when even that fails it is only listed."""
    answer = worker.ask([msgspec.structs.replace(task, plain=failure)])
    return failed(task, failure) if answer.failure else answer.files[0]
