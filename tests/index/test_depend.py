from array import array

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from recollect.index.depend import changed_keys, dependents, merge_keys

numbers = st.integers(0, 2**32 - 1) | st.integers(0, 20).map(lambda n: n * 65536)
exports = st.dictionaries(numbers, numbers, max_size=20)


def packed(offers):
    return array("I", [n for pair in sorted(offers.items()) for n in pair]).tobytes()


@given(exports, exports)
def test_changed_keys_are_those_whose_digest_differs(before, after):
    expected = {key for key in before.keys() | after.keys() if before.get(key) != after.get(key)}
    assert set(changed_keys(packed(before), packed(after)).tolist()) == expected


@given(st.lists(st.lists(numbers, max_size=8), max_size=12), st.sets(numbers, max_size=6))
def test_a_unit_depends_on_a_change_when_it_asked_a_changed_key(asked, changed):
    units = [f"unit{index}" for index in range(len(asked))]
    blobs = [array("I", sorted(set(keys))).tobytes() for keys in asked]
    expected = {unit for unit, keys in zip(units, asked, strict=True) if changed & set(keys)}
    assert dependents(units, blobs, np.array(sorted(changed), np.uint32)) == expected


def test_merged_keys_are_sorted_and_unique():
    parts = [np.array([5, 1], np.uint32), np.array([], np.uint32), np.array([5, 3], np.uint32)]
    assert merge_keys(parts).tolist() == [1, 3, 5]


def test_nothing_merged_is_nothing():
    assert len(merge_keys([])) == 0
