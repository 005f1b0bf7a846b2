import pytest

from recollect.ports import Filters
from recollect.retrieve.plain.query import read


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("parse_config", "parse_config"),
        ("parseConfig", "parseConfig"),
        ("HttpClient", "HttpClient"),
        ("Client.send", "Client.send"),
        ("std::vector", "std.vector"),
        ("Client#send", "Client.send"),
        ("client->send", "client.send"),
        ("send()", "send"),
        ("a::b->c()", "a.b.c"),
    ],
)
def test_what_is_written_like_a_name_is_one(text, name):
    query = read(text)
    assert (query.name, query.named) == (name, True)


@pytest.mark.parametrize("text", ["retry", "Retry", "переменная"])
def test_a_plain_word_may_be_a_name_but_is_not_written_like_one(text):
    query = read(text)
    assert (query.name, query.named) == (text, False)


@pytest.mark.parametrize("text", ["", "retry policy", "why not?", "a + b", "😀", "x " * 1000])
def test_anything_else_is_no_name(text):
    assert read(text).name == ""


def test_names_inside_a_text_are_seen():
    query = read("where does Client.send call parse_config() before retrying?")
    assert query.identifiers == ("Client.send", "parse_config")


def test_the_id_depends_on_all_that_shapes_the_answer_and_on_nothing_else():
    assert read("retry").id == read(" retry ").id
    others = [
        read("retries"),
        read("retry", limit=3),
        read("retry", filters=Filters(languages=frozenset({"go"}))),
        read("retry", filters=Filters(kinds=frozenset({"go"}))),
        read("retry", filters=Filters(path_prefixes=("go",))),
        read("retry", filters=Filters(include_tests=False)),
    ]
    assert len({read("retry").id, *(query.id for query in others)}) == len(others) + 1


def test_text_that_cannot_be_encoded_is_made_readable():
    assert read("a\ud800b\0c").text == "a?b c"
