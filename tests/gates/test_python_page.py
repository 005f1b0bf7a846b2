"""The page about Python runs as it stands, and names everything that is public."""

import doctest
import re
import shutil
import subprocess
from pathlib import Path

import pytest

import recollect
from recollect import adapters, errors
from recollect.adapters import tools

DOCS = Path(__file__).resolve().parents[2] / "docs"


@pytest.fixture
def _example(tmp_path, monkeypatch):
    """Stand beside a copy of the example repository."""
    shutil.copytree(DOCS / "example", tmp_path / "shop")
    subprocess.run(["git", "init", "-q"], cwd=tmp_path / "shop", check=True)
    monkeypatch.chdir(tmp_path)


@pytest.mark.usefixtures("_example")
def test_every_example_of_the_page_is_true():
    found = doctest.testfile(str(DOCS / "python.md"), module_relative=False, encoding="utf-8")
    assert found.attempted > 25
    assert found.failed == 0


@pytest.mark.usefixtures("_example")
def test_the_example_of_the_tools_is_true():
    finder = doctest.DocTestFinder()
    runner = doctest.DocTestRunner()
    for case in finder.find(tools, globs={**vars(tools), "shop": "shop"}):
        runner.run(case)
    assert runner.tries > 0
    assert runner.failures == 0


def test_every_public_name_is_on_the_page():
    page = (DOCS / "python.md").read_text(encoding="utf-8")
    assert set(recollect.__all__) <= set(re.findall(r"\w+", page))


def test_everything_public_says_what_it_is():
    for name in recollect.__all__:
        assert getattr(recollect, name).__doc__
    for name in dir(recollect.Recollect):
        if not name.startswith("_"):
            assert getattr(recollect.Recollect, name).__doc__, name
    assert adapters.__doc__


def test_the_tree_of_errors_on_the_page_is_the_one_in_the_code():
    page = (DOCS / "python.md").read_text(encoding="utf-8")
    tree = errors.__doc__.partition("\n\n")[2].strip()
    assert tree in page
