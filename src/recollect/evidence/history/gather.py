"""Takes in the commits that are not known yet, then counts anew; runs beside the questions, never inside one."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from recollect.evidence.history import together
from recollect.evidence.history.follow import Followed, Span, Ways, follow, pack_hunks
from recollect.evidence.values import HistoryReport
from recollect.source import commits as git_commits
from recollect.source.git import Repository, find_repository, head
from recollect.store.past import ChangeRow, CommitRow, PastState, short_blob
from recollect.store.sqlite.past import Past
from recollect.types import Item, Progress

MOST_COMMITS = 20_000
"""Older commits say little of today's code; this bounds time and disk."""
_KEPT = 3
"""Commits of other branches and of rewritten history are kept until there are so many times more than count."""
_AT_ONCE = 250
_FILES_AT_ONCE = 50
_PLACES = frozenset({"file", "chunk"})


@dataclass(slots=True)
class Job:
    """What a run works with."""

    root: Path
    past: Past
    items_of: Callable[[str], Sequence[Item]]
    patterns: tuple[str, ...]
    """Files whose lines are followed, as git's path patterns."""
    tell: Callable[[Progress], None] = lambda _: None
    until: float = float("inf")
    """When to stop, on the monotonic clock."""
    most: int = MOST_COMMITS
    notes: list[str] = field(default_factory=list)

    @property
    def late(self) -> bool:
        """Tell whether the time is up."""
        return time.monotonic() >= self.until


class _Line(NamedTuple):
    """The commits that lead to what is checked out, newest first."""

    head: str
    ids: tuple[str, ...]
    cut: frozenset[str]
    """Commits whose parents a shallow clone does not have."""
    longer: bool
    prefix: str


def gather(job: Job) -> HistoryReport:
    """Bring what is known of the history in step with the commit that is checked out; what is known stays."""
    started = time.monotonic()
    repository = find_repository(job.root)
    commit = head(repository).commit if repository else ""
    if repository is None or not commit:
        why = "is no git repository" if repository is None else "has no commit yet"
        note = f"{job.root} {why}, so nothing is known of its history."
        return HistoryReport("", 0, 0, 0, 0, 0, 0, 0, time.monotonic() - started, (note,))
    line = _line(job, repository, commit)
    blobs = not git_commits.lacks_blobs(job.root)
    taken = _take_commits(job, line, blobs)
    followed = _take_lines(job, line) if blobs else 0
    _say_what_is_missing(job, line, blobs)
    files, symbols, pairs = _count(job, line, news=bool(taken or followed))
    state = _state(job, line, files)
    return HistoryReport(
        commit, taken, state.commits, followed, state.followed, files[0], symbols, pairs,
        time.monotonic() - started, tuple(job.notes),
    )  # fmt: skip


def _line(job: Job, repository: Repository, commit: str) -> _Line:
    found = git_commits.reachable(job.root, commit, job.most + 1)
    folder = job.root.resolve().relative_to(repository.root).as_posix()
    prefix = "" if folder == "." else f"{folder}/"
    ids = tuple(one for one, _ in found[: job.most])
    return _Line(commit, ids, git_commits.cut_off(repository), len(found) > job.most, prefix)


def _take_commits(job: Job, line: _Line, renames: bool) -> int:
    known = job.past.numbers()
    # What a shallow clone begins with looks as if it had added everything; it is read once its parents are there.
    new = [one for one in line.ids if one not in known and one not in line.cut]
    done = 0
    for batch in _batches(new, _AT_ONCE):
        if job.late:
            break
        job.past.put_commits(map(_row, git_commits.commits(job.root, line.prefix, batch, renames)))
        done += len(batch)
        job.tell(Progress("Reading commits", done, len(new), batch[-1][:10]))
    return done


def _row(one: git_commits.Commit) -> CommitRow:
    changes = tuple(
        ChangeRow(change.path, change.before, short_blob(change.old), short_blob(change.new), change.parent)
        for change in one.changes
        if _storable(change.path) and _storable(change.before)
    )
    name, email = (text.encode("utf-8", "replace").decode() for text in (one.name, one.email))
    return CommitRow(one.id, one.time, name, email, one.parents, one.files, changes)


def _storable(text: str) -> bool:
    """Tell whether a path is UTF-8, as everything that is indexed."""
    return not any("\ud800" <= char <= "\udfff" for char in text)


def _take_lines(job: Job, line: _Line) -> int:
    known = job.past.numbers()
    new = [one for one in line.ids if one in known and not known[one][1]]
    done = 0
    for batch in _batches(new, _AT_ONCE):
        if job.late or not job.patterns:
            break
        rows = git_commits.hunks(job.root, batch, job.patterns)
        packed = ((short_blob(old), short_blob(now), pack_hunks(found)) for old, now, found in rows)
        job.past.put_lines(batch, list(packed))
        done += len(batch)
        job.tell(Progress("Reading changes", done, len(new), batch[-1][:10]))
    return done


def _say_what_is_missing(job: Job, line: _Line, blobs: bool) -> None:
    if line.cut:
        job.notes.append(
            "This is a shallow clone: what was changed before it begins is not known; git fetch --unshallow gets it."
        )
    if line.longer:
        job.notes.append(f"Only the newest {job.most:,} commits count; older ones were not read.")
    if not blobs:
        job.notes.append(
            "This is a partial clone: files are counted, but lines are not followed, which would fetch their contents."
        )
    if job.late:
        job.notes.append("The time was up; run it again to go on.")


def _count(job: Job, line: _Line, news: bool) -> tuple[tuple[int, int], int, int]:
    """Count files, symbols and pairs anew; return how many, and when the newest commit was."""
    past = job.past
    numbers = past.numbers()
    order = {numbers[one][0]: place for place, one in enumerate(line.ids) if one in numbers}
    now = git_commits.files_of(job.root, line.head)
    now = {path[len(line.prefix) :]: blob for path, blob in now.items() if path.startswith(line.prefix)}
    commits = past.commits()
    known = together.Known(
        order, commits, past.people(), {number: path for path, number in past.paths().items()}
    )
    changes = list(past.changes())
    files = together.files(known, changes, now)
    past.put_files(files)
    pairs = together.file_pairs(known, changes, now)
    past.put_pairs("together", pairs)
    times = {number: row[0] for number, row in commits.items()}
    followed = _follow_all(job, now, Ways(past.steps, past.lines, order, times), news)
    symbols = [one for path in now for one in past.symbols(path)]
    of_symbols = together.symbol_pairs(symbols, order)
    past.put_pairs("together_symbol", of_symbols)
    newest = max((one.latest for one in files), default=0)
    return (len(files), newest), followed, (len(pairs) + len(of_symbols)) // 2


def _follow_all(job: Job, now: dict[str, str], ways: Ways, news: bool) -> int:
    """Follow the symbols of every file whose newest commit is another one than before."""
    past, numbers = job.past, job.past.paths()
    seen = past.looked_at()
    unclean = git_commits.unclean(job.root)
    blobs = {path: short_blob(blob) for path, blob in now.items() if path in numbers and path not in unclean}
    waiting = [path for path in blobs if _stale(numbers[path], blobs[path], seen.get(path), ways, news)]
    done = found = 0
    for batch in _batches(waiting, _FILES_AT_ONCE):
        if job.late:
            job.notes.append(
                f"The symbols of {len(waiting) - done} files were not followed; run it again to go on."
            )
            break
        rows = [(path, blobs[path], _followed(job, numbers[path], blobs[path], path, ways)) for path in batch]
        past.put_symbols([(path, blob, *one) for path, blob, one in rows])
        found += sum(len(one.symbols) for *_, one in rows)
        done += len(batch)
        job.tell(Progress("Following symbols", done, len(waiting), batch[-1]))
    past.put_symbols((), gone=set(seen) - set(now))
    return found


def _followed(job: Job, number: int, blob: int, path: str, ways: Ways) -> Followed:
    spans = _spans(job.items_of(path))
    return follow(number, blob, spans, ways) if spans else Followed(_newest(number, blob, ways), True, ())


def _newest(path: int, blob: int, ways: Ways) -> int:
    """Return the newest commit that made a blob of a path, 0 when none is known."""
    makers = [step.commit for step in ways.steps(path, blob) if step.commit in ways.order]
    return min(makers, key=lambda number: ways.order[number], default=0)


def _stale(path: int, blob: int, seen: tuple[int, int, bool] | None, ways: Ways, news: bool) -> bool:
    """Tell whether a file has another past than before: another content, or the same by another commit."""
    if seen is None or seen[0] != blob:
        return True
    _, newest, whole = seen
    return (news and not whole) or newest != _newest(path, blob, ways)


def _spans(items: Iterable[Item]) -> list[Span]:
    from recollect.store.ids import uid_of

    rows = [item for item in items if item.kind not in _PLACES and item.start_line]
    rows.sort(key=lambda item: (item.start_byte, -item.end_byte))
    spans = []
    for at, item in enumerate(rows):
        holds = at + 1 < len(rows) and rows[at + 1].start_byte < item.end_byte
        spans.append(Span(uid_of(item.id), item.start_line, item.end_line, not holds))
    return spans


def _state(job: Job, line: _Line, files: tuple[int, int]) -> PastState:
    known = job.past.numbers()
    here = [known[one] for one in line.ids if one in known]
    if len(known) > _KEPT * job.most:
        job.past.prune(number for number, _ in set(known.values()) - set(here))
    state = PastState(line.head, len(here), sum(followed for _, followed in here), files[1], tuple(job.notes))
    if state != job.past.state():
        job.past.put_state(state)
    return state


def _batches(rows: Sequence[str], size: int) -> Iterable[Sequence[str]]:
    return (rows[at : at + size] for at in range(0, len(rows), size))
