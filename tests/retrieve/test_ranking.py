import numpy as np

from recollect.retrieve.ask import context_of, profile_for
from recollect.retrieve.query import Request
from recollect.retrieve.ranking import Notes, joined, numbers_of, ranking_of, top_score
from recollect.retrieve.values import Candidate

ROWS = (
    Candidate(5, 0.5, "five", {"file": 1.0}),
    Candidate(3, 0.75, "three"),
    Candidate(9, 0.5, "", {"a": 0.0}),
)


def test_columns_are_the_same_candidates():
    found = ranking_of(ROWS)
    assert (tuple(found), tuple(found[at] for at in range(3)), tuple(found[1:])) == (ROWS, ROWS, ROWS[1:])
    assert found[-1] == ROWS[-1]
    assert found.take(np.array([2, 0]))[1] == ROWS[0]
    assert tuple(joined(ranking_of(ROWS[:1]), ranking_of(ROWS[1:]))) == ROWS
    assert (numbers_of(found), numbers_of(ROWS)) == ([5, 3, 9], [5, 3, 9])
    assert top_score(found, 1.0) == top_score(ROWS, 1.0) == 0.75
    assert top_score(found[:0], 1.0) == 1.0


def test_more_than_a_block_of_candidates_are_all_given():
    rows = tuple(Candidate(number, 1.0 / number, str(number), {"x": number}) for number in range(1, 500))
    assert tuple(ranking_of(rows)) == rows


def test_what_is_not_known_stays_absent():
    found = ranking_of(ROWS).scored(np.ones(3), file=np.array([2.0, np.nan, np.nan]))
    assert [row.signals for row in found] == [{"file": 2.0}, {}, {"a": 0.0}]
    assert found.signal("a", 7.0).tolist() == [7.0, 7.0, 0.0]
    assert found.signal("zzz", 7.0).tolist() == [7.0, 7.0, 7.0]


def test_of_an_item_that_comes_twice_the_first_counts():
    assert tuple(ranking_of((*ROWS, Candidate(3, 9.0)))) == ROWS


def test_notes_are_put_into_words_when_they_are_asked_for():
    said = []
    notes = Notes(
        np.array([5, 3]), np.array([0.5, 0.25]), lambda value: said.append(value) or f"it weighs {value}"
    )
    assert said == []
    assert (notes[3], notes.get(4), len(notes)) == ("it weighs 0.25", None, 2)
    notes[4] = "added"
    assert notes.pop(5) == "it weighs 0.5"
    assert dict(notes) == {3: "it weighs 0.25", 4: "added"}


def test_columns_are_ordered_as_candidates_are(shop, around):
    context = context_of(shop, "order", Request(), profile_for("task", "code"), around)
    items = [item for file in shop.files() for item in shop.items_of(file.path)]
    external = shop.graph().numbers[~np.isin(shop.graph().numbers, [item.number for item in items])].tolist()
    numbers = [item.number for item in items] + external + [10**6]
    rows = [Candidate(number, (number % 3) / 3, str(number)) for number in numbers]
    assert external
    assert tuple(context.in_order(ranking_of(rows))) == context.ordered(rows)
