import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.evidence.conftest import edges
from tests.evidence.scip import document, index, occurrence

from recollect.errors import UsageError
from recollect.evidence.scip.read import Index

FILES = {
    "a.py": "class A:\n    def close(self):\n        return 1\n",
    "b.py": "class B:\n    def close(self):\n        return 2\n",
    "use.py": "def call(thing):\n    thing.close()\n    print(1)\n",
}
CLOSE = "scip-python python shop 1.0 `a`/A#close()."
PRINT = "scip-python python python-stdlib 3.11 builtins/print()."
DOCUMENTS = (
    document("a.py", occurrence(1, 8, 5, CLOSE, definition=True)),
    document(
        "use.py", occurrence(1, 10, 5, CLOSE), occurrence(2, 4, 5, PRINT), occurrence(0, 9, 5, "local 1")
    ),
)
PROVEN = {"use.py:call -> a.py:A.close": ("scip", 90), "use.py:call -> outside": ("scip", 90)}


@pytest.fixture
def made(project, opened, tmp_path):
    def make(content):
        file = tmp_path / "index.scip"
        file.write_bytes(content)
        r = opened(project(FILES))
        return r, r.enrich(scip=[file])

    return make


def test_an_index_proves_what_it_names(made):
    r, report = made(index(*DOCUMENTS))
    assert edges(r) == PROVEN
    assert (report.tools[0].name, report.tools[0].version, report.tools[0].resolved) == (
        "scip-python",
        "0.6",
        2,
    )
    assert report.notes == ()


@pytest.mark.parametrize("cut", [1, 5, 40])
def test_an_index_that_is_cut_short_gives_what_came_before(made, cut):
    r, report = made(index(*DOCUMENTS, document("b.py", occurrence(1, 8, 5, "x y . 1 B#close().")))[:-cut])
    assert edges(r) == PROVEN
    assert "cut short or damaged after 2 documents" in report.notes[0]


def test_files_that_changed_since_are_told(made):
    moved = document("use.py", occurrence(1, 10, 5, CLOSE), text="something else\n")
    r, report = made(index(DOCUMENTS[0], moved))
    assert PROVEN["use.py:call -> a.py:A.close"] not in edges(r).values()
    assert "1 files changed since the index was made" in report.notes[0]


def test_a_name_that_stands_elsewhere_now_is_noticed_without_the_text(made):
    moved = document("a.py", occurrence(0, 8, 5, CLOSE, definition=True))
    _, report = made(index(moved, DOCUMENTS[1]))
    assert "(a.py)" in report.notes[0]


def test_paths_of_a_larger_tree_are_found_by_their_end(made):
    documents = [one.replace(b"a.py", b"a.py") for one in DOCUMENTS]
    r, report = made(
        index(*documents, document("deep/b.py", occurrence(1, 8, 5, "x y . 1 B#close().", True)))
    )
    assert report.tools[0].files == 3
    assert edges(r) == PROVEN


def test_what_is_no_index_is_said(made):
    _, report = made(b"")
    assert "holds no documents" in report.notes[0]


def test_a_missing_file_is_an_error(project, opened, tmp_path):
    with pytest.raises(UsageError, match="cannot be read"):
        opened(project(FILES)).enrich(scip=[tmp_path / "none.scip"])


@given(st.binary(max_size=300), st.integers(0, 400))
def test_no_bytes_break_the_reader(tmp_path_factory, noise, at):
    whole = index(*DOCUMENTS)
    file = tmp_path_factory.mktemp("scip") / "index.scip"
    file.write_bytes(whole[:at] + noise + whole[at:])
    list(Index(file).documents())
