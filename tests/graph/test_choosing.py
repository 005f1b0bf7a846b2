import shutil
import subprocess
import sys

import pytest
from tests.evidence.past import Repository

import recollect
from recollect.errors import NotFoundError, UsageError

SHOP = {
    "shop/price.py": (
        "RATE = 2\n\n\ndef net(amount):\n    return amount\n\n\ndef gross(amount):\n    return net(amount) * RATE\n\n\n"
        "class Bill:\n    def total(self):\n        return gross(1)\n\n    def lonely(self):\n        return 0\n"
    ),
    "shop/other.py": "def other():\n    return 1\n",
    "shop/__init__.py": "",
    "tests/test_price.py": (
        "from shop.price import Bill, net\n\n\ndef test_net():\n    assert net(1) == 1\n\n\n"
        "class TestBill:\n    def test_total(self):\n        assert Bill().total() == 2\n"
    ),
    "tests/test_other.py": "from shop.other import other\n\n\ndef test_other():\n    assert other() == 1\n",
    "notes.weird": "nothing\n",
}


@pytest.fixture
def repository(tmp_path):
    made = Repository(tmp_path / "r")
    made.commit(SHOP)
    return made


@pytest.fixture
def plan(repository):
    def plan_of(files=(), base="HEAD", **how):
        repository.write(dict(files) if base else {})
        with recollect.open(repository.root) as opened:
            return opened.tests(base, **how) if base else opened.tests(files=list(files), **how)

    return plan_of


def chosen(plan):
    return {
        f"{test.path}:{test.name}": (test.reason, test.certain)
        for test in plan.tests
        if test.name != test.path
    }


def changed(old, new):
    return {"shop/price.py": SHOP["shop/price.py"].replace(old, new)}


def test_tests_that_calls_lead_from_are_chosen_with_the_way(plan):
    found = plan(changed("return amount\n", "return amount + 0\n"))
    assert found.changed == ("shop/price.py:net",)
    assert chosen(found) == {
        "tests/test_price.py:test_net": ("calls", True),
        "tests/test_price.py:TestBill.test_total": ("calls", True),
    }
    far = next(test for test in found.tests if test.name == "TestBill.test_total")
    assert far.through == ("gross", "Bill.total")
    assert found.calls[0].arguments == ("tests/test_price.py",), "named after the file, which is all of them"


def test_with_proven_only_what_is_proven_is_named(plan):
    found = plan(changed("return amount\n", "return amount + 0\n"), proven=True)
    assert set(found.calls[0].arguments) == {
        "tests/test_price.py::test_net", "tests/test_price.py::TestBill::test_total",
    }  # fmt: skip


def test_the_arguments_are_those_that_pytest_takes(plan, repository):
    found = plan(changed("return amount\n", "return amount + 1\n"), proven=True)
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:xdist",
        *found.calls[0].arguments,
    ]
    done = subprocess.run(
        command, cwd=repository.root, capture_output=True, text=True, encoding="utf-8", check=False
    )
    assert "2 failed" in done.stdout, done.stdout + done.stderr


def test_a_symbol_that_no_test_reaches_is_named(plan):
    found = plan(changed("return 0\n", "return 5\n"))
    assert found.unreached == ("shop/price.py:Bill.lonely",)
    assert not any(test.certain for test in found.tests)


def test_lines_outside_of_symbols_concern_what_imports_the_file(plan):
    found = plan(changed("RATE = 2\n", "import os\n\nRATE = 2\n"))
    assert ("tests/test_price.py", "named") in {(test.path, test.reason) for test in found.tests}


def test_a_test_that_was_changed_itself_is_chosen(plan):
    found = plan({"tests/test_other.py": SHOP["tests/test_other.py"].replace("== 1", "== 2")})
    assert chosen(found) == {"tests/test_other.py:test_other": ("changed", True)}
    assert found.calls[0].arguments == ("tests/test_other.py::test_other",)


def test_a_new_test_and_a_removed_file_are_part_of_the_change(plan, repository):
    (repository.root / "shop" / "other.py").unlink()
    found = plan({"tests/test_new.py": "def test_new():\n    pass\n"})
    assert "tests/test_new.py:test_new" in chosen(found)
    assert any("shop/other.py is gone" in note for note in found.notes)


def test_what_history_changes_together_is_chosen_and_marked(plan, repository):
    for number in range(3):
        repository.commit(
            {
                "shop/other.py": f"def other():\n    return {number}\n",
                "tests/test_price.py": SHOP["tests/test_price.py"] + "#\n" * number,
            }
        )
    with recollect.open(repository.root) as opened:
        opened.read_history()
    found = plan({"shop/other.py": "def other():\n    return 9\n"})
    (test,) = [test for test in found.tests if test.path == "tests/test_price.py"]
    assert (test.reason, test.certain) == ("changes with", False)
    assert "of 100 commits that changed shop/other.py" in test.why
    assert not any("history" in note for note in found.notes)


def test_without_history_that_is_said(plan):
    assert any("history was not read" in note for note in plan(changed("return 0", "return 1")).notes)


def test_files_that_are_not_indexed_are_said_to_be_unknown(plan):
    found = plan({"data.bin": "\0\1\2", **changed("return 0", "return 1")})
    assert any("data.bin" in note for note in found.notes)


def test_whole_files_may_be_named_and_another_runner_forced(plan):
    found = plan(["shop/other.py"], base=None)
    assert found.calls[0].arguments == ("tests/test_other.py",)
    assert not plan(["shop/other.py"], base=None, runner="jest").calls
    with pytest.raises(UsageError, match="runners are pytest, go test"):
        plan(["shop/other.py"], base=None, runner="maven")


def test_wrong_questions_are_refused(plan, tmp_path):
    with pytest.raises(UsageError, match="Nothing differs"):
        plan()
    with pytest.raises(NotFoundError, match="git knows no commit"):
        plan(base="nowhere")
    with pytest.raises(UsageError, match="base of a change, or files"):
        plan(base=None)
    (tmp_path / "plain").mkdir()
    with recollect.open(tmp_path / "plain") as opened, pytest.raises(UsageError, match="no git repository"):
        opened.tests("HEAD")


def test_go_cargo_jest_and_vitest_are_named_as_they_want_it(tmp_path):
    made = Repository(tmp_path / "many")
    made.commit({
        "go.mod": "module example.org/many\n\ngo 1.21\n",
        "sum/sum.go": "package sum\n\nfunc Sum(a int) int { return a }\n",
        "sum/sum_test.go": 'package sum\n\nimport "testing"\n\nfunc TestSum(t *testing.T) { Sum(1) }\n',
        "Cargo.toml": '[package]\nname = "many"\nversion = "0.1.0"\n',
        "src/lib.rs": "pub fn twice(a: i32) -> i32 { a }\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n"
                      "    #[test]\n    fn doubles() { twice(1); }\n}\n",
        "package.json": '{"devDependencies": {"jest": "29"}}\n',
        "web/cart.js": "export function cart() { return 1 }\n",
        "web/cart.test.js": "import { cart } from './cart'\n\ntest('cart', () => { cart() })\n",
    })  # fmt: skip
    with recollect.open(made.root) as opened:
        found = {
            call.runner: call.arguments
            for call in opened.tests(files=["sum/sum.go", "src/lib.rs", "web/cart.js"]).calls
        }
        assert found["jest"] == ("--runTestsByPath", "web/cart.test.js")
        assert found["cargo test"][0] == "--"
        assert "doubles" in found["cargo test"]
        assert found["go test"][0] == "./sum"
        made.write({"package.json": '{"devDependencies": {"vitest": "1"}}\n'})
        assert {call.runner for call in opened.tests(files=["web/cart.js"]).calls} == {"vitest"}
        (call,) = opened.tests(files=["sum/sum.go"], proven=True).calls
        assert call.arguments == ("./sum", "-run", "^(TestSum)$")


@pytest.mark.skipif(shutil.which("go") is None, reason="go is not installed")
def test_go_takes_its_arguments(tmp_path):
    made = Repository(tmp_path / "go")
    made.commit({
        "go.mod": "module example.org/many\n\ngo 1.18\n",
        "sum/sum.go": "package sum\n\nfunc Sum(a int) int { return a }\n",
        "sum/sum_test.go": 'package sum\n\nimport "testing"\n\nfunc TestSum(t *testing.T) { Sum(1) }\n',
    })  # fmt: skip
    with recollect.open(made.root) as opened:
        (call,) = opened.tests(files=["sum/sum.go"], proven=True).calls
    done = subprocess.run(
        ["go", "test", *call.arguments], cwd=made.root, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
