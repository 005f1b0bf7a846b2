from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.retrieve.conftest import names
from tests.retrieve.conftest import write as write_files

import recollect
from recollect.retrieve.answer import pack_of
from recollect.retrieve.ask import Surroundings, ask, profile_for
from recollect.retrieve.context import Snapshot
from recollect.retrieve.formats.write import FORMATS, format_named, write
from recollect.retrieve.packing import PlainLines
from recollect.retrieve.query import Request
from recollect.retrieve.tokens import COUNTERS
from recollect.source.lines import Lines

TASK = "make the retry policy of the http client configurable"
BODIES = {"pack.density.use": "bodies"}
SETTINGS = settings(
    max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None
)


@pytest.fixture
def reading(shop_folder):
    def made(framing=None, **services):
        services = {"text": Lines(shop_folder).of, **services}
        if framing is not None:
            services["framing"] = format_named(framing)
        return Surroundings(Snapshot(), clock=lambda: 1_000_000.0, services=services)

    return made


BUDGETS = st.one_of(st.integers(0, 900), st.sampled_from([1, 10_000_000]))
PROFILES = st.sampled_from([("mnemosyne", {}), ("knowing", BODIES), ("knowing", {}), ("lexical", {})])


@SETTINGS
@given(BUDGETS, PROFILES, st.sampled_from(sorted(FORMATS)), st.sampled_from(sorted(COUNTERS)))
def test_no_answer_ever_costs_more_than_its_budget(answer, reading, budget, profile, form, counted):
    name, overrides = profile
    found = answer(
        TASK,
        profile=name,
        overrides={**overrides, "tokens": counted},
        surroundings=reading(form),
        budget=budget,
    )
    assert found.packed.tokens <= budget
    written = write(pack_of(found), form, COUNTERS[counted])
    assert COUNTERS[counted](written) <= budget
    if found.packed.entries and form != "json":
        assert all(entry.item.path in written for entry in found.packed.entries)


@SETTINGS
@given(st.integers(0, 900))
def test_a_smaller_better_text_is_never_lost(answer, reading, budget):
    found = answer(TASK, profile="mnemosyne", surroundings=reading(), budget=budget)
    entries = {entry.item.number: entry for entry in found.packed.entries}
    lines, framing = reading().services["text"], PlainLines()
    for place, row in enumerate(found.candidates):
        if row.number in entries:
            continue
        item = found.items[row.number]
        cost = framing.cost(item, lines(item), row.reason, COUNTERS["cl100k"])
        for worse in found.candidates[place + 1 :]:
            assert worse.number not in entries or entries[worse.number].tokens < cost


@SETTINGS
@given(st.integers(0, 900))
def test_a_smaller_better_signature_is_never_lost(answer, reading, budget):
    found = answer(TASK, overrides=BODIES, surroundings=reading(), budget=budget)
    dropped = found.trace.of("pack.bodies") or found.trace.of("pack.density")
    entries = {entry.item.number: entry for entry in found.packed.entries}
    left = budget - found.packed.tokens if entries else budget
    for row in found.candidates:
        item = found.items[row.number]
        if row.number not in entries and "are shown with" not in dropped.dropped.get(row.number, ""):
            cost = PlainLines().cost(item, item.signature or item.name, row.reason, COUNTERS["cl100k"])
            assert cost > left


LONG = "\n".join(
    [
        "import json", "import os", "import re", "import sys", "", "", "def export_ledger(rows):",
        '    """Write the ledger as text."""',
        *(f"    # Remark {word} about it.\n    {word} = rows.{word}()" for word in ["abacus", "bellows", "cymbal"]),
        "    print('exporting the ledger')", "    print('still exporting it')", "    return abacus",
    ]
)  # fmt: skip


def test_texts_are_taken_whole_while_they_fit_and_shortened_when_not(tmp_path, around):
    folder = write_files(tmp_path, {"ledger.py": LONG})
    around = replace(around, services={"text": Lines(folder).of})
    profile = profile_for("task", "mnemosyne")
    forms = {}
    with recollect.open(folder) as opened:
        opened.index()
        with opened._index.reader() as reader:
            for budget in range(0, 400, 5):
                found = ask(reader, "export the ledger", Request(budget=budget), profile, around)
                entries = [entry for entry in found.packed.entries if "def export_ledger" in entry.text]
                forms[budget] = entries[0] if entries else None
    assert forms[0] is None
    assert forms[395].form == "body"
    shortened = [entry for entry in forms.values() if entry is not None and entry.form == "compressed"]
    assert shortened
    whole = Lines(folder).of(shortened[0].item)
    for entry in shortened:
        assert "# [2 log statements]" in entry.text
        assert "return abacus" in entry.text
        assert entry.ratio == pytest.approx(len(entry.text) / len(whole))


def test_compression_can_be_switched_off(answer, reading):
    off = {"pack.budget.compress": False}
    for budget in range(40, 400, 20):
        found = answer(TASK, profile="mnemosyne", overrides=off, surroundings=reading(), budget=budget)
        assert {entry.form for entry in found.packed.entries} <= {"body"}


def test_signatures_come_first_and_texts_where_there_is_room(answer, reading):
    forms = {}
    for budget in (150, 100_000):
        found = answer(TASK, overrides=BODIES, surroundings=reading(), budget=budget)
        forms[budget] = [entry.form for entry in found.packed.entries]
    assert "signature" in forms[150]
    assert "body" in forms[100_000]
    assert forms[100_000].count("body") > forms[150].count("body")


def test_lines_are_shown_once(answer, reading):
    found = answer(TASK, overrides=BODIES, surroundings=reading(), budget=100_000)
    bodies = [entry.item for entry in found.packed.entries if entry.form == "body"]
    for item in bodies:
        for other in bodies:
            inside = other.start_line <= item.start_line and item.end_line <= other.end_line
            assert item is other or item.path != other.path or not inside


def test_without_files_signatures_stand_for_texts_and_that_is_said(answer):
    found = answer(TASK, profile="mnemosyne")
    assert any("nobody can read the files" in reason for reason in found.degraded)


def test_a_name_of_the_query_leads_to_the_chunk_that_defines_it(answer, reading):
    found = answer("RetryPolicy", profile="mnemosyne", surroundings=reading())
    best = found.items[found.candidates[0].number]
    assert (best.path, best.kind) == ("shop/http/retry.py", "chunk")
    assert found.candidates[0].signals["symbol"] == 1.0
    assert "times 3" in " ".join(found.trace.of("boost.symbol_multiplier").notes.values())


def test_a_file_that_is_called_like_the_query_counts_half_as_much_again(answer, reading):
    found = answer("checkout of a basket", profile="mnemosyne", surroundings=reading())
    notes = found.trace.of("boost.filename").notes
    assert {found.items[number].path for number in notes if number in found.items} >= {
        "shop/orders/checkout.py"
    }


def test_connected_files_are_brought_in_below_what_was_found(answer, reading):
    found = answer("RetryPolicy should_retry", profile="mnemosyne", surroundings=reading())
    brought = [row for row in found.trace.of("expand.imports").after if "references" in row.signals]
    before = found.trace.of("expand.imports").before
    assert brought
    assert {row.number for row in brought}.isdisjoint(row.number for row in before)
    assert max(row.score for row in brought) <= 0.9 * max(row.score for row in before)
    assert (
        len({found.trace and found.items[row.number].path for row in brought if row.number in found.items})
        <= 2
    )


def test_the_same_question_has_the_same_answer(answer, reading):
    answers = [answer(TASK, profile="mnemosyne", surroundings=reading()) for _ in range(2)]
    assert names(answers[0]) == names(answers[1])
    assert [e.text for e in answers[0].packed.entries] == [e.text for e in answers[1].packed.entries]


@pytest.mark.parametrize(
    "text", ["", "a", "the of", "?!", 'AND OR NEAR( "', "col: *", "\0", "😀", "日本語", "x" * 5000]
)
def test_any_question_has_an_answer(answer, reading, text):
    assert answer(text, profile="mnemosyne", surroundings=reading()).packed is not None
