"""The values that one update passes around."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from recollect.config import Settings
from recollect.index.maker import maker_hash
from recollect.index.project import Project
from recollect.index.task import Choice, Setup
from recollect.ports import FactsStore, FileRecord, Store, Writer
from recollect.source.walk import Scan
from recollect.types import Progress


def rules_are_ours(rules: str | None) -> bool:
    """Tell whether an index was made by this code, whatever its settings were."""
    return rules is not None and json.loads(rules)[0] == maker_hash()


@dataclass(frozen=True, slots=True)
class Run:
    """What an update works with."""

    project: Project
    store: Store
    facts: FactsStore
    settings: Settings
    tell: Callable[[Progress], None]

    @property
    def rules(self) -> str:
        """What, apart from the files, decides what the index holds."""
        chosen = self.settings
        return json.dumps(
            [
                maker_hash(),
                chosen.max_file_bytes,
                chosen.include_vendored,
                chosen.include_generated,
                *chosen.ignore,
            ]
        )

    @property
    def setup(self) -> Setup:
        """What whoever prepares files must know."""
        chosen = self.settings
        choice = Choice(chosen.max_file_bytes, chosen.include_vendored, chosen.include_generated)
        return Setup(str(self.project.root), str(self.project.parsed_db), choice)

    def remember_rules(self, writer: Writer) -> None:
        """Keep with the index by which rules and grammars it is made."""
        from recollect.parse import grammar_version

        writer.set_meta("rules", self.rules)
        writer.set_meta("grammars", grammar_version())

    def remember(self, writer: Writer, look: Look) -> None:
        """Keep with the index what it was made from."""
        self.remember_rules(writer)
        writer.set_meta("scanned_ns", str(look.scan.started_ns))
        writer.set_meta("commit", look.commit)


@dataclass(frozen=True, slots=True)
class Look:
    """What the files are like, compared with what is indexed."""

    scan: Scan
    records: Mapping[str, FileRecord]
    folders: Mapping[str, int]
    generation: int
    complete: bool
    """Whether a whole index was published once."""
    current: bool
    """Whether it was made by the same rules."""
    commit: str
    known_commit: str

    @property
    def settled(self) -> bool:
        """Whether nothing has to be done."""
        return self.complete and self.current and self.scan.nothing_changed


@dataclass(slots=True)
class Outcome:
    """What was done so far."""

    parsed: int = 0
    reused: int = 0
    removed: int = 0
    resolved: int = 0
    changed: bool = False
    notes: list[str] = field(default_factory=list)
