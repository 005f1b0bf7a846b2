import pytest

import recollect
from recollect.errors import NotFoundError


@pytest.fixture
def project(shop):
    with recollect.open(shop) as opened:
        opened.index()
        yield opened


def told(found):
    return {(("out" if one.outgoing else "in"), one.relation, one.item.name) for one in found.neighbours}


def test_what_calls_contains_and_tests_a_symbol_is_told_with_its_direction(project):
    found = told(project.around("Client"))
    assert ("out", "contains", "Client.send") in found
    assert ("in", "contains", "shop/client.py") in found
    method = told(project.around("Client.send"))
    assert {("out", "calls", "deliver"), ("in", "tests", "test_send"), ("in", "calls", "test_send")} <= method


def test_a_relation_that_is_stored_from_both_ends_is_told_once(project):
    found = project.around("Client")
    pairs = [(one.item.id, one.outgoing, one.relation) for one in found.neighbours]
    assert len(set(pairs)) == len(pairs)
    assert not {"member_of", "tested_by"} & {one.relation for one in found.neighbours}


def test_what_a_limit_leaves_out_is_still_counted(project):
    (whole, cut) = (project.around("shop/client.py"), project.around("shop/client.py", limit=1))
    assert whole.counts == cut.counts
    assert whole.counts["out:contains"] > 1
    assert sum(one.relation == "contains" and one.outgoing for one in cut.neighbours) == 1


def test_an_unknown_symbol_is_a_sentence(project):
    with pytest.raises(NotFoundError, match="No symbol is called 'Nothing'"):
        project.around("Nothing")
