from tests.retrieve.conftest import names

from recollect.ports import Filters

TASK = "let the checkout keep an order in the store twice when the http client of the shop was busy"


def kinds(found):
    return {found.items[row.number].kind for row in found.candidates if "piece" in row.signals}


def test_a_task_is_answered_with_symbols_however_many_of_one_file(answer):
    found = answer(TASK, profile="code", pack=False)
    first = names(found)[:5]
    assert "Checkout.place_order" in first
    assert {"class", "method"} <= kinds(found)


def test_symbols_that_the_question_leaves_out_are_not_brought_in(answer):
    found = answer(TASK, profile="code", pack=False, filters=Filters(kinds=frozenset({"class"})))
    assert kinds(found) == {"class"}


def test_types_can_be_made_to_count_more(answer):
    heavy = answer(TASK, profile="code", pack=False, overrides={"rerank.pieces.weights": {"type": 50.0}})
    first = heavy.items[heavy.candidates[0].number]
    assert first.kind == "class"
