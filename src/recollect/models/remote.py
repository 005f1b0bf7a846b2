"""Embedders and rerankers behind HTTP: OpenAI-compatible services, Ollama and Voyage."""

from __future__ import annotations

import math
import os
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np

from recollect.errors import ConfigError, ModelError
from recollect.models.calls import Caller, Limits, Spent
from recollect.models.vectors import Prefixes, unit

MOST_CHARACTERS = 24_000
"""More of a text is not sent; models read a few thousand tokens."""


@cache
def services() -> Mapping[str, Any]:
    """Return how each kind of service is spoken to."""
    return tomllib.loads((files("recollect.models") / "services.toml").read_text("utf-8"))


@dataclass(frozen=True, slots=True)
class Address:
    """Where a service is and how it may be used; what is empty is what the service usually has."""

    url: str = ""
    limits: Limits = field(default_factory=Limits)
    pause: Callable[[float], None] | None = None
    environment: Mapping[str, str] = field(default_factory=lambda: os.environ)


class RemoteEmbedder:
    """Asks a service for vectors."""

    local = False

    def __init__(self, kind: str, model: str, address: Address, prefixes: Prefixes) -> None:
        self._form = _form(kind, "embed")
        self._caller = _caller(f"The {kind} embedder", self._form, address)
        self._model, self._prefixes = model, prefixes
        self.model = f"{kind}:{model}{prefixes.stamp()}"
        self.dimensions = 0
        """Not known before the first answer."""

    @property
    def spent(self) -> Spent:
        """Return what was used of the service."""
        return self._caller.spent

    def embed(self, texts: Sequence[str], kind: str = "document") -> np.ndarray:
        """Return one vector of length 1 for each text."""
        ready = [f"{self._prefixes.of(kind)}{text}"[:MOST_CHARACTERS] for text in texts]
        parts = [
            self._part(ready[at : at + self._form["batch"]], kind)
            for at in range(0, len(ready), self._form["batch"])
        ]
        return np.concatenate(parts) if parts else np.zeros((0, self.dimensions), np.float32)

    def _part(self, texts: list[str], kind: str) -> np.ndarray:
        body = _filled(self._form["body"], {"model": self._model, "texts": texts, "kind": kind})
        rows = _rows(self._caller, self._form, body, len(texts))
        try:
            matrix = np.asarray(rows, np.float32)
        except (TypeError, ValueError) as error:
            raise ModelError(
                f"{self._caller.name} gave vectors of different lengths or no numbers. Check the model."
            ) from error
        if matrix.ndim != 2 or not matrix.shape[1] or not np.isfinite(matrix).all():
            raise ModelError(f"{self._caller.name} gave something that is no vector. Check the model.")
        if self.dimensions and matrix.shape[1] != self.dimensions:
            raise ModelError(
                f"{self._caller.name} gave vectors of {matrix.shape[1]} numbers, before of {self.dimensions}; "
                "it is another model now. Name the new model, and everything is embedded anew."
            )
        self.dimensions = int(matrix.shape[1])
        return unit(matrix)


class RemoteReranker:
    """Asks a service how well texts answer a question."""

    local = False

    def __init__(self, kind: str, model: str, address: Address) -> None:
        self._form = _form(kind, "rerank")
        self._caller = _caller(f"The {kind} reranker", self._form, address)
        self._model = model
        self.model = f"{kind}:{model}"

    @property
    def spent(self) -> Spent:
        """Return what was used of the service."""
        return self._caller.spent

    def score(self, query: str, texts: Sequence[str]) -> np.ndarray:
        """Return a number in [0, 1] for each text."""
        values = {"model": self._model, "query": query, "texts": [text[:MOST_CHARACTERS] for text in texts]}
        if not texts:
            return np.zeros(0)
        rows = _rows(self._caller, self._form, _filled(self._form["body"], values), len(texts))
        if not all(isinstance(row, int | float) and math.isfinite(row) for row in rows):
            raise ModelError(f"{self._caller.name} gave something that is no score. Check the model.")
        return np.clip(np.asarray(rows, np.float64), 0.0, 1.0)


def known_prefixes(model: str) -> Prefixes:
    """Return the documented prefixes of a model by its name."""
    name = model.rpartition("/")[2].lower()
    fitting = [start for start in services()["prefixes"] if name.startswith(start)]
    return Prefixes(**services()["prefixes"][max(fitting, key=len)]) if fitting else Prefixes()


def _form(kind: str, use: str) -> Mapping[str, Any]:
    form = services().get(kind, {}).get(use)
    if form is None:
        raise ConfigError(f"There is no service '{kind}' that can {use}.")
    return dict(form)


def _caller(name: str, form: Mapping[str, Any], address: Address) -> Caller:
    headers = {}
    if "key" in form:
        key = address.environment.get(form["key"], "")
        if key:
            headers["Authorization"] = f"Bearer {key}"
        elif not address.url:
            raise ModelError(f"{name} needs a key: set {form['key']} in the environment.")
    url = (address.url or form["url"]).rstrip("/") + form["path"]
    caller = Caller(name, url, headers, address.limits)
    return caller if address.pause is None else replace(caller, pause=address.pause)


def _filled(body: Mapping[str, Any], values: Mapping[str, Any]) -> dict[str, Any]:
    return {key: values.get(value.strip("{}"), value) for key, value in body.items()}


def _rows(caller: Caller, form: Mapping[str, Any], body: Mapping[str, Any], many: int) -> list[Any]:
    """Return what stands in the answer for each text, in the order of the texts."""
    answer = caller.post(body)
    caller.spent.tokens += int(_at(answer, form["tokens"]) or 0)
    rows = _at(answer, form["list"])
    if not isinstance(rows, list) or len(rows) != many:
        found = f"{len(rows)} results" if isinstance(rows, list) else "no list of results"
        raise ModelError(f"{caller.name} gave {found} for {many} texts. Check the address and the model.")
    if "value" not in form:
        return rows
    if not all(isinstance(row, dict) and form["value"] in row for row in rows):
        raise ModelError(f"{caller.name} gave results without '{form['value']}'. Check the address.")
    places = [row.get("index", at) for at, row in enumerate(rows)]
    if sorted(map(str, places)) != sorted(map(str, range(many))):
        raise ModelError(f"{caller.name} gave results whose order is not clear. Check the address.")
    return [row[form["value"]] for _, row in sorted(zip(places, rows, strict=True), key=lambda pair: pair[0])]


def _at(answer: Any, path: str) -> Any:
    for name in path.split("."):
        answer = answer.get(name) if isinstance(answer, dict) else None
    return answer
