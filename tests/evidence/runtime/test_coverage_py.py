import os
import shutil

import pytest
from tests.evidence.conftest import edges
from tests.evidence.runtime.conftest import SHOP, ran, steps, write

from recollect.errors import UsageError

BY_LINE = {"Cart.__init__", "Cart.total", "price", "Totals.test_total", "test_price", "test_empty"}
HOLDERS = {"Cart", "Totals", "shop.py", "test_shop.py"}
TESTED = {
    "Totals.test_total -> Cart.__init__", "Totals.test_total -> Cart.total", "Totals.test_total -> price",
    "test_price -> price", "test_empty -> Cart.__init__",
}  # fmt: skip


@pytest.mark.parametrize(
    ("name", "symbols", "tested"),
    [
        ("true.coverage", BY_LINE | {"Cart.empty"}, TESTED | {"test_empty -> Cart.empty"}),
        ("false.coverage", BY_LINE, TESTED),
        ("coverage.json", BY_LINE, TESTED),
        ("lcov.info", BY_LINE, set()),
        ("coverage.xml", BY_LINE, set()),
    ],
)
def test_a_report_of_another_folder_tells_what_ran(opened, shop, covered, name, symbols, tested):
    r = opened(shop)
    report = r.observe([covered / name])
    assert set(ran(r)) == symbols | HOLDERS
    assert set(steps(r, "tests")) == tested
    assert (report.symbols, report.steps, report.unmatched) == (len(symbols), len(tested), 0)
    assert report.notes == (f"Paths under {covered} were taken for files of this folder.",) * (
        name not in {"coverage.json", "lcov.info"}
    )


def test_a_symbol_counts_once_for_each_test_that_ran_it(opened, shop, covered):
    r = opened(shop)
    r.observe([covered / "true.coverage"])
    assert {name: ran(r)[name] for name in ("price", "Cart.total", "Cart", "shop.py")} == {
        "price": 2, "Cart.total": 1, "Cart": 2, "shop.py": 2,
    }  # fmt: skip


def test_what_a_test_ran_becomes_an_edge_of_the_strongest_kind(opened, shop, covered):
    r = opened(shop)
    r.observe([covered / "true.coverage"])
    found = edges(r, "tests")
    assert found["test_shop.py:test_price -> shop.py:price"] == ("runtime", 95)
    assert "shop.py:unused" not in " ".join(found)


def test_the_same_report_counts_once(opened, shop, covered):
    r = opened(shop)
    r.observe([covered / "true.coverage"])
    before = ran(r)
    again = r.observe([covered / "true.coverage"])
    assert (again.sources, ran(r)) == ((), before)
    assert again.notes == ("true.coverage was observed before, and was not counted again.",)
    r.observe([covered / "true.coverage"], again=True)
    assert ran(r)["price"] == 2 * before["price"]


def test_a_file_that_changed_since_is_told_and_left_out(opened, shop, covered):
    write(shop, {"shop.py": "# one line more\n" + SHOP["shop.py"]})
    r = opened(shop)
    report = r.observe([covered / "true.coverage"])
    assert "price" not in ran(r)
    assert "test_price" in ran(r)
    assert any("1 files changed since the report was made" in note for note in report.notes)


def test_a_changed_file_is_read_by_the_names_of_its_functions_where_there_are_any(opened, shop, covered):
    write(shop, {"shop.py": "import os\n" * 3 + SHOP["shop.py"]})
    r = opened(shop)
    r.observe([covered / "lcov.info"])
    assert {"price", "Cart.total"} <= set(ran(r))
    assert "unused" not in ran(r)


def test_evidence_ends_when_a_symbol_promises_something_else(opened, shop, covered):
    r = opened(shop)
    r.observe([covered / "true.coverage"])
    write(shop, {"shop.py": SHOP["shop.py"].replace("def price(item)", "def price(item, tax)")})
    r.refresh()
    found = edges(r, "tests")
    assert found["test_shop.py:test_price -> shop.py:price"][0] != "runtime"
    assert found["test_shop.py:Totals.test_total -> shop.py:Cart.total"][0] == "runtime"


def test_a_database_that_is_cut_short_says_so_and_the_others_count(opened, shop, covered, tmp_path):
    file = tmp_path / "cut.coverage"
    file.write_bytes((covered / "true.coverage").read_bytes()[:-8192])
    r = opened(shop)
    with pytest.raises(UsageError, match=r"cut.coverage cannot be read .*; make it again"):
        r.observe([file])
    report = r.observe([file, covered / "lcov.info"])
    assert report.sources == (str(covered / "lcov.info"),)
    assert "cut.coverage cannot be read" in report.notes[-1]


def test_a_database_that_is_damaged_gives_what_can_be_read(opened, shop, covered, tmp_path):
    data = bytearray((covered / "true.coverage").read_bytes())
    at = data.rindex(b"/shop.py")
    page = at - at % 4096
    file = tmp_path / "damaged.coverage"
    file.write_bytes(data[: page - 4096] + b"\xff" * 4096 + data[page:])
    r = opened(shop)
    try:
        notes = r.observe([file]).notes
    except UsageError as error:
        notes = (str(error),)
    assert any("cut short or damaged" in note or "cannot be read" in note for note in notes)


def test_a_json_report_that_is_cut_short_gives_what_came_before(opened, shop, covered, tmp_path):
    whole = (covered / "coverage.json").read_bytes()
    file = tmp_path / "cut.json"
    file.write_bytes(whole[: whole.rindex(b'"test_shop.py": {') + 40])
    r = opened(shop)
    report = r.observe([file])
    assert "price" in ran(r)
    assert "test_price" not in ran(r)
    assert "cut.json is cut short or damaged after 1 records" in report.notes[0]


def test_ids_of_pytest_name_their_tests(opened, shop, covered, tmp_path):
    import sqlite3

    file = tmp_path / "ids.coverage"
    shutil.copy(covered / "true.coverage", file)
    with sqlite3.connect(file) as data:
        for old, new in (
            ("test_shop.test_price", "test_shop.py::test_price[a-1]|run"),
            ("test_shop.Totals.test_total", "elsewhere/test_shop.py::Totals::test_total|setup"),
            ("test_shop.test_empty", "nightly|gone.test_gone"),
        ):
            data.execute("UPDATE context SET context = ? WHERE context = ?", (new, old))
    data.close()
    r = opened(shop)
    report = r.observe([file])
    assert {"test_price -> price", "Totals.test_total -> Cart.total"} <= set(steps(r, "tests"))
    assert not any(step.startswith("test_empty") for step in steps(r, "tests"))
    assert "1 tests of the report are no symbols here, such as nightly|gone.test_gone." in report.notes


def test_what_is_older_than_is_kept_goes(opened, shop, covered, tmp_path):
    file = tmp_path / "old.info"
    shutil.copy(covered / "lcov.info", file)
    os.utime(file, (1_600_000_000, 1_600_000_000))
    r = opened(shop, runtime_days=0)
    r.observe([file])
    assert ran(r)
    assert r.forget_runs(days=30) > 0
    assert not ran(r)


def test_a_reset_forgets_everything_and_takes_the_report_again(opened, shop, covered):
    r = opened(shop)
    r.observe([covered / "true.coverage"])
    assert r.runs().reports[0]["name"] == "true.coverage"
    r.forget_runs()
    assert (ran(r), steps(r, "tests"), r.runs().reports) == ({}, {}, ())
    assert "runtime" not in {known for known, _ in edges(r, "tests").values()}
    assert r.observe([covered / "true.coverage"]).symbols > 0
