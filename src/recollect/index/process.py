"""A worker process and the pipe to it; one that is silent for too long over a file is ended."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import threading
from collections.abc import Sequence
from typing import IO, NamedTuple

from recollect.errors import RecollectError
from recollect.index.frames import READY, receive, send
from recollect.index.task import Setup, Task
from recollect.index.work import Prepared, decode_reply, encode_batch, encode_setup

SECONDS_PER_FILE = 10.0
"""How long one file may take; error recovery on what is no code could go on for minutes."""
SECONDS_PER_MEGABYTE = 10.0
"""What a large file may take on top."""
STOPPED = "stopped the parser"
TOO_LONG = "took too long to parse"
_NO_START = (
    f"A process that reads files could not be started with {sys.executable}; "
    "run 'python -m recollect doctor' with that Python, and reinstall recollect when it fails."
)
_START = (
    "import json, sys; sys.path[:0] = [p for p in json.loads(sys.argv[1]) if p not in sys.path]; "
    "from recollect.index.worker import main; main()"
)


class Answer(NamedTuple):
    """What a worker made of the first files of a batch, and why it went no further."""

    files: list[Prepared]
    failure: str = ""
    """Empty when the whole batch was answered."""


class Worker:
    """One process, started when it is first needed and again after it was ended."""

    def __init__(self, setup: Setup) -> None:
        self._setup = encode_setup(setup)
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int:
        """The process that runs, 0 when there is none."""
        return self._process.pid if self._process else 0

    def ask(self, batch: Sequence[Task]) -> Answer:
        """Return what the worker made of the batch, up to the file that it died of or took too long over."""
        process = self._process or self._start()
        limit = SECONDS_PER_FILE + SECONDS_PER_MEGABYTE * max(task.size for task in batch) / 1e6
        files: list[Prepared] = []
        failure = self._exchange(process, encode_batch(batch), limit, files)
        if failure:
            self.end(kill=True)
        return Answer(files, failure)

    def _exchange(
        self, process: subprocess.Popen[bytes], message: bytes, limit: float, files: list[Prepared]
    ) -> str:
        if process.stdin is None or process.stdout is None:
            return STOPPED
        try:
            send(process.stdin, message)
            while True:
                answer, late = _receive_within(process, process.stdout, limit)
                if answer is None:
                    return TOO_LONG if late else STOPPED
                reply = decode_reply(answer)
                files += reply.files
                if not reply.more:
                    return ""
        except OSError:
            return STOPPED

    def end(self, kill: bool = False) -> None:
        """Let the process go, at once when it must not be waited for."""
        process, self._process = self._process, None
        if process is None:
            return
        if kill:
            process.kill()
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()
        process.wait()

    def _start(self) -> subprocess.Popen[bytes]:
        self._process = subprocess.Popen(
            [sys.executable, "-c", _START, json.dumps([part for part in sys.path if part])],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            # Ctrl-C is for the process that was started by hand; it ends its workers itself.
            process_group=0,
        )
        if self._process.stdin is None or self._process.stdout is None:
            raise RecollectError(_NO_START)
        try:
            send(self._process.stdin, self._setup)
            ready = receive(self._process.stdout)
        except OSError:
            ready = None
        if ready != READY:
            self.end(kill=True)
            raise RecollectError(_NO_START)
        return self._process


def _receive_within(
    process: subprocess.Popen[bytes], stream: IO[bytes], limit: float
) -> tuple[bytes | None, bool]:
    """Return the next message and whether the process was ended because it took too long."""
    late = threading.Event()

    def stop() -> None:
        late.set()
        process.kill()

    timer = threading.Timer(limit, stop)
    timer.daemon = True
    timer.start()
    try:
        return receive(stream), late.is_set()
    finally:
        timer.cancel()
