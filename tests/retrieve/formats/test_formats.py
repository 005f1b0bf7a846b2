import json
from dataclasses import replace
from itertools import permutations
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.retrieve.formats.packs import hit, hits, item_of, pack, packs

from recollect.errors import UsageError
from recollect.retrieve.formats.write import FORMATS, format_named, write
from recollect.retrieve.tokens import COUNTERS, exact

NAMED = st.sampled_from(sorted(FORMATS))
COUNTED = st.sampled_from(sorted(COUNTERS))


@given(packs, NAMED, COUNTED)
def test_no_format_ever_costs_more_than_the_budget(made, name, counted):
    count = COUNTERS[counted]
    assert count(write(made, name, count)) <= made.budget


@given(st.lists(hits, max_size=6), NAMED)
def test_an_answer_costs_no_more_than_its_frame_and_its_entries(found, name):
    chosen = format_named(name)
    costs = [
        chosen.cost(item_of(row), row.text, "; ".join(row.reasons), exact)
        for row in found
        if "; " not in "".join(row.reasons) and all(row.reasons)
    ]
    kept = [row for row in found if "; " not in "".join(row.reasons) and all(row.reasons)]
    budget = chosen.overhead(exact) + sum(costs)
    written = write(pack(kept, budget), name, exact)
    assert exact(written) <= budget
    assert "did not fit" not in written or any("did not fit" in repr(row) for row in kept)


@given(packs)
def test_xml_is_well_formed(made):
    written = write(replace(made, budget=10_000_000), "xml", exact)
    root = ElementTree.fromstring(written)
    assert len(root.findall("item")) == len(made.items)


@given(packs)
def test_json_holds_every_text_as_it_is(made):
    written = json.loads(write(replace(made, budget=10_000_000), "json", exact))
    # What is called by its path and says only that is not said twice.
    texts = [
        ""
        if item.hit.text == item.hit.name == item.hit.path
        else item.hit.text.encode("utf-8", "replace").decode().strip("\n")
        for item in made.items
    ]
    assert [row["text"] for row in written["items"]] == texts


@given(packs, NAMED)
def test_what_is_written_can_be_saved(made, name):
    assert write(made, name, exact).encode("utf-8").decode("utf-8") == write(made, name, exact)


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_every_item_has_its_path_lines_and_reason(name):
    row = hit(
        path="src/http/client.py", name="Client.send", start_line=12, end_line=30, reasons=("named so",)
    )
    written = write(pack([row]), name, exact)
    assert exact(written) < 60
    for part in ("src/http/client.py", "12-30", "Client.send", "named so", "def f():"):
        assert part in written


@pytest.mark.parametrize("name", ["markdown", "xml", "lines"])
def test_order_of_rank_does_not_disturb_what_a_model_has_read(name):
    rows = [hit(path=f"{letter}.py", text=f"def {letter}(): ...") for letter in "abc"]
    written = {write(pack(order), name, exact) for order in permutations(rows)}
    assert len(written) == 1


@pytest.mark.parametrize("name", ["text", "json"])
def test_people_and_programs_get_the_best_first(name):
    rows = [hit(path="b.py"), hit(path="a.py")]
    written = write(pack(rows), name, exact)
    assert written.index("b.py") < written.index("a.py")


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_nothing_volatile_is_written(name):
    first = pack([hit()])
    other = replace(first, query_id="q2", tokens=77)
    other = replace(other, items=(replace(other.items[0], hit=hit(query_id="q2", score=0.3, id="other")),))
    assert write(first, name, exact) == write(other, name, exact)


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_an_edit_of_one_entry_leaves_what_stands_before_it(name):
    rows = [hit(path="a.py"), hit(path="b.py", text="def old(): ...")]
    edited = [rows[0], hit(path="b.py", text="def new(): ...")]
    before, after = (write(pack(found), name, exact) for found in (rows, edited))
    assert before.index("old") == after.index("new")
    assert before[: before.index("old")] == after[: before.index("old")]


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_what_does_not_fit_is_counted_and_the_smaller_is_kept(name):
    rows = [hit(path="big.py", text="word " * 500), hit(path="small.py")]
    written = write(pack(rows, budget=120), name, exact)
    assert "small.py" in written
    assert "big.py" not in written
    assert "1 more did not fit" in written


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_no_budget_gives_nothing(name):
    assert write(pack([hit()], budget=0), name, exact) == ""


def test_a_fence_is_longer_than_any_in_the_text():
    written = write(pack([hit(text="````\nx\n````", path="a.md")]), "markdown", exact)
    assert "\n`````markdown\n````\nx\n````\n`````\n" in written


def test_lines_keep_a_signature_on_its_line_and_a_body_below():
    row = hit(path="a.py", name="f", text="def f():")
    assert write(pack([row]), "lines", exact) == "@ a.py:1-2 def f(): # its name is f\n"
    body = write(pack([hit(path="a.py", text="def f():\n@ x")], form="body"), "lines", exact)
    assert body == "@ a.py:1-2 function f # its name is f\ndef f():\n @ x\n"


def test_lines_are_the_cheapest_format():
    rows = [hit(path=f"src/part{number}/file.py", name=f"function_{number}") for number in range(20)]
    costs = {name: exact(write(pack(rows), name, exact)) for name in FORMATS}
    assert min(costs, key=costs.get) == "lines"


def test_an_unknown_format_is_refused_with_the_known_ones():
    with pytest.raises(UsageError, match="text, markdown, xml, json, lines"):
        format_named("yaml")
