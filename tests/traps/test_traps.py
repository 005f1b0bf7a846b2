import tomllib

import pytest
from tests.traps import enriched
from tests.traps.measure import DOCS, TRAPS, languages, lines, measure, table_of

FLOORS = tomllib.loads((TRAPS / "floors.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("language", sorted(FLOORS))
def test_callers_are_found_as_well_as_before(language):
    score = measure(language)
    reached = (score.proven_precision, score.proven_recall, score.possible_recall)
    assert all(share >= floor for share, floor in zip(reached, FLOORS[language], strict=True)), score


def test_every_floor_belongs_to_a_trap_program():
    assert set(FLOORS) <= set(languages())


def test_the_tables_in_the_documentation_are_what_is_measured():
    assert table_of(DOCS / "edges.md") == lines()
    assert table_of(enriched.PAGE) == enriched.lines(enriched.stored())


@pytest.mark.parametrize("language", sorted(enriched.stored()))
def test_what_servers_added_was_measured_on_what_reading_finds_now(language):
    assert enriched.stored()[language].before == [round(share, 2) for share in measure(language)[2:6]]
