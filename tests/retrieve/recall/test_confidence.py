"""Confidence is how likely a memory answers: what holds more of a question is surer, and doubt is said."""

import pytest

from recollect.memory.forget import Selection
from recollect.memory.opened import OpenMemory

NOTES = (
    "We retry idempotent calls only", "Deploys happen on Tuesdays", "The cache is flushed nightly",
    "Postgres 16 is the minimum version", "Anna owns the billing service", "Never use floats for money",
)  # fmt: skip


@pytest.fixture
def memory(tmp_path):
    opened = OpenMemory(tmp_path / ".recollect" / "memory.db")
    opened.remember_many(list(NOTES), None)
    yield opened
    opened.close()


def best(memory, question):
    answer = memory.recall(question, 5, {}, None)
    return answer.hits[0].confidence, answer.degraded


def test_more_of_a_question_is_more_certain(memory):
    whole, _ = best(memory, "which idempotent calls are retried")
    half, _ = best(memory, "which idempotent purchases are rejected")
    little, _ = best(memory, "idempotent purchases rejected because of taxes")
    assert 1 > whole > half > little > 0


@pytest.mark.parametrize("question", ["which calls are retried?", "who owns billing?", "when do we deploy?"])
def test_what_is_known_is_answered_without_doubt(memory, question):
    sure, notes = best(memory, question)
    assert sure > 0.3
    assert notes == ()


@pytest.mark.parametrize(
    "question", ["where does the billing printer stand?", "which deploys broke the mobile app?"]
)
def test_what_is_not_known_is_doubted_although_a_word_is_met(memory, question):
    sure, notes = best(memory, question)
    assert sure < 0.2
    assert notes[0].startswith("Probably nothing relevant: that any of these answers the question is ")
    assert notes[0].endswith("% likely.")


def test_what_stands_in_the_place_of_a_hit_is_as_sure_as_it_was(memory):
    (old,) = (hit.id for hit in memory.recall("flushed cache", 1, {}, None).hits)
    sure, _ = best(memory, "when is the cache flushed nightly")
    memory.remember("It is emptied each hour now", {"links": {"supersedes": [old]}}, None)
    newer, older = memory.recall("when is the cache flushed nightly", 5, {}, None).hits
    assert newer.text.startswith("It is emptied")
    assert newer.confidence == pytest.approx(sure, abs=0.1)
    assert older.confidence < newer.confidence


def test_forgetting_by_a_query_takes_what_holds_it_and_not_what_stands_in_its_place(memory):
    (old,) = (hit.id for hit in memory.recall("flushed cache", 1, {}, None).hits)
    memory.remember("It is emptied each hour now", {"links": {"supersedes": [old]}}, None)
    found = memory.forget(Selection(query="the cache is flushed nightly"), dry_run=True)
    assert found.ids == (old,)
