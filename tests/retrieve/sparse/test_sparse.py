from dataclasses import replace

import apsw
import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.errors import ReadOnlyError
from recollect.retrieve.sparse.corpus import Corpus
from recollect.retrieve.sparse.index import SparseIndex, Vocabulary
from recollect.retrieve.sparse.stems import stem
from recollect.retrieve.sparse.terms import rules, terms_of
from recollect.types import Item

TEXTS = {
    "a.py": ["def retryPolicy(attempts):\n    return attempts", "class Basket:\n    price = 1"],
    "b.py": ["retry the basket once more, retry it", "backoff " + "filler words everywhere " * 20],
}
EVERYTHING = Vocabulary()
WORDS = """
caresses ponies cats feed agreed plastered motoring sing conflated troubled sized hopping falling hissing filing happy
sky relational conditional valenci digitizer vietnamization operator decisiveness callousness triplicate electrical
revival allowance adjustable replacement adoption communism bowdlerize probate rate controll roll generalizations
oscillators configurable running archaeology yes
"""
CHANGES = [{"token": "[a-z]+"}, {"shortest_part": 3}, {"stemmer": "none"}, {"stopwords": frozenset()}]


def chunk(path, place, number):
    return Item(f"{path}#{place}", "code", "chunk", "", path, place + 1, place + 1, number=number)


def chunks(path):
    first = 10 * sorted(TEXTS).index(path) if path in TEXTS else 90
    return [chunk(path, place, first + place) for place in range(len(TEXTS.get(path, ["x"])))]


def text_of(item):
    return TEXTS[item.path][item.start_line - 1]


def made(contents=None):
    corpus = Corpus()
    corpus.refresh(contents or {path: path.encode() for path in TEXTS}, chunks, text_of)
    return corpus


def found(corpus, text, **more):
    return [number for number, _ in SparseIndex(corpus, EVERYTHING).search(text, 10, **more)]


def test_chunks_with_rare_words_of_the_query_come_first():
    assert found(made(), "retry policy")[0] == 0
    assert found(made(), "basket price")[0] == 1
    assert found(made(), "nothing known here") == []


def test_a_score_is_the_dot_product_by_the_norm_of_the_chunk():
    index = SparseIndex(made(), EVERYTHING)
    query, document = index.vector("backoff"), index.vector(TEXTS["b.py"][1])
    dot = sum(weight * document[term] for term, weight in query.items())
    norm = sum(weight**2 for weight in document.values()) ** 0.5
    assert index.search("backoff", 5) == [(11, pytest.approx(dot / norm))]
    assert index.search("backoff", 5, normalise=False) == [(11, pytest.approx(dot))]


def test_only_files_with_new_content_are_read_again():
    corpus = made()
    contents = {path: path.encode() for path in TEXTS}
    assert corpus.refresh(contents, chunks, text_of) == 0
    assert corpus.refresh(contents | {"a.py": b"new"}, chunks, text_of) == 1
    assert corpus.refresh({"b.py": b"b.py"}, chunks, text_of) == 0
    assert found(corpus, "price") == []


def test_a_corpus_is_the_same_after_it_was_saved(tmp_path):
    corpus = made()
    corpus.save(tmp_path / "sparse")
    again = Corpus.load(tmp_path / "sparse")
    for text in ("retry policy", "basket", "backoff words"):
        assert SparseIndex(again, EVERYTHING).search(text, 9) == SparseIndex(corpus, EVERYTHING).search(
            text, 9
        )


def test_what_was_made_by_other_rules_is_stale_and_finds_nothing(tmp_path):
    corpus = made()
    corpus.version = "of other rules"
    corpus.save(tmp_path / "sparse")
    stale = Corpus.load(tmp_path / "sparse")
    assert stale.stale
    assert found(stale, "retry policy") == []


@pytest.mark.parametrize("change", [*CHANGES, {"code_keep": frozenset()}])
def test_every_rule_is_part_of_the_version(change):
    assert replace(rules(), **change).version != rules().version
    assert len(rules().version) == 64


def test_a_damaged_file_is_an_empty_corpus(tmp_path):
    (tmp_path / "sparse").write_bytes(b"\xff\x00")
    assert Corpus.load(tmp_path / "sparse").files == {}
    assert Corpus.load(tmp_path / "none").files == {}


def test_a_folder_that_is_not_there_is_named(tmp_path):
    with pytest.raises(ReadOnlyError, match="make its folder writable"):
        made().save(tmp_path / "no" / "sparse")


def test_words_are_cut_as_full_text_search_cuts_them():
    words = WORDS.split()
    connection = apsw.Connection(":memory:")
    connection.execute("CREATE VIRTUAL TABLE t USING fts5(x, tokenize = 'porter unicode61')")
    connection.execute("CREATE VIRTUAL TABLE v USING fts5vocab(t, 'row')")
    connection.execute("INSERT INTO t VALUES (?)", (" ".join(words),))
    assert {stem(word) for word in words} == {row[0] for row in connection.execute("SELECT term FROM v")}


@given(st.text())
def test_any_text_has_terms(text):
    assert all(term == term.lower() and len(term) >= 2 for term in terms_of(text))
