import numpy as np

from recollect.retrieve.told import FEATURES, commit_of, hear, likeliest, measure, packed, unpacked

COMMITS = [
    ("Retry requests that time out", ["net/client.py", "net/retry.py"]),
    ("Round prices half up", ["shop/prices.py"]),
    ("Log every retry", ["net/retry.py"]),
    ("Reformat everything about retries", [f"file{n}.py" for n in range(30)]),
    ("Speed up the cart", ["shop/cart.py"]),
]


def features(text, *paths, leading=None):
    told = unpacked(packed("c0ffee", COMMITS))
    places = np.array([told.paths.get(path, -1) for path in paths])
    found = measure(told, hear(told, text), places, np.ones(len(paths)) if leading is None else leading)
    return [dict(zip(FEATURES, row, strict=True)) for row in found.tolist()]


def test_a_file_that_such_commits_changed_stands_above_others():
    retry, prices = features("retrying a request", "net/retry.py", "shop/prices.py")
    assert retry["past_best"] > prices["past_best"] == 0.0
    assert retry["past_covers"] == 1.0


def test_a_file_that_no_commit_changed_has_nothing():
    (row,) = features("retry", "never/changed.py")
    assert set(row.values()) == {0.0}


def test_a_sweep_tells_nothing_of_its_files():
    (row,) = features("reformat retries", "file3.py")
    assert set(row.values()) == {0.0}


def test_what_changes_with_the_best_files_is_near():
    client, cart = features("time", "net/client.py", "shop/cart.py", leading=np.array([0.0, 0.0]))
    assert client["past_near"] == cart["past_near"] == 0.0
    client, cart, _ = features(
        "time", "net/client.py", "shop/cart.py", "net/retry.py", leading=np.array([0.0, 0.0, 1.0])
    )
    assert client["past_near"] > cart["past_near"]


def test_words_that_nobody_said_leave_all_at_zero():
    (row,) = features("quaternions", "net/retry.py")
    assert row["past_best"] == row["past_covers"] == row["past_says"] == 0.0


def test_the_likeliest_files_come_first():
    told = unpacked(packed("c0ffee", COMMITS))
    assert likeliest(told, hear(told, "round a price"), 2)[0][0] == "shop/prices.py"


def test_what_is_kept_names_its_commit():
    assert commit_of(packed("c0ffee", COMMITS)) == "c0ffee"


def test_what_is_damaged_counts_as_nothing():
    data = packed("c0ffee", COMMITS)
    assert unpacked(data[: len(data) // 2]) is None
    assert commit_of(b"\xff" + data) == ""


def test_a_project_whose_commits_are_all_sweeps_has_nothing_to_tell():
    data = packed("c0ffee", [COMMITS[3]])
    assert unpacked(data) is None
    assert commit_of(data) == "c0ffee"
