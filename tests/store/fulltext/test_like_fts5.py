"""Our matching and scoring of full text, held against SQLite's own on random texts and expressions."""

from importlib.resources import files

import apsw
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recollect.errors import UsageError
from recollect.store.fulltext.expression import read
from recollect.store.fulltext.matching import Statistics, scores
from recollect.store.fulltext.part import Gathering, Places, unpack_page
from recollect.store.fulltext.words import words_of
from recollect.store.sqlite.texts import TEXT_TABLES

WORDS = ["a", "ab", "abc", "b", "bc", "running", "runs", "x_y", "Été", "c d"]
TEXT = st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join)


def empty():
    """A database with the full-text tables."""
    database = apsw.Connection(":memory:")
    database.execute(files("recollect.store").joinpath("migrations", "0001_start.sql").read_text("utf-8"))
    return database


def lookup_in(part, pages):
    unpacked = [unpack_page(page) for page in pages]

    def lookup(word, prefix):
        if not prefix:
            at = part.page_of(word)
            return unpacked[at].of(word) if at is not None else Places(*np.zeros((2, 0), np.uint32))
        found = [unpacked[at].starting(word) for at in part.pages_starting(word)]
        keys = np.sort(np.concatenate([np.zeros(0, np.uint64), *(places.keys for places in found)]))
        return Places((keys >> np.uint64(32)).astype(np.uint32), keys.astype(np.uint32))

    return lookup


def both(table, rows):
    """The same texts in FTS5 and in a part of ours; each as a function from expression and weights to scores."""
    database = empty()
    gathering = Gathering(lambda text: words_of(table, text))
    for number, row in enumerate(rows, 1):
        database.execute(TEXT_TABLES[table].insert, (number, *row))
        gathering.put(number, row)
    part, pages = gathering.part()
    sizes = np.zeros(len(rows) + 1, np.uint32)
    sizes[part.numbers] = part.sizes

    def theirs(match, weights):
        ranking = f"bm25({', '.join(repr(float(weight)) for weight in weights)})"
        sql = f"SELECT rowid, -rank FROM {table} WHERE {table} MATCH ? AND rank MATCH ? ORDER BY rowid"
        return database.execute(sql, (match, ranking)).fetchall()

    def ours(match, weights):
        found = scores(
            read(table, match), lookup_in(part, pages), Statistics(len(rows), part.words, sizes), weights
        )
        return list(zip(*(column.tolist() for column in found), strict=True))

    return theirs, ours


LEAF = st.builds(
    "{}{}{}".format,
    st.sampled_from(["", "", "", "^", "title : ", "{body title} : ", "-title : ", "body : ^"]),
    st.sampled_from(
        ["a", "ab", '"a b"', '"ab abc"', "running", '"c d"', '"b" + "bc"', '"x_y"', "ete", "nowhere", '"a a"']
    ),
    st.sampled_from(["", "", " *"]),
)
NEAR = st.builds(
    "NEAR({} {}, {})".format,
    st.sampled_from(["a", '"a b"', "abc"]),
    st.sampled_from(["b", "ab", '"c d"']),
    st.integers(0, 4),
)
JOINED = st.recursive(
    LEAF,
    lambda inner: st.builds("({}) {} ({})".format, inner, st.sampled_from(["AND", "OR", "OR"]), inner),
    max_leaves=5,
)
# Under OR, FTS5 also counts where a NEAR or a NOT that does not match happens to stand; nobody can want that.
EXPRESSIONS = st.one_of(
    JOINED,
    JOINED,
    NEAR,
    st.builds("({}) AND ({})".format, NEAR, LEAF),
    st.builds("({}) NOT ({})".format, JOINED, JOINED),
)
WEIGHTS = st.tuples(st.sampled_from([0.0, 0.5, 1.0, 3.25]), st.sampled_from([0.0, 1.0, 7.0]))


@settings(max_examples=150, deadline=None)
@given(rows=st.lists(st.tuples(TEXT, TEXT), min_size=1, max_size=12), match=EXPRESSIONS, weights=WEIGHTS)
def test_any_expression_gives_the_texts_and_the_very_scores_of_fts5(rows, match, weights):
    theirs, ours = both("text_chunk", rows)
    assert ours(match, weights) == theirs(match, weights)


@settings(max_examples=60, deadline=None)
@given(text=st.text(max_size=40))
@pytest.mark.parametrize("table", TEXT_TABLES)
def test_texts_fall_into_the_words_of_fts5(table, text):
    database = empty()
    columns = TEXT_TABLES[table].columns
    database.execute(TEXT_TABLES[table].insert, (1, text, *("" for _ in columns[1:])))
    database.execute(f"CREATE VIRTUAL TABLE temp.seen USING fts5vocab('main', '{table}', 'instance')")
    theirs = [row[0] for row in database.execute("SELECT term FROM temp.seen ORDER BY offset")]
    assert words_of(table, text) == theirs


@pytest.mark.parametrize(
    "match", ["a b", 'a "---"', '"---"', '"---" b', "NEAR(a)", 'NEAR("---" a)', 'a NOT "---"']
)
def test_strings_side_by_side_and_strings_without_words_mean_what_they_mean_to_fts5(match):
    theirs, ours = both("text_chunk", [("a b", "a"), ("b", "a a"), ("x", "y")])
    assert ours(match, (1, 1)) == theirs(match, (1, 1))


@pytest.mark.parametrize("match", ['"', "a AND", "nocolumn: a", "(", "a NEAR(", "", "*", "a\0b"])
def test_what_fts5_cannot_read_is_refused(match):
    with pytest.raises(UsageError, match="cannot be read"):
        read("text_chunk", match)
