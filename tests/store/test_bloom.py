import hashlib
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.errors import CorruptError, UsageError
from recollect.store import BloomFilter


def test_the_size_is_the_one_of_the_formula():
    bloom = BloomFilter()
    assert (bloom.size_bits, bloom.hash_count, len(bloom.bits)) == (1_437_759, 10, 179_720)


def test_the_bits_of_a_content_are_those_of_md5_and_sha1():
    bloom = BloomFilter(1000, 0.01)
    bloom.add(b"walrus")
    first = struct.unpack("<Q", hashlib.md5(b"walrus").digest()[:8])[0]
    second = struct.unpack("<Q", hashlib.sha1(b"walrus").digest()[:8])[0]
    wanted = {(first + step * second) % bloom.size_bits for step in range(bloom.hash_count)}
    assert {at for at in range(bloom.size_bits) if bloom.bits[at // 8] >> at % 8 & 1} == wanted


@given(contents=st.sets(st.binary(max_size=20), max_size=50))
def test_what_was_added_is_always_seen(contents):
    bloom = BloomFilter(100)
    for content in contents:
        bloom.add(content)
    assert all(content in bloom for content in contents)


def test_what_was_not_added_is_seen_no_more_often_than_promised():
    bloom = BloomFilter(2000, 0.01)
    for at in range(2000):
        bloom.add(b"in %d" % at)
    assert sum(b"out %d" % at in bloom for at in range(5000)) < 5000 * 0.01 * 1.6


def test_a_filter_is_the_same_after_it_was_saved(tmp_path):
    bloom = BloomFilter(500, 0.02)
    bloom.add(b"walrus")
    bloom.save(tmp_path / "seen")
    data = (tmp_path / "seen").read_bytes()
    assert struct.unpack("<QdQQ", data[:32]) == (500, 0.02, bloom.size_bits, bloom.hash_count)
    assert data[32:] == bytes(bloom.bits)
    assert vars(BloomFilter.load(tmp_path / "seen")) == vars(bloom)


@pytest.mark.parametrize("data", [b"", b"short", b"\0" * 40, struct.pack("<QdQQ", 10, 0.1, 80, 3) + b"12345"])
def test_a_damaged_file_is_named(tmp_path, data):
    (tmp_path / "seen").write_bytes(data)
    with pytest.raises(CorruptError, match="seen"):
        BloomFilter.load(tmp_path / "seen")


@pytest.mark.parametrize(("capacity", "rate"), [(0, 0.1), (10, 0.0), (10, 1.0)])
def test_a_filter_that_cannot_be_is_refused(capacity, rate):
    with pytest.raises(UsageError):
        BloomFilter(capacity, rate)
