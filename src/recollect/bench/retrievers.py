"""What a retriever is, and how the command line names one: an alias, `module:Class` or `module:function`."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol, cast

from recollect.bench.values import Corpus
from recollect.errors import UsageError


class NotInstalledError(UsageError):
    """The tool that a retriever runs is not on this machine; beside other retrievers it is skipped."""


class Retriever(Protocol):
    """One method; `build_index(corpus)`, `index_size_bytes()`, `close()` and `name` are used when they are there."""

    def retrieve(self, query: str, k: int) -> Any:
        """Return up to k results, best first: ids of memories, or Answers for code."""
        ...


Make = Callable[[], Retriever]
"""Makes a fresh retriever for one split."""

ALIASES: Mapping[str, str] = {
    "recollect": "recollect.bench.shipped:make",
    "grep": "recollect.bench.baselines.grep:Grep",
    "grep_tuned": "recollect.bench.baselines.grep:TunedGrep",
    "substring": "recollect.bench.baselines.grep:Grep",
    "fts5": "recollect.bench.baselines.fulltext:FtsOr",
    "fts5_importance": "recollect.bench.baselines.fulltext:FtsImportance",
    "fts_or": "recollect.bench.baselines.fulltext:FtsOr",
    "fts_production": "recollect.bench.baselines.fulltext:FtsProduction",
    "bm25": "recollect.bench.baselines.fulltext:StemmedBm25",
    "bm25_best_chunk": "recollect.bench.baselines.fulltext:BestChunk",
    "rrf": "recollect.bench.baselines.combined:make",
    "full_context": "recollect.bench.baselines.combined:FullContext",
    "dense": "recollect.bench.baselines.dense:make",
}

WITH_OPTION = ("recollect", "dense", "rrf")
"""These take what stands behind the colon: a profile, an embedder."""


class _Callable:
    """A bare function as a retriever; it is told the split when it asks for one."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function
        self.called: str = getattr(function, "__name__", type(function).__name__)
        self._knows_split = "split" in inspect.signature(function).parameters
        self._split = ""

    def build_index(self, corpus: Corpus) -> None:
        self._split = corpus[0].split if isinstance(corpus, list | tuple) else getattr(corpus, "split", "")

    def retrieve(self, query: str, k: int) -> Any:
        return self._function(query, k, split=self._split) if self._knows_split else self._function(query, k)


def resolve(spec: str) -> tuple[str, Make]:
    """Return the label and the maker of a retriever named on the command line."""
    alias, _, option = spec.partition(":")
    if alias in ALIASES:
        made = _load(ALIASES[alias], spec)
        if option and alias not in WITH_OPTION:
            raise UsageError(
                f"The retriever {alias} takes no option, so {spec!r} means nothing; say {alias}."
            )
        return spec, (lambda: made(option)) if alias in WITH_OPTION else made
    if ":" not in spec:
        raise UsageError(
            f"There is no retriever {spec!r}; say one of {', '.join(ALIASES)}, recollect:PROFILE, or module:Class."
        )
    return spec, wrap(_load(spec, spec))


def is_foreign(spec: str) -> bool:
    """Tell whether a retriever named on the command line is the user's own."""
    return spec.partition(":")[0] not in ALIASES


def name_of(retriever: Retriever, label: str) -> str:
    """Return what a retriever calls itself, or else its label, or else what its class or function is called."""
    name = getattr(retriever, "name", None)
    called = retriever.called if isinstance(retriever, _Callable) else type(retriever).__name__
    return name if isinstance(name, str) and name else label or called


def wrap(thing: Any) -> Make:
    """Return a maker for a class, an object with `retrieve`, or a bare callable."""
    if inspect.isclass(thing) and hasattr(thing, "retrieve"):
        return cast("Make", thing)
    if inspect.isclass(thing):
        if "__call__" in dir(thing):
            made = cast("Callable[[], Callable[..., Any]]", thing)
            return lambda: _Callable(made())
        raise UsageError(
            f"The class {thing.__qualname__} is no retriever: it has no method retrieve(query, k)."
        )
    if callable(getattr(thing, "retrieve", None)):
        retriever: Retriever = thing
        return lambda: retriever
    if callable(thing):
        return lambda: _Callable(thing)
    raise UsageError(f"{thing!r} is no retriever: it has no method retrieve(query, k) and cannot be called.")


def _load(place: str, spec: str) -> Any:
    module, _, name = place.partition(":")
    try:
        with _current_folder_first():
            found = import_module(module)
    except ImportError as error:
        raise UsageError(
            f"The retriever {spec!r} cannot be loaded ({error}); check the name of its module."
        ) from error
    if not hasattr(found, name):
        raise UsageError(f"The module {module} has no {name!r}, which {spec!r} asks for.")
    return getattr(found, name)


@contextmanager
def _current_folder_first() -> Iterator[None]:
    """Let `module:Class` find a module in the current folder, as `python -m` does."""
    here = str(Path.cwd())
    sys.path.insert(0, here)
    try:
        yield
    finally:
        sys.path.remove(here)
