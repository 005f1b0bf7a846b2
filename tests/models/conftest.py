"""A local HTTP server that behaves as badly as it is told to, and tiny models made of random numbers."""

import json
import struct
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
import pytest

WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "tea", "milk", "retry", "calls", "again", "query", ":"]


class Service:
    """Answers each request by the next of its replies, the last one for ever after."""

    def __init__(self):
        self.replies, self.bodies, self.headers, self.paths = [], [], [], []
        service = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                service.bodies.append(body)
                service.headers.append(dict(self.headers))
                service.paths.append(self.path)
                reply = service.replies.pop(0) if len(service.replies) > 1 else service.replies[0]
                reply(self, body)

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(
            target=self.server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True
        ).start()


@pytest.fixture
def service():
    made = Service()
    yield made
    made.server.shutdown()
    made.server.server_close()


def send(handler, body, code=200, headers=(), cut=0):
    content = json.dumps(body).encode() if not isinstance(body, bytes) else body
    handler.send_response(code)
    handler.send_header("Content-Length", str(len(content)))
    for name, value in headers:
        handler.send_header(name, value)
    handler.end_headers()
    handler.wfile.write(content[: len(content) - cut])
    if cut:
        handler.close_connection = True


def vectors(size=3):
    """Reply as OpenAI does: in any order, with an index."""

    def reply(handler, body):
        rows = [
            {"index": at, "embedding": [float(len(text)), 1.0] + [0.0] * (size - 2)}
            for at, text in enumerate(body["input"])
        ]
        send(handler, {"data": rows[::-1], "usage": {"total_tokens": 7 * len(rows)}})

    return reply


def failing(code, *headers):
    return lambda handler, body: send(handler, {"error": "busy"}, code, headers)


def tokenizer(folder):
    from tokenizers import Tokenizer, models, pre_tokenizers, processors

    made = Tokenizer(models.WordLevel({word: at for at, word in enumerate(WORDS)}, unk_token="[UNK]"))
    made.pre_tokenizer = pre_tokenizers.Whitespace()
    made.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", 2), ("[SEP]", 3)],
    )
    made.save(str(folder / "tokenizer.json"))


def save_tensors(file, tensors):
    header, content = {}, b""
    for name, tensor in tensors.items():
        data = np.ascontiguousarray(tensor, np.float32).tobytes()
        header[name] = {
            "dtype": "F32",
            "shape": list(tensor.shape),
            "data_offsets": [len(content), len(content) + len(data)],
        }
        content += data
    head = json.dumps(header).encode()
    file.write_bytes(struct.pack("<Q", len(head)) + head + content)


def bert_tensors(hidden=8, layers=2, inner=16, classes=0, seed=1):
    rng = np.random.default_rng(seed)

    def of(*shape):
        return rng.normal(0, 0.3, shape).astype(np.float32)

    made = {
        "embeddings.word_embeddings.weight": of(len(WORDS), hidden),
        "embeddings.position_embeddings.weight": of(32, hidden),
        "embeddings.token_type_embeddings.weight": of(2, hidden),
        "embeddings.LayerNorm.weight": of(hidden) + 1,
        "embeddings.LayerNorm.bias": of(hidden),
    }
    for layer in range(layers):
        name = f"encoder.layer.{layer}"
        for part in (
            "attention.self.query",
            "attention.self.key",
            "attention.self.value",
            "attention.output.dense",
        ):
            made |= {f"{name}.{part}.weight": of(hidden, hidden), f"{name}.{part}.bias": of(hidden)}
        made |= {
            f"{name}.intermediate.dense.weight": of(inner, hidden),
            f"{name}.intermediate.dense.bias": of(inner),
        }
        made |= {f"{name}.output.dense.weight": of(hidden, inner), f"{name}.output.dense.bias": of(hidden)}
        for part in ("attention.output", "output"):
            made |= {
                f"{name}.{part}.LayerNorm.weight": of(hidden) + 1,
                f"{name}.{part}.LayerNorm.bias": of(hidden),
            }
    if classes:
        made = {f"bert.{name}": tensor for name, tensor in made.items()}
        made |= {"bert.pooler.dense.weight": of(hidden, hidden), "bert.pooler.dense.bias": of(hidden)}
        made |= {"classifier.weight": of(classes, hidden), "classifier.bias": of(classes)}
    return made


@pytest.fixture
def bert_folder(tmp_path):
    def make(classes=0, name="tiny"):
        folder = tmp_path / name
        folder.mkdir()
        tokenizer(folder)
        save_tensors(folder / "model.safetensors", bert_tensors(classes=classes))
        config = {
            "model_type": "bert", "hidden_size": 8, "num_hidden_layers": 2, "num_attention_heads": 2,
            "layer_norm_eps": 1e-12, "max_position_embeddings": 32, "pad_token_id": 0,
        }  # fmt: skip
        (folder / "config.json").write_text(json.dumps(config), "utf-8")
        return folder

    return make


@pytest.fixture
def static_folder(tmp_path):
    folder = tmp_path / "static"
    folder.mkdir()
    tokenizer(folder)
    table = np.zeros((len(WORDS), 4))
    table[WORDS.index("tea")] = (1, 0, 0, 0)
    table[WORDS.index("milk")] = (0, 1, 0, 0)
    table[WORDS.index("query")] = (0, 0, 1, 0)
    save_tensors(folder / "model.safetensors", {"embeddings": table})
    return folder
