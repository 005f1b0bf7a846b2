import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.models.gist import Gists, cosines, resolve, shipped
from recollect.models.wording import split_run, words


@pytest.fixture(scope="module")
def gists():
    return Gists()


@pytest.mark.parametrize(
    ("run", "parts"),
    [
        ("parseHTTP2Frame", ("parse", "http2", "frame")),
        ("HTMLParser", ("html", "parser")),
        ("retry", ("retry",)),
        ("x", ()),
        ("MAX", ("max",)),
    ],
)
def test_an_identifier_is_read_as_its_words(run, parts):
    assert split_run(run) == parts


def test_signs_and_underscores_part_words():
    assert words("self._open_file(path)") == ["self", "open", "file", "path"]


def test_an_unknown_word_stands_for_its_stem_or_its_two_halves():
    known = {"cache": 0, "source": 1, "map": 2}
    assert resolve("caches", known) == (0,)
    assert resolve("sourcemap", known) == (1, 2)
    assert resolve("qqqq", known) == ()


def near(gists, question, *texts):
    return cosines(gists.of_question(question), gists.of_texts(texts)).tolist()


def test_a_text_without_a_shared_word_is_near_when_it_means_the_same(gists):
    meant, other = near(
        gists,
        "delete a temporary directory",
        "def rmtree(folder): shutil.remove(folder)",
        "def color(theme): return theme.palette[0]",
    )
    assert meant > other


def test_what_has_no_known_word_is_near_to_nothing(gists):
    assert near(gists, "retry", "", "()!") == [0.0, 0.0]
    assert not gists.of_question("?").any()


@given(st.lists(st.text(max_size=80), max_size=6))
def test_a_text_has_the_same_gist_alone_and_among_others(texts):
    gists = Gists()
    together = gists.of_texts(texts)
    assert together.dtype == np.int8 and together.shape[0] == len(texts)
    for text, row in zip(texts, together, strict=True):
        assert np.array_equal(gists.of_texts([text])[0], row)


def test_the_shipped_parts_belong_together():
    weights = shipped()
    assert len(weights.table) == len(weights.told) == len(weights.asked) == len(weights.words)
