"""Full-text baselines on SQLite's FTS5; they keep a database of their own, apart from the product's store."""

from __future__ import annotations

import re
from typing import Any

import apsw

from recollect.bench.baselines.documents import Document, documents
from recollect.bench.values import Corpus, Repository

_WORD = re.compile(r"\w+")
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
DEEP = 200


class FtsOr:
    """The seed's baseline: FTS5 over four fields, all words joined by OR, ordered by bm25 and then importance."""

    name = "fts_or"
    tokenizer = "unicode61"
    order = "bm25(texts), importance DESC, texts.rowid"

    def __init__(self) -> None:
        self._documents: list[Document] = []
        self._database: apsw.Connection | None = None

    def build_index(self, corpus: Corpus) -> None:
        """Fill an FTS5 table in memory."""
        self._documents = documents(corpus)
        self._database = database = apsw.Connection(":memory:")
        database.execute(
            "CREATE VIRTUAL TABLE texts USING fts5(content, category, tags, keywords, "
            f"tokenize='{self.tokenizer}')"
        )
        database.execute("CREATE TABLE importances(number INTEGER PRIMARY KEY, importance REAL)")
        code = isinstance(corpus, Repository)
        with database:
            for number, document in enumerate(self._documents):
                row = self._row(document, code)
                database.execute(
                    "INSERT INTO texts(rowid, content, category, tags, keywords) VALUES (?,?,?,?,?)",
                    (number, *row),
                )
                database.execute("INSERT INTO importances VALUES (?,?)", (number, document.importance))

    def index_size_bytes(self) -> int:
        """Return the pages that the database takes."""
        database = self._open()
        pages, size = database.pragma("page_count"), database.pragma("page_size")
        return int(pages) * int(size)

    def retrieve(self, query: str, k: int) -> list[Any]:
        """Return the best k."""
        return [self._documents[number].result for number, _ in self.ranked(query, k)]

    def ranked(self, query: str, k: int) -> list[tuple[int, float]]:
        """Return document numbers and scores, higher is better."""
        return self._search(" OR ".join(self._terms(query)), k)

    def close(self) -> None:
        """Drop the database."""
        if self._database is not None:
            self._database.close()

    def _row(self, document: Document, code: bool) -> tuple[str, str, str, str]:
        if not code:
            category, tags, keywords = document.fields
            return document.text, category, tags, keywords
        return document.text, document.path, document.result.name, ""

    def _terms(self, query: str) -> list[str]:
        return [f'"{word}"' for word in _WORD.findall(query)]

    def _search(self, match: str, k: int) -> list[tuple[int, float]]:
        if not match:
            return []
        rows = self._open().execute(
            "SELECT texts.rowid, -bm25(texts) FROM texts JOIN importances ON number = texts.rowid "  # noqa: S608
            f"WHERE texts MATCH ? ORDER BY {self.order} LIMIT ?",
            (match, k),
        )
        return [(int(number), float(score)) for number, score in rows]

    def _open(self) -> apsw.Connection:
        if self._database is None:
            raise RuntimeError("build_index comes first")
        return self._database


class FtsImportance(FtsOr):
    """The same matches, the most important first; their match only divides equals."""

    name = "fts5_importance"
    order = "importance DESC, bm25(texts), texts.rowid"


class FtsProduction(FtsOr):
    """What the seed's product really does: all words first, then any; 0.7 bm25 + 0.3 importance; LIKE at last."""

    name = "fts_production"

    def ranked(self, query: str, k: int) -> list[tuple[int, float]]:
        """Return AND matches, filled up with OR matches, filled up with substrings."""
        terms = self._terms(query)
        found: dict[int, float] = {}
        for joint in (" AND ", " OR "):
            if len(found) >= k:
                break
            rows = self._weighed(joint.join(terms), k)
            found |= {number: score for number, score in rows if number not in found}
        if not found:
            found = dict.fromkeys(self._like(query, k), 0.0)
        return list(found.items())[:k]

    def _weighed(self, match: str, k: int) -> list[tuple[int, float]]:
        rows = self._search(match, max(k, DEEP))
        weighed = [(number, 0.7 * score + 0.3 * self._documents[number].importance) for number, score in rows]
        return sorted(weighed, key=lambda row: (-row[1], row[0]))[:k]

    def _like(self, query: str, k: int) -> list[int]:
        wanted = query.lower()
        return [at for at, one in enumerate(self._documents) if wanted in one.text.lower()][:k]


class StemmedBm25(FtsOr):
    """BM25 over stems, all words joined by OR; names in code are also cut at their humps."""

    name = "bm25"
    tokenizer = "porter unicode61"

    def _row(self, document: Document, code: bool) -> tuple[str, str, str, str]:
        content, category, tags, keywords = super()._row(document, code)
        return content, category, tags, parts_of(f"{category} {tags} {content}") if code else keywords


class BestChunk(StemmedBm25):
    """Stemmed BM25 where each file stands once, at the rank of its best chunk."""

    name = "bm25_best_chunk"

    def retrieve(self, query: str, k: int) -> list[Any]:
        """Return one chunk a file; memories as they are, and symbols too since each is its own answer."""
        best: dict[str, Any] = {}
        for number, _ in self.ranked(query, max(k * 10, DEEP)):
            document = self._documents[number]
            best.setdefault(document.path or str(number), document.result)
        return list(best.values())[:k]


def parts_of(text: str) -> str:
    """Return the parts of every compound name: `parseHTTPHeader` gives parse, HTTP and Header."""
    parts: list[str] = []
    for word in _WORD.findall(text):
        found = _PART.findall(word)
        if len(found) > 1:
            parts += found
    return " ".join(parts)
