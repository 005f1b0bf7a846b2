"""The numbers of the profile engrava, each seen in answers of a store of memories."""

import math

import numpy as np
import pytest

from recollect.errors import ModelError, UsageError
from recollect.memory.means import Models
from recollect.memory.opened import OpenMemory
from recollect.retrieve.fuse.linear import redistributed
from recollect.retrieve.profile import load_profile
from recollect.retrieve.recall.fusing import normed

NOW = 1_700_000_000.0
WEIGHTS = {"fts": 0.30, "vector": 0.55, "recency": 0.10, "priority": 0.05}


class Axes:
    """An embedder whose vectors are counts of four words."""

    model = "axes"
    local = True
    dimensions = 4
    words = ("tea", "lake", "code", "moon")

    def embed(self, texts, kind="document"):
        rows = np.array([[text.lower().count(word) for word in self.words] for text in texts], np.float32)
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        return rows / np.where(lengths > 0, lengths, 1.0)


class Broken(Axes):
    model = "broken"

    def embed(self, texts, kind="document"):
        raise ModelError("The embedder is away.")


@pytest.fixture
def keep(tmp_path):
    opened = []

    def make(*rows, embedder=None):
        memory = OpenMemory(
            tmp_path / f"{len(opened)}" / "memory.db", clock=lambda: NOW, models=Models(lambda: embedder)
        )
        opened.append(memory)
        memory.remember_many([{"text": row} if isinstance(row, str) else row for row in rows], None)
        return memory

    yield make
    for memory in opened:
        memory.close()


def asked(memory, query, limit=10, **options):
    return memory.recall(query, limit, {"profile": "engrava", **options}, None)


def scores(memory, query, **options):
    return {hit.text: hit.score for hit in asked(memory, query, **options).hits}


def test_the_weights_are_those_of_the_document_and_sum_to_one():
    channels = {use.name: use.weight for use in load_profile("engrava").of("channel")}
    assert channels == WEIGHTS
    assert sum(channels.values()) == pytest.approx(1.0)
    (graph,) = (use for use in load_profile("engrava").of("boost") if use.name == "graph")
    assert (graph.parameters.weight, graph.parameters.graph_edge_decay) == (0.0, 0.5)
    assert graph.parameters.max_neighbors_per_candidate == 5


def test_the_weight_of_what_is_missing_goes_to_the_rest_in_proportion():
    assert redistributed(WEIGHTS, ["fts", "vector", "priority"]) == pytest.approx(
        {"fts": 1 / 3, "vector": 0.55 / 0.9, "priority": 0.05 / 0.9}
    )
    assert redistributed(WEIGHTS, ["fts", "priority"]) == pytest.approx({"fts": 6 / 7, "priority": 1 / 7})


def test_a_single_match_of_full_text_is_worth_a_half(keep):
    memory = keep({"text": "green tea", "priority": "P1"}, "a lake")
    assert scores(memory, "tea") == pytest.approx({"green tea": 6 / 7 * 0.5 + 1 / 7})
    assert normed(np.array([3.0, 3.0]), "minmax").tolist() == [0.5, 0.5]


def test_scores_of_full_text_are_spread_over_the_whole_scale_and_cosines_are_not(keep):
    memory = keep("tea", "tea and tea and a lake by the lake with so many other words", embedder=Axes())
    found = scores(memory, "tea", priority=0)
    low = "tea and tea and a lake by the lake with so many other words"
    cosine = 2 / math.sqrt(8)
    assert found["tea"] == pytest.approx(0.30 / 0.85 + 0.55 / 0.85, abs=0.01)
    assert found[low] == pytest.approx(0.55 / 0.85 * cosine, abs=0.01)


def test_recency_is_halved_with_every_fifty_cycles(keep):
    rows = [{"text": f"tea {cycle}", "metadata": {"cycle": cycle}} for cycle in (100, 50, 0)]
    memory = keep(*rows, "tea of no cycle")
    only = {"fts": 0.0001, "recency": 1.0, "priority": 0}
    found = scores(memory, "tea", current_cycle=100, **only)
    assert [round(found[f"tea {cycle}"], 2) for cycle in (100, 50, 0)] == [1.0, 0.5, 0.25]
    assert found["tea of no cycle"] == pytest.approx(0.0, abs=0.001)
    assert "recency" not in asked(memory, "tea").channels
    assert "recency" in asked(memory, "tea", current_cycle=100).channels


def test_recency_by_the_clock_is_halved_with_every_week(keep):
    week = 604_800
    rows = [{"text": f"tea {age}", "created": NOW - age * week} for age in (0, 1, 2)]
    found = scores(keep(*rows), "tea", current_time=NOW, fts=0.0001, recency=1.0, priority=0)
    assert [round(found[f"tea {age}"], 2) for age in (0, 1, 2)] == [1.0, 0.5, 0.25]


def test_both_axes_of_recency_at_once_are_refused(keep):
    with pytest.raises(UsageError, match="not by both"):
        asked(keep("tea"), "tea", current_cycle=1, current_time="now")


def test_priorities_are_worth_1_06_03_and_0(keep):
    rows = [{"text": f"tea {priority}", "priority": priority} for priority in ("P1", "P2", "P3", "P4")]
    found = scores(keep(*rows), "tea", fts=0.0001, priority=1.0)
    assert [round(found[f"tea {name}"], 2) for name in ("P1", "P2", "P3", "P4")] == [1.0, 0.6, 0.3, 0.0]


def test_plain_words_are_joined_with_or(keep):
    memory = keep("the dog of my sister", "a boat", "was it raining?")
    assert set(scores(memory, "what was my sister doing")) == {"the dog of my sister", "was it raining?"}


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ('"machine learning"', {"machine learning"}),
        ("machine AND learning", {"machine learning", "learning by machine"}),
        ("machine NOT learning", {"machine tools"}),
        ("machine AND NOT learning", {"machine tools"}),
        ("neur*", {"neurons fire", "neural"}),
        ("(neural OR neurons) AND fire", {"neurons fire"}),
        ("content:tools", {"machine tools"}),
        ("essence:short", {"a long story"}),
        ("http://example.com 12:30", {"see http example at 12 o'clock"}),
        ("sister's (", {"my sister"}),
    ],
)
def test_the_syntax_of_full_text_is_read_and_signs_never_raise(keep, query, found):
    memory = keep(
        "machine learning",
        "learning by machine",
        "machine tools",
        "neurons fire",
        "neural",
        "see http example at 12 o'clock",
        "my sister",
        {"text": "a long story", "metadata": {"essence": "short"}},
    )
    assert set(scores(memory, query)) == found


def test_an_expression_that_cannot_be_read_is_searched_for_by_its_words_and_that_is_told(keep):
    answer = asked(keep("salt AND pepper", "sugar"), "AND AND pepper")
    assert [hit.text for hit in answer.hits] == ["salt AND pepper"]
    assert any("no expression of full text" in note for note in answer.degraded)


def test_without_an_embedder_meaning_is_skipped_and_that_is_told(keep):
    answer = asked(keep("tea"), "tea")
    assert answer.channels == ("fts", "priority")
    assert any("no embedder is configured" in note for note in answer.degraded)


def test_an_embedder_that_fails_is_skipped_and_that_is_told(keep):
    answer = asked(keep("tea", embedder=Broken()), "tea")
    assert [hit.text for hit in answer.hits] == ["tea"]
    assert any("The embedder is away" in note for note in answer.degraded)


def test_what_has_no_weight_is_not_even_run(keep):
    embedder = Broken()
    answer = asked(keep("tea", embedder=embedder), "tea", vector_weight=0)
    assert answer.degraded == ()
    assert "vector" not in answer.channels


def test_when_nothing_can_be_searched_for_the_newest_are_shown(keep):
    rows = [{"text": f"note {day}", "created": NOW - day * 86_400} for day in (3, 1, 2)]
    memory = keep(*rows, {"text": "put away", "status": "archived"})
    for query, options in (("???", {}), ("note", {"fts": 0})):
        found = [hit.text for hit in asked(memory, query, limit=2, **options).hits]
        assert found == ["note 1", "note 2"]


def test_words_that_nobody_said_find_nothing(keep):
    answer = asked(keep("tea", {"text": "lake", "priority": "P1"}), "submarine")
    assert answer.hits == ()
    assert answer.channels == ()


def graph_of(keep):
    memory = keep("tea one", "tea two two", "tea three and yet more other words")
    ids = {row["text"]: row["id"] for row in memory.export()}
    memory.link(ids["tea two two"], "see_also", ids["tea one"])
    return memory


def test_a_neighbour_hands_on_half_of_its_best_score_times_the_weight_of_the_link(keep):
    memory = graph_of(keep)
    plain, boosted = (scores(memory, "tea", graph=weight, priority=0) for weight in (0, 0.1))
    middle = plain["tea two two"]
    assert plain == {"tea one": 1.0, "tea two two": middle, "tea three and yet more other words": 0.0}
    # Both gain half of the other's score; then all is brought back below 1.
    top = 1.0 + 0.1 * 0.5 * middle
    assert boosted["tea two two"] == pytest.approx((middle + 0.1 * 0.5 * 1.0) / top, abs=1e-5)
    assert boosted["tea one"] == 1.0
    assert boosted["tea three and yet more other words"] == 0.0


def test_neighbours_bring_nothing_in_and_are_told_of_only_when_they_helped(keep):
    memory = graph_of(keep)
    assert "graph" in asked(memory, "tea", graph_weight=0.1).channels
    assert "graph" not in asked(memory, "tea").channels
    alone = asked(memory, "one", graph_weight=0.1)
    assert [hit.text for hit in alone.hits] == ["tea one"]
    assert "graph" not in alone.channels


def test_links_are_asked_for_in_one_query_and_only_the_strongest_count(keep, monkeypatch):
    memory = keep(*(f"tea {number}" for number in range(9)))
    ids = [row["id"] for row in memory.export()]
    for other in ids[1:]:
        memory.link(ids[0], "see_also", other)
    from recollect.store.sqlite.memory_reading import MemoryReading

    calls, real = [], MemoryReading.strongest_links
    monkeypatch.setattr(
        MemoryReading, "strongest_links", lambda self, *given: calls.append(given[1]) or real(self, *given)
    )
    asked(memory, "tea", graph_weight=0.1)
    assert calls == [5]


def dreamt(keep, embedder=None):
    return keep(
        "tea in the morning",
        {"text": "tea, and much of it", "kind": "reflection"},
        {"text": "a card of tea", "kind": "entity"},
        embedder=embedder,
    )


def test_reflections_are_in_are_left_out_and_are_weighed_as_asked(keep):
    memory = dreamt(keep)
    assert set(scores(memory, "tea")) == {"tea in the morning", "tea, and much of it"}
    assert set(scores(memory, "tea", include_reflections=False)) == {"tea in the morning"}
    one, three = (scores(memory, "tea", reflection_boost=factor) for factor in (1.0, 0.5))
    assert three["tea, and much of it"] == pytest.approx(0.5 * one["tea, and much of it"], abs=1e-5)
    assert three["tea in the morning"] == one["tea in the morning"]


def test_only_reflections_are_compared_by_meaning_alone_all_of_them(keep):
    rows = [{"text": f"tea tea lake {number}", "kind": "reflection"} for number in range(120)]
    memory = keep(
        *rows, {"text": "lake", "kind": "reflection", "metadata": {"cycle": 0}}, "lake lake", embedder=Axes()
    )
    answer = memory.recall("lake", 5, {"profile": "engrava-reflections"}, None)
    assert answer.hits[0].text == "lake"
    assert {hit.kind for hit in answer.hits} == {"reflection"}
    assert answer.hits[0].score == pytest.approx(1.0, abs=0.01)
    assert answer.hits[1].score == pytest.approx(1 / math.sqrt(5), abs=0.01)
    late = memory.recall("lake", 5, {"profile": "engrava-reflections", "current_cycle": 50}, None)
    assert late.hits[0].score == pytest.approx(0.9 * 1.0 + 0.1 * 0.5, abs=0.01)


def test_filters_apply_inside_every_channel_before_its_limit(keep):
    rows = [{"text": f"tea {number}", "tags": ["other"]} for number in range(80)]
    memory = keep(*rows, {"text": "some tea of quite many other words", "tags": ["mine"]}, embedder=Axes())
    answer = asked(memory, "tea", tags="mine")
    assert [hit.text for hit in answer.hits] == ["some tea of quite many other words"]
    assert {"fts", "vector"} <= set(answer.channels)


def test_scores_stay_between_0_and_1_whatever_is_overridden(keep):
    memory = graph_of(keep)
    answer = asked(memory, "tea", graph=50, reflection_boost=9)
    assert all(0 <= hit.score <= 1 for hit in answer.hits)
