from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.errors import ConfigError
from recollect.retrieve.packing import chars4
from recollect.retrieve.tokens import COUNTERS, counter, exact, least, merged, ranks

CODE = "def getUserById(self, user_id: int) -> User:\n    return self._users[user_id]\n"
# Counted by tiktoken 0.14.0 with the pattern and ranks of cl100k_base.
COUNTED = {
    "": 0,
    " ": 1,
    "hello world": 2,
    CODE: 21,
    "I'll say it's DON'T": 7,
    "1234567890": 4,
    "a\n\n\n  b   \n": 5,
    "日本語のテキスト": 8,
    "Ⅷ ½ ٣": 7,
    "😀👩\u200d👩\u200d👧 e\u0301": 17,
    "if (a&&b) {\r\n\treturn !c;\r\n}": 12,
    "supercalifragilisticexpialidocious": 11,
    "\x1c\x85\u3000x": 5,
    "<|endoftext|>": 7,
    "a" * 1000: 125,
}


@pytest.mark.parametrize("text", COUNTED)
def test_tokens_are_counted_as_the_reference_counts_them(text):
    assert exact(text) == COUNTED[text]


def test_the_vocabulary_is_whole():
    assert len(ranks()) == 100_256
    assert all(bytes([byte]) in ranks() for byte in range(256))


def test_estimates_are_there_by_name():
    assert counter("chars/4")("12345") == 2
    assert counter("words")("one two  three\n") == 3
    assert counter("cl100k") is exact


def test_an_unknown_counter_is_refused_with_the_known_ones():
    with pytest.raises(ConfigError, match="cl100k, chars/4, words"):
        counter("guess")


def test_text_that_is_no_unicode_is_still_counted():
    assert exact("\ud800") == 2


@given(st.binary(max_size=60))
def test_merging_in_any_order_of_equal_ranks_ends_where_the_plain_loop_ends(data):
    parts = [data[at : at + 1] for at in range(len(data))]
    while True:
        joined = [ranks().get(left + right, 10**9) for left, right in pairwise(parts)]
        if not joined or min(joined) == 10**9:
            break
        at = joined.index(min(joined))
        parts[at : at + 2] = [parts[at] + parts[at + 1]]
    assert merged(data, ranks()) == len(parts)


@given(st.text(), st.text())
def test_blocks_that_end_a_line_and_begin_with_no_space_cost_what_their_parts_cost(first, second):
    above, below = f"{first}\n", f"x{second}"
    assert exact(above + below) == exact(above) + exact(below)
    assert chars4(above + below) <= chars4(above) + chars4(below)


@given(st.text())
def test_every_counter_is_zero_for_nothing_only(text):
    for count in COUNTERS.values():
        assert count(text) >= 0
    assert (exact(text) == 0) == (text == "")


@given(st.text(max_size=200) | st.text(alphabet="ab A_'.\n\t/9é", max_size=80))
def test_what_a_glance_says_a_text_costs_at_least_is_never_more_than_it_costs(text: str) -> None:
    assert least(exact, text) <= exact(text)
