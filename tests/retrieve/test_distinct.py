import subprocess
import sys

import numpy as np

from recollect.retrieve.distinct import distinct, first_of_each, places_among


def test_each_value_is_given_once():
    assert distinct(np.array([3, 1, 3, 2, 1])).tolist() == [1, 2, 3]
    assert distinct(np.zeros(0, np.int64)).tolist() == []
    assert first_of_each(np.array([1, 1, 4, 4, 4, 9])).tolist() == [0, 2, 5]


def test_values_are_told_from_those_that_are_not_there():
    places, there = places_among(np.array([5, 2, 9]), np.array([2, 4, 5]))
    assert (there.tolist(), places[there].tolist()) == ([True, True, False], [2, 0])
    assert places_among(np.array([5]), np.zeros(0, np.int64))[1].tolist() == [False]


def test_a_search_loads_nothing_that_only_others_need(shop_folder):
    script = (
        "import sys, recollect\n"
        f"with recollect.open({str(shop_folder)!r}) as project: assert project.search('retry policy').hits\n"
        "unneeded = {'numpy.ma', 'tree_sitter', 'recollect.parse', 'urllib.request', 'recollect.memory.answer'}\n"
        "print(*sorted(unneeded & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, encoding="utf-8", check=True)
    assert done.stdout.split() == []
