import pytest
from tests.retrieve.conftest import names, write

import recollect
from recollect.retrieve.ask import ask, profile_for
from recollect.retrieve.query import Request


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("RetryPolicy", "RetryPolicy"),
        ("wait", "wait"),
        ("Checkout.place_order", "Checkout.place_order"),
    ],
)
def test_what_bears_the_name_comes_first(answer, text, first):
    assert names(answer(text, profile="lexical", pack=False))[0] == first


def long_function(name, word):
    body = "".join(f"    {word}_{number} = {number} * len(items)\n" for number in range(70))
    return f"def {name}(items):\n{body}    return items\n\n\n"


def test_a_chunk_gives_way_to_the_symbol_that_it_shows(tmp_path, around):
    text = long_function("first", "apple") + long_function("second", "pear")
    folder = write(tmp_path, {"fruit.py": text})
    with recollect.open(folder) as opened:
        opened.index()
        with opened._index.reader() as reader:
            profile = profile_for("task", "lexical")
            found = ask(reader, "second pear_7", Request(), profile, around)
    assert names(found)[0] == "second"
    assert "it shows second, which stands for it" in found.trace.of("collapse.shown").dropped.values()
    assert "words match its text" in found.candidates[0].reason


def test_a_name_stands_above_what_mentions_it(answer):
    found = answer("wait", profile="lexical")
    assert names(found)[0] == "wait"
    assert found.candidates[0].signals["certain"] == 1.0
