"""What the numbers of the profile knowing do to real candidates: every score made again from its parts."""

from dataclasses import replace

import numpy as np
import pytest

import recollect
from recollect.graph.hits import hubs_and_authorities
from recollect.learn.detail import Detail, write_detail
from recollect.learn.log import MemoryLog
from recollect.learn.views import Views
from recollect.ports import Event, Filters
from recollect.retrieve.context import Snapshot
from recollect.retrieve.expand.walk import confidence
from recollect.retrieve.explain import why
from recollect.retrieve.packing import density, node_tokens
from recollect.types import Seen

TASK = "make the retry policy configurable"
DAY = 86_400.0


def symbols(shop):
    return shop.counts()["symbols"]


@pytest.fixture
def lived(around, shop, answer):
    """Surroundings in which the best symbol was touched, judged, run and committed."""
    found = answer(TASK)
    best = found.packed.entries[0].item
    views = Views(MemoryLog())
    root = write_detail(Detail(best.path, session="s"))
    views._log.add(
        [Event("q", best.id, "shown", around.clock() - 180.0, root)]
        + [Event("q", best.id, "used", around.clock() - 3600.0, write_detail(Detail(best.path)))] * 3
        + [Event("q", best.id, "discarded", around.clock() - 3600.0, write_detail(Detail(best.path)))]
    )
    services = {
        "ran": lambda items: {item.number: Seen(150, around.clock() - 3 * DAY) for item in items if item.id == best.id},
        "committed": lambda items: {item.number: around.clock() - 3 * DAY for item in items if item.id == best.id},
    }  # fmt: skip
    return replace(around, learned=views, services=services, snapshot=Snapshot()), best


def test_every_score_is_the_sum_of_its_eight_terms(answer, lived):
    around, best = lived
    found = answer(TASK, surroundings=around, session="s")
    stage = found.trace.of("rerank.composite")
    before = {row.number: row.signals for row in stage.before}
    blasts = {n: 100.0 * s.get("walk", 0.0) + 50.0 * s.get("seed", 0.0) for n, s in before.items()}
    for row in stage.after:
        signals, terms = before[row.number], stage.details[row.number]
        mine = row.number == best.number
        assert terms["blast"] == pytest.approx(0.35 * blasts[row.number] / max(blasts.values()))
        assert terms["distance"] == pytest.approx(0.15 / (1 if "seed" in signals else 2))
        assert terms["recency"] == pytest.approx(0.15 * (0.8 if mine else 0.3))
        assert terms["commit"] == (0.03 if mine else 0.0)
        assert terms["session"] == pytest.approx(0.20 * 0.5 / 2 if mine else 0.0)
        assert terms["feedback"] == pytest.approx(0.25 * 2 * 0.25 if mine else 0.0)
        assert any(terms["confidence"] == pytest.approx(0.20 * sure) for sure in (0.0, 0.5, 0.7, 0.85, 0.9))
        assert row.score == pytest.approx(sum(terms.values()))
    assert stage.details[best.number]["confidence"] == pytest.approx(0.20 * 0.85)


def test_without_hubs_the_four_terms_weigh_more(answer):
    stage = answer(TASK, overrides={"rerank.hits.enabled": False}).trace.of("rerank.composite")
    top = max(stage.details.values(), key=lambda terms: terms["blast"])
    assert top["blast"] == pytest.approx(0.40)
    assert {round(terms["recency"], 6) for terms in stage.details.values()} == {0.06}
    assert {round(terms["distance"], 6) for terms in stage.details.values()} == {0.15, 0.075}


def test_only_the_best_of_the_walk_are_measured_for_hubs(answer):
    after = answer(TASK, overrides={"rerank.hits.top": 3}).trace.of("rerank.hits").after
    measured = [row for row in after if "authority" in row.signals]
    others = [row for row in after if "authority" not in row.signals]
    assert len(measured) == 3
    assert others
    assert min(row.signals["walk"] for row in measured) >= max(row.signals["walk"] for row in others)


def test_more_rounds_change_hubs(shop):
    places = np.arange(len(shop.graph().numbers))
    ten = hubs_and_authorities(shop.graph(), places)
    assert np.array_equal(ten, hubs_and_authorities(shop.graph(), places, 10))
    assert not np.array_equal(ten, hubs_and_authorities(shop.graph(), places, 1))


def test_types_are_preferred_above_the_size_not_at_it(answer, shop):
    for size, preferred in ((symbols(shop), False), (symbols(shop) - 1, True)):
        found = answer(TASK, overrides={"expand.seeds.prefer_types_above": size})
        assert ("types go first" in found.trace.of("expand.seeds").summary) is preferred


def test_a_walk_is_left_out_above_a_size_and_below_a_confidence(answer, shop):
    sure = confidence([row.score for row in answer(TASK).trace.of("expand.walk").before])
    for size, least, walked in (
        (symbols(shop), 2.0, True), (symbols(shop) - 1, 2.0, False),
        (0, sure, True), (0, np.nextafter(sure, 2.0), False),
    ):  # fmt: skip
        rules = {"expand.walk.massive": size, "expand.walk.massive_confidence": float(least)}
        summary = answer(TASK, overrides=rules).trace.of("expand.walk").summary
        assert ("there was no walk" in summary) is not walked


def test_without_a_walk_members_follow_their_type_at_half_its_score(answer):
    direct = {"expand.walk.massive": 0, "expand.walk.massive_confidence": 2.0}
    found = answer("`RetryPolicy`", overrides={**direct, "fuse.rrf.limit": 1, "channel.path.weight": 0.0})
    rows = {found.items[row.number].name: row.score for row in found.trace.of("expand.walk").after}
    assert rows["RetryPolicy.should_retry"] == pytest.approx(0.5 * rows["RetryPolicy"])


def test_the_threshold_of_the_walk_is_part_of_what_it_keeps(answer):
    found = answer(TASK).trace.of("expand.walk")
    score = sorted({row.signals["walk"] for row in found.after})[0]
    kept = answer(TASK, overrides={"expand.walk.threshold": score}).trace.of("expand.walk").after
    assert min(row.signals["walk"] for row in kept) == score
    above = float(np.nextafter(score, 1.0))
    fewer = answer(TASK, overrides={"expand.walk.threshold": above}).trace.of("expand.walk").after
    assert min(row.signals["walk"] for row in fewer) > score


def test_focus_begins_above_five_candidates(answer):
    for limit, moved in ((5, False), (6, True)):
        overrides = {
            "fuse.rrf.limit": limit,
            "expand.implementors.enabled": False,
            "channel.path.weight": 0.0,
        }
        found = answer("retry policy order store checkout client", overrides=overrides)
        stage = found.trace.of("expand.seeds")
        ranked = [row.number for row in stage.before]
        seeds = sorted(
            (row for row in stage.after if "seed" in row.signals), key=lambda row: -row.signals["seed"]
        )
        assert ([row.number for row in seeds] != ranked) is moved


def test_files_are_followed_by_their_callers_at_one_hop(answer):
    found = answer(kind="files", files=("shop/http/retry.py",))
    details = found.trace.of("rerank.composite").details
    by_name = {found.items[number].name: terms for number, terms in details.items() if number in found.items}
    assert by_name["backoff_delay"]["distance"] == pytest.approx(0.15)
    assert by_name["HttpClient.send"]["distance"] == pytest.approx(0.15 / 2)


def test_a_tight_budget_is_filled_by_density(answer):
    found = answer(TASK)
    value = {
        row.number: density(
            row.score, node_tokens(found.items[row.number]), row.signals.get("walk", 0.0), 0.3
        )
        for row in found.candidates
    }
    order = sorted(value, key=value.__getitem__, reverse=True)
    for budget in range(30, 400, 10):
        entries = {entry.item.number: entry.tokens for entry in answer(TASK, budget=budget).packed.entries}
        left = budget
        for number in order:
            cost = found.packed.entries[[e.item.number for e in found.packed.entries].index(number)].tokens
            assert (number in entries) is (cost <= left)
            left -= cost if number in entries else 0


def test_tests_are_multiplied_by_three_tenths(answer):
    stage = answer("place order keeps the order").trace.of("rerank.tests")
    before = {row.number: row.score for row in stage.before}
    lowered = [row for row in stage.after if row.number in stage.notes]
    assert lowered
    for row in lowered:
        assert row.score == pytest.approx(0.3 * before[row.number])


@pytest.mark.parametrize(
    ("expression", "found"),
    [
        ('name : "backoff_delay"', True),
        ('name : "delay"', True),
        ('name : "delay_backoff"', False),
        ('concepts : "retry"', True),
        ('concepts : "http"', True),
        ('concepts : "shop"', False),
        ('path : "shop"', True),
        ('doc : "pause"', True),
        ('doc : "pauses"', False),
        ('signature : "attempt"', True),
    ],
)
def test_the_columns_of_a_symbol_hold_its_words_with_identifiers_whole_and_split(shop, expression, found):
    rows = shop.search("text_symbol", expression, [1.0] * 6, 50, Filters())
    names = {item.name for item in shop.items([row.number for row in rows])}
    assert ("backoff_delay" in names) is found


def test_chunks_are_found_by_stems(shop):
    assert shop.search("text_chunk", '"pauses"', [1.0, 1.0], 5, Filters())


def test_a_graph_keeps_the_provenance_of_its_edges_when_it_is_read_from_its_cache(shop_folder):
    graphs = []
    for _ in range(2):
        with recollect.open(shop_folder) as opened, opened._index.reader() as reader:
            graph = reader.graph()
            graphs.append(
                [np.array(column) for column in (graph.types, graph.provenances, graph.confidences)]
            )
    assert len(set(graphs[0][1].tolist())) > 1
    assert all(np.array_equal(one, two) for one, two in zip(*graphs, strict=True))


@pytest.mark.parametrize(
    ("score", "band"),
    [(1.0, "high"), (0.70, "high"), (0.699, "moderate"), (0.40, "moderate"), (0.399, "peripheral"),
     (0.20, "peripheral"), (0.199, "low")],
)  # fmt: skip
def test_a_score_is_named_by_its_band(answer, shop, score, band):
    found = answer(TASK)
    first = found.candidates[0].scored(score)
    said = why(replace(found, candidates=(first, *found.candidates[1:])), shop, found.items[first.number].id)
    assert f"its score is {band}" in said.verdict
