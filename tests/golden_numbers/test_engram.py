"""The numbers of the profile engram, each seen in answers of a store of memories."""

import math

import numpy as np
import pytest
from tests.golden_numbers.test_engrava import NOW, Axes

from recollect.memory.means import Models
from recollect.memory.opened import OpenMemory
from recollect.ports import Event
from recollect.retrieve.channels.association import completed
from recollect.retrieve.channels.named import Names, around
from recollect.retrieve.profile import load_profile
from recollect.retrieve.recall.intents import intent_of, synonyms
from recollect.store import open_memory

DAY = 86_400


class Judging:
    """A reranker that is sure of whatever says `yes`."""

    model = "judging"

    def __init__(self, local=True):
        self.local = local
        self.read = []

    def score(self, query, texts):
        self.read += texts
        return np.array([0.9 if "yes" in text else 0.2 for text in texts])


@pytest.fixture
def keep(tmp_path):
    opened = []

    def make(*rows, embedder=None, reranker=None, judge=None):
        models = Models(lambda: embedder, lambda: reranker, lambda: lambda _: judge)
        memory = OpenMemory(tmp_path / f"{len(opened)}" / "memory.db", clock=lambda: NOW, models=models)
        opened.append(memory)
        memory.remember_many([{"text": row} if isinstance(row, str) else row for row in rows], None)
        return memory

    yield make
    for memory in opened:
        memory.close()


def asked(memory, query, limit=10, **options):
    return memory.recall(query, limit, {"profile": "engram", **options}, None)


def scores(memory, query, **options):
    return {hit.text: hit.score for hit in asked(memory, query, **options).hits}


def use(memory, *ids, query_id="q_1"):
    store = open_memory(memory.place.path)
    with store.writer() as writer:
        writer.add_events([Event(query_id, one, "used", NOW) for one in ids])
    store.close()


@pytest.mark.parametrize(
    ("question", "intent"),
    [
        ("why did we drop it because of the reason", "why"),
        ("when was the date", "when"),
        ("who built it", "who"),
        ("how to debug the workflow", "how"),
        ("which colour", "what"),
        ("why and when", "why"),
        ("who knows the history and timeline", "when"),
        ("whys and whens", "what"),
    ],
)
def test_the_intent_is_the_one_that_most_words_tell(question, intent):
    assert intent_of(question) == intent


def test_channels_weigh_by_intent_as_the_table_says():
    (fuse,) = load_profile("engram").of("fuse")
    table = {
        name: tuple(row[key] for key in ("dense", "bm25", "graph"))
        for name, row in fuse.parameters.weights.items()
    }
    assert table == {
        "why": (1.0, 0.8, 1.5),
        "when": (0.8, 1.2, 0.8),
        "who": (0.8, 0.8, 1.8),
        "how": (1.0, 1.2, 0.8),
        "what": (1.0, 1.0, 1.0),
    }
    assert fuse.parameters.k == 60
    weights = {use.name: use.weight for use in load_profile("engram").of("channel")}
    assert weights == {"dense": 1.0, "bm25": 1.0, "graph": 1.0, "association": 0.6}


def test_ranks_are_fused_and_who_is_absent_gains_nothing(keep):
    memory = keep("tea", "lake lake and a moon", "tea lake lake lake", embedder=Axes())
    found = scores(
        memory, "tea", association=0, **{"boost.worth.enabled": False, "boost.literal.enabled": False}
    )
    best = 2 / 61
    # Both channels put `tea` first and the text with more words second.
    assert found["tea"] == pytest.approx(1.0)
    assert found["tea lake lake lake"] == pytest.approx((1 / 62 + 1 / 62) / best, abs=1e-6)
    assert "lake lake and a moon" not in found


def test_a_memory_of_the_time_that_is_named_counts_twice(keep):
    memory = keep(
        {"text": "tea one", "created": "2023-05-08"},
        {"text": "tea two", "created": "2023-06-08"},
    )
    plain = {"boost.worth.enabled": False, "boost.literal.enabled": False}
    found = scores(memory, "tea in May 2023", **plain)
    assert found["tea one"] == 1.0
    assert found["tea two"] <= 0.51
    even = scores(
        memory, "tea in May 2023", factor=1.0, **{"boost.worth.enabled": False, "boost.literal.factor": 1.0}
    )
    assert even["tea two"] > 0.9


def test_relative_times_are_read_from_the_time_of_the_question(keep):
    memory = keep(
        {"text": "tea old", "created": NOW - 40 * DAY}, {"text": "tea late", "created": NOW - 7 * DAY}
    )
    assert asked(memory, "tea last week", limit=1).hits[0].text == "tea late"
    assert asked(memory, "tea last month", limit=1).hits[0].text == "tea old"


def worth(memory, query, **options):
    return scores(memory, query, **{"boost.literal.enabled": False}, **options)


@pytest.mark.parametrize(("age", "left"), [(0, 1.0), (30, 0.75), (365, 0.5001)])
def test_episodes_fade_to_a_half_and_nothing_else_fades(keep, age, left):
    rows = [
        {"text": f"tea {layer}", "layer": layer, "created": NOW - age * DAY, "importance": 0.5}
        for layer in ("episodic", "semantic")
    ]
    memory = keep(*rows)
    found, plain = worth(memory, "tea"), worth(memory, "tea", **{"boost.worth.floor": 1.0})
    assert found["tea episodic"] / plain["tea episodic"] == pytest.approx(left, abs=1e-3)
    assert found["tea semantic"] == plain["tea semantic"]


@pytest.mark.parametrize(("count", "factor"), [(0, 1.0), (1, 1.0693), (10, 1.2398), (100, 1.4615)])
def test_what_was_of_use_counts_more_and_what_was_only_shown_does_not(keep, count, factor):
    memory = keep({"text": "tea", "importance": 0.0})
    plain = worth(memory, "tea")["tea"]
    (row,) = memory.export()
    use(memory, *[row["id"]] * count)
    for _ in range(3):
        found = worth(memory, "tea")["tea"]
    assert plain == pytest.approx(0.8)
    assert found == pytest.approx(min(1.0, 0.8 * factor), abs=1e-4)


@pytest.mark.parametrize(("importance", "factor"), [(0.0, 0.8), (0.5, 1.0), (0.25, 0.9)])
def test_importance_moves_the_score_by_a_fifth(keep, importance, factor):
    assert worth(keep({"text": "tea", "importance": importance}), "tea")["tea"] == pytest.approx(factor)


@pytest.mark.parametrize(
    ("query", "signal"),
    [
        ("tea", 0.08),
        ("tea lake code", 0.24),
        ('"tea lake"', 0.6 + 0.16),
        ('"lake code tea"', 0.24),
        ("tea lake code moon sun star", 0.40),
        ("who drinks it all day", 0.15),
    ],
)
def test_words_phrases_and_questions_that_match_to_the_letter_add_up(keep, query, signal):
    memory = keep(
        {
            "text": "tea lake code moon sun star",
            "importance": 0.0,
            "metadata": {"questions": ["who drinks it all day"]},
        }
    )
    (found,) = scores(memory, query).values()
    assert found == pytest.approx(0.8 * (1 + signal * 0.22), abs=1e-5)


def test_questions_that_a_memory_answers_are_searched_too(keep):
    memory = keep(
        {"text": "only idempotent calls", "metadata": {"questions": ["what may be retried?"]}}, "a boat"
    )
    assert [hit.text for hit in asked(memory, "retried").hits] == ["only idempotent calls"]


def test_some_words_are_searched_for_by_their_synonyms_too(keep):
    assert len(synonyms(["auth", "bug", "boat"], 8)) == 8
    memory = keep("the login page", "a boat")
    assert [hit.text for hit in asked(memory, "auth").hits] == ["the login page"]
    assert asked(memory, "auth", synonyms=0).hits == ()


def test_names_lead_to_who_names_them_and_one_step_further():
    pairs = sorted([(1, 10), (1, 11), (2, 11), (2, 12), (3, 13)])
    table = np.array(pairs)
    names = Names({}, table[:, 0], table[:, 1], np.argsort(table[:, 1], kind="stable"))
    # One of two memories of each names both: strength 1 / sqrt(2 * 2), and a step leaves half of it.
    assert around(names, 1, 0.5) == {10: 1.0, 11: 1.0, 12: 0.25}


def test_what_a_question_names_is_found_by_name_even_where_no_other_word_matches(keep):
    memory = keep("retry_policy is in `net/http.py`", "Ada Lovelace wrote `retry_policy`", "a boat")
    answer = asked(memory, "tell of Ada Lovelace", limit=5)
    assert "graph" in answer.channels
    assert {hit.text for hit in answer.hits} == {
        "Ada Lovelace wrote `retry_policy`",
        "retry_policy is in `net/http.py`",
    }


def test_completion_ranks_otherwise_than_nearness_does():
    dice = np.random.default_rng(3)
    vectors = dice.normal(size=(300, 32))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    question = vectors[0] + 0.3 * dice.normal(size=32)
    question /= np.linalg.norm(question)
    near = np.argsort(-(vectors @ question))[:10]
    complete = completed(vectors, question, 8.0, 1)
    assert np.linalg.norm(complete) == pytest.approx(1.0)
    again = np.argsort(-(vectors @ complete))[:10]
    assert near.tolist() != again.tolist()
    assert len(set(near) & set(again)) >= 3
    assert np.allclose(completed(vectors, question, 8.0, 0), question)


def test_the_reranker_reads_the_best_twenty_and_what_it_is_not_sure_of_is_left_out(keep):
    reranker = Judging()
    memory = keep(
        *(f"tea {number} {'yes' if number % 5 == 0 else 'no'}" for number in range(40)), reranker=reranker
    )
    answer = asked(memory, "tea", limit=30)
    assert len(reranker.read) == 20
    assert answer.hits
    assert all("yes" in hit.text for hit in answer.hits)
    assert all(hit.confidence == 0.9 for hit in answer.hits)
    assert len(asked(memory, "tea", limit=30, min_confidence=0.1).hits) == 20


def test_boosts_still_count_after_the_reranker(keep):
    rows = [{"text": f"tea yes {value}", "importance": value} for value in (0.0, 1.0)]
    memory = keep(*rows, reranker=Judging())
    assert [hit.text for hit in asked(memory, "tea").hits] == ["tea yes 1.0", "tea yes 0.0"]


def test_without_a_reranker_nothing_is_left_out(keep):
    assert len(asked(keep("tea", "tea and a lake"), "tea").hits) == 2


def test_what_is_sensitive_is_not_sent_to_another_machine(keep):
    reranker = Judging(local=False)
    memory = keep({"text": "tea yes secret", "sensitive": True}, "tea yes", reranker=reranker)
    answer = asked(memory, "tea")
    assert reranker.read == ["tea yes"]
    assert {hit.text for hit in answer.hits} == {"tea yes secret", "tea yes"}
    assert any("not sent" in note for note in answer.degraded)


def test_noise_is_off_and_with_a_seed_always_the_same(keep):
    memory = keep(*(f"tea {number}" for number in range(12)))
    plain = scores(memory, "tea")
    assert scores(memory, "tea") == plain
    noisy = scores(memory, "tea", noise=0.02, seed=1)
    assert noisy != plain
    assert noisy == scores(memory, "tea", noise=0.02, seed=1)
    assert noisy != scores(memory, "tea", noise=0.02, seed=2)
    assert max(abs(noisy[text] - plain[text]) for text in plain) < 0.1


def test_what_was_learned_is_blended_in(keep):
    memory = keep(
        {"text": "tea", "importance": 0.1},
        {"text": "tea, tea", "importance": 0.9},
        judge=lambda rows: rows[:, 1],
    )
    plain = keep({"text": "tea", "importance": 0.1}, {"text": "tea, tea", "importance": 0.9})
    off = {"boost.worth.enabled": False, "boost.literal.enabled": False}
    found, before = scores(memory, "tea", **off), scores(plain, "tea", **off)
    assert found["tea, tea"] == pytest.approx(0.7 * before["tea, tea"] + 0.3 * 0.9, abs=1e-6)
    assert found["tea"] == pytest.approx(0.7 * before["tea"] + 0.3 * 0.1, abs=1e-6)
    assert math.isclose(max(before.values()), 1.0)
