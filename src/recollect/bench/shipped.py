"""The shipped engine as a retriever: what a user calls, never a copy of its pipeline."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from recollect import engine
from recollect.bench.notes import shape
from recollect.bench.values import Answer, Corpus, Memory, Repository
from recollect.errors import UsageError
from recollect.types import SYMBOL_KINDS, Hit, Hits

STATE = ".recollect"
CORPUS = "corpus.jsonl"
PROFILES = "profiles"
_SYMBOLS = frozenset(SYMBOL_KINDS)


def make(option: str = "") -> Shipped:
    """Return the engine with its defaults, or with a profile and overrides as in `code,channel.chunks.limit=200`."""
    named = [part for part in option.split(",") if part and "=" not in part]
    if len(named) > 1:
        raise UsageError(
            f"recollect:{option} names {len(named)} profiles; say one, then KEY=VALUE after commas."
        )
    given = (part.partition("=") for part in option.split(",") if "=" in part)
    return Shipped("".join(named), {name: plain_value(value) for name, _, value in given})


def own_profiles() -> tuple[Path, ...]:
    """Return the folder of the profiles of the project around the current folder, where it has any."""
    here = Path.cwd()
    places = (top / STATE / PROFILES for top in (here, *here.parents))
    return tuple(place for place in places if place.is_dir())[:1]


def plain_value(text: str) -> Any:
    """Return a value of a command line: JSON where it is, else text."""
    try:
        return json.loads(text)
    except ValueError:
        return text


class Shipped:
    """Indexes with `open` and `index`, answers code with `search` and memories with `recall`."""

    def __init__(self, profile: str = "", overrides: Mapping[str, Any] | None = None) -> None:
        self.name = f"recollect:{profile}" if profile else "recollect"
        self.notes: Counter[str] = Counter()
        self._overrides = {**({"profile": profile} if profile else {}), **(overrides or {})}
        self._engine: Any = None
        self._folder: Path | None = None
        self._scratch: Path | None = None
        self._ids: dict[str, list[int]] = {}
        self._told: set[tuple[str, str]] = set()
        self._remembers = False
        self._read_history = False

    def build_index(self, corpus: Corpus) -> None:
        """Index a repository, or remember every memory."""
        if isinstance(corpus, Repository):
            self._folder = corpus.folder
            self._lend_profiles()
            self._engine = engine.open(corpus.folder)
            # What was left out of the index is part of the result: a crash over a file must not look like bad ranking.
            report = self._engine.index()
            self.notes.update({f"A file was left out: {why}.": n for why, n in report.skipped.items()})
            self.notes.update(map(shape, report.notes))
            return
        self._scratch = self._folder = Path(tempfile.mkdtemp(prefix="recollect-bench-memory-"))
        self._lend_profiles()
        self._engine = engine.open(self._folder)
        self._remembers = True
        self._remember(corpus)
        # Where an embedder is configured, questions meet all vectors, as they do in a store that has been used.
        self._engine.embed()

    def retrieve(self, query: str, k: int) -> list[Any]:
        """Return places for code, ids for memories."""
        return self.ask(query, k, {})

    def ask(self, query: str, k: int, settings: Mapping[str, Any]) -> list[Any]:
        """Retrieve with some parameters of the profile overridden for this one question."""
        chosen = {**self._overrides, **settings}
        if self._remembers:
            hits = self._engine.recall(query, limit=k, **chosen)
            self._tell(query, hits)
            return [number for hit in hits.hits for number in self._ids.get(hit.id, ())]
        if not self._read_history and any("history" in key for key in chosen):
            # Only commits before the snapshot are there: a checkout of a bench knows no later ones.
            self.notes.update(map(shape, self._engine.read_history().notes))
            self._read_history = True
        hits = self._engine.search(query, limit=k, **chosen)
        self._tell(query, hits)
        return [_answer(hit) for hit in hits.hits]

    def index_size_bytes(self) -> int:
        """Return the bytes of everything that was stored."""
        if self._folder is None:
            return 0
        return sum(file.stat().st_size for file in (self._folder / STATE).rglob("*") if file.is_file())

    def close(self) -> None:
        """Close the engine and remove what memories were stored in."""
        if self._engine is not None:
            self._engine.close()
        if self._scratch is not None:
            shutil.rmtree(self._scratch, ignore_errors=True)

    def _lend_profiles(self) -> None:
        """Let what is measured know the profiles of the user's own project, when one was named."""
        if self._folder is not None and "profile" in self._overrides:
            for place in own_profiles():
                shutil.copytree(place, self._folder / STATE / PROFILES, dirs_exist_ok=True)

    def _remember(self, corpus: Sequence[Memory]) -> None:
        """Take the corpus in as `recollect import` does, with everything that it says of each memory."""
        lines = [json.dumps(memory.to_row(), ensure_ascii=False) for memory in corpus]
        items, refused = self._engine.memories.import_lines(lines, CORPUS, {})
        self.notes.update(map(shape, refused))
        # With nothing refused the items are those of the lines, one by one, and one may stand for several lines that
        # say the same; else only the line that it was made of is known.
        whole = len(items) == len(corpus)
        for at, item in enumerate(items):
            number = corpus[at].id if whole else item.metadata["metadata"]["id"]
            known = self._ids.setdefault(item.id, [])
            if number not in known:
                known.append(number)

    def _tell(self, query: str, hits: Hits) -> None:
        """Count what was said of an answer once for each question, however often it is asked."""
        new = {(query, shape(sentence)) for sentence in hits.degraded} - self._told
        self._told |= new
        self.notes.update(sentence for _, sentence in new)


def _answer(hit: Hit) -> Answer:
    """Return a hit as an answer; only symbols have a name that can meet a symbol."""
    return Answer(
        path=hit.path,
        start=hit.start_line or None,
        end=hit.end_line or None,
        name=hit.name if hit.kind in _SYMBOLS else "",
        tokens=(len(hit.text) + 3) // 4,
    )
