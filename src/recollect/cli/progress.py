"""A progress bar on stderr, for work that takes longer than a second and a person who watches."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING, Self

from recollect.types import Progress

if TYPE_CHECKING:
    from rich.progress import Progress as Bars
    from rich.progress import TaskID

PATIENCE = 1.0


class ProgressBar:
    """Call it with each Progress; it shows itself only on a terminal and only after a second."""

    def __init__(self) -> None:
        self._started = time.monotonic()
        self._watched = sys.stderr.isatty()
        self._bars: Bars | None = None
        self._tasks: dict[str, TaskID] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bars is not None:
            self._bars.stop()

    def __call__(self, progress: Progress) -> None:
        """Show how far the work has come."""
        if not self._watched or time.monotonic() - self._started < PATIENCE:
            return
        bars = self._bars or self._open()
        if progress.stage not in self._tasks:
            self._tasks[progress.stage] = bars.add_task(progress.stage, total=None)
        bars.update(self._tasks[progress.stage], completed=progress.done, total=progress.total or None)

    def _open(self) -> Bars:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
        from rich.progress import Progress as Bars

        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
        self._bars = Bars(*columns, console=Console(stderr=True), transient=True)
        self._bars.start()
        return self._bars
