import pytest

from recollect.retrieve.keywords import read_keywords
from recollect.retrieve.words import phrase_tokens, split_identifier, word_lists


def test_the_worked_example_of_the_document():
    keywords = read_keywords("add a new MCP tool for snapshot diffing")
    assert keywords.exact == ()
    assert keywords.speculative == ("SnapshotDiffing", "snapshot_diffing")
    assert keywords.components == ("snapshot", "Snapshot", "diffing", "tool", "mcp")


def test_backticks_make_exact_keywords_in_both_cases():
    keywords = read_keywords("why does `before_request` run twice, and `BeforeRequest`?")
    assert keywords.exact == ("before_request", "BeforeRequest", "beforerequest")


def test_backticks_around_prose_or_very_long_text_are_no_identifier():
    assert read_keywords(f"see `two words` and `{'x' * 101}`").exact == ()
    assert len(read_keywords(f"`{'x' * 100}`").exact) == 1


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("call .delete() here", ("delete",)),
        ("run get_inlines() twice", ("get_inlines",)),
        ("the QuerySet.annotate() call", ("QuerySet.annotate", "queryset.annotate", "annotate")),
        ("in ModelAdmin.get_inlines we", ("ModelAdmin.get_inlines", "modeladmin.get_inlines", "get_inlines")),
        ("see django.utils.html.escape please", ("django.utils.html.escape",)),
        ("the mod.some_name path", ("mod.some_name",)),
    ],
)
def test_code_patterns_become_compounds(text, found):
    compounds = read_keywords(text).compounds
    assert [word for word in found if word not in compounds] == []


@pytest.mark.parametrize(
    "text", ["for example e.g. this", "that is i.e. this", "version 3.9 and v2.0", "plain foo.bar"]
)
def test_prose_with_dots_is_no_code(text):
    assert read_keywords(text).compounds == ()


def test_compounds_are_kept_and_split():
    keywords = read_keywords("fix getUserById")
    assert keywords.compounds == ("getUserById",)
    assert {"user", "id", "get"} <= set(keywords.components)


def test_the_first_noun_after_a_verb_leads():
    assert read_keywords("implement retry for the connection pool").components[:2] == ("retry", "Retry")


def test_components_are_ordered_by_length_after_the_priority_term():
    assert read_keywords("pool connection timeout").components == ("connection", "timeout", "pool")


@pytest.mark.parametrize(
    ("short", "long"),
    [
        ("ctx", "context"),
        ("cfg", "config"),
        ("svc", "service"),
        ("mux", "multiplexer"),
        ("stats", "statistics"),
    ],
)
def test_abbreviations_are_searched_both_ways(short, long):
    assert {short, long} <= set(read_keywords(f"rename {short}").components)


ABBREVIATIONS = """
ctx cfg svc req resp msg db srv mgr pkg idx iter buf conn addr cmd args opts params desc info stat stats fmt
conf res mux
"""
VERBS = """
add implement create build fix refactor update change remove delete move find detect compute generate resolve wire
connect extend introduce integrate
"""


def test_every_abbreviation_of_the_table_is_known():
    assert set(word_lists().abbreviations) == set(ABBREVIATIONS.split())


def test_verbs_of_the_table():
    assert word_lists().verbs == frozenset(VERBS.split())


def test_bigrams_need_neighbours_that_are_words():
    assert read_keywords("blast radius of transitive callers").speculative == (
        "BlastRadius", "blast_radius", "TransitiveCallers", "transitive_callers",
    )  # fmt: skip
    assert read_keywords("fix the bug").speculative == ()
    assert read_keywords("abc xyz").speculative == ()


def test_only_stopwords_are_searched_as_they_are():
    assert set(read_keywords("the of and").components) == {"the", "of", "and"}


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("SQLiteStore", ("SQLite", "Store")),
        ("HTMLParser", ("HTML", "Parser")),
        ("HTTPServerError", ("HTTP", "Server", "Error")),
        ("SearchBM25Nodes", ("Search", "BM25", "Nodes")),
        ("getUserById", ("get", "User", "By", "Id")),
        ("before_request", ("before", "request")),
        ("OAuth2Handler", ("OAuth2", "Handler")),
        ("naïve_größe", ("naïve", "größe")),
        ("__init__", ("init",)),
    ],
)
def test_identifiers_split_on_case_runs_and_separators(name, parts):
    assert split_identifier(name) == parts


def test_phrases_are_compared_by_whole_words():
    assert phrase_tokens("The RetryPolicy's max_retries") == ("the", "retry", "policy", "s", "max", "retries")
