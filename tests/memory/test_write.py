import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.errors import NotFoundError, SecretError, UsageError
from recollect.memory.opened import OpenMemory

KEY = "ghp_" + "x8Kq2Vw9Lm4Zt7Rb" + "N3cY6pHs1JdF5gTeWuQa"


def test_a_text_is_kept_as_it_is(memory):
    text = "  Two lines,\n\tand a tab; ünïcödé, 日本語, 👩‍👩‍👧, \u202eright to left\u202c. "
    assert memory.opened.get(memory.remember(text).id).text == text


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1).filter(str.strip))
def test_any_text_comes_back_as_it_was(tmp_path_factory, text):
    opened = OpenMemory(tmp_path_factory.mktemp("any") / "memory.db")
    try:
        assert opened.get(opened.remember(text, {}, None, redact=False).id).text == text
    except SecretError:
        pass
    finally:
        opened.close()


@pytest.mark.parametrize("text", ["", " \n\t ", None, 7, "half \ud83d a character"])
def test_what_is_no_text_is_refused(memory, text):
    with pytest.raises(UsageError):
        memory.remember(text)


def test_a_megabyte_is_one_memory(memory):
    text = "A long story of retries. " * 42_000
    item = memory.remember(text)
    assert memory.opened.get(item.id).text == text
    assert memory.recall("story of retries").hits[0].id == item.id


def test_every_field_comes_back(memory):
    fields = {
        "kind": "decision", "layer": "procedural", "priority": "P1", "importance": 0.9, "trust": 0.4,
        "tags": ["http", "retry policy"], "source": "chat", "session": "s1", "author": "Anna", "position": 4,
        "metadata": {"a": [1, {"b": None}]},
    }  # fmt: skip
    times = {
        "created": "2026-05-01",
        "valid_from": "2026-05-02",
        "valid_until": "2026-06-01",
        "expires": "2027-01-01",
    }
    item = memory.opened.get(memory.remember("We retry", **fields, **times).id)
    found = {"kind": item.kind, **item.metadata}
    assert {key: found[key] for key in fields} == fields
    assert found["created"] == "2026-05-01T00:00:00.000Z"
    assert found["valid_until"] == "2026-06-01T23:59:59.999Z"


@pytest.mark.parametrize(
    "fields",
    [
        {"kind": "opinion"}, {"importance": 2}, {"trust": -1}, {"priority": "P9"}, {"position": "two"},
        {"metadata": {"a": object()}}, {"colour": "red"}, {"created": "yesterday-ish"}, {"links": {"hates": ["m"]}},
        {"id": "caaaaaaaaaaaaa"},
        {"valid_from": "2026-02-01", "valid_until": "2026-01-01"},
    ],
)  # fmt: skip
def test_a_wrong_field_is_refused_and_nothing_is_stored(memory, fields):
    with pytest.raises(UsageError):
        memory.remember("We retry", **fields)
    assert memory.recall("retry").hits == ()


@pytest.mark.parametrize(
    "again",
    [
        "We retry idempotent calls only",
        "we retry  Idempotent calls only!",
        "We just retry the idempotent calls only.",
    ],
)
def test_what_is_known_is_counted_instead_of_stored_again(memory, again):
    first = memory.remember("We retry idempotent calls only")
    second = memory.remember(again)
    assert (second.id, second.metadata["action"], second.metadata["seen"]) == (first.id, "NOOP", 2)
    assert second.text == "We retry idempotent calls only"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("the port of the database is 5432", "the port of the database is 5433"),
        ("we retry failed calls", "we never retry failed calls"),
        ("caching is enabled", "caching is disabled"),
        ("the client calls the server", "the server calls the client"),
        ("we write it in C++", "we write it in C#"),
        ("the offset is -1", "the offset is 1"),
        ("we moved from Redis to Postgres", "we moved from Postgres to Redis"),
    ],
)
def test_what_says_something_else_is_never_folded(memory, one, other):
    assert memory.remember(one).metadata["action"] == "ADD"
    assert memory.remember(other).metadata["action"] == "ADD"


def test_a_near_duplicate_is_told_to_the_caller(memory):
    old = memory.remember("the timeout of the payment service is thirty seconds in production and staging")
    new = memory.remember("the timeout of the payment service is sixty seconds in production and staging")
    assert new.metadata["similar"] == [old.id]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The port is 8080", "The port is 9090"),
        ("Anna owns billing", "Ben owns billing"),
        ("Deploys happen on Tuesdays", "deploys happen on Fridays"),
    ],
)
def test_what_may_contradict_is_told_to_the_caller_and_never_resolved(memory, one, other):
    old, new = memory.remember(one), memory.remember(other)
    assert new.metadata["similar"] == [old.id]
    assert {item.metadata["status"] for item in map(memory.opened.get, (old.id, new.id))} == {"active"}


def test_other_things_are_not_told_to_be_alike(memory):
    memory.remember("The port is 8080")
    for text in ("The port is closed on Sundays", "The host is old", "We drink port after dinner"):
        assert "similar" not in memory.remember(text).metadata


def test_what_is_new_about_a_known_text_is_added(memory):
    memory.remember("We retry", tags=["a"], metadata={"x": 1})
    item = memory.remember("We retry", tags=["b"], metadata={"x": 2, "y": 3}, importance=0.8)
    assert item.metadata["action"] == "UPDATE"
    assert item.metadata["tags"] == ["a", "b"]
    assert item.metadata["metadata"] == {"x": 1, "y": 3}
    assert memory.opened.history(item.id)[-1]["tags"] == [["a"], ["a", "b"]]


def test_lines_of_a_conversation_are_kept_each_time_they_are_said(memory):
    lines = [{"text": "Thanks!", "session": "s", "author": name} for name in ("Anna", "Ben", "Anna")]
    assert len({item.id for item in memory.remember_many(lines)}) == 3
    again = memory.remember_many(lines)
    assert [item.metadata["action"] for item in again] == ["NOOP"] * 3
    assert [item.metadata["seen"] for item in again] == [1] * 3


def test_a_secret_is_refused_without_being_repeated(memory):
    with pytest.raises(SecretError, match="looks like it holds a secret") as caught:
        memory.remember(f"the token is {KEY}")
    assert KEY not in str(caught.value)


def test_a_secret_can_be_blotted_out(memory):
    item = memory.remember(f"the token is {KEY}", redact=True)
    assert KEY not in item.text
    assert item.text.startswith("the token is ")
    assert item.metadata["redacted"]


@pytest.mark.parametrize("fields", [{"tags": [KEY]}, {"metadata": {"key": KEY}}, {"source": KEY}])
def test_a_secret_beside_the_text_is_refused(memory, fields):
    with pytest.raises(SecretError):
        memory.remember("harmless", redact=True, **fields)


def test_when_one_of_many_is_refused_none_is_stored(memory):
    with pytest.raises(SecretError):
        memory.remember_many(["fine", f"token {KEY}"])
    assert memory.recall("fine").hits == ()


def test_a_link_to_nothing_undoes_the_write(memory):
    with pytest.raises(NotFoundError):
        memory.remember("We retry", links={"supersedes": ["maaaaaaaaaaaaa"]})
    assert memory.recall("retry").hits == ()


def test_ten_thousand_tags_can_be_told_apart(memory):
    memory.remember_many({"text": f"note {at} of many", "tags": [f"tag{at}", "all"]} for at in range(10_000))
    assert memory.texts("note", tags=["tag4711"]) == ["note 4711 of many"]
    assert len(memory.recall("note", limit=20, tags=["all"]).hits) == 20


def test_a_clock_that_goes_backwards_hides_nothing(memory, clock):
    item = memory.remember("We retry idempotent calls")
    clock.now -= 1_000_000
    assert memory.texts("retry") == ["We retry idempotent calls"]
    again = memory.remember("We retry idempotent calls")
    assert again.id == item.id
    assert again.metadata["updated"] >= again.metadata["created"]


def test_what_a_text_names_is_found_without_a_model(memory):
    item = memory.remember(
        "Ask @ben or anna@example.org why `Client.send` in src/shop/client.py calls retry_all() since 2026-05-08, "
        "see https://example.org/a?b=1."
    )
    assert set(memory.opened.get(item.id).metadata["mentions"]) == {
        "person:ben", "person:anna@example.org", "symbol:Client.send", "path:src/shop/client.py",
        "symbol:retry_all", "date:2026-05-08", "url:https://example.org/a?b=1",
    }  # fmt: skip
    assert memory.texts("why", mentions=["src/shop/client.py"]) == [item.text]
    assert memory.texts("why", mentions=["src/shop/other.py"]) == []


def test_times_are_named_by_the_day_on_which_they_were_said(memory):
    memory.remember("We met yesterday", created="2023-05-08", session="s", author="Anna")
    memory.remember("We meet again next week", created="2023-05-08", session="s", author="Anna")
    assert memory.texts("meet", mentions=["2023-05-07"]) == ["We met yesterday"]
    assert memory.texts("meet", mentions=["2023-05-15/2023-05-21"]) == ["We meet again next week"]


def test_tools_and_projects_are_named(memory):
    item = memory.remember(
        "The billing-api service moved to PostgreSQL; Docker stays, and the project is late"
    )
    assert set(memory.opened.get(item.id).metadata["mentions"]) == {
        "project:billing-api", "tool:postgresql", "tool:docker",
    }  # fmt: skip


KNOWN = (
    "The database port is 5432",
    "Calls are logged to the audit table",
    "The build runs on Linux and Windows",
    "Deploys happen on Fridays after a review",
    "Retries of calls stop after five attempts",
    "The database port of staging is 5433",
)


def test_what_says_something_new_weighs_more_than_what_nearly_everybody_said(memory):
    for text in KNOWN:
        memory.remember(text)
    new = memory.remember("Giraffes sleep standing beneath acacias")
    for number in range(5):
        memory.remember(f"The nightly database backup of host h{number} goes to cold storage")
    old = memory.remember("The nightly database backup of host h9 goes to cold storage")
    assert new.metadata["surprise"] > 0.9
    assert old.metadata["surprise"] < 0.4
    assert new.metadata["importance"] > 0.6
    assert old.metadata["importance"] < 0.45


def test_surprise_leaves_alone_what_was_weighed_by_hand_said_in_a_conversation_or_taken_in_at_once(memory):
    for text in KNOWN:
        memory.remember(text)
    given = memory.remember("Giraffes sleep standing", importance=0.5)
    said = memory.remember("Giraffes sleep lying", session="s", author="Anna")
    many = memory.remember_many([f"Zebras number {number} graze" for number in range(30)])
    assert {item.metadata["importance"] for item in (given, said, *many)} == {0.5}
    assert "surprise" not in given.metadata
