"""Models that lie in folders: static vectors, networks by numpy and by onnxruntime, cross-encoders."""

import json
import math

import numpy as np
import pytest
from tests.models.conftest import bert_tensors, save_tensors

from recollect.errors import ModelError
from recollect.models.folder import ModelFolder
from recollect.models.network import NetworkEmbedder, NetworkReranker
from recollect.models.static import StaticEmbedder
from recollect.models.vectors import Prefixes

pytest.importorskip("tokenizers")


def test_a_static_text_is_the_mean_of_its_words(static_folder):
    folder = ModelFolder(static_folder)
    assert folder.is_static
    made = StaticEmbedder(folder, Prefixes())
    found = made.embed(["tea", "tea milk", "", "unheard"])
    half = 1 / math.sqrt(2)
    assert np.allclose(found, [[1, 0, 0, 0], [half, half, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]])
    assert made.embed([]).shape == (0, 4)


def test_a_prefix_is_read_with_the_text_and_locks_the_vectors(static_folder):
    folder = ModelFolder(static_folder)
    plain, asking = StaticEmbedder(folder, Prefixes()), StaticEmbedder(folder, Prefixes("query : ", ""))
    document = StaticEmbedder(folder, Prefixes("", "query : "))
    half = 1 / math.sqrt(2)
    assert np.allclose(asking.embed(["tea"], "query"), [[half, 0, half, 0]])
    assert np.allclose(asking.embed(["tea"], "document"), plain.embed(["tea"]))
    assert plain.model == asking.model != document.model


def test_other_weights_are_another_model(static_folder):
    before = ModelFolder(static_folder).name
    save_tensors(static_folder / "model.safetensors", {"embeddings": np.ones((11, 4))})
    assert ModelFolder(static_folder).name != before


def reference(tensors, ids):
    """Run one sequence, written down as plainly as it can be, with the error function of the standard library."""

    def linear(x, name):
        return x @ tensors[f"{name}.weight"].T + tensors[f"{name}.bias"]

    def norm(x, name):
        rows = []
        for row in x:
            mean = sum(row) / len(row)
            spread = math.sqrt(sum((value - mean) ** 2 for value in row) / len(row) + 1e-12)
            rows.append([(value - mean) / spread for value in row])
        return np.array(rows) * tensors[f"{name}.LayerNorm.weight"] + tensors[f"{name}.LayerNorm.bias"]

    embedded = "embeddings"
    x = tensors[f"{embedded}.word_embeddings.weight"][ids]
    x = x + tensors[f"{embedded}.position_embeddings.weight"][: len(ids)]
    x = norm(x + tensors[f"{embedded}.token_type_embeddings.weight"][0], embedded)
    for layer in range(2):
        name = f"encoder.layer.{layer}"
        q, k, v = (linear(x, f"{name}.attention.self.{part}") for part in ("query", "key", "value"))
        heads = []
        for head in (slice(0, 4), slice(4, 8)):
            weights = np.exp(q[:, head] @ k[:, head].T / 2.0)
            heads.append(weights / weights.sum(axis=1, keepdims=True) @ v[:, head])
        x = norm(x + linear(np.hstack(heads), f"{name}.attention.output.dense"), f"{name}.attention.output")
        inner = linear(x, f"{name}.intermediate.dense")
        gelu = np.vectorize(lambda value: 0.5 * value * (1 + math.erf(value / math.sqrt(2))))
        x = norm(x + linear(gelu(inner), f"{name}.output.dense"), f"{name}.output")
    return x


def test_a_network_of_tensors_computes_what_its_definition_says(bert_folder):
    folder = bert_folder()
    made = NetworkEmbedder(ModelFolder(folder), Prefixes())
    states = reference(bert_tensors(), [2, 4, 5, 3])
    mean = states.mean(axis=0)
    # Texts of different lengths in one batch do not see each other's padding.
    found = made.embed(["retry calls again tea", "tea milk", "again"])
    assert np.allclose(found[1], mean / np.linalg.norm(mean), atol=1e-5)
    assert made.dimensions == 8
    (folder / "1_Pooling").mkdir()
    (folder / "1_Pooling" / "config.json").write_text('{"pooling_mode_cls_token": true}', "utf-8")
    first = NetworkEmbedder(ModelFolder(folder), Prefixes())
    assert np.allclose(first.embed(["tea milk"])[0], states[0] / np.linalg.norm(states[0]), atol=1e-5)
    assert first.model != made.model


def test_a_text_longer_than_the_model_reads_is_cut(bert_folder):
    made = NetworkEmbedder(ModelFolder(bert_folder()), Prefixes())
    assert np.allclose(made.embed(["tea " * 500]), made.embed(["tea " * 900]))


def test_a_cross_encoder_scores_pairs_between_0_and_1(bert_folder):
    made = NetworkReranker(ModelFolder(bert_folder(classes=1)))
    scores = made.score("retry calls", ["tea milk", "retry again", "calls"])
    assert scores.shape == (3,)
    assert np.all((scores > 0) & (scores < 1))
    assert np.allclose(made.score("retry calls", ["calls"])[0], scores[2], atol=1e-6)
    assert made.score("retry calls", []).tolist() == []


def test_what_only_gives_vectors_is_no_reranker(bert_folder):
    with pytest.raises(ModelError, match="cross-encoder"):
        NetworkReranker(ModelFolder(bert_folder()))


def onnx_file(folder, table):
    """Write a network that looks token vectors up, as an ONNX file."""
    onnx = pytest.importorskip("onnx")
    pytest.importorskip("onnxruntime")
    helper, number = onnx.helper, onnx.TensorProto
    inputs = [
        helper.make_tensor_value_info(name, number.INT64, ["batch", "length"])
        for name in ("input_ids", "attention_mask")
    ]
    output = helper.make_tensor_value_info(
        "last_hidden_state", number.FLOAT, ["batch", "length", table.shape[1]]
    )
    weights = onnx.numpy_helper.from_array(table.astype(np.float32), "table")
    nodes = [
        helper.make_node("Gather", ["table", "input_ids"], ["found"]),
        helper.make_node("Cast", ["attention_mask"], ["mask"], to=number.FLOAT),
        helper.make_node("Unsqueeze", ["mask", "axis"], ["wide"]),
        helper.make_node("Mul", ["found", "wide"], ["last_hidden_state"]),
    ]
    axis = onnx.numpy_helper.from_array(np.array([2], np.int64), "axis")
    graph = helper.make_graph(nodes, "lookup", inputs, [output], [weights, axis])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    onnx.save(model, str(folder / "model.onnx"))


def test_an_onnx_file_is_run_and_wins_over_tensors(bert_folder):
    folder = bert_folder()
    table = np.eye(11, 8)
    onnx_file(folder, table)
    made = NetworkEmbedder(ModelFolder(folder), Prefixes())
    mean = table[[2, 4, 3]].mean(axis=0)
    assert np.allclose(made.embed(["tea", "tea milk milk"])[0], mean / np.linalg.norm(mean), atol=1e-6)


@pytest.mark.parametrize(
    "missing", ["model.safetensors", "tokenizer.json", "folder", "broken", "other network"]
)
def test_a_folder_that_is_no_model_says_what_is_missing(bert_folder, missing):
    folder = bert_folder()
    if missing == "folder":
        folder = folder / "none"
    elif missing == "broken":
        (folder / "model.safetensors").write_bytes(b"\xff" * 40)
    elif missing == "other network":
        (folder / "config.json").write_text(json.dumps({"model_type": "t5"}), "utf-8")
    else:
        (folder / missing).unlink()
    with pytest.raises(ModelError):
        NetworkEmbedder(ModelFolder(folder), Prefixes())
