"""Whatever is edited in whatever order, the index ends as a fresh one would."""

import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.index.dumped import difference, dumped
from tests.index.village import Village

from recollect.config import Settings
from recollect.index.opened import OpenIndex
from recollect.index.project import project_at

edits = st.tuples(st.integers(0, 17), st.integers(0, 149), st.integers(0, 149))
rounds = st.lists(st.lists(edits, min_size=1, max_size=5), min_size=1, max_size=4)


def dump_at(root):
    index = OpenIndex(project_at(root), Settings())
    try:
        index.update()
        return dumped(index)
    finally:
        index.close()


def check(start, rounds_of_edits):
    with tempfile.TemporaryDirectory() as folder:
        root, fresh = Path(folder, "edited"), Path(folder, "fresh")
        root.mkdir()
        fresh.mkdir()
        village = Village()
        for edit in start:
            village.edit(*edit)
        village.write(root)
        index = OpenIndex(project_at(root), Settings())
        try:
            index.update()
            for round_of_edits in rounds_of_edits:
                for edit in round_of_edits:
                    village.edit(*edit)
                village.write(root)
                index.update()
            left = dumped(index)
        finally:
            index.close()
        village.write(fresh)
        right = dump_at(fresh)
        assert left == right, difference(left, right)


@settings(max_examples=10, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(edits, min_size=5, max_size=40), rounds)
def test_edited_step_by_step_equals_fresh(start, rounds_of_edits):
    check(start, rounds_of_edits)


@pytest.mark.slow
@pytest.mark.timeout(1200)
@settings(max_examples=400, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(edits, min_size=5, max_size=60), rounds)
def test_edited_step_by_step_equals_fresh_at_length(start, rounds_of_edits):
    """Slow because it takes hundreds of small repositories through their lives."""
    check(start, rounds_of_edits)
