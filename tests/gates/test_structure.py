import importlib
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import recollect

ROOT = Path(__file__).resolve().parents[2]
BIN = Path(sys.executable).parent


def run(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, encoding="utf-8", check=False)


def test_imports_point_one_way():
    done = run(str(BIN / "lint-imports"), "--no-logo", "--no-cache")
    assert done.returncode == 0, done.stdout


def test_nothing_is_larger_than_allowed():
    done = run(sys.executable, "tools/sizes.py")
    assert done.returncode == 0, done.stderr


def test_every_file_is_opened_with_an_encoding():
    done = run(str(BIN / "ruff"), "check", "--preview", "--select", "PLW1514", "src", "tests", "tools")
    assert done.returncode == 0, done.stdout


def test_public_names_are_the_guarded_list():
    guarded = [
        "Around",
        "AwayError",
        "BusyError",
        "ConfigError",
        "CorruptError",
        "Diagnosis",
        "DiskFullError",
        "Explanation",
        "Hit",
        "Hits",
        "Impact",
        "IndexReport",
        "Item",
        "ModelError",
        "NewerSchemaError",
        "NotFoundError",
        "Pack",
        "PackItem",
        "ParseError",
        "Progress",
        "ReadOnlyError",
        "Recollect",
        "RecollectError",
        "SecretError",
        "Status",
        "StoreError",
        "UsageError",
        "open",
    ]
    assert list(recollect.__all__) == guarded


def test_every_public_name_can_be_had():
    for name in recollect.__all__:
        assert getattr(recollect, name).__name__ == name


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="recollect"):
        recollect.nothing_of_that_name  # noqa: B018


@pytest.mark.parametrize("arguments", [["--help"], ["search", "--help"], ["--version"]])
def test_help_imports_nothing_heavy(arguments):
    heavy = ["numpy", "tree_sitter", "apsw", "msgspec", "rich", "watchfiles", "platformdirs"]
    program = (
        "import sys\n"
        "from recollect.cli.app import main\n"
        f"try: main({arguments!r})\n"
        "except SystemExit: pass\n"
        f"print([name for name in {heavy!r} if name in sys.modules], file=sys.stderr)\n"
    )
    done = run(sys.executable, "-c", program)
    assert done.returncode == 0, done.stderr
    assert done.stderr.strip() == "[]"


def test_built_in_plugins_exist_where_the_entry_points_say():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    for points in project.get("entry-points", {}).values():
        for place in points.values():
            module, _, name = place.partition(":")
            assert not name or hasattr(importlib.import_module(module), name), place


def test_the_lock_names_what_the_project_needs_and_no_address_of_a_machine():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    text = (ROOT / "uv.lock").read_text(encoding="utf-8")
    locked = {package["name"]: package for package in tomllib.loads(text)["package"]}
    needed = [
        *project["dependencies"],
        *(row for rows in project["optional-dependencies"].values() for row in rows),
    ]
    names = {re.split(r"[\[<>=!~;\s]", row, maxsplit=1)[0].lower() for row in needed}
    listed = {row["name"] for row in locked["recollect"]["metadata"]["requires-dist"]}
    cure = "Run `uv lock --no-config --default-index https://pypi.org/simple`."
    assert names == listed, cure
    assert set(re.findall(r"\b(?:https?|file)://[^/\"]*", text)) == {
        "https://pypi.org",
        "https://files.pythonhosted.org",
    }, cure
