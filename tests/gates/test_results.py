"""The measured tables of the documentation are those of the stored runs."""

import importlib.util
import shutil
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def results(monkeypatch):
    spec = importlib.util.spec_from_file_location("results", ROOT / "tools" / "results.py")
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(__import__("sys").modules, "results", module)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def few(results, tmp_path):
    """Two stored runs over one data set, with the table that tells how they are shown."""
    for name in ("codesearch-bm25.json.gz", "codesearch-grep.json.gz", "tables.toml"):
        shutil.copy(ROOT / "benchmarks" / "results" / name, tmp_path)
    results.RESULTS = tmp_path
    return tmp_path


def test_a_typed_in_number_is_noticed_and_written_over(results, few, tmp_path):
    page = tmp_path / "page.md"
    page.write_text("Before\n<!-- results -->\n<!-- end -->\nAfter\n", encoding="utf-8")
    assert results.stale([page], write=True) == [page]
    written = page.read_text(encoding="utf-8")
    assert "BM25, stemmed" in written
    assert written.startswith("Before\n")
    assert written.endswith("After\n")
    assert results.stale([page]) == []
    best = written.split("**")[1]
    page.write_text(written.replace(best, f"{float(best) + 0.1:.3f}"), encoding="utf-8")
    assert results.stale([page]) == [page]


def test_the_best_of_a_column_is_the_one_with_the_highest_mean(results, few):
    table = results.one_table().splitlines()
    bold = [line for line in table if "**0." in line]
    assert len(bold) == 1
    assert bold[0].startswith("| BM25, stemmed")


def test_a_data_set_without_runs_says_so(results, few):
    assert results.all_of("locomo") == "Not measured yet."


def test_a_run_that_no_table_names_is_refused(results, few):
    text = (few / "tables.toml").read_text(encoding="utf-8")
    (few / "tables.toml").write_text(text.replace('bm25 = "BM25, stemmed"\n', ""), encoding="utf-8")
    with pytest.raises(SystemExit, match="does not name bm25"):
        results.one_table()


def test_folders_of_the_machine_are_left_out_of_commands(results):
    assert (
        results._portable("recollect bench run --data /a/b/tasks -o x")
        == "recollect bench run --data …/tasks -o x"
    )
