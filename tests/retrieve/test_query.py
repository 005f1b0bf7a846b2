import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.retrieve.query import MAX_KEYWORDS, Request, is_about_tests, path_terms, read_query
from recollect.types import Place

PYTHON = """Traceback (most recent call last):
  File "src/flask/app.py", line 1473, in wsgi_app
    response = self.full_dispatch_request()
  File "/usr/lib/json.py", line 12, in <module>
ValueError: x"""
DIFF = """diff --git a/src/a.py b/src/a.py
--- a/src/a.py
+++ b/src/a.py
@@ -10,3 +10,4 @@ def retry_request(self):
-    foo_bar = 1
+    self.backoff_time = 2
"""


@pytest.mark.parametrize(
    ("text", "place", "name"),
    [
        (PYTHON, Place("src/flask/app.py", 1473, 1473), "wsgi_app"),
        (
            "    at Layer.handle [as run] (/app/lib/layer.js:95:5)",
            Place("/app/lib/layer.js", 95, 95),
            "Layer.handle",
        ),
        ("\tat com.foo.Bar.baz(Bar.java:12)", Place("Bar.java", 12, 12), "Bar.baz"),
        ("main.foo(0x1)\n\t/home/u/main.go:12 +0x1d", Place("/home/u/main.go", 12, 12), "main.foo"),
        ("app/models/user.rb:12:in `save!'", Place("app/models/user.rb", 12, 12), "save!"),
        ("   at Foo.Bar.Baz(String x) in C:\\src\\Foo.cs:line 12", Place("C:/src/Foo.cs", 12, 12), "Bar.Baz"),
        ("#0  0x07 in ns::foo (x=1) at src/foo.cc:12", Place("src/foo.cc", 12, 12), "ns.foo"),
        ("thread 'main' panicked at src/main.rs:4:5:", Place("src/main.rs", 4, 4), ""),
    ],
)
def test_stack_traces_are_read_for_places_and_names(text, place, name):
    query = read_query(text)
    assert query.shape == "trace"
    assert place in query.places
    assert not name or name in query.identifiers


def test_a_diff_is_read_for_paths_lines_and_names():
    query = read_query(DIFF)
    assert query.shape == "diff"
    assert query.places == (Place("src/a.py", 10, 13),)
    assert {"retry_request", "foo_bar", "backoff_time"} <= set(query.keywords.compounds)


def test_paths_in_prose_are_places():
    query = read_query("see src/x/y.py:12-14 and setup.cfg, e.g. foo.bar, not https://a.b/c.py")
    assert query.places == (Place("src/x/y.py", 12, 14), Place("setup.cfg", 0, 0))


def test_a_url_gives_the_words_of_its_path():
    query = read_query("https://github.com/pallets/flask/issues/123?q=session")
    assert {"flask", "session"} <= set(query.keywords.components)
    assert "github" not in query.keywords.components


@pytest.mark.parametrize(
    "text", ["add a test for it", "the tests fail", "fix the flaky spec", "mocking the clock"]
)
def test_tasks_about_tests(text):
    assert is_about_tests(text)


@pytest.mark.parametrize(
    "text", ["the latest version", "a specific case", "contest attestation", "fastest path"]
)
def test_tests_are_found_by_whole_words(text):
    assert not is_about_tests(text)


def test_path_terms_are_the_five_longest_telling_words():
    words = (
        "fix",
        "the",
        "migration",
        "operations",
        "of",
        "schema",
        "databases",
        "editor",
        "quickly",
        "error",
    )
    assert path_terms(words) == ("operations", "databases", "migration", "quickly", "editor")


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        ("", "empty"),
        ("   ", "empty"),
        ("Client.send", "identifier"),
        ("`x`", "identifier"),
        ("two words", "words"),
    ],
)
def test_the_shape_of_a_query(text, shape):
    assert read_query(text).shape == shape


@pytest.mark.parametrize("text", ["", "!!! ??? ...", "\0\0", "😀😀"])
def test_a_query_without_words_says_so(text):
    query = read_query(text)
    assert query.keywords.all == ()
    assert query.notes == ("The query has no word to search for.",)


@pytest.mark.parametrize(
    "text", ["AND", "NEAR(a b)", 'col:x AND "y" OR z*', "x", "日本語の検索", "שלום עולם"]
)
def test_odd_text_still_has_keywords(text):
    assert read_query(text).keywords.all


@pytest.mark.parametrize(
    "unit", ["/a.b", "a", "at a.b ", "aA", ".", "`a", 'File "x", line 1\n', "a.b.c(\n", "日本"]
)
def test_a_huge_query_is_cut_and_says_so_quickly(unit):
    text = unit * (100_000 // len(unit) + 1)
    start = time.process_time()
    query = read_query(text)
    assert time.process_time() - start < 1.0
    assert "characters" in query.notes[0]
    assert max(len(tier) for tier in (query.keywords.exact, query.keywords.compounds)) <= MAX_KEYWORDS


def test_many_keywords_are_cut_and_counted():
    query = read_query(" ".join(f"word{n}x_y{n}" for n in range(500)))
    assert any("keywords were left out" in note for note in query.notes)


def test_the_same_question_has_the_same_id_and_another_one_another():
    assert read_query("a b").id == read_query("a b").id
    assert read_query("a b").id != read_query("a c").id
    assert read_query("a b").id != read_query("a b", Request(files=("x.py",))).id


@given(st.text(max_size=400))
def test_reading_never_fails_and_always_says_something(text):
    query = read_query(text)
    assert query.keywords.all or query.places or query.notes
    assert read_query(text) == query
