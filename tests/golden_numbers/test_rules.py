import pytest

from recollect.retrieve import fts
from recollect.retrieve.allowed import is_test_path, noise
from recollect.retrieve.expand.seeds import focused
from recollect.retrieve.keywords import read_keywords
from recollect.retrieve.values import Candidate, Keywords
from recollect.types import Item


def item(name="Thing", path="src/a.py", kind="class", owner="", number=1):
    return Item(id=f"c{number}", domain="code", kind=kind, name=name, path=path, owner=owner, number=number)


@pytest.mark.parametrize(
    ("found", "why"),
    [
        (item(kind="package"), "outside the source"),
        (item(kind="name"), "outside the source"),
        (item(name="external://requests.get"), "outside the source"),
        (item(name="stdlib://os.path"), "outside the source"),
        (item(path="dist/a.js"), "built or vendored"),
        (item(path="x/build/a.js"), "built or vendored"),
        (item(path="vendor/a.go"), "built or vendored"),
        (item(path="x/node_modules/a.js"), "built or vendored"),
        (item(path="x/a.min.js"), "minified"),
        (item(path="x/a.bundle.js"), "minified"),
        (item(path="tests/conftest.py"), "helper of tests"),
        (item(path="x/fixtures.py"), "helper of tests"),
        (item(path="x/testutil/a.go"), "helper of tests"),
        (item(path="x/testhelpers.go"), "helper of tests"),
        (item(path="x/test_helper.rb"), "helper of tests"),
        (item(name="mockStore.PutEdge", owner="mockStore", kind="method"), "mock"),
        (item(name="fakeClient.Do", owner="fakeClient", kind="method"), "mock"),
        (item(name="StubServer"), "mock"),
        (item(name="ab", kind="function"), "too short"),
        (item(name="Thing.x", kind="field"), "too short"),
    ],
)
def test_noise_is_recognised(found, why):
    assert why in noise(found)


@pytest.mark.parametrize("name", ["ID", "OK", "DB", "IP", "IO", "Go", "Do", "run", "日本"])
def test_short_names_that_mean_something_stay(name):
    assert noise(item(name=name)) == ""


@pytest.mark.parametrize(
    "found",
    [
        item(path="src/distance/a.py"),
        item(path="src/builder/a.py"),
        item(name="Hammock"),
        item(name="Smock.wash", owner="Smock", kind="method"),
        item(path="src/administer.py"),
    ],
)
def test_words_that_only_contain_noise_are_none(found):
    assert noise(found) == ""


def test_tasks_about_tests_keep_their_scaffolding():
    assert noise(item(path="tests/conftest.py"), about_tests=True) == ""
    assert noise(item(name="FakeClient"), about_tests=True) == ""
    assert noise(item(path="vendor/a.py"), about_tests=True)


@pytest.mark.parametrize(
    "path",
    [
        "pkg/a_test.go", "a/tests/b.py", "tests/b.py", "src/a.test.ts", "src/a.spec.js", "src/__tests__/a.js",
        "test_a.py", "x/test_a.py", "src/test/java/A.java", "spec/models/user_spec.rb", "src/FooTest.java",
        "src/FooTests.cs",
    ],
)  # fmt: skip
def test_paths_of_tests(path):
    assert is_test_path(path)


@pytest.mark.parametrize(
    "path",
    [
        "src/latest/a.py",
        "src/contest.py",
        "src/attestation.go",
        "src/testing.py",
        "a/specific.rb",
        "src/a.py",
    ],
)
def test_paths_that_only_look_like_tests(path):
    assert not is_test_path(path)


def seeds(*paths):
    rows = [Candidate(number, 1.0 - number / 100) for number in range(len(paths))]
    return rows, {number: item(path=path, number=number) for number, path in enumerate(paths)}


def test_the_largest_package_goes_first_and_keeps_its_order():
    rows, items = seeds("a/x.py", "b/x.py", "c/x.py", "b/y.py", "d/x.py", "b/z.py")
    assert [row.number for row in focused(rows, items, 5)] == [1, 3, 5, 0, 2, 4]


def test_five_candidates_or_six_packages_are_left_alone():
    rows, items = seeds("a/x.py", "b/x.py", "b/y.py", "c/x.py", "b/z.py")
    assert focused(rows, items, 5) == rows
    rows, items = seeds(*(f"{name}/x.py" for name in "abcdef"))
    assert focused(rows, items, 5) == rows


def test_compounds_are_phrases_in_the_column_of_names():
    assert fts.compound_terms(Keywords(exact=("before_request",))) == ('name : "before_request"',)
    dotted = fts.compound_terms(Keywords(compounds=("QuerySet.annotate",)))
    assert dotted == ('name : "annotate"', 'qualified : "QuerySet annotate"')


def test_five_neighbouring_pairs_of_long_words_are_phrases():
    words = ("alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta")
    assert fts.phrase_terms(words, ()) == (
        '"alpha beta"', '"beta gamma"', '"gamma delta"', '"delta epsilon"', '"epsilon zeta"',
    )  # fmt: skip
    assert fts.phrase_terms(("ab", "gamma"), ()) == ()
    assert fts.phrase_terms((), ("exactly this",)) == ('"exactly this"',)


def test_path_terms_are_prefixes_in_the_column_of_paths():
    assert fts.path_terms(("migration",)) == ('path : "migration" *',)


def test_decomposed_compounds_are_the_last_two_segments_and_their_parts_without_dunders():
    terms = fts.leaf_segments(("django.contrib.ModelAdmin.get_inlines", "Thing.__init__", "a.io"))
    assert terms == (
        'name : "modeladmin"', 'name : "model"', 'name : "admin"', 'name : "get_inlines"', 'name : "get"',
        'name : "inlines"', 'name : "thing"',
    )  # fmt: skip


def test_operators_in_words_are_quoted_away():
    assert fts.any_of(fts.word_terms(("AND", 'a"b', "NEAR"))) == '"AND" OR "a b" OR "NEAR"'


def test_scripts_without_spaces_match_by_prefix():
    assert fts.word_terms(("検索",)) == ('"検索" *',)
    assert fts.path_terms(("検索",)) == ('path : "検索" *',)


def test_longest_quoted_identifier_and_tiers_are_in_order():
    keywords = read_keywords("fix `a_b` and getUser quickly")
    assert keywords.all[:2] == ("a_b", "getUser")
