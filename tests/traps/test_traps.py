import tomllib

import pytest
from tests.traps.measure import TRAPS, languages, measure

FLOORS = tomllib.loads((TRAPS / "floors.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("language", sorted(FLOORS))
def test_callers_are_found_as_well_as_before(language):
    score = measure(language)
    reached = (score.proven_precision, score.proven_recall, score.possible_recall)
    assert all(share >= floor for share, floor in zip(reached, FLOORS[language], strict=True)), score


def test_every_floor_belongs_to_a_trap_program():
    assert set(FLOORS) <= set(languages())
