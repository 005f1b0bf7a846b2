import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.errors import CorruptError, UsageError
from recollect.store import ArcCache


def filled(capacity, *keys, ghosts=1000):
    cache = ArcCache(capacity, ghosts)
    for key in keys:
        cache.put(key, key.encode())
    return cache


def test_a_first_use_is_recent_and_a_second_is_frequent():
    cache = filled(4, "a", "b")
    assert cache.get("a") == b"a"
    assert (list(cache.recent), list(cache.frequent)) == (["b"], ["a"])
    cache.put("b", b"new")
    assert list(cache.frequent) == ["a", "b"]
    assert cache.get("a") == b"a"
    assert list(cache.frequent) == ["b", "a"]
    assert cache.get("b") == b"new"
    assert cache.get("c") is None


def test_the_oldest_recent_key_goes_first_and_leaves_a_ghost():
    cache = filled(2, "a", "b", "c")
    assert list(cache.recent) == ["b", "c"]
    assert list(cache.recent_ghosts) == ["a"]
    assert "a" not in cache


def test_a_frequent_key_goes_when_recent_ones_are_within_their_target():
    cache = filled(2, "a", "b")
    cache.get("a")
    cache.target = 1
    cache.put("c", b"c")
    assert (list(cache.recent), list(cache.frequent), list(cache.frequent_ghosts)) == (["b", "c"], [], ["a"])


def test_a_recent_ghost_that_returns_is_frequent_and_raises_the_target():
    cache = filled(2, "a", "b", "c", "a")
    assert list(cache.frequent) == ["a"]
    assert cache.target == 1
    assert list(cache.recent_ghosts) == ["b"]


def test_the_target_rises_by_the_ratio_of_the_ghosts():
    cache = ArcCache(100)
    cache.recent_ghosts.update(dict.fromkeys(["x", "y"]))
    cache.frequent_ghosts.update(dict.fromkeys(map(str, range(9))))
    cache.put("x", b"")
    assert cache.target == 4


def test_the_target_rises_no_higher_than_the_capacity():
    cache = ArcCache(3)
    cache.recent_ghosts["x"] = None
    cache.frequent_ghosts.update(dict.fromkeys(map(str, range(9))))
    cache.put("x", b"")
    assert cache.target == 3


def test_the_target_falls_by_the_ratio_of_the_ghosts_and_not_below_zero():
    cache = ArcCache(100)
    cache.target = 5
    cache.frequent_ghosts.update(dict.fromkeys(["x", "y"]))
    cache.recent_ghosts.update(dict.fromkeys(map(str, range(9))))
    cache.put("x", b"")
    assert cache.target == 1
    cache.put("y", b"")
    assert cache.target == 0
    assert list(cache.frequent) == ["x", "y"]


def test_ghosts_are_forgotten_from_the_larger_list_oldest_first():
    cache = filled(1, "a", "b", "c", "d", ghosts=2)
    assert list(cache.recent_ghosts) == ["b", "c"]


def test_a_state_is_the_same_after_it_was_saved(tmp_path):
    cache = filled(2, "a", "b", "c", "a", "d")
    cache.save(tmp_path / "arc")
    found = ArcCache.load(tmp_path / "arc")
    assert vars(found) == vars(cache)
    assert len(vars(cache)) == 7


def test_a_damaged_state_is_named(tmp_path):
    (tmp_path / "arc").write_bytes(b"\xc1 nonsense")
    with pytest.raises(CorruptError, match="arc"):
        ArcCache.load(tmp_path / "arc")


@pytest.mark.parametrize(("capacity", "ghosts"), [(0, 1), (1, -1)])
def test_a_cache_without_room_is_refused(capacity, ghosts):
    with pytest.raises(UsageError):
        ArcCache(capacity, ghosts)


@given(
    capacity=st.integers(1, 5),
    ghosts=st.integers(0, 6),
    calls=st.lists(st.tuples(st.booleans(), st.sampled_from("abcdefghij"))),
)
def test_a_cache_never_exceeds_its_room_and_no_key_is_in_two_lists(capacity, ghosts, calls):
    cache = ArcCache(capacity, ghosts)
    for write, key in calls:
        if write:
            cache.put(key, key.encode())
        else:
            assert cache.get(key) in {None, key.encode()}
        lists = (cache.recent, cache.frequent, cache.recent_ghosts, cache.frequent_ghosts)
        assert len(cache) <= capacity
        assert len(lists[2]) + len(lists[3]) <= ghosts
        assert len(set().union(*lists)) == sum(map(len, lists))
        assert 0 <= cache.target <= capacity
