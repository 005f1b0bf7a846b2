"""Services over HTTP, asked through a real server that misbehaves."""

import time

import numpy as np
import pytest
from tests.models.conftest import failing, send, vectors

from recollect.errors import ModelError
from recollect.models.calls import Limits
from recollect.models.remote import Address, RemoteEmbedder, RemoteReranker, known_prefixes
from recollect.models.vectors import Prefixes


def embedder(service, kind="openai", prefixes=None, **limits):
    paused = []
    address = Address(
        service.url, Limits(**limits), paused.append, {"OPENAI_API_KEY": "k", "VOYAGE_API_KEY": "v"}
    )
    made = RemoteEmbedder(kind, "small", address, prefixes or Prefixes())
    return made, paused


def test_many_texts_go_in_batches_and_come_back_in_their_order(service):
    service.replies = [vectors()]
    made, _ = embedder(service, price=2.0)
    found = made.embed(["x" * at for at in range(1, 201)])
    assert [len(body["input"]) for body in service.bodies] == [96, 96, 8]
    assert found.shape == (200, 3)
    assert np.allclose(np.linalg.norm(found, axis=1), 1.0)
    assert np.all(np.diff(found[:, 0]) > 0)
    assert service.headers[0]["Authorization"] == "Bearer k"
    assert service.paths[0] == "/embeddings"
    assert made.spent.line() == "3 requests, 1400 tokens, 0.0028 at 2 a million"


@pytest.mark.parametrize("code", [429, 500, 502, 503])
def test_a_busy_service_is_asked_again(service, code):
    service.replies = [failing(code), failing(code, ("Retry-After", "3")), vectors()]
    made, paused = embedder(service)
    assert made.embed(["tea"]).shape == (1, 3)
    assert paused == [0.5, 3.0]
    assert made.spent.retries == 2


def test_a_service_that_stays_busy_is_an_error_that_says_so(service):
    service.replies = [failing(429)]
    made, paused = embedder(service)
    with pytest.raises(ModelError, match=r"after 4 attempts: it answered 429.*Try again later"):
        made.embed(["tea"])
    assert paused == [0.5, 1.0, 2.0]


@pytest.mark.parametrize(("code", "cure"), [(401, "key"), (404, "name of the model"), (400, "settings")])
def test_what_waiting_does_not_help_is_not_tried_again(service, code, cure):
    service.replies = [failing(code)]
    made, paused = embedder(service)
    with pytest.raises(ModelError, match=cure):
        made.embed(["tea"])
    assert (len(service.bodies), paused) == (1, [])


def test_a_slow_service_is_given_up(service):
    service.replies = [lambda handler, _: time.sleep(0.4)]
    made, _ = embedder(service, timeout=0.05, attempts=2)
    with pytest.raises(ModelError, match=r"did not answer within 0\.05 seconds"):
        made.embed(["tea"])


def test_json_that_is_cut_off_is_asked_for_again(service):
    service.replies = [lambda handler, body: send(handler, {"data": []}, cut=4), vectors()]
    made, paused = embedder(service)
    assert made.embed(["tea"]).shape == (1, 3)
    assert len(paused) == 1


def test_what_is_no_json_is_an_error(service):
    service.replies = [lambda handler, body: send(handler, b"<html>")]
    made, _ = embedder(service, attempts=2)
    with pytest.raises(ModelError, match="is no JSON"):
        made.embed(["tea"])


def test_a_change_of_dimension_is_an_error(service):
    service.replies = [vectors(3), vectors(4)]
    made, _ = embedder(service)
    made.embed(["tea"])
    with pytest.raises(ModelError, match="of 4 numbers, before of 3"):
        made.embed(["milk"])


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ({"data": []}, "0 results for 1 texts"),
        ({}, "no list of results"),
        ([], "no list of results"),
        ({"data": [{"index": 0}]}, "without 'embedding'"),
        ({"data": [{"index": 5, "embedding": [1.0]}]}, "order is not clear"),
        ({"data": [{"embedding": ["a"]}]}, "no numbers"),
        ({"data": [{"embedding": []}]}, "no vector"),
    ],
)
def test_an_answer_of_the_wrong_form_is_an_error(service, answer, said):
    service.replies = [lambda handler, body: send(handler, answer)]
    made, _ = embedder(service)
    with pytest.raises(ModelError, match=said):
        made.embed(["tea"])


def test_nobody_there_is_an_error_with_the_cure():
    made = RemoteEmbedder(
        "ollama", "m", Address("http://127.0.0.1:9", Limits(attempts=2), lambda _: None, {}), Prefixes()
    )
    with pytest.raises(ModelError, match=r"cannot be reached.*Is it running"):
        made.embed(["tea"])


def test_requests_keep_their_distance(service):
    service.replies = [vectors()]
    made, paused = embedder(service, per_minute=600)
    made.embed(["x"] * 200)
    assert len(paused) == 2
    assert all(0 < pause <= 0.2 for pause in paused)


def test_ollama_is_spoken_to_in_its_form_with_the_prefixes_of_the_model(service):
    service.replies = [
        lambda handler, body: send(handler, {"embeddings": [[1.0, 1.0]], "prompt_eval_count": 3})
    ]
    made, _ = embedder(service, "ollama", known_prefixes("nomic-embed-text:v1.5"))
    made.embed(["tea"], "query")
    made.embed(["tea"], "document")
    assert service.paths == ["/api/embed"] * 2
    assert [body["input"] for body in service.bodies] == [["search_query: tea"], ["search_document: tea"]]
    assert made.spent.tokens == 6


def test_voyage_is_told_what_a_text_is(service):
    service.replies = [vectors()]
    made, _ = embedder(service, "voyage")
    made.embed(["tea"], "query")
    assert service.bodies[0] == {"model": "small", "input": ["tea"], "input_type": "query"}


def test_a_reranker_gives_each_text_its_score(service):
    def reply(handler, body):
        rows = [{"index": at, "relevance_score": len(text) / 10} for at, text in enumerate(body["documents"])]
        send(handler, {"data": rows[::-1], "usage": {"total_tokens": 5}})

    service.replies = [reply]
    made = RemoteReranker("voyage", "rerank-2.5", Address(service.url, environment={"VOYAGE_API_KEY": "v"}))
    assert made.score("which", ["abc", "a"]).tolist() == [0.3, 0.1]
    assert service.bodies[0]["query"] == "which"
    assert made.score("which", []).tolist() == []
    service.replies = [lambda handler, body: send(handler, {"data": [{"relevance_score": "high"}]})]
    with pytest.raises(ModelError, match="no score"):
        made.score("which", ["abc"])


def test_a_service_that_needs_a_key_says_which():
    with pytest.raises(ModelError, match="VOYAGE_API_KEY"):
        RemoteReranker("voyage", "rerank-2.5", Address(environment={}))
