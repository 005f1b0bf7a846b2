"""The examples of the documentation, run as they are."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

DOCS = Path(__file__).resolve().parents[2] / "docs"
ANSWER = "Half a second, doubled with each attempt (RetryPolicy.waiting_time)."


@pytest.fixture
def example(tmp_path):
    """Run an example in a copy of the example repository."""
    root = tmp_path / "shop"
    shutil.copytree(DOCS / "example", root)
    subprocess.run(["git", "init", "-q"], cwd=root, check=True)

    def example(name, *arguments):
        command = [sys.executable, DOCS / "examples" / name, *arguments]
        done = subprocess.run(
            command, cwd=root, capture_output=True, text=True, encoding="utf-8", check=False, timeout=50
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.splitlines()

    return example


def test_the_plain_loop_remembers_what_it_did(example):
    assert any("RetryPolicy" in line or "Client" in line for line in example("agent_loop.py"))
    again = example("agent_loop.py")
    assert again[0] == "known already: Looked into 'wait longer between attempts'."


def test_a_model_with_the_interface_of_openai_calls_the_tools(example):
    lines = example("openai_tools.py", DOCS / "examples/openai_responses.json")
    assert lines[0].startswith("context: ")
    assert "symbol: 1 item depends on RetryPolicy.waiting_time (shop/retry.py:9-11):" in lines
    assert any(line.startswith("symbol: The arguments are no JSON") for line in lines)
    assert lines[-1] == ANSWER


def test_a_model_with_the_interface_of_anthropic_calls_the_tools(example):
    lines = example("anthropic_tools.py", DOCS / "examples/anthropic_responses.json")
    assert lines[0].startswith("context: ")
    assert any("No symbol is called 'NoSuchThingAnywhere'" in line for line in lines)
    assert lines[-1] == ANSWER


@pytest.mark.parametrize(
    ("name", "package"), [("langchain", "langchain_core"), ("llamaindex", "llama_index")]
)
def test_frameworks_ask_through_their_own_interface(name, package, example):
    pytest.importorskip(package, reason=f"pip install 'recollect[{name}]'")
    assert any(line.startswith("shop/retry.py: ") for line in example("retrievers.py", name))


@pytest.mark.parametrize(
    ("name", "package"), [("langchain", "langchain_core"), ("llamaindex", "llama_index")]
)
def test_a_framework_that_is_missing_is_named_with_its_cure(name, package):
    code = f"import sys; sys.modules['{package}'] = None; import recollect.adapters.{name}"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, encoding="utf-8", check=False
    )
    assert f"pip install 'recollect[{name}]'" in done.stderr


def test_every_example_is_in_the_documentation():
    page = (DOCS / "examples.md").read_text(encoding="utf-8")
    for file in (DOCS / "examples").glob("*.py"):
        assert f"examples/{file.name}" in page
