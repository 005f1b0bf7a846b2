"""The retrievers that need something else installed: they work with it and refuse with a sentence without it."""

import importlib.util
import sys
from pathlib import Path

import pytest

from recollect.bench import datasets, runner
from recollect.bench.baselines.dense import Dense, make
from recollect.errors import UsageError

PEERS = Path(__file__).resolve().parents[2] / "benchmarks" / "peers"


class LetterCounts:
    """A stand-in for a model: the letters of a text as its vector."""

    def embed(self, texts, kind="document"):
        return [[text.lower().count(letter) for letter in "abcdefghijklmnopqrstuvwxyz"] for text in texts]


def test_dense_retrieval_ranks_by_cosine(memory_folder):
    run = runner.run("dense", lambda: Dense(LetterCounts()), datasets.load(memory_folder))
    assert {asked.id for asked in run.questions if len(asked.results) == 3} == {"q1", "q2", "q3"}
    assert run.index_bytes == 5 * 26 * 4


def test_dense_retrieval_finds_the_same_text_first(memory_folder):
    data = datasets.load(memory_folder)
    retriever = Dense(LetterCounts())
    retriever.build_index(list(data.memories["a"]))
    assert all(retriever.retrieve(memory.content, 1) == [memory.id] for memory in data.memories["a"])


def test_an_embedder_that_is_not_installed_is_refused():
    with pytest.raises(UsageError, match="nowhere"):
        make("nowhere")


def load(name):
    spec = importlib.util.spec_from_file_location(name, PEERS / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("name", "kind", "tool"),
    [
        ("semble_peer", "Lexical", "semble"),
        ("engrava_peer", "Lexical", "engrava"),
        ("knowing_peer", "AsShipped", ""),
    ],
)
def test_a_peer_that_is_not_installed_is_refused_with_a_sentence(monkeypatch, name, kind, tool):
    monkeypatch.delenv("KNOWING", raising=False)
    monkeypatch.setenv("PATH", "")
    if tool:
        monkeypatch.setitem(sys.modules, tool, None)
    with pytest.raises(UsageError, match="is not installed here"):
        getattr(load(name), kind)()
