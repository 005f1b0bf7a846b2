"""The parser that recollect ships, as a plugin."""

from __future__ import annotations

from recollect.facts import FileFacts
from recollect.parse.reader import parse


class TreeSitterParser:
    """Reads every language that has a query file, and any other text as plain chunks."""

    def parse(self, path: str, language: str, content: bytes) -> FileFacts:
        """Return what a file says."""
        return parse(path, language, content)
