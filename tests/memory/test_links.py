import pytest

from recollect.errors import NotFoundError, UsageError


@pytest.fixture
def two(memory):
    return memory.remember("The port is 1").id, memory.remember("The port is 2").id


def status(memory, public_id):
    return memory.opened.get(public_id).metadata["status"]


def test_contesting_marks_and_resolving_clears(memory, two):
    first, second = two
    assert memory.opened.link(second, "contests", first)
    assert status(memory, first) == "contested"
    hit = next(hit for hit in memory.recall("port").hits if hit.id == first)
    assert f"contested by {second}" in hit.reasons
    third = memory.remember("We looked: the port is 1").id
    memory.opened.link(third, "resolves", first)
    assert status(memory, first) == "active"


def test_superseding_can_be_taken_back(memory, two):
    first, second = two
    memory.opened.link(second, "supersedes", first)
    assert status(memory, first) == "superseded"
    assert memory.opened.link(second, "supersedes", first, remove=True)
    assert status(memory, first) == "active"
    assert not memory.opened.link(second, "supersedes", first, remove=True)


def test_the_same_link_twice_changes_nothing(memory, two):
    first, second = two
    assert memory.opened.link(second, "see-also", first)
    before = memory.opened.history(first)
    assert not memory.opened.link(second, "see-also", first)
    assert memory.opened.history(first) == before


def test_memories_cannot_supersede_each_other_in_a_circle(memory, two):
    first, second = two
    third = memory.remember("The port is 3").id
    memory.opened.link(second, "supersedes", first)
    memory.opened.link(third, "supersedes", second)
    with pytest.raises(UsageError):
        memory.opened.link(first, "supersedes", third)
    with pytest.raises(UsageError):
        memory.opened.link(first, "supersedes", first)


def test_history_tells_every_change_from_both_ends(memory, two):
    first, second = two
    memory.opened.link(second, "supersedes", first)
    memory.opened.set_status(second, "archived")
    assert [change["action"] for change in memory.opened.history(first)] == ["remembered", "superseded by"]
    assert [change["action"] for change in memory.opened.history(second)] == [
        "remembered",
        "supersedes",
        "status",
    ]
    assert memory.opened.history(first)[1]["other"] == second


def test_unknown_ids_and_links_are_refused(memory, two):
    with pytest.raises(NotFoundError):
        memory.opened.link(two[0], "supersedes", "maaaaaaaaaaaaa")
    with pytest.raises(UsageError):
        memory.opened.link(two[0], "hates", two[1])
    with pytest.raises(NotFoundError):
        memory.opened.history("maaaaaaaaaaaaa")
