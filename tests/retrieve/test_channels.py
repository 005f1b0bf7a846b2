import pytest
from tests.retrieve.conftest import names, write

import recollect
from recollect.retrieve.ask import Surroundings, ask, profile_for
from recollect.retrieve.classes import read_classes
from recollect.retrieve.context import Snapshot
from recollect.retrieve.query import Request

APP = {
    "site/app.py": '''
"""A site."""


class Blueprint:
    """A part of a site."""

    def register(self, app):
        return app


class BlueprintSetupState:
    """What a part needs while it is added."""


def unrelated_helper():
    return 1
''',
    "site/billing/gateway.py": """
class StripeGateway:
    def capture_payment(self):
        return True


class Ledger:
    def capture_total(self):
        return 0
""",
    "site/billing/util.py": "def quiet():\n    return 1\n",
}


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = write(tmp_path_factory.mktemp("site"), APP)
    with recollect.open(folder) as opened:
        opened.index()
        with opened._index.reader() as reader:
            yield reader


def asked(reader, text, overrides=None, **around):
    return ask(
        reader, text, Request(), profile_for("task", "knowing", overrides), Surroundings(Snapshot(), **around)
    )


def rows(found, key):
    return [found.items[row.number].name for row in found.trace.of(key).after if row.number in found.items]


def test_a_concept_of_a_framework_goes_on_top_when_it_is_clearly_meant(site):
    found = asked(site, "how does blueprint registration work")
    assert names(found)[0].startswith("Blueprint")
    notes = found.trace.of("rerank.inject").notes.values()
    assert any("speaks of flask blueprint" in note for note in notes)
    top = found.candidates[0].score
    before = max(row.score for row in found.trace.of("rerank.inject").before)
    assert top == pytest.approx(before + 0.1)


def test_a_single_word_injects_nothing(site):
    assert asked(site, "the widget and the blueprint").trace.of("rerank.inject").notes == {}


def test_classes_of_other_languages_do_not_speak(site):
    found = asked(site, "router group and recovery middleware")
    assert found.trace.of("rerank.inject").notes == {}


def test_a_projects_own_classes_lead_to_its_names(site):
    own = read_classes(
        {"weight": 1.0, "classes": {"PAY": {"phrases": "take the money", "targets": "StripeGateway"}}},
        "project",
        "x",
    )
    assert "StripeGateway" not in rows(asked(site, "take the money"), "channel.equivalence")
    assert rows(asked(site, "take the money", classes=own), "channel.equivalence")[0] == "StripeGateway"


def test_a_compound_that_is_nowhere_is_searched_by_its_parts(site):
    found = asked(site, "fix StripeGateway.capture_refund")
    assert "parts were searched" in found.trace.of("channel.bm25").summary
    assert "StripeGateway.capture_payment" in rows(found, "channel.bm25")
    assert (
        "parts were" not in asked(site, "fix StripeGateway.capture_payment").trace.of("channel.bm25").summary
    )


def test_a_folder_that_is_named_seeds_its_types_before_its_functions(site):
    found = rows(asked(site, "the billing code"), "channel.path")
    assert found.index("StripeGateway") < found.index("quiet")


def test_a_type_is_seeded_for_a_method_that_matches(site):
    found = asked(site, "billing capture", {"channel.path.rich": 0, "channel.path.other": 0})
    assert set(rows(found, "channel.path")) == {"StripeGateway", "Ledger"}
    reasons = [row.reason for row in found.trace.of("channel.path").after]
    assert any("its capture_payment matches" in reason for reason in reasons)


def test_path_results_start_the_walk_with_less_weight(site):
    found = asked(site, "billing", {"fuse.rrf.limit": 1})
    restarts = {row.number: row.signals.get("restart") for row in found.trace.of("expand.seeds").after}
    assert sorted(value for value in restarts.values() if value)[0] == 0.3


def test_types_are_preferred_as_seeds_in_large_graphs(site):
    large = {"expand.seeds.prefer_types_above": 0, "expand.seeds.focus": False}
    found = asked(site, "capture payment total", large)
    seeds = sorted(
        (row for row in found.trace.of("expand.seeds").after if "seed" in row.signals),
        key=lambda row: -row.signals["seed"],
    )
    kinds = [found.items[row.number].kind for row in seeds if row.number in found.items]
    assert kinds == sorted(kinds, key=lambda kind: kind != "class")


def test_primary_keywords_come_before_components(site):
    found = asked(site, "capture_total of the payment")
    assert rows(found, "channel.tiered")[0] == "Ledger.capture_total"


def test_neighbours_lend_their_words(tmp_path):
    text = "def settle_invoice(x):\n    return x\n\n\ndef close_month(y):\n    return settle_invoice(y)\n"
    folder = write(tmp_path, {"books.py": text})
    with recollect.open(folder) as opened:
        opened.index()
        with opened._index.reader() as reader:
            found = asked(reader, "settle invoice while we close")
    reasons = {
        found.items[row.number].name: row.reason for row in found.trace.of("channel.equivalence").after
    }
    assert "settle invoice" in reasons["close_month"]
