"""Rows are found by their keys whatever the server believes of a space, and where row policies guard them."""

import re

import pytest

import recollect
from recollect.memory.opened import OpenMemory
from recollect.store.postgres.address import read
from recollect.store.postgres.memory_store import MemorySpace
from recollect.store.postgres.server import Space
from recollect.store.postgres.session import Recorded

MANY = 1500


@pytest.fixture
def unknown(store_url, admin):
    """A space that was begun after the server last looked at its tables, which held only other spaces then."""
    address = read(store_url)
    other = OpenMemory(MemorySpace(address, Space(f"{address.space}-other")))
    other.remember_many(
        [{"text": f"Other note {number}", "tags": [f"t{number}"]} for number in range(MANY)], None
    )
    other.close()
    admin.execute("ANALYZE")
    memory = OpenMemory(MemorySpace(address, Space(address.space)))
    memory.remember_many(
        [{"text": f"Own note {number}", "tags": [f"t{number}"]} for number in range(MANY)], None
    )
    yield memory
    memory.close()


def nodes(plan):
    yield plan
    for below in plan.get("Plans", ()):
        yield from nodes(below)


def scans(server, space, statements, table):
    """Give how each statement finds the rows of a table: the condition of each scan of it."""
    for sql, values in statements.items():

        def explain(session, sql=sql, values=values):
            found = session.connection.execute(f"EXPLAIN (FORMAT JSON) {sql}", values, binary=True)
            return found.fetchone()[0][0]["Plan"]

        for node in nodes(server.own(space, explain)):
            if node.get("Relation Name") == table and node["Node Type"] != "ModifyTable":
                yield sql, node.get("Index Cond") or node.get("Recheck Cond") or node["Node Type"]


def test_memories_are_found_by_key_in_a_space_of_which_the_server_knows_nothing(unknown, server, space):
    with Recorded() as statements:
        unknown.remember_many([{"text": f"Own note {n} again", "tags": [f"t{n}"]} for n in range(300)], None)
        unknown.recall("own note 7", 10, {}, None)
    keyed = {sql: values for sql, values in statements.items() if "asked" in sql}
    found = list(scans(server, space, keyed, "memory"))
    assert len(found) >= 4
    assert [pair for pair in found if not re.search(r"\b(uid|number|sketch|sketch_too) = ", pair[1])] == []
    found = list(scans(server, space, keyed, "label"))
    assert len(found) >= 4
    assert [pair for pair in found if not re.search(r"\b(number|key) = ", pair[1])] == []


def test_names_of_code_are_found_by_an_index(shop, store_url, server, space, admin):
    many = "\n".join(f"def made_{number}():\n    pass\n" for number in range(3000))
    (shop / "shop/many.py").write_text(many, encoding="utf-8")
    with recollect.open(shop, store=store_url) as project, Recorded() as statements:
        project.index()
        admin.execute("ANALYZE")
        project.search("Client.send")
    keyed = {sql: values for sql, values in statements.items() if "i.folded" in sql}
    found = list(scans(server, space, keyed, "code_item"))
    assert found
    assert [pair for pair in found if "folded" not in pair[1]] == []


def test_a_label_may_hold_a_backslash(shop, store_url):
    with recollect.open(shop, store=store_url) as project:
        kept = project.remember("Paths begin so", tags=["C:\\new", "\\x41"], author="DOMAIN\\ann")
        assert [hit.id for hit in project.recall("paths", tags=["C:\\new"]).hits] == [kept.id]
        assert [hit.id for hit in project.recall("paths", authors="DOMAIN\\ann").hits] == [kept.id]
