import time

import pytest
from tests.evidence.runtime.conftest import code, span, trace

from recollect.decay import DAY
from recollect.evidence.runtime.known import Running

PATH = "shop.py"


@pytest.fixture
def told(opened, shop, tmp_path):
    """Tell a project of the shop which spans were seen."""
    r = opened(shop)

    def tell(*spans):
        file = tmp_path / f"{len(spans)}{time.time()}.json"
        file.write_text(trace(*spans), encoding="utf-8")
        r.observe([file])
        return r

    return tell


def test_impact_tells_what_was_seen_running_how_often_and_when(told):
    now = int(time.time())
    calls = [span(number, parent=1, ended=now - 60, **code("price", PATH)) for number in range(2, 14)]
    r = told(span(1, ended=now - 90, **code("Cart.total", PATH)), *calls)
    found = r.impact("price", depth=1)
    caller = next(one for one in found.reached if one.name == "Cart.total")
    assert (caller.ran.times, caller.passed.times, caller.passed.last) == (1, 12, now - 60)
    assert [(seen.times, seen.last) for seen in found.ran.values()] == [(12, now - 60)]
    test = next(one for one in found.reached if one.name == "test_price")
    assert (test.ran, test.passed) == (None, None)
    assert found.to_dict()["reached"][0].keys() >= {"ran", "passed"}


def test_callees_are_told_the_same_way(told):
    r = told(span(1, **code("Cart.total", PATH)), span(2, parent=1, **code("price", PATH)))
    callee = next(one for one in r.impact("Cart.total", "callees", 1).reached if one.name == "price")
    assert (callee.ran.times, callee.passed.times) == (1, 1)


def test_without_runs_nothing_is_told(told):
    r = told()
    assert r.impact("price").ran == {}
    assert r.status().evidence == {}


def test_status_counts_what_is_known(told):
    r = told(span(1, **code("Cart.total", PATH)), span(2, parent=1, **code("price", PATH)))
    status = r.status()
    assert status.evidence == {"ran": 4, "calls": 1}
    assert 0 < time.time() - status.last_run < 600
    assert "evidence.db" in status.sizes


def test_who_asks_sees_at_once_what_another_process_wrote(told, shop):
    r = told()
    items = r.outline(PATH)
    running = Running(shop / ".recollect" / "evidence.db")
    assert running.ran(items) == {}
    told(span(1, **code("price", PATH)))
    assert {item.name for item in items if item.number in running.ran(items)} == {"price"}
    running.close()


@pytest.mark.parametrize(
    ("count", "age", "confidence", "recency"),
    [(1, 0, 0.7, 1.0), (9, 3 * DAY, 0.7, 0.8), (120, 20 * DAY, 0.85, 0.5), (1001, 60 * DAY, 0.95, 0.2)],
)
def test_the_composite_score_takes_runs_into_account(told, count, age, confidence, recency):
    spans = [
        span(number + 1, ended=time.time() - age - 30, **code("unused", PATH)) for number in range(count)
    ]
    r = told(*spans)
    task = "why is unused there"
    terms = {}
    for runs in (True, False):
        steps = r.why(task, "unused", profile="knowing", **{"rerank.composite.runs": runs}).steps
        terms[runs] = next(step.terms for step in steps if step.stage == "rerank.composite")
    weight = terms[False]["recency"] / 0.3
    assert terms[True]["recency"] == pytest.approx(weight * recency)
    sure = terms[True]["confidence"] / terms[False]["confidence"] * 0.7
    assert sure == pytest.approx(confidence)
