import json
from importlib.resources import files

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from recollect.retrieve import trees
from recollect.retrieve.evidence import FEATURES


def plain_sum(grown, row):
    """Walk every tree by itself, as anybody would."""
    total = 0.0
    for features, borders, leaves in zip(grown.features, grown.borders, grown.leaves, strict=True):
        bits = [np.float32(row[at]) > border for at, border in zip(features, borders, strict=True)]
        total += leaves[sum(int(bit) << level for level, bit in enumerate(bits))]
    return total


@given(st.integers(0, 2**32 - 1), st.integers(1, 5), st.integers(1, 6))
def test_all_trees_at_once_say_what_each_says_by_itself(seed, depth, count):
    dice = np.random.RandomState(seed)
    grown = trees.Trees(
        dice.randint(0, 7, (count, depth)),
        dice.rand(count, depth).astype(np.float32),
        dice.randn(count, 1 << depth),
    )
    matrix = dice.rand(9, 7)
    assert np.allclose(trees.sums(grown, matrix), [plain_sum(grown, row) for row in matrix])


def test_a_value_on_the_border_does_not_exceed_it():
    grown = trees.Trees(np.array([[0]]), np.array([[0.5]], np.float32), np.array([[1.0, 2.0]]))
    assert trees.sums(grown, np.array([[0.5], [0.6]])).tolist() == [1.0, 2.0]


def test_the_shipped_trees_look_only_at_features_that_are_measured_and_say_what_made_them():
    grown = trees.shipped("files", FEATURES)
    assert len(grown.leaves) >= 50
    assert np.isfinite(grown.leaves).all()
    raw = json.loads(files("recollect.retrieve").joinpath("weights", "files.trees.json").read_text("utf-8"))
    assert raw["made"]["by"] == "benchmarks/training/files.py --write"
