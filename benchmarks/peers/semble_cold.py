"""Index one folder with semble in its lexical mode, nothing downloaded; `index_cost.py cold --semble` starts this."""

import os
import sys
import tempfile

import numpy as np


class NoModel:
    """Stands in for the model that would be downloaded: every text is the same single number."""

    dim = 1

    def encode(self, texts, **_):
        """Return a zero for each text."""
        return np.zeros((len(texts), 1), dtype=np.float32)


with tempfile.TemporaryDirectory() as cache:
    os.environ["SEMBLE_CACHE_LOCATION"] = cache
    os.environ["HF_HUB_OFFLINE"] = "1"
    import semble.index.index as module

    module.load_model = lambda _=None: (NoModel(), "none")
    module.SembleIndex.from_path(sys.argv[1])
