import importlib.util
import json
import os
from pathlib import Path

import pytest
from click.testing import CliRunner

from recollect.cli.app import app

AROUND = (parent / "shared" for parent in Path(__file__).resolve().parents)
SHARED = Path(os.environ.get("RECOLLECT_SHARED") or next(filter(Path.is_dir, AROUND), "shared")) / "bench"


@pytest.fixture(scope="session")
def shared():
    if not SHARED.is_dir():
        pytest.skip("the development data in ../shared/bench is not on this machine")
    return SHARED


@pytest.fixture
def scorer(shared):
    """Load one of the published scorers."""

    def load(place):
        spec = importlib.util.spec_from_file_location("published_scorer", shared / place)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    return load


@pytest.fixture
def bench():
    """Run `recollect bench` in this process."""

    def run(*arguments):
        return CliRunner().invoke(app, ["bench", *map(str, arguments)], standalone_mode=False)

    return run


def write_lines(file: Path, rows) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


@pytest.fixture
def memory_folder(tmp_path):
    """A small memory data set with two strata and two conversations."""
    folder = tmp_path / "small"
    texts = {
        1: ("a", "we retry idempotent calls three times"),
        2: ("a", "the cache is flushed every night"),
        3: ("a", "deploys happen on tuesday"),
        4: ("b", "the cache lives in redis"),
        5: ("b", "logs are kept for a week"),
    }
    write_lines(
        folder / "corpus.jsonl",
        [{"id": number, "content": text, "conversation": part} for number, (part, text) in texts.items()],
    )
    questions = [
        ("q1", "how often do we retry calls", "exact", "a", [1]),
        ("q2", "when is the cache flushed", "exact", "a", [2]),
        ("q3", "tuesday and the night", "multihop", "a", [2, 3]),
        ("q4", "where does the cache live", "exact", "b", [4]),
    ]
    write_lines(
        folder / "queries.jsonl",
        [
            {"query_id": name, "text": text, "stratum": stratum, "conversation": part, "_note": "x"}
            for name, text, stratum, part, _ in questions
        ],
    )
    write_lines(
        folder / "qrels.jsonl", [{"query_id": name, "relevant_ids": ids} for name, *_, ids in questions]
    )
    return folder
