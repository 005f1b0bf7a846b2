"""What monitoring reads of a page that is served."""

import re

import pytest
from starlette.testclient import TestClient

import recollect
from recollect.served import Served
from recollect.web.app import build
from recollect.web.door import Door
from recollect.web.metrics import HELP, Metrics

LINE = re.compile(r'^[a-z_]+(\{[a-z_]+="[^"\n]*"(,[a-z_]+="[^"\n]*")*\})? -?[0-9.e+-]+$')


@pytest.fixture
def watched(shop):
    with recollect.open(shop) as project:
        project.index()
        project.remember("Orders are sent again")
    served, door = Served(shop), Door(8123)
    served.start()
    assert served.wait(20)
    yield TestClient(build(served, door, Metrics(served)), base_url=door.address), door, served
    served.close()


def test_numbers_are_given_without_the_key_and_in_the_form_that_prometheus_reads(watched):
    client, _, _ = watched
    answer = client.get("/metrics")
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
    lines = answer.text.splitlines()
    assert all(line.startswith("# ") or LINE.match(line) for line in lines)
    assert {
        "recollect_up 1",
        "recollect_memories 1",
        "recollect_store_up 1",
        "recollect_pending_files 0",
    } <= set(lines)
    assert any(re.fullmatch(r'recollect_items\{sort="files"\} [1-9]\d*', line) for line in lines)
    named = [line.split()[2] for line in lines if line.startswith("# TYPE")]
    assert len(named) == len(set(named))
    assert set(named) <= set(HELP)


def test_answers_are_counted_by_place_and_state_and_nothing_asked_is_shown(watched):
    client, door, _ = watched
    client.get(f"/?token={door.token}")
    client.get("/", params={"query": "hush-hush orders"})
    client.get("/hush-hush")
    told = client.get("/metrics").text
    assert 'recollect_requests_total{place="search",state="200"}' in told
    assert 'recollect_requests_total{place="other",state="404"} 1' in told
    assert re.search(r'recollect_request_seconds_bucket\{place="search",le="\+Inf"\} [1-9]', told)
    assert "hush" not in told
    assert "Orders" not in told


def test_the_rest_stays_behind_the_door_and_other_names_of_this_machine_are_refused(watched):
    client, _, _ = watched
    assert client.get("/").status_code == 401
    assert client.get("/metrics", headers={"host": "evil.example"}).status_code == 421
    assert client.get("/metricsx").status_code == 401


def test_without_being_asked_for_there_are_no_metrics(shop):
    served, door = Served(shop), Door(8123)
    served.start()
    assert served.wait(20)
    client = TestClient(build(served, door), base_url=door.address)
    assert client.get("/metrics").status_code == 401
    served.close()
