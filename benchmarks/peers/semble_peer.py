"""semble in its lexical mode: its BM25 and ranking rules, with nothing downloaded."""

import os
import tempfile
from pathlib import Path

from recollect.bench import NotInstalledError
from recollect.bench.values import Answer


class _NoModel:
    """Stands where the downloaded model would: every vector is zero and its weight is zero too."""

    dim = 4

    def encode(self, texts, **_):
        import numpy as np

        return np.zeros((len(texts), self.dim), dtype=np.float32)


class Lexical:
    """Chunks and ranks as semble does; paths are given relative to the repository."""

    name = "semble lexical"

    def __init__(self):
        try:
            import semble.index.index as module
        except ImportError as error:
            raise NotInstalledError("semble is not installed here; pip install semble.") from error
        self._cache = tempfile.TemporaryDirectory(prefix="semble-peer-")
        os.environ["SEMBLE_CACHE_LOCATION"] = self._cache.name
        os.environ["HF_HUB_OFFLINE"] = "1"
        module.load_model = lambda _=None: (_NoModel(), "none")
        module.save_search_stats = lambda *_, **__: None
        module._search_semantic = lambda *_, **__: []
        module.search.__globals__["_search_semantic"] = lambda *_, **__: []
        self._make = module.SembleIndex.from_path

    def build_index(self, corpus):
        """Index the measured folder."""
        self._under = f"{corpus.root}/" if corpus.root else ""
        self._index = self._make(corpus.folder / corpus.root)

    def index_size_bytes(self):
        """Return what semble keeps on disk."""
        return sum(file.stat().st_size for file in Path(self._cache.name).rglob("*") if file.is_file())

    def retrieve(self, query, k):
        """Return semble's chunks."""
        found = self._index.search(query, top_k=k, alpha=0.0)
        return [
            Answer(self._under + one.chunk.file_path, one.chunk.start_line, one.chunk.end_line)
            for one in found
        ]

    def close(self):
        """Remove the cache."""
        self._cache.cleanup()
