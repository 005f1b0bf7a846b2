"""Makes a data set of a user's own memories in three strata; nothing of it leaves the machine."""

from __future__ import annotations

import json
import math
import random
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from itertools import combinations
from pathlib import Path
from typing import Any

from recollect.bench.baselines.fulltext import FtsOr
from recollect.bench.neighbours import Neighbours
from recollect.bench.overlap import jaccard, twins, words
from recollect.bench.values import Memory
from recollect.errors import UsageError

IGNORING = "*\n"
"""What .gitignore says in a data set of memories; it also tells that the folder was made here."""
MAX_JACCARD = 0.18
"""The seed's limit for the words that a paraphrase may share with its memory and its keywords."""
TWIN = 0.8
SEED = 4
PHRASE = (4, 8)
Writer = Callable[[str, str], str]
"""Writes a question for a text: (stratum, text) -> question, empty when it cannot."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How many questions of each stratum are wanted, and how they are written."""

    count: int = 50
    max_jaccard: float = MAX_JACCARD
    seed: int = SEED
    writer: Writer | None = None
    """A language model for paraphrases; templates without one."""
    company: Sequence[Sequence[str]] = ()
    """Words of further texts in whose company synonyms are looked for: the repository's."""


@dataclass(frozen=True, slots=True)
class Built:
    """A question with its answers, and what is known of how it was made."""

    query_id: str
    text: str
    stratum: str
    relevant_ids: tuple[int, ...]
    jaccard: float
    note: str = ""


@dataclass(frozen=True, slots=True)
class _Corpus:
    memories: Sequence[Memory]
    words: Sequence[list[str]]
    twins: Sequence[set[int]]
    holding: Counter[str] = field(default_factory=Counter)

    def rarity(self, word: str) -> float:
        return math.log((1 + len(self.memories)) / (1 + self.holding[word]))

    def telling(self, at: int, count: int, without: frozenset[str] = frozenset()) -> list[str]:
        """Return the rarest words of a memory."""
        kept = [word for word in dict.fromkeys(self.words[at]) if word not in without]
        return sorted(kept, key=lambda word: (-self.rarity(word), word))[:count]

    def answers(self, at: int) -> tuple[int, ...]:
        """Return the ids of a memory and of its twins."""
        return tuple(sorted(self.memories[one].id for one in {at, *self.twins[at]}))


def build(memories: Sequence[Memory], plan: Plan | None = None) -> list[Built]:
    """Return the questions of all strata; the same memories and seed give the same questions."""
    plan = plan or Plan()
    texts = [words(f"{one.content} {one.expanded_keywords}") for one in memories]
    holding = Counter(word for text in texts for word in set(text))
    corpus = _Corpus(memories, texts, twins([set(text) for text in texts], TWIN), holding)
    order = list(range(len(memories)))
    random.Random(plan.seed).shuffle(order)  # noqa: S311  # a fixed order, not a secret
    questions = [
        *_first(_exact(corpus, order), plan.count),
        *_first(_paraphrases(corpus, order, plan), plan.count),
        *_first(_multihops(corpus, order), plan.count),
    ]
    if not questions:
        raise UsageError(
            f"No question could be made of {len(memories)} memories; store more, or longer ones, first."
        )
    return questions


def shortfalls(questions: Sequence[Built], plan: Plan) -> list[str]:
    """Say of each kind of question that is fewer than wanted how many there are, and why."""
    made = Counter(one.stratum for one in questions)
    other = "the command's were" if plan.writer else "words that stand in for theirs were not found, or were"
    why = {
        "exact": "full text finds too few memories before all others by a phrase of theirs",
        "paraphrase": f"{other} too short or shared more than {plan.max_jaccard:g} of the words",
        "multihop": "too few memories share a rare word and have two telling words each besides",
    }
    return [
        f"Only {made[kind]} of {plan.count} {kind} questions could be made: {reason}."
        for kind, reason in why.items()
        if made[kind] < plan.count
    ]


def refuse_foreign(folder: Path) -> None:
    """Refuse a folder that holds anything and was not written here: its files would be replaced and hidden from git."""
    if folder.is_dir() and any(folder.iterdir()):
        mark = folder / ".gitignore"
        if not mark.is_file() or mark.read_bytes() != IGNORING.encode():
            raise UsageError(
                f"{folder} holds other files, which git would no longer see and which could be overwritten; "
                "name a new folder."
            )


def write(folder: Path, memories: Sequence[Memory], questions: Sequence[Built]) -> None:
    """Write the three files, and keep them out of git."""
    refuse_foreign(folder)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / ".gitignore").write_text(IGNORING, encoding="utf-8")
    # Memories of several conversations are asked together: what divides a corpus elsewhere divides nothing here.
    whole = {"split": "all"} if any("conversation" in one.extra for one in memories) else {}
    corpus = [{**one.to_row(), **whole} for one in memories]
    queries = [
        {
            **whole,
            "query_id": one.query_id,
            "text": one.text,
            "stratum": one.stratum,
            "relevant_ids": list(one.relevant_ids),
            "_note": one.note,
            "_jaccard": round(one.jaccard, 3),
        }
        for one in questions
    ]
    qrels = [{"query_id": one.query_id, "relevant_ids": list(one.relevant_ids)} for one in questions]
    for name, rows in (("corpus", corpus), ("queries", queries), ("qrels", qrels)):
        _write_lines(folder / f"{name}.jsonl", rows)


def _exact(corpus: _Corpus, order: Sequence[int]) -> Iterator[Built]:
    """Lift the rarest phrase of a memory, if full text finds that memory with it before all others."""
    index = FtsOr()
    index.build_index(list(corpus.memories))
    try:
        for at in order:
            memory = corpus.memories[at]
            answers = corpus.answers(at)
            found = (one for one in _phrases(corpus, memory.content) if _finds(index, one, answers))
            phrase = next(found, "")
            if phrase:
                share = jaccard(words(phrase), corpus.words[at])
                yield Built(f"exact_{memory.id}", phrase, "exact", answers, share, "a phrase of the memory")
    finally:
        index.close()


def _finds(index: FtsOr, phrase: str, answers: Sequence[int]) -> bool:
    return any(result in answers for result in index.retrieve(phrase, 1))


def _phrases(corpus: _Corpus, content: str) -> Iterator[str]:
    """Yield runs of whole words of a text, the rarest first, a few of them."""
    tokens = content.split()
    size = min(PHRASE[1], max(PHRASE[0], len(tokens) // 3))
    runs = [" ".join(tokens[start : start + size]) for start in range(max(1, len(tokens) - size + 1))]

    def rarity(run: str) -> float:
        return sum(corpus.rarity(word) for word in words(run))

    yield from sorted((run for run in runs if len(words(run)) >= 2), key=lambda run: (-rarity(run), run))[:5]


def _paraphrases(corpus: _Corpus, order: Sequence[int], plan: Plan) -> Iterator[Built]:
    """Say a memory in other words: a model's, or those that stand in the same company elsewhere in the corpus."""
    neighbours = None if plan.writer else Neighbours([*corpus.words, *plan.company], _vocabulary(corpus))
    for number, at in enumerate(order):
        memory = corpus.memories[at]
        own = set(corpus.words[at])
        if plan.writer:
            text = plan.writer("paraphrase", memory.content)
        else:
            text = _template("paraphrase", number, words=" ".join(_other_words(corpus, neighbours, at)))
        share = jaccard(words(text), own)
        if text and len(words(text)) >= 2 and share <= plan.max_jaccard:
            note = "written by the command" if plan.writer else "words of like company"
            yield Built(f"para_{memory.id}", text, "paraphrase", corpus.answers(at), share, note)


def _vocabulary(corpus: _Corpus) -> set[str]:
    return {word for text in corpus.words for word in text}


def _other_words(corpus: _Corpus, neighbours: Neighbours | None, at: int) -> list[str]:
    """Return words for the telling words of a memory: their neighbours, and the least telling one as an anchor."""
    own = frozenset(corpus.words[at])
    telling = corpus.telling(at, 6)
    if neighbours is None or len(telling) < 3:
        return []
    others = [neighbours.nearest(word, own) for word in telling]
    found = list(dict.fromkeys(word for word in others if word))
    return [*found[:4], telling[-1]] if len(found) >= 2 else []


def _multihops(corpus: _Corpus, order: Sequence[int]) -> Iterator[Built]:
    """Ask for two memories that share a rare word, by that word and what is telling of each."""
    holders: dict[str, list[int]] = {}
    places = {at: place for place, at in enumerate(order)}
    for at in order:
        for word in set(corpus.words[at]):
            if 2 <= corpus.holding[word] <= 4:
                holders.setdefault(word, []).append(at)
    used: set[tuple[int, int]] = set()
    for shared in sorted(holders, key=lambda word: (places[holders[word][0]], word)):
        for first, second in combinations(holders[shared], 2):
            pair = (min(first, second), max(first, second))
            if pair in used or second in corpus.twins[first]:
                continue
            text = _bridge(corpus, shared, first, second, len(used))
            if not text:
                continue
            used.add(pair)
            ids = tuple(sorted({*corpus.answers(first), *corpus.answers(second)}))
            share = jaccard(words(text), set(corpus.words[first]) | set(corpus.words[second]))
            name = f"multi_{corpus.memories[first].id}_{corpus.memories[second].id}"
            yield Built(name, text, "multihop", ids, share, f"both hold {shared!r}")
            break


def _bridge(corpus: _Corpus, shared: str, first: int, second: int, number: int) -> str:
    without = frozenset({shared})
    one = corpus.telling(first, 2, without | set(corpus.words[second]))
    other = corpus.telling(second, 2, without | set(corpus.words[first]))
    if not one or not other:
        return ""
    return _template("multihop", number, shared=shared, first=" ".join(one), second=" ".join(other))


def _template(stratum: str, number: int, **parts: str) -> str:
    if not all(parts.values()):
        return ""
    templates = _templates()[stratum]
    return templates[number % len(templates)].format(**parts)


@lru_cache(maxsize=1)
def _templates() -> dict[str, list[str]]:
    return tomllib.loads(files("recollect.bench").joinpath("build.toml").read_text(encoding="utf-8"))


def _first(questions: Iterator[Built], count: int) -> list[Built]:
    return [question for question, _ in zip(questions, range(count), strict=False)]


def _write_lines(file: Path, rows: Sequence[dict[str, Any]]) -> None:
    file.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
