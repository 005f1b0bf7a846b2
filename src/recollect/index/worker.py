"""A process that turns files into rows; it ends when the process that started it does."""

from __future__ import annotations

import gc
import os
import sys
from pathlib import Path
from typing import IO

from recollect.index.frames import READY, receive, send
from recollect.index.lazy import LazyFacts
from recollect.index.work import Workshop, decode_batch, decode_setup, encode_reply

_BATCHES_PER_COLLECTION = 16


def main() -> None:
    """Answer batches from standard input until it closes."""
    source = sys.stdin.buffer
    # A stray print in a library must never end up between two messages.
    target = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    first = receive(source)
    if first is None:
        return
    setup = decode_setup(first)
    workshop = Workshop(setup, LazyFacts(Path(setup.parsed_db)))
    try:
        _answer(workshop, source, target)
    except BrokenPipeError:
        # Whoever asked is gone, perhaps killed: there is nobody left to tell, and nothing that a next run would miss.
        os._exit(0)
    workshop.close()


def _answer(workshop: Workshop, source: IO[bytes], target: IO[bytes]) -> None:
    send(target, READY)
    # What a batch makes is freed by counting references; looking for cycles each time costs a tenth of the work.
    gc.freeze()
    gc.disable()
    batches = 0
    while (message := receive(source)) is not None:
        batches += 1
        if batches % _BATCHES_PER_COLLECTION == 0:
            gc.collect()
        for reply in workshop.answer(decode_batch(message)):
            send(target, encode_reply(reply))
