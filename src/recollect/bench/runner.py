"""Runs one retriever over a data set: builds the index of each split, asks its questions, keeps every answer."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any

from recollect.bench import checkout, machine, metrics, retrievers
from recollect.bench.judge import as_answer, as_id, judge, same_file
from recollect.bench.notes import counted
from recollect.bench.retrievers import Make, Retriever
from recollect.bench.runs import Asked, Run, SplitCost
from recollect.bench.tokens import count_tokens, file_tokens
from recollect.bench.values import Answer, Corpus, DataSet, Memory, Question, Repository
from recollect.errors import UsageError
from recollect.types import Progress

RETRIEVED = 20
RETRIEVED_BY_KIND = {"replay": 50, "codesearch": 10}
"""A replay asks for files, and several results often lie in one; the public code search figures are for ten results,
and how many are asked for changes what some tools rank first."""
LEVELS = (0.5, 0.8, 1.0)
BUDGETS = (250, 500, 1000, 2000, 4000, 8000, 16000, 32000)
Listener = Callable[[Progress], None]


@dataclass(frozen=True, slots=True)
class Options:
    """How a run is made."""

    k: int = 0
    """How many results a retriever is asked for; 0 for what fits the kind of data."""
    repos: Path | None = None
    """The folder of the checkouts that a repository data set needs."""
    keep_texts: bool = True
    by_its_name: bool = False
    """Call the retriever as it calls itself where it has a name, rather than by its label."""
    command: str = ""
    progress: Listener | None = None


def run(label: str, make: Make, data: DataSet, options: Options | None = None) -> Run:
    """Measure a retriever on every split of a data set; without a label it is called as it calls itself."""
    options = options or Options()
    options = replace(options, k=options.k or RETRIEVED_BY_KIND.get(data.kind, RETRIEVED))
    # Checkouts are looked for before anything is built, so that a missing one costs no time.
    places = checkout.find_checkouts(data, options.repos) if data.repositories else {}
    machine.forget_peak()
    asked: list[Asked] = []
    costs: list[SplitCost] = []
    for split in data.splits:
        with tempfile.TemporaryDirectory(prefix="recollect-bench-") as scratch:
            corpus = _corpus(data, split, places, Path(scratch))
            questions = [question for question in data.questions if question.split == split]
            retriever = make()
            if options.by_its_name or not label:
                label = retrievers.name_of(retriever, label)
            told = _Told(options, len(asked), data)
            some, cost = _run_split(retriever, data.kind, corpus, questions, told)
        asked += some
        costs.append(replace(cost, name=split))
    return _summary(label, data, asked, costs, options)


@dataclass(frozen=True, slots=True)
class _Told:
    """What a split needs to know to ask and to say how far it has come."""

    options: Options
    before: int
    data: DataSet

    def tell(self, done: int, detail: str) -> None:
        if self.options.progress:
            self.options.progress(Progress("Asking", self.before + done, len(self.data.questions), detail))


def _corpus(data: DataSet, split: str, places: dict[str, Path], scratch: Path) -> Corpus:
    if data.memories:
        return list(data.memories[split])
    return checkout.lay_out(places[split], data.repositories[split], scratch)


def _run_split(
    retriever: Retriever, kind: str, corpus: Corpus, questions: Sequence[Question], told: _Told
) -> tuple[list[Asked], SplitCost]:
    try:
        told.tell(0, f"index of {corpus.name if isinstance(corpus, Repository) else 'memories'}")
        started, cpu = time.perf_counter(), machine.cpu_seconds()
        build = getattr(retriever, "build_index", None)
        if build is not None:
            build(corpus)
        took = (time.perf_counter() - started, machine.cpu_seconds() - cpu)
        if questions:
            _retrieve(retriever, questions[0].text, told.options.k)
        reader = _TokenCounter(corpus)
        asked = []
        for number, question in enumerate(questions, start=1):
            asked.append(_ask(retriever, kind, question, told.options, reader))
            told.tell(number, question.split)
        # A note of a retriever may quote the question that it is about.
        said = counted(getattr(retriever, "notes", ())) if told.options.keep_texts else {}
        notes = {**_missing(corpus, questions, kind), **said}
        return asked, replace(_cost(retriever, corpus, took, asked), notes=notes)
    finally:
        close = getattr(retriever, "close", None)
        if close is not None:
            close()


def _ask(
    retriever: Retriever, kind: str, question: Question, options: Options, reader: _TokenCounter
) -> Asked:
    started, cpu = time.perf_counter(), machine.cpu_seconds()
    found = _retrieve(retriever, question.text, options.k)
    milliseconds, cpu_milliseconds = (
        (time.perf_counter() - started) * 1000,
        (machine.cpu_seconds() - cpu) * 1000,
    )
    results: list[Any] = (
        list(dict.fromkeys(map(as_id, found))) if kind == "memory" else [as_answer(one) for one in found]
    )
    judged = judge(kind, results, question)
    tokens = reader.costs(kind, results)
    return Asked(
        id=question.id,
        stratum=question.stratum,
        split=question.split,
        results=tuple(result if kind == "memory" else _plain(result) for result in results[: options.k]),
        metrics=metrics.measure(judged),
        milliseconds=round(milliseconds, 4),
        tokens_to_recall=metrics.tokens_to_recall(judged.hits, tokens, judged.targets, LEVELS),
        recall_within=metrics.recall_within(judged.hits, tokens, judged.targets, BUDGETS),
        text=question.text if options.keep_texts else "",
        cpu_milliseconds=round(cpu_milliseconds, 4),
    )


def _retrieve(retriever: Retriever, query: str, k: int) -> list[Any]:
    found = retriever.retrieve(query, k)
    if isinstance(found, str | bytes | Mapping) or not isinstance(found, Iterable):
        raise UsageError(
            f"A retriever must return a list, best first, but {retrievers.name_of(retriever, '')} returned "
            f"{type(found).__name__}."
        )
    return list(found) if getattr(retriever, "unlimited", False) else list(islice(found, k))


def _plain(answer: Answer) -> dict[str, Any]:
    return {key: value for key, value in asdict(answer).items() if value not in ("", None, 0)}


class _TokenCounter:
    """Counts what reading a result costs."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus
        self._memories = {} if isinstance(corpus, Repository) else {one.id: one for one in corpus}

    def costs(self, kind: str, results: Sequence[Any]) -> list[int]:
        """Return the cost of each result, or for a replay of each new file with what was read on the way to it."""
        tokens = [self.count(result) for result in results]
        if kind != "replay":
            return tokens
        seen: set[str] = set()
        costs: list[int] = []
        waiting = 0
        for result, cost in zip(results, tokens, strict=True):
            waiting += cost
            if result.path not in seen:
                seen.add(result.path)
                costs.append(waiting)
                waiting = 0
        return costs

    def count(self, result: Any) -> int:
        """Return the cost of one result."""
        if isinstance(result, Answer):
            folder = self._corpus.folder if isinstance(self._corpus, Repository) else None
            return result.tokens or (file_tokens(folder, result) if folder else 0)
        memory = self._memories.get(result)
        return count_tokens(memory.content) if isinstance(memory, Memory) else 0


def _missing(corpus: Corpus, questions: Sequence[Question], kind: str) -> dict[str, int]:
    if not isinstance(corpus, Repository):
        return {}
    count = checkout.missing_targets(corpus, questions, same_file(kind))
    return (
        {"A file that is asked for is not in the repository, so nobody can find it.": count} if count else {}
    )


def _cost(
    retriever: Retriever, corpus: Corpus, took: tuple[float, float], asked: Sequence[Asked]
) -> SplitCost:
    size = getattr(retriever, "index_size_bytes", None)
    times = [one.milliseconds for one in asked]
    documents, content = _extent(corpus)
    return SplitCost(
        name="",
        documents=documents,
        bytes=content,
        build_seconds=round(took[0], 4),
        build_cpu_seconds=round(took[1], 4),
        index_bytes=size() if size is not None else None,
        p50_ms=round(metrics.percentile(times, 50), 3),
        p95_ms=round(metrics.percentile(times, 95), 3),
        metrics=metrics.mean([one.metrics for one in asked]),
    )


def _extent(corpus: Corpus) -> tuple[int, int]:
    if isinstance(corpus, Repository):
        files = checkout.files_of(corpus)
        return len(files), sum((corpus.folder / file).stat().st_size for file in files)
    return len(corpus), sum(len(one.content.encode("utf-8")) for one in corpus)


def _times(milliseconds: Sequence[float]) -> dict[str, float]:
    return {
        "p50": round(metrics.percentile(milliseconds, 50), 3),
        "p95": round(metrics.percentile(milliseconds, 95), 3),
        "mean": round(sum(milliseconds) / len(milliseconds), 3) if milliseconds else 0.0,
        "max": round(max(milliseconds, default=0.0), 3),
    }


def _summary(
    label: str, data: DataSet, asked: Sequence[Asked], costs: Sequence[SplitCost], options: Options
) -> Run:
    times = [one.milliseconds for one in asked]
    cpu = [one.cpu_milliseconds for one in asked]
    sizes = [cost.index_bytes for cost in costs]
    known = [size for size in sizes if size is not None]
    return Run(
        retriever=label,
        data=data.name,
        kind=data.kind,
        digest=data.digest,
        k=options.k,
        metrics=metrics.mean([one.metrics for one in asked]),
        strata={
            name: {"n": len(rows), **metrics.mean(rows)}
            for name in data.strata
            if (rows := [one.metrics for one in asked if one.stratum == name])
        },
        latency_ms=_times(times),
        cpu_ms=_times(cpu),
        build_cpu_seconds=round(sum(cost.build_cpu_seconds for cost in costs), 4),
        build_seconds=round(sum(cost.build_seconds for cost in costs), 4),
        index_bytes=sum(known) if len(known) == len(sizes) else None,
        rss_bytes=machine.peak_memory(),
        splits=tuple(costs),
        questions=tuple(asked),
        command=options.command,
        version=machine.recollect_version(),
        revision=machine.revision(Path(__file__).parents[1]),
        machine=machine.describe(),
        made=datetime.now(UTC).isoformat(timespec="seconds"),
    )
