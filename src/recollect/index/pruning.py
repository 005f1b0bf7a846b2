"""Keeps the facts that are shared by all worktrees from growing without end."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from recollect.config import FOLDER
from recollect.errors import BusyError, StoreError
from recollect.index.identity import facts_key
from recollect.index.run import Run
from recollect.plugins import load
from recollect.ports import Reader
from recollect.source.git import repository_at

_GROWTH = 3
_SMALL_BYTES = 32 << 20
"""Below this nothing is worth pruning."""


def prune_facts(run: Run) -> int:
    """Drop facts that no worktree's index refers to, once they make up most of a large file; return how many went."""
    with run.store.reader() as reader:
        settled = int(reader.meta("facts_bytes") or 0)
    size = _size(run.project.parsed_db)
    if settled and size <= settled * _GROWTH + _SMALL_BYTES:
        return 0
    try:
        dropped = run.facts.prune(_kept(run)) if settled else 0
        with run.store.writer(0) as writer:
            writer.set_meta("facts_bytes", str(_size(run.project.parsed_db)))
    except (BusyError, StoreError):
        # Another process is at work or another index cannot be read; the next update tries again.
        return 0
    return dropped


def _kept(run: Run) -> set[bytes]:
    with run.store.reader() as reader:
        keys = set(_keys(reader))
    for root in _worktrees(run.project.shared):
        place = root / FOLDER / "index.db"
        if place != run.project.index_db and place.exists():
            other = load("stores", "sqlite").open_index(place)
            try:
                with other.reader() as reader:
                    keys.update(_keys(reader))
            finally:
                other.close()
    return keys


def _keys(reader: Reader) -> Iterator[bytes]:
    return (facts_key(record.content, record.path) for record in reader.files() if not record.skipped)


def _worktrees(main: Path) -> Iterator[Path]:
    yield main
    repository = repository_at(main)
    if repository is not None:
        for entry in sorted((repository.common_dir / "worktrees").glob("*/gitdir")):
            yield Path(entry.read_text(encoding="utf-8", errors="surrogateescape").strip()).parent


def _size(place: Path) -> int:
    return place.stat().st_size if place.exists() else 0
