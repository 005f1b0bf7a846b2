import pytest

from recollect.index.words import parts_of, with_humps, with_parts
from recollect.retrieve.words import split_identifier


@pytest.mark.parametrize(
    ("word", "parts"),
    [
        ("SQLiteStore", ("SQLite", "Store")),
        ("HTMLParser", ("HTML", "Parser")),
        ("retry_policy", ("retry", "policy")),
        ("parseURL", ("parse", "URL")),
        ("retry", ()),
    ],
)
def test_identifiers_are_split_at_case_and_underscore(word, parts):
    assert parts_of(word) == parts


@pytest.mark.parametrize(
    "word", ["SQLiteStore", "HTMLParser2", "__init__", "x86_64", "retryPolicy", "MAX_SIZE", "gRPCServer"]
)
def test_words_are_split_as_queries_are(word):
    assert parts_of(word) in {split_identifier(word), ()}


def test_names_stay_whole_and_their_parts_follow():
    assert with_parts("Client.send_all") == "Client.send_all send all"


def test_code_gets_the_parts_of_camel_case_once():
    assert (
        with_humps(b"retryPolicy(retryPolicy, snake_case)")
        == "retryPolicy(retryPolicy, snake_case) retry Policy"
    )


def test_plain_text_stays_as_it_is():
    assert with_humps(b"nothing to split") == "nothing to split"


def test_an_endless_word_is_left_alone():
    word = "aB" * 500
    assert with_humps(word.encode()) == word


def test_code_in_any_script_gets_its_parts_too():
    assert with_humps("größeÄndern = retryPolicy".encode()) == "größeÄndern = retryPolicy retry Policy"
    assert with_humps(b"caf\xe9Retry(x)") == "caf\ufffdRetry(x)"
