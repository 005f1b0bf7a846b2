"""Finds the candidates for dead code of a repository and judges each."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from recollect.evidence.dead.judge import Facts, Seen, is_entry, judge
from recollect.evidence.dead.mentions import Mention, Mentions, find_mentions, plain
from recollect.evidence.dead.users import KINDS, Group, Key, Usage, Use, unused
from recollect.evidence.values import DeadCode
from recollect.graph.keys import last_part
from recollect.graph.tables import table
from recollect.parse import parse
from recollect.ports import FileRecord, Reader
from recollect.source.read import read_source
from recollect.store.sqlite.evidence import SqliteEvidence
from recollect.types import PLACE_KINDS, Item, Progress
from recollect.types import Seen as Ran

_HEAD_LINES = 3
"""A definition has its name within so many lines."""
_PROSE_SHOWN = 3
_DEAD = 0.5
"""From here on what a candidate uses is asked whether it lives without it."""
_ROUNDS = 20
_NAME = re.compile(r"[\w$]+[?!]?")
"""Names of other characters are operators, or put together when the program runs."""
_SAMPLES = re.compile(r"(^|/)(tests?|testdata|fixtures?|specs?|__tests__|golden|corpus)/")


@dataclass(frozen=True, slots=True)
class Digging:
    """What a search for dead code works with."""

    root: Path
    reader: Reader
    ran: Callable[[Sequence[Item]], Mapping[int, Ran]]
    tell: Callable[[Progress], None]


def find_dead(
    job: Digging, below: Sequence[str] = (), only: Collection[int] = ()
) -> tuple[list[DeadCode], int]:
    """Return the candidates, surest first, and how many symbols were looked at.

    `below` names files and folders, `only` symbols by number.
    """
    files = {row.number: row for row in job.reader.files() if not row.skipped}
    usage = Usage(job.reader, {number: row.test for number, row in files.items()})
    by_path = {row.path: row for row in files.values()}
    groups = [group for group in usage.groups.values() if _is_candidate(group, by_path)]
    wanted = {group.key for number in only if (group := usage.group_of(number)) is not None}
    search = _Search(job, usage, by_path)
    verdicts: Mapping[Key, DeadCode]
    if only:
        verdicts = dict(
            search.candidates(unused(usage, [one for one in groups if one.key in wanted], {}), {})
        )
    else:
        verdicts = _all_verdicts(usage, groups, search)
    made = [one for key, one in verdicts.items() if _below(key[0], below)]
    made.sort(key=lambda one: (-one.certainty, one.path, one.start_line, one.name))
    return made, sum(_below(group.path, below) for group in groups)


def _all_verdicts(usage: Usage, groups: Sequence[Group], search: _Search) -> Mapping[Key, DeadCode]:
    """Judge what nothing uses, then what only that uses, until nothing new is found."""
    verdicts: dict[Key, DeadCode] = {}
    dead: dict[Key, float] = {}
    for _ in range(_ROUNDS):
        found = unused(usage, groups, dead)
        new = {key: uses for key, uses in found.items() if uses != search.judged.get(key)}
        verdicts.update(search.candidates(new, dead))
        surely = {key: one.certainty for key, one in verdicts.items() if one.certainty >= _DEAD}
        if surely.keys() == dead.keys():
            break
        dead = surely
    return verdicts


def notes_of(evidence: SqliteEvidence, any_found: bool) -> list[str]:
    """Say which evidence would make the candidates surer."""
    notes = []
    if any_found and not evidence.resolved_files():
        notes.append(
            "No language server was asked; `recollect enrich` proves or refutes uses that are only possible."
        )
    if any_found and not evidence.run_counts()[0]:
        notes.append("No runs are known; `recollect observe` of a coverage report shows what lives.")
    return notes


def _below(path: str, folders: Sequence[str]) -> bool:
    return not folders or any(
        folder in {"", "."} or path == folder or path.startswith(f"{folder}/") for folder in folders
    )


def _is_candidate(group: Group, files: Mapping[str, FileRecord]) -> bool:
    file = files.get(group.path)
    if file is None or file.test or file.generated or _SAMPLES.search(group.path):
        return False
    if group.entered or is_entry(group) or not _NAME.fullmatch(last_part(group.name)):
        return False
    return group.first.kind in KINDS and not any(one.test for one in group.definitions)


class _Search:
    """Judges candidates, with what the text of the repository says of their names."""

    def __init__(self, job: Digging, usage: Usage, files: Mapping[str, FileRecord]) -> None:
        self._job, self._usage, self._files = job, usage, files
        self._mentions: Mentions | None = None
        self._proven = usage.proven_names()
        self._items: dict[str, Sequence[Item]] = {}
        self._lines: dict[str, Mapping[int, Sequence[Item]]] = {}
        self._decorators: dict[str, Mapping[str, tuple[str, ...]]] = {}
        self.judged: dict[Key, list[Use]] = {}

    def candidates(
        self, found: Mapping[Key, list[Use]], dead: Mapping[Key, float]
    ) -> Iterator[tuple[Key, DeadCode]]:
        """Judge what no living code is proven to use; what was seen running lives."""
        self.judged.update(found)
        for key, possible in found.items():
            group = self._usage.groups[key]
            items = [
                item for item in self._items_of(group.path) if item.name == group.name and item.kind in KINDS
            ]
            if not items or self._job.ran(items):
                continue
            verdict = judge(group, possible, self._facts(group, items, dead))
            item = items[0]
            yield key, DeadCode(
                item.id, item.kind, item.name, item.path, item.start_line, item.end_line,
                verdict.certainty, verdict.reasons,
            )  # fmt: skip

    def _facts(self, group: Group, items: Sequence[Item], dead: Mapping[Key, float]) -> Facts:
        users = {
            mine.key: dead[mine.key]
            for use in group.uses
            if not self._usage.test(use.source) and (mine := self._usage.holder(use, dead)) is not None
        }
        decorators = self._decorators_of(group)
        words = {last_part(name.strip("@")) for name in decorators}.union(
            *(item.signature.split() for item in items)
        )
        return Facts(
            self._seen(group, items, dead),
            decorators,
            self._usage.by_name[last_part(group.name)],
            last_part(group.name) in self._usage.promised,
            bool(words & {"Override", "override"}),
            self._handed(items[0]),
            any(self._usage.test(use.source) for use in group.uses),
            self._covered(group.path),
            tuple(sorted(name for _, name in users)),
            min(users.values(), default=1.0),
        )

    def _read(self, names: Collection[str]) -> Mentions:
        done = 0

        def tell(path: str) -> None:
            nonlocal done
            done += 1
            self._job.tell(Progress("Reading names", done, len(self._files), path))

        return find_mentions(self._job.root, self._files.values(), names, tell)

    def _seen(self, group: Group, items: Sequence[Item], dead: Container[Key]) -> Seen:
        """Count the lines that name it and that nothing explains."""
        name = last_part(group.name)
        counts: dict[str, int] = defaultdict(int)
        told: dict[str, None] = {}
        if self._mentions is None:
            self._mentions = self._read({last_part(known) for _, known in self.judged})
        for mention in self._mentions.places.get(plain(name), ()):
            if mention.path == group.path and any(
                item.start_line <= mention.line <= item.end_line for item in items
            ):
                continue
            file = self._files[mention.path]
            if file.language not in table("languages"):
                told.setdefault(file.path)
            elif self._explained(group, name, mention, dead):
                continue
            elif file.test:
                counts["test"] += 1
            else:
                counts["same" if mention.path == group.path else "other"] += 1
        documents = tuple(path for path in told if not _is_history(path))[:_PROSE_SHOWN]
        return Seen(
            counts["same"], counts["other"], counts["test"], documents, plain(name) in self._mentions.often
        )

    def _explained(self, group: Group, name: str, mention: Mention, dead: Container[Key]) -> bool:
        """Say whether a line defines something of that name, is dead itself, or is proven to mean another one."""
        target = f"{group.path}:{group.name}"
        around = self._around(mention)
        for item in around:
            defined = last_part(item.name) == name and mention.line < item.start_line + _HEAD_LINES
            if defined and mention.times == 1:
                return True
            if (item.path, item.name) in dead and item.kind in KINDS:
                return True
            meant = self._proven.get(item.number, {}).get(name)
            if meant and target not in meant:
                return True
        return False

    def _items_of(self, path: str) -> Sequence[Item]:
        if path not in self._items:
            self._items[path] = self._job.reader.items_of(path)
        return self._items[path]

    def _around(self, mention: Mention) -> Sequence[Item]:
        """Return the symbols that a line lies in."""
        if mention.path not in self._lines:
            lines: dict[int, list[Item]] = defaultdict(list)
            for item in self._items_of(mention.path):
                if item.kind not in PLACE_KINDS:
                    for line in range(item.start_line, item.end_line + 1):
                        lines[line].append(item)
            self._lines[mention.path] = lines
        return self._lines[mention.path].get(mention.line, ())

    def _covered(self, path: str) -> bool:
        file = [item for item in self._items_of(path) if item.kind == "file"]
        return bool(file and self._job.ran(file))

    def _handed(self, item: Item) -> bool:
        """Say whether a function is written as an argument or a value, so that whoever takes it has it."""
        text = read_source(self._job.root, item.path).text
        before = text[text.rfind(b"\n", 0, item.start_byte) + 1 : item.start_byte].strip()
        return before.endswith((b"(", b",", b"=", b":", b"[", b"?", b"|", b"&", b"return"))

    def _decorators_of(self, group: Group) -> tuple[str, ...]:
        if group.path not in self._decorators:
            source = read_source(self._job.root, group.path)
            facts = parse(group.path, self._files[group.path].language, source.text)
            found: dict[str, tuple[str, ...]] = {}
            for symbol in facts.symbols:
                found[symbol.qualified] = (*found.get(symbol.qualified, ()), *symbol.decorators)
            self._decorators[group.path] = found
        return self._decorators[group.path].get(group.name, ())


def _is_history(path: str) -> bool:
    """Say whether a document tells what was rather than what is."""
    return PurePosixPath(path).stem.lower() in {"changelog", "changes", "history", "news", "releases"}
