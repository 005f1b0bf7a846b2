"""What each tool does: one or two calls of the engine, and the answer in the form that an agent reads."""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from recollect.engine import Recollect
from recollect.errors import NotFoundError, UsageError
from recollect.mcp import written
from recollect.retrieve.tokens import exact
from recollect.types import Hit, Item, Pack

FRAME_SHARE = 0.8
"""Of a budget, what the text is packed for; as JSON, which some clients show instead, it costs more."""
CEILING = 6000
"""Tokens that an answer without a budget of its own may cost."""
REMEMBERED = 100
"""Answers whose items are known by name and place when feedback comes."""
DEPTHS = {"callers": ("callers", 1), "impact": ("callers", 3), "callees": ("callees", 1)}
CLOSED = "This version of recollect cannot {verb} yet; the code tools work."


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer as text, and the same as values."""

    text: str
    query_id: str = ""
    items: tuple[Mapping[str, str], ...] = ()
    partial: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Return the values that the output schema describes."""
        found: dict[str, Any] = {"text": self.text, "partial": self.partial}
        if self.query_id:
            found |= {"query_id": self.query_id, "items": [dict(item) for item in self.items]}
        return found

    @property
    def tokens(self) -> int:
        """Return what the answer costs in the form that costs more."""
        return max(exact(self.text), exact(json.dumps(self.to_dict(), ensure_ascii=False)))


@dataclass(slots=True)
class Given:
    """What was answered lately, so that feedback can name items as they were shown."""

    answers: OrderedDict[str, tuple[Mapping[str, str], ...]] = field(default_factory=OrderedDict)

    def note(self, answer: Answer) -> None:
        """Keep the items of an answer for a while."""
        if answer.query_id:
            self.answers[answer.query_id] = answer.items
            self.answers.move_to_end(answer.query_id)
            while len(self.answers) > REMEMBERED:
                self.answers.popitem(last=False)

    def showing(self, shown: Iterable[str]) -> str:
        """Return the last answer that showed one of these, else the last one; empty when there was none."""
        wanted = set(shown)
        for query_id, items in reversed(self.answers.items()):
            if any(
                wanted & {item["id"], item["name"], item["at"], item["at"].rpartition(":")[0]}
                for item in items
            ):
                return query_id
        return next(reversed(self.answers), "")

    def ids(self, query_id: str, shown: Iterable[str]) -> list[str]:
        """Return ids for what an agent calls items by: ids, names or places."""
        items = self.answers.get(query_id, ())
        found: list[str] = []
        for one in shown:
            wanted = one.strip()
            named = [item["id"] for item in items if wanted in {item["name"], item["at"]}]
            in_file = [item["id"] for item in items if item["at"].rpartition(":")[0] == wanted]
            found += named or in_file or [wanted]
        return list(dict.fromkeys(found))


Tool = Callable[[Recollect, Mapping[str, Any], Given], Answer]


def with_room(given: Mapping[str, Any], note: str) -> Mapping[str, Any]:
    """Return what was asked with a budget, if it has one, that leaves room for a note behind the answer."""
    if not note or "budget" not in given:
        return given
    return {**given, "budget": max(1, given["budget"] - exact(json.dumps(note)))}


def context(project: Recollect, given: Mapping[str, Any], _: Given) -> Answer:
    """Pack what a task needs; whichever form a client shows stays below the budget."""
    budget = given["budget"]
    pack = project.context(
        given.get("task"),
        files=given.get("files"),
        base=given.get("base"),
        budget=max(1, int(budget * FRAME_SHARE)),
    )
    while True:
        answer = _packed(project, pack)
        if answer.tokens <= budget or not pack.items:
            return answer
        pack = replace(pack, items=pack.items[:-1], omitted=pack.omitted + 1)


def search(project: Recollect, given: Mapping[str, Any], _: Given) -> Answer:
    """Find code and documentation."""
    narrow: dict[str, Any] = {"include_tests": given["tests"]}
    if "under" in given:
        narrow["path_prefixes"] = [given["under"].strip("/")]
    if "language" in given:
        narrow["languages"] = [given["language"].lower()]
    hits = project.search(given["query"], limit=given["limit"], **narrow)
    return _fitting(hits.hits, hits.query_id, lambda kept: written.hits_text(replace(hits, hits=tuple(kept))))


def symbol(project: Recollect, given: Mapping[str, Any], _: Given) -> Answer:
    """Tell about one symbol."""
    name, about = given["name"], given["about"]
    if about == "why":
        if "task" not in given:
            raise UsageError("To explain why a symbol ranks where it does, give the task too.")
        return Answer(written.why_text(project.why(given["task"], name)))
    if about != "definition":
        direction, depth = DEPTHS[about]
        return Answer(written.impact_text(project.impact(name, direction, depth)))
    starts = project.impact(name, "callers", 1).starts
    hits = project.search(name, limit=max(5, len(starts)))
    found = {item.id for item in starts}
    kept = replace(hits, hits=tuple(hit for hit in hits.hits if hit.id in found))
    items = tuple(_item(start) for start in starts)
    return Answer(written.definition_text(starts, kept), hits.query_id, items)


def remember(project: Recollect, given: Mapping[str, Any], _: Given) -> Answer:
    """Keep a text as it is."""
    fields = {key: given[key] for key in ("kind", "tags") if key in given}
    if "supersedes" in given:
        fields["links"] = {"supersedes": [given["supersedes"]]}
    item: Item = _method(project, "remember")(given["text"], **fields)
    action = item.metadata.get("action", "ADD")
    done = {"ADD": "Remembered", "UPDATE": "Updated", "NOOP": "Known already"}.get(action, "Remembered")
    text = f"{done} as {item.id}."
    similar = item.metadata.get("similar")
    if similar:
        text += f" Nearly the same is said by {', '.join(similar)}; recall them, and supersede what is wrong."
    if item.metadata.get("redacted"):
        text += " A secret in it was blotted out."
    return Answer(text)


def recall(project: Recollect, given: Mapping[str, Any], _: Given) -> Answer:
    """Return memories as quotations."""
    options = {"as_of": given["as_of"]} if "as_of" in given else {}
    hits = _method(project, "recall")(given["query"], limit=given["limit"], **options)
    return _fitting(
        hits.hits, hits.query_id, lambda kept: written.memories_text(replace(hits, hits=tuple(kept)))
    )


def feedback(project: Recollect, given: Mapping[str, Any], known: Given) -> Answer:
    """File what was of use, and forget what must go."""
    used, discarded, forgotten = (given.get(key) or [] for key in ("used", "discarded", "forget"))
    if not (used or discarded or forgotten):
        raise UsageError("Say what was used, what was discarded, or which memories to forget.")
    lines = []
    query_id = given.get("query_id") or known.showing([*used, *discarded])
    if (used or discarded) and not query_id:
        raise NotFoundError("No answer was given yet; pass the query_id of the answer that you judge.")
    for shown, useful in ((used, True), (discarded, False)):
        if shown:
            filed = project.feedback(query_id, known.ids(query_id, shown), useful=useful)
            lines.append(f"{len(filed)} filed as {'used' if useful else 'of no use'}.")
    if forgotten:
        gone = _method(project, "forget")(*forgotten)
        lines += [f"{len(gone.ids)} forgotten.", *gone.notes]
    return Answer(" ".join(lines))


TOOLS: Mapping[str, Tool] = {
    "context": context,
    "search": search,
    "symbol": symbol,
    "remember": remember,
    "recall": recall,
    "feedback": feedback,
}


def _packed(project: Recollect, pack: Pack) -> Answer:
    text = project.write(pack, "text")
    if any(item.hit.domain == "memory" for item in pack.items):
        text = f"{written.QUOTED} This holds for the lines behind '> '.\n\n{text}"
    empty = "Nothing found for that; name files or symbols, or use grep."
    return Answer(text.strip() or empty, pack.query_id, tuple(_item(item.hit) for item in pack.items))


def _fitting(hits: Sequence[Hit], query_id: str, text_of: Callable[[Sequence[Hit]], str]) -> Answer:
    """Return the answer with as many hits as stay below the ceiling, one at least."""
    for count in range(len(hits), 1, -1):
        answer = _answer(hits[:count], query_id, text_of)
        if answer.tokens <= CEILING:
            return answer
    return _answer(hits[:1], query_id, text_of)


def _answer(hits: Sequence[Hit], query_id: str, text_of: Callable[[Sequence[Hit]], str]) -> Answer:
    return Answer(text_of(hits), query_id, tuple(map(_item, hits)))


def _item(of: Hit | Item) -> Mapping[str, str]:
    if of.domain == "memory":
        return {"id": of.id, "name": of.name, "at": ""}
    return {"id": of.id, "name": of.name, "at": written.place(of)}


def _method(project: Recollect, verb: str) -> Callable[..., Any]:
    """Return a method of the engine, or say that this version has none."""
    method: Callable[..., Any] | None = getattr(project, verb, None)
    if method is None:
        raise UsageError(CLOSED.format(verb=verb))
    return method
