import pytest

from recollect.store import open_facts


@pytest.fixture
def facts(tmp_path):
    opened = open_facts(tmp_path / "deep" / "parsed.db", "1")
    yield opened
    opened.close()


def test_facts_come_back_as_they_were_put(facts):
    facts.put([(b"a" * 32, b"walrus" * 1000), (b"b" * 32, b"")])
    assert facts.get(b"a" * 32) == b"walrus" * 1000
    assert facts.get(b"b" * 32) == b""
    assert facts.get(b"c" * 32) is None


def test_known_contents_are_told_apart(facts):
    contents = [b"%032d" % at for at in range(1300)]
    facts.put((content, b"x") for content in contents[::2])
    assert facts.known(contents) == set(contents[::2])
    assert facts.known([]) == set()


def test_what_is_known_stays(facts):
    facts.put([(b"a", b"first")])
    facts.put([(b"a", b"second")])
    assert facts.get(b"a") == b"first"


def test_another_version_of_the_grammars_shares_nothing(facts):
    facts.put([(b"a", b"one")])
    other = open_facts(facts.path, "2")
    assert other.get(b"a") is None
    other.put([(b"a", b"two")])
    assert (facts.get(b"a"), other.get(b"a")) == (b"one", b"two")
    other.close()


def test_pruning_drops_all_that_is_not_kept(facts):
    facts.put([(b"a", b"1"), (b"b", b"2"), (b"c", b"3")])
    assert facts.prune([b"b", b"z"]) == 2
    assert facts.known([b"a", b"b", b"c"]) == {b"b"}


def test_two_at_once_see_what_the_other_put(facts):
    other = open_facts(facts.path, "1")
    facts.put([(b"a", b"1")])
    assert other.get(b"a") == b"1"
    other.close()


def test_only_a_content_that_was_put_was_seen(facts):
    facts.put([(b"a", b"1")])
    assert facts.seen(b"a")
    assert not any(facts.seen(b"%d" % number) for number in range(100))


def test_what_another_process_put_was_seen(facts):
    other = open_facts(facts.path, "1")
    assert other.seen(b"a")
    facts.put([(b"a", b"1")])
    assert other.seen(b"a")
    assert not other.seen(b"b")
    other.put([(b"b", b"2")])
    assert facts.seen(b"a")
    assert facts.seen(b"b")
    other.close()


def test_what_was_seen_is_remembered_between_sessions(facts):
    facts.put([(b"a", b"1")])
    again = open_facts(facts.path, "1")
    assert again.seen(b"a")
    assert not again.seen(b"b")
    again.close()


@pytest.mark.parametrize("harm", [lambda place: place.unlink(), lambda place: place.write_bytes(b"garbage")])
def test_without_a_filter_anything_may_have_been_seen_until_it_is_made_again(facts, harm):
    facts.put([(b"a", b"1")])
    harm(facts.path.with_suffix(".seen"))
    assert facts.seen(b"b")
    facts.put([(b"c", b"3")])
    assert facts.seen(b"a")
    assert facts.seen(b"c")
    assert not facts.seen(b"b")


def test_what_was_pruned_was_not_seen(facts):
    facts.put([(b"a", b"1"), (b"b", b"2")])
    facts.prune([b"b"])
    assert facts.seen(b"b")
    assert not facts.seen(b"a")


def test_a_full_filter_makes_room(tmp_path, monkeypatch):
    monkeypatch.setattr("recollect.store.sqlite.seen.CAPACITY", 10)
    opened = open_facts(tmp_path / "parsed.db", "1")
    for number in range(200):
        opened.put([(b"%d" % number, b"")])
    assert all(opened.seen(b"%d" % number) for number in range(200))
    assert sum(opened.seen(b"x%d" % number) for number in range(1000)) < 10
    opened.close()
