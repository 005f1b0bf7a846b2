import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.parse.words import forms, split, spread, words_of


@pytest.mark.parametrize(
    ("identifier", "words"),
    [
        ("SQLiteStore", ["sqlite", "store"]),
        ("HTMLParser", ["html", "parser"]),
        ("getUserById", ["get", "user", "by", "id"]),
        ("snake_case_name", ["snake", "case", "name"]),
        ("_private__x", ["private", "x"]),
        ("MAX_RETRIES", ["max", "retries"]),
        ("utf8Decode", ["utf", "8", "decode"]),
        ("parseHTTP2Header", ["parse", "http", "2", "header"]),
        ("XMLHttpRequest", ["xml", "http", "request"]),
        ("plain", ["plain"]),
        ("ID", ["id"]),
        ("userIDs", ["user", "ids"]),
    ],
)
def test_identifiers_split_at_their_words(identifier, words):
    assert list(split(identifier)) == words


def test_forms_keep_the_whole_identifier():
    assert forms("getUser") == ("get", "user", "getuser")
    assert forms("plain") == ("plain",)


def test_texts_give_the_words_of_all_identifiers():
    assert words_of("call getUser(my_id)") == ["call", "get", "user", "my", "id"]
    assert spread("getUser x") == "get user getuser x"


@given(st.text(max_size=60))
def test_words_hold_every_letter_once(text):
    letters = "".join(char for char in text.lower() if char.isascii() and char.isalnum())
    joined = "".join("".join(split(text)).split())
    assert "".join(char for char in joined if char.isascii() and char.isalnum()) == letters
