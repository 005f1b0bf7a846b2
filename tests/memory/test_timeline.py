import pytest

import recollect
from recollect.errors import UsageError


@pytest.fixture
def project(shop):
    with recollect.open(shop) as opened:
        yield opened


def titles(page):
    return [item.name for item in page.items]


def test_nothing_remembered_is_an_empty_page(project):
    assert project.timeline().total == 0


def test_the_newest_comes_first_whatever_the_order_of_writing(project):
    for day in (2, 9, 5):
        project.remember(f"Said on day {day}", created=f"2026-05-0{day}")
    page = project.timeline()
    assert titles(page) == ["Said on day 9", "Said on day 5", "Said on day 2"]
    assert titles(project.timeline(1, 1)) == ["Said on day 5"]
    assert (page.total, project.timeline(1, 1).total) == (3, 3)


def test_filters_narrow_a_page_and_its_total(project):
    project.remember("Kept apart", tags=["http"], kind="decision")
    project.remember("Something else")
    assert titles(project.timeline(tags=["http"])) == ["Kept apart"]
    assert project.timeline(kinds=["decision"]).total == 1
    with pytest.raises(UsageError, match="kinds cannot be"):
        project.timeline(kinds=["decisions"])


def test_each_memory_tells_its_links_from_its_own_side(project):
    old = project.remember("We retry three times")
    new = project.remember("We retry five times", links={"supersedes": [old.id]})
    newer, older = project.timeline().items
    assert newer.metadata["links"] == [
        {
            "relation": "supersedes",
            "type": "supersedes",
            "outgoing": True,
            "id": old.id,
            "title": "We retry three times",
            "status": "superseded",
        }
    ]
    assert (older.metadata["links"][0]["relation"], older.metadata["links"][0]["id"]) == (
        "superseded by",
        new.id,
    )


def test_archived_memories_are_shown_only_when_asked_for(project):
    one = project.remember("Put away")
    project.memories.of("project").set_status(one.id, "archived")
    assert project.timeline().total == 0
    assert project.timeline(archived=True).total == 1
