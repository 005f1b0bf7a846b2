import json

import pytest


@pytest.fixture
def at(tmp_path):
    return ("--path", str(tmp_path))


def one(done):
    (line,) = done.out.splitlines()
    return json.loads(line)


def test_pin_and_archive_say_whether_anything_changed(run, at):
    item = one(run("remember", "We retry calls", "--json", *at))["id"]
    assert one(run("pin", item, "--json", *at)) == {"id": item, "pinned": True, "changed": True}
    assert run("pin", item, *at).out == "Nothing changed; it was so already.\n"
    assert one(run("archive", item, "--json", *at)) == {"id": item, "archived": True, "changed": True}
    assert run("recall", "retry", *at).code == 1
    assert run("archive", item, "--remove", *at).out == "Done.\n"
    assert run("recall", "retry", *at).code == 0


def test_hygiene_shows_what_it_would_do_and_does_it(run, at):
    run("remember", "We retry calls", "--expires", "2020-01-01", *at)
    planned = run("hygiene", "--dry-run", *at).out
    assert planned.startswith("Would put away 1 memory of 1.\n")
    assert "We retry calls" in planned
    done = one(run("hygiene", "--json", *at))
    assert list(done) == [
        "dry_run", "round", "looked_at", "protected", "archived", "deleted", "left", "stale", "notes",
    ]  # fmt: skip
    assert [put["reason"] for put in done["archived"]] == ["expired"]


def test_nothing_learned_is_nothing_to_unlearn(run, at):
    assert (run("unlearn", *at).code, run("unlearn", *at).out) == (1, "Removed 0 events.\n")


def test_a_dream_is_told_listed_and_taken_back(run, at):
    for text in ("We met Anna Berg in Oslo", "Anna Berg likes tea", "The bicycle of Anna Berg is red"):
        run("remember", text, *at)
    assert run("dream", "--list", *at).code == 1
    assert "Would make" in run("dream", "--dry-run", *at).out
    done = one(run("dream", "--json", *at))
    assert list(done) == [
        "number", "dry_run", "looked_at", "clusters", "rejected", "reflections", "cards", "known", "links", "promoted",
        "raised", "time", "undone",
    ]  # fmt: skip
    assert (done["number"], len(done["cards"])) == (1, 1)
    hits = one(run("recall", "Anna", "--derived", "--json", *at))["hits"]
    assert done["cards"][0] in {hit["id"] for hit in hits}
    shown = one(run("recall", "Anna", "--json", *at))["hits"]
    assert done["cards"][0] not in {hit["id"] for hit in shown}
    assert one(run("dream", "--undo", "1", "--json", *at)) == {
        "number": 1,
        "removed": done["cards"],
        "notes": [],
    }
    assert "taken back" in run("dream", "--list", *at).out
    assert run("dream", "--undo", "1", *at).code != 0
