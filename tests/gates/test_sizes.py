import importlib.util
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def sizes():
    spec = importlib.util.spec_from_file_location("sizes", ROOT / "tools" / "sizes.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def write(root: Path, text: str) -> None:
    (root / "src").mkdir()
    (root / "src" / "thing.py").write_text(text, encoding="utf-8")


def test_a_long_file_is_found(sizes, tmp_path):
    write(tmp_path, "x = 1\n" * 501)
    assert sizes.excesses(tmp_path) == {"src/thing.py: file lines": 501}


def test_too_many_parameters_are_found_without_counting_self(sizes, tmp_path):
    write(tmp_path, "class C:\n    def f(self, a, b, c, d, e, g): ...\ndef h(a, b, c, d, e, *, f, g): ...\n")
    assert sizes.excesses(tmp_path) == {"src/thing.py h: parameters": 7}


def test_a_long_function_and_a_class_of_many_methods_are_found(sizes, tmp_path):
    long = "def f():\n" + "    pass\n" * 101
    wide = "class C:\n" + "".join(f"    def m{n}(self): ...\n" for n in range(16))
    write(tmp_path, long + wide)
    assert sizes.excesses(tmp_path) == {"src/thing.py f: function lines": 102, "src/thing.py C: methods": 16}


def test_what_grows_beyond_its_allowance_is_a_fault(sizes):
    assert len(sizes.judge({"a.py: file lines": 620}, {"a.py: file lines": 610})) == 1
    assert sizes.judge({"a.py: file lines": 610}, {"a.py: file lines": 610}) == []


def test_an_allowance_that_is_no_longer_needed_is_a_fault(sizes):
    assert len(sizes.judge({}, {"a.py: file lines": 610})) == 1
