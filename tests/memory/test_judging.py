"""What was of use of an answer about memories, and what is learned from it."""

import json

import pytest

import recollect
from recollect.errors import NotFoundError
from recollect.learn.relevance import Relevance
from recollect.memory.forget import Selection


def test_an_answer_about_memories_takes_feedback_under_its_query(tmp_path):
    with recollect.open(tmp_path) as project:
        one = project.remember("We retry idempotent calls only")
        hits = project.recall("which calls are retried?")
        assert project.feedback(hits.query_id, [one.id]) == (one.id,)
        store, _ = project.memories.of("project")._open()
        with store.reader() as reader:
            assert [count for count, _ in reader.uses().values()] == [1]
        with pytest.raises(NotFoundError, match="no memory maaaaaaaaaaaaa"):
            project.feedback(hits.query_id, ["maaaaaaaaaaaaa"])


def judged(memory, query_id, item_id, useful=True):
    memory.opened.judge(query_id, [item_id], useful)


def events(memory):
    store, _ = memory.opened._open()
    with store.reader() as reader:
        return reader.judged(100)


def test_only_a_profile_that_learns_files_what_it_showed_with_ten_features(memory):
    memory.remember("tea", layer="episodic", importance=0.7)
    plain = memory.recall("tea")
    judged(memory, plain.query_id, plain.hits[0].id)
    assert [kind for _, _, kind, _ in events(memory)] == ["used"]
    answer = memory.recall("tea", profile="engram")
    judged(memory, answer.query_id, answer.hits[0].id)
    ((features,),) = [[json.loads(detail) for query, _, kind, detail in events(memory) if kind == "shown"]]
    assert len(features) == 10
    assert features[1] == 0.7
    assert features[4:9] == [0.0, 1.0, 0.0, 0.0, 0.0]


def test_being_shown_never_counts_as_use(memory):
    memory.remember("tea")
    for _ in range(3):
        memory.recall("tea", profile="engram")
    store, _ = memory.opened._open()
    with store.reader() as reader:
        assert reader.uses() == {}
        assert reader.judgements() == 0


def test_what_was_judged_is_learned_from_and_can_be_unlearned(memory):
    for number in range(30):
        memory.remember(f"tea {number}", importance=0.9 if number % 2 else 0.1)
    learning = Relevance()

    def answer():
        with memory.opened._open()[0].reader() as reader:
            return learning.of(reader)

    for number in range(12):
        hits = memory.recall(f"tea {number}", profile="engram").hits
        for hit in hits:
            text_number = int(hit.text.split()[1])
            judged(memory, hit.query_id, hit.id, useful=text_number % 3 == 0)
    assert answer() is not None
    memory.opened.unlearn()
    assert answer() is None


def test_forgetting_takes_what_was_filed_too(memory):
    item = memory.remember("tea")
    answer = memory.recall("tea", profile="engram")
    judged(memory, answer.query_id, item.id)
    memory.opened.forget(Selection((item.id,)), False)
    assert events(memory) == []
