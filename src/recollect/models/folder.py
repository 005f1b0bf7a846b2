"""A model as a folder: what kind it is, its weights, its tokenizer, its pooling and its prefixes."""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np

from recollect.errors import ModelError
from recollect.models.vectors import Prefixes

_TYPES = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "I64": "<i8", "I32": "<i4", "I8": "i1", "U8": "u1"}
_PEEK = 1 << 16
_MOST_TOKENS = 512


@dataclass(frozen=True)
class ModelFolder:
    """Reads what lies in a folder; nothing is downloaded."""

    path: Path

    def __post_init__(self) -> None:
        if not self.path.is_dir():
            raise ModelError(f"There is no model folder {self.path}; give the folder that holds its files.")

    @cached_property
    def network(self) -> Path | None:
        """Return the ONNX file, a quantised one only when there is no other."""
        found = [*self.path.glob("*.onnx"), *self.path.glob("onnx/*.onnx")]
        return min(found, key=lambda file: (file.name != "model.onnx", str(file))) if found else None

    @cached_property
    def weights(self) -> Path | None:
        """Return the file of tensors."""
        found = sorted(self.path.glob("*.safetensors"))
        return found[0] if found else None

    @cached_property
    def config(self) -> Mapping[str, Any]:
        """Return the configuration of the network."""
        return _json(self.path / "config.json")

    @property
    def name(self) -> str:
        """Return what the model is called, with a mark that changes with its weights."""
        file = self.network or self.weights
        if file is None:
            raise ModelError(f"{self.path} holds no model: neither an .onnx nor a .safetensors file.")
        mark = blake2b(digest_size=4)
        with file.open("rb") as opened:
            mark.update(opened.read(_PEEK))
            opened.seek(max(0, file.stat().st_size - _PEEK))
            mark.update(opened.read(_PEEK))
        mark.update(f"{file.stat().st_size}/{self.pooling}/{self.most_tokens}".encode())
        return f"{self.path.name}@{mark.hexdigest()}"

    @cached_property
    def is_static(self) -> bool:
        """Tell whether it is one table of token vectors."""
        if self.network is not None or self.weights is None:
            return False
        return sum(len(shape) == 2 for shape in shapes(self.weights).values()) == 1

    @cached_property
    def pooling(self) -> str:
        """Return how the vectors of tokens become one: mean or cls."""
        return (
            "cls" if _json(self.path / "1_Pooling" / "config.json").get("pooling_mode_cls_token") else "mean"
        )

    @cached_property
    def most_tokens(self) -> int:
        """Return how many tokens the model reads."""
        said = _json(self.path / "sentence_bert_config.json").get("max_seq_length")
        most = said or self.config.get("max_position_embeddings") or _MOST_TOKENS
        return min(int(most), _MOST_TOKENS)

    @cached_property
    def prefixes(self) -> Prefixes:
        """Return the prefixes that the folder tells."""
        prompts = _json(self.path / "config_sentence_transformers.json").get("prompts") or {}
        return Prefixes(prompts.get("query") or "", prompts.get("document") or prompts.get("passage") or "")

    def tokenizer(self) -> Any:
        """Return the tokenizer that lies in the folder."""
        try:
            from tokenizers import Tokenizer
        except ImportError as error:
            raise ModelError(
                f"The model in {self.path} needs the package tokenizers: pip install 'recollect[onnx]'."
            ) from error
        found = [self.path / "tokenizer.json", *sorted(self.path.glob("*tokenizer*.json"))]
        for file in found:
            if file.exists() and file.name != "tokenizer_config.json":
                try:
                    return Tokenizer.from_file(str(file))
                except Exception as error:  # the library raises plain exceptions
                    raise ModelError(f"The tokenizer {file} cannot be read: {error}.") from error
        raise ModelError(f"{self.path} holds no tokenizer.json; copy it there from the model's files.")


def shapes(file: Path) -> dict[str, tuple[int, ...]]:
    """Return the shape of every tensor of a safetensors file."""
    return {name: tuple(row["shape"]) for name, row in _header(file)[0].items()}


def tensors(file: Path) -> dict[str, np.ndarray]:
    """Return the tensors of a safetensors file, mapped into memory."""
    header, start = _header(file)
    content = np.memmap(file, np.uint8, "r", start)
    read = {}
    for name, row in header.items():
        if row["dtype"] not in _TYPES:
            raise ModelError(
                f"{file} holds numbers of type {row['dtype']}, which cannot be read here; use F32."
            )
        first, last = row["data_offsets"]
        read[name] = content[first:last].view(_TYPES[row["dtype"]]).reshape(row["shape"])
    return read


def _header(file: Path) -> tuple[dict[str, Any], int]:
    try:
        with file.open("rb") as opened:
            (length,) = struct.unpack("<Q", opened.read(8))
            if length > file.stat().st_size:
                raise ValueError("its header is longer than the file")
            header = json.loads(opened.read(length))
    except (OSError, ValueError, struct.error) as error:
        raise ModelError(f"{file} is no safetensors file: {error}.") from error
    header.pop("__metadata__", None)
    return header, 8 + length


def _json(file: Path) -> dict[str, Any]:
    try:
        read = json.loads(file.read_text("utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise ModelError(f"{file} cannot be read: {error}.") from error
    return read if isinstance(read, dict) else {}
