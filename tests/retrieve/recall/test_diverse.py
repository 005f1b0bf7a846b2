"""Diversity puts what adds something before what repeats."""

import pytest

from recollect.memory.opened import OpenMemory


@pytest.fixture
def memory(tmp_path):
    opened = OpenMemory(tmp_path / ".recollect" / "memory.db")
    opened.remember_many(
        [
            "The cache of the gateway is flushed by the nightly job at two.",
            "The cache of the gateway is flushed by the nightly job at three.",
            "Nobody knows why the cache of the gateway needs so many watchers.",
        ],
        None,
    )
    yield opened
    opened.close()


@pytest.mark.parametrize("profile", ["memory", "engrava", "engram"])
def test_what_repeats_comes_after_what_adds_something(memory, profile):
    def asked(**options):
        return memory.recall("gateway cache flushed nightly", 3, {"profile": profile, **options}, None).hits

    plain, diverse = asked(), asked(diversity=0.9)
    assert [hit.text[-4:] for hit in diverse][1] == "ers."
    assert [hit.text[-4:] for hit in plain][2] == "ers."
    assert {hit.id for hit in diverse} == {hit.id for hit in plain}
    scores = [hit.score for hit in diverse]
    assert scores == sorted(scores, reverse=True)


def test_nothing_moves_unless_diversity_is_wished_for(memory):
    answers = [memory.recall("gateway cache", 3, options, None) for options in ({}, {"diversity": 0})]
    assert [hit.id for hit in answers[0].hits] == [hit.id for hit in answers[1].hits]
