"""The numbers of the profile mnemosyne: every formula, table and threshold of chunk retrieval."""

import math

import pytest

from recollect.retrieve.boilerplate import RUN, boilerplate_lines, boilerplate_ratio, repetition
from recollect.retrieve.boost import filename, symbol_multiplier
from recollect.retrieve.channels import chunks, prefetch, sparse, symbol, usage
from recollect.retrieve.expand import imports
from recollect.retrieve.filters import files
from recollect.retrieve.profile import load_profile
from recollect.retrieve.rerank import cost
from recollect.retrieve.signature import signature_of
from recollect.retrieve.sparse.index import (
    Vocabulary,
    chosen_terms,
    cosine,
    inverse_frequency,
    term_frequency,
)
from recollect.retrieve.sparse.terms import rules, terms_of, token_terms
from recollect.retrieve.stage import find_stage

PROFILE = load_profile("mnemosyne")


def uses(phase):
    return {use.name: use for use in PROFILE.of(phase)}


def test_the_channels_weigh_what_the_document_says():
    weights = {name: use.weight for name, use in uses("channel").items()}
    assert weights == {
        "chunks": 0.4, "sparse": 0.4, "usage": 0.2, "symbol": pytest.approx(0.4 * 1.5), "prefetch": 0.4, "vector": 0.0,
    }  # fmt: skip
    fuse = uses("fuse")["rrf"].parameters
    assert (fuse.k, fuse.absent) == (60, "penalty")


def test_the_phases_run_in_the_order_of_the_document():
    assert PROFILE.order == ("boost", "filter", "expand", "rerank", "collapse")
    assert [use.name for use in PROFILE.of("boost")] == ["symbol_multiplier", "filename"]
    assert (PROFILE.budget, PROFILE.limit) == (8000, 20)


def test_every_channel_brings_three_times_what_is_shown():
    for channel in (chunks, sparse, symbol, usage, prefetch):
        assert channel.Parameters().limit == 3 * PROFILE.limit


def test_a_query_loses_operators_stopwords_and_single_letters():
    assert chunks.prepared('open "AND" close: (a NEAR/2 b)* ^col:') == ("open", "close", "NEAR", "col")
    assert chunks.prepared("the a of") == ("the", "of")
    assert chunks.prepared("") == ()


def test_scores_are_shares_of_the_best():
    assert chunks.normalised(-3.0, -6.0) == 0.5
    assert chunks.normalised(0.0, 0.0) == 0.0


def test_the_stopwords_are_about_ninety_and_identifiers_keep_their_own():
    assert 80 <= len(rules().stopwords) <= 130
    assert rules().code_keep == {
        "get", "set", "for", "is", "has", "not", "can", "use", "any", "all", "new", "add", "put",
    }  # fmt: skip
    assert (rules().token, rules().shortest_part) == ("[a-zA-Z_][a-zA-Z0-9_]{2,}", 2)


def test_an_identifier_gives_itself_and_its_parts():
    assert set(token_terms("getUserById")) == {"getuserbyid", "get", "user", "id"}
    assert token_terms("retry_policy") == ("retry_policy", "retri", "polici")
    assert token_terms("the") == ()
    assert terms_of("ab x1 if") == []


@pytest.mark.parametrize(("count", "most", "tf"), [(1, 4, 0.625), (4, 4, 1.0), (1, 1, 1.0), (2, 4, 0.75)])
def test_term_frequency(count, most, tf):
    assert term_frequency(count, most) == tf


@pytest.mark.parametrize(("df", "idf"), [(1, 2.7047), (5, 1.6061), (10, 1.0)])
def test_inverse_document_frequency(df, idf):
    assert inverse_frequency(10, df) == pytest.approx(idf, abs=5e-5)


def test_the_vocabulary_keeps_the_rarest_unless_it_is_told_otherwise():
    assert Vocabulary() == Vocabulary(1, 10_000, "rare")
    frequency = {"once": 1, "ten": 10, "hundred": 100}
    kept = {
        keep: chosen_terms(frequency, 100, Vocabulary(max_features=1, keep=keep))
        for keep in ("rare", "mid", "frequent")
    }
    assert kept == {"rare": ["once"], "mid": ["ten"], "frequent": ["hundred"]}
    assert chosen_terms(frequency, 100, Vocabulary(min_df=2)) == ["ten", "hundred"]


def test_cosine():
    assert cosine({"a": 3.0, "b": 4.0}, {"a": 3.0, "b": 4.0}) == pytest.approx(1.0)
    assert cosine({"a": 1.0}, {"a": 3.0, "b": 4.0}) == pytest.approx(0.6)
    assert cosine({"a": 1.0}, {}) == 0.0


@pytest.mark.parametrize(
    ("name", "terms", "score"),
    [
        ("RetryPolicy", ["retrypolicy"], 1.0),
        ("getUserById", ["getUserName"], 2 / 4 * 0.8),
        ("getUser", ["getUserName"], 2 / 3 * 0.8),
        ("retry_policy", ["retry", "policy"], 0.8),
        ("retry", ["basket"], 0.0),
    ],
)
def test_a_name_is_compared_by_its_parts(name, terms, score):
    assert symbol.name_score(name, terms) == pytest.approx(score)


def test_names_count_from_one_half_on_and_three_times():
    assert symbol.Parameters().least == symbol_multiplier.Parameters().least == 0.5
    assert symbol_multiplier.Parameters().factor == 3.0


@pytest.mark.parametrize(
    ("word", "part", "same"),
    [
        ("authentication", "authenticator", True),
        ("retry", "retry", True),
        ("store", "storage", False),
        ("config", "configuration", True),
        ("testing", "tests", False),
        ("interface", "internals", False),
        ("contention", "contextual", False),
    ],
)
def test_a_file_is_called_like_a_word_from_five_letters_and_three_fifths_on(word, part, same):
    assert filename.alike(word, part) is same


def test_a_file_name_is_taken_apart():
    assert filename.file_parts("src/http-client.retry_policy.test.py") == (
        "http",
        "client",
        "retry",
        "policy",
        "test",
    )
    assert filename.Parameters() == filename.Parameters(1.5, 5, 0.6)


@pytest.mark.parametrize(("present", "added"), [(1, 2), (8, 2), (9, 1), (10, 0), (30, 0)])
def test_so_many_files_are_brought_in(present, added):
    assert imports.added_files(present) == added


def test_a_file_that_is_brought_in_scores_by_its_references():
    assert imports.added_score(3, 0.1, 0.04) == pytest.approx(0.09)
    assert imports.added_score(2, 0.1, 0.04) == pytest.approx(0.028)
    assert imports.Parameters().threshold == 2


@pytest.mark.parametrize(("count", "kept"), [(1, 3), (5, 3), (9, 3), (12, 4), (20, 6), (24, 8), (100, 8)])
def test_so_many_files_are_kept(count, kept):
    assert files.file_count(count) == kept
    assert files.file_count(count, files.Parameters(max_files=5)) == 5


def test_soft_rules_for_files_are_there_but_off():
    assert files.Parameters() == files.Parameters(0, 3, 3, 8, 0, 0.7, False)


def test_value_per_token():
    assert cost.value_density(0.05, 300, 0.85, False) == pytest.approx(0.004286, abs=5e-7)
    assert cost.value_density(0.05, 300, 0.0, True) == pytest.approx(0.014910, abs=5e-7)
    assert cost.value_density(0.05, 0, 0.0, False) == pytest.approx(0.05 / (1 + math.log(2)))


@pytest.mark.parametrize(
    ("path", "structured", "least"),
    [
        ("docs/a.md", False, 0.85), ("a.html", False, 0.85), ("a.css", False, 0.85), ("a.txt", False, 0.85),
        ("a.html", True, 0.0), ("tests/a.py", True, 0.5), ("test/a.md", False, 0.85), ("src/tests/a.py", False, 0.0),
    ],
)  # fmt: skip
def test_paths_that_are_boilerplate(path, structured, least):
    assert cost.least_boilerplate(path, structured) == least


def test_boilerplate_comes_in_runs_of_one_kind():
    assert RUN == 2
    assert boilerplate_lines("import a\nx = f()\nimport b", "python") == 0
    assert boilerplate_lines("import a\nimport b\nx = f()", "python") == 2
    for kind in ("print(1)", "self.a = b", "", "# remark", "@decorated", "pass", "raise NotImplementedError"):
        assert boilerplate_lines(f"{kind}\n{kind}\nf(x)", "python") == 2
    assert boilerplate_lines("# TODO: one\n# TODO: two\nf(x)", "python") == 0


def test_repetition_adds_three_tenths():
    assert repetition(["a", "a", "", "b", "c"]) == 0.25
    assert boilerplate_ratio("f(x)\nf(x)\nf(x)\nf(x)", "python") == pytest.approx(0.3 * 0.75)
    assert boilerplate_ratio("", "python") == 1.0


def test_use_halves_within_a_week_and_weighs_a_fifth():
    assert usage.Parameters().half_life_days == 7.0
    assert uses("channel")["usage"].weight == 0.2


def test_a_question_has_one_signature_however_its_words_stand():
    assert signature_of("Retry the policy") == signature_of("policy, retry the RETRY of")
    assert signature_of("retry policy") == "fd94e744bd3d7f71"
    assert signature_of("a of") == ""
    assert prefetch.Parameters().hits == 3


def test_every_stage_of_the_profile_exists():
    for use in PROFILE.stages:
        assert find_stage(use.phase, use.stage.name) is use.stage
