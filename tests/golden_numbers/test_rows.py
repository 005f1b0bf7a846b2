"""Every row of what the profiles mnemosyne and knowing promise names tests that exist, or says why it is not built."""

import re
import tomllib
from pathlib import Path

import pytest

ROWS = tomllib.loads(Path(__file__).with_name("rows.toml").read_text(encoding="utf-8"))
LEFT_OUT = ROWS.pop("left_out")
KNOWN = {row: tests.split() for table in ROWS.values() for row, tests in table.items()}
TESTS = {
    name
    for path in Path(__file__).parents[1].rglob("test_*.py")
    for name in re.findall(r"^def test_(\w+)", path.read_text(encoding="utf-8"), re.MULTILINE)
}


@pytest.mark.parametrize("row", KNOWN)
def test_a_row_is_kept_by_tests_that_exist(row):
    assert KNOWN[row]
    assert [name for name in KNOWN[row] if name not in TESTS] == []


@pytest.mark.parametrize(("letter", "last"), [("M", 14), ("K", 30), ("E", 7), ("E-M", 12), ("E-K", 10)])
def test_no_row_is_missing(letter, last):
    rows = {*KNOWN, *LEFT_OUT, *(row[:-1] for row in KNOWN if row[-1].islower())}
    assert [number for number in range(1, last + 1) if f"{letter}{number}" not in rows] == []
    assert not set(KNOWN) & set(LEFT_OUT)
