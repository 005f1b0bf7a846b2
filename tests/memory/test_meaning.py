"""Vectors of memories: made when they are missing, told of while they are, gone with their memory."""

import threading

import numpy as np
import pytest
from tests.golden_numbers.test_engrava import Axes

from recollect.errors import ModelError
from recollect.memory.forget import Selection
from recollect.memory.means import Models, Offered
from recollect.memory.opened import OpenMemory
from recollect.store.ids import content_of, uid_of
from recollect.store.near import Near


class Watched(Axes):
    """Counts what it embeds; may be slow, far away or out of order."""

    def __init__(self, model="axes", local=True, gate=None):
        self.model, self.local, self.gate, self.texts = model, local, gate, []

    def embed(self, texts, kind="document"):
        if kind == "document":
            self.texts += texts
            if self.gate is not None:
                self.gate.wait(10)
        return super().embed(texts, kind)


@pytest.fixture
def open_memory(tmp_path):
    opened = []

    def make(embedder):
        memory = OpenMemory(tmp_path / "memory.db", models=Models(lambda: embedder))
        opened.append(memory)
        return memory

    yield make
    for memory in opened:
        memory.close()


def remember(memory, *texts, **fields):
    return memory.remember_many([{"text": text, **fields} for text in texts], None)


def recall(memory, query, **options):
    return memory.recall(query, 10, {"profile": "engrava", "fts": 0, **options}, None)


def models(memory):
    return memory._open()[0].read(lambda reader: reader.models())


def test_what_has_no_vector_gets_one_when_it_is_first_asked_for_and_never_again(open_memory):
    embedder = Watched()
    memory = open_memory(embedder)
    remember(memory, "tea", "lake")
    assert recall(memory, "tea").hits[0].text == "tea"
    recall(memory, "lake")
    assert sorted(embedder.texts) == ["lake", "tea"]
    remember(memory, "moon")
    assert recall(memory, "moon").hits[0].text == "moon"
    assert sorted(embedder.texts) == ["lake", "moon", "tea"]
    again = Watched()
    open_memory(again).recall("tea", 10, {"profile": "engrava"}, None)
    assert again.texts == []


def test_while_vectors_are_missing_the_answer_is_lexical_and_says_so_then_they_are_made_behind(
    open_memory, monkeypatch
):
    monkeypatch.setattr("recollect.memory.means.AT_ONCE", 0.0)
    gate = threading.Event()
    embedder = Watched(gate=gate)
    memory = open_memory(embedder)
    remember(memory, *(f"tea number {number}" for number in range(200)))
    gate.set()
    answer = memory.recall("tea", 10, {"profile": "engrava"}, None)
    assert answer.hits
    behind = [note for note in answer.degraded if "have no vector of axes yet" in note]
    assert behind == [
        "channel.vector: 136 of 200 memories have no vector of axes yet and were found by their words only"
    ]
    memory._offered.meanings._work.join()
    assert models(memory) == {"axes": 200}
    assert memory.recall("tea", 10, {"profile": "engrava"}, None).degraded == ()


def test_another_model_embeds_anew_and_its_vectors_are_never_mixed(open_memory):
    memory = open_memory(Watched("one"))
    remember(memory, "tea", "lake")
    recall(memory, "tea")
    other = open_memory(Watched("two"))
    assert recall(other, "tea").hits[0].text == "tea"
    assert models(other) == {"one": 2, "two": 2}


def test_all_missing_vectors_are_made_with_progress(open_memory):
    memory = open_memory(Watched())
    remember(memory, *(f"tea number {number}" for number in range(100)))
    seen = []
    done = memory.embed(seen.append)
    assert (done.model, done.done, done.total) == ("axes", 100, 100)
    assert [(one.done, one.total) for one in seen] == [(64, 100), (100, 100)]
    assert open_memory(None).embed() is None


def test_sensitive_memories_are_never_sent_to_another_machine(open_memory):
    far = Watched(local=False)
    memory = open_memory(far)
    remember(memory, "tea in the safe", sensitive=True)
    remember(memory, "tea")
    answer = memory.recall("tea", 10, {"profile": "engrava"}, None)
    assert far.texts == ["tea"]
    assert {hit.text for hit in answer.hits} == {"tea", "tea in the safe"}
    assert memory.embed().kept_back == 1
    assert answer.degraded == ()


def test_what_is_forgotten_while_it_is_embedded_gets_no_vector(open_memory):
    gate = threading.Event()
    memory = open_memory(Watched(gate=gate))
    gone, _ = remember(memory, "tea", "lake")
    work = threading.Thread(target=memory.embed)
    work.start()
    memory.forget(Selection((gone.id,)), False)
    gate.set()
    work.join()
    store = memory._open()[0]
    assert not store.read(
        lambda reader: reader.vectors_of("axes", [content_of(uid_of(gone.id))])
    ).contents.size
    assert models(memory) == {"axes": 1}


def test_a_model_that_gives_too_few_vectors_is_refused_and_the_answer_is_lexical(open_memory):
    class Short(Watched):
        def embed(self, texts, kind="document"):
            return super().embed(texts, kind)[:-1] if kind == "document" else super().embed(texts, kind)

    memory = open_memory(Short())
    remember(memory, "tea", "lake")
    answer = memory.recall("tea", 10, {"profile": "engrava"}, None)
    assert [hit.text for hit in answer.hits] == ["tea"]
    assert any("gave 1 vectors for 2 memories" in note for note in answer.degraded)
    with pytest.raises(ModelError):
        memory.embed()


def test_files_and_servers_give_the_same_answers_by_meaning_words_and_names(memory):
    memory.opened._offered = Offered(Models(Watched))
    one = memory.remember("Ada Lovelace drinks tea by the lake")
    two = memory.remember("the moon over the code")
    memory.opened.link(one.id, "see_also", two.id)
    for profile in ("engrava", "engram", "memory"):
        answer = memory.recall("tea by the lake, moon over the code", profile=profile)
        assert {hit.id for hit in answer.hits} == {one.id, two.id}
        assert answer.degraded == ()
    assert memory.recall("Ada Lovelace", profile="engram").channels == ("bm25", "graph")
    assert "graph" in memory.recall("tea and moon", profile="engrava", graph_weight=0.1).channels
    # Neither word is said, but the model takes them for tea.
    assert memory.texts("teapot teacup", limit=1)[0].startswith("Ada")


def unit_rows(count, width, seed):
    dice = np.random.default_rng(seed)
    # A few directions say most, as they do in vectors of texts.
    rows = dice.normal(size=(count, 24)) @ dice.normal(size=(24, width)) + 0.5 * dice.normal(
        size=(count, width)
    )
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


def nearest(rows, exact):
    scales = np.abs(rows).max(axis=1) / 127
    matrix = np.rint(rows / scales[:, None]).astype(np.int8)
    return Near(np.arange(len(rows)), matrix, scales.astype(np.float32), exact)


def test_the_approximate_search_finds_nearly_what_the_exact_one_finds():
    rows = unit_rows(20_040, 128, 1)
    rows, questions = rows[:-40], rows[-40:]
    exact, near = nearest(rows, 100_000), nearest(rows, 1_000)
    shared = [
        len(set(exact.best(one, 10)[0].tolist()) & set(near.best(one, 10)[0].tolist())) / 10
        for one in questions
    ]
    assert np.mean(shared) > 0.95


def test_filters_hold_before_the_limit_of_an_approximate_search():
    rows = unit_rows(5_000, 64, 3)
    near = nearest(rows, 1_000)
    allowed = np.zeros(5_000, bool)
    allowed[np.argsort(rows @ rows[0])[:50]] = True
    found, scores = near.best(rows[0], 10, allowed)
    assert len(found) == 10
    assert allowed[found].all()
    assert (np.diff(scores) <= 0).all()
