"""The fast ranking gives what adding up BM25 over joined texts gives."""

import math
from collections import Counter
from itertools import chain

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from recollect.retrieve.recall.bm25 import Bm25, item_scores, session_scores, window_scores
from recollect.store.memories import NEVER, ShelfRow
from recollect.store.postings import Posting
from recollect.store.shelf import WINDOWS, renew, shelve

WORDS = ("tea", "milk", "cup", "pot")
said = st.lists(st.sampled_from(WORDS), min_size=1, max_size=6)
memories = st.lists(st.tuples(st.integers(-1, 3), said), min_size=1, max_size=30)


def row(number, session, words, position=-1):
    values = dict.fromkeys(ShelfRow._fields, 0) | {
        "number": number, "uid": number, "session": session, "position": position, "words": len(words), "author": -1,
        "source": -1, "valid_from": -NEVER, "valid_until": NEVER, "expires": NEVER,
    }  # fmt: skip
    return [values[name] for name in ShelfRow._fields]


def bm25(documents, terms, constants):
    """Return the score of each list of words, as it is in any textbook."""
    mean = max(sum(map(len, documents)) / len(documents), 1.0)
    scores = []
    for document in documents:
        counts, score = Counter(document), 0.0
        for term in terms:
            holding = sum(term in other for other in documents)
            rarity = math.log(1 + (len(documents) - holding + 0.5) / (holding + 0.5))
            scale = constants.saturation * (
                1 - constants.normalisation + constants.normalisation * len(document) / mean
            )
            score += rarity * counts[term] * (constants.saturation + 1) / (counts[term] + scale)
        scores.append(score)
    return scores


def joined(lists):
    return list(chain.from_iterable(lists))


@given(memories, st.sets(st.sampled_from(WORDS), min_size=1))
def test_every_part_equals_a_search_of_joined_texts(given_memories, terms):
    constants = Bm25()
    terms = sorted(terms)
    shelf = shelve([row(at, session, words) for at, (session, words) in enumerate(given_memories, 1)], (0, 0))
    words = [given_memories[number - 1][1] for number in shelf.column("number")]
    sessions = [
        (s, 0) if s >= 0 else (-1, n)
        for s, n in zip(shelf.column("session"), shelf.column("number"), strict=True)
    ]
    groups = list(dict.fromkeys(sessions))

    def find(term):
        counts = [document.count(term) for document in words]
        rows = np.array([at for at, count in enumerate(counts) if count], np.int64)
        held = np.array([counts[at] for at in rows], float)
        return Posting(rows, held, np.append(0.0, np.cumsum(held)), {})

    everything, postings = np.arange(len(words)), [(find(term), 1.0) for term in terms]
    assert np.allclose(item_scores(shelf, postings, constants), bm25(words, terms, constants))
    for name, (before, after) in WINDOWS.items():
        documents = [
            joined(
                words[n]
                for n in range(max(0, at - before), min(len(words), at + after + 1))
                if sessions[n] == sessions[at]
            )
            for at in range(len(words))
        ]
        found = window_scores(shelf, name, everything, postings, constants)
        assert np.allclose(found, bm25(documents, terms, constants)), name
    by_session = [joined(w for w, s in zip(words, sessions, strict=True) if s == group) for group in groups]
    found = session_scores(shelf, postings, constants)[shelf.session_of]
    scores = dict(zip(groups, bm25(by_session, terms, constants), strict=True))
    assert np.allclose(found, [scores[session] for session in sessions])


@given(
    st.lists(st.tuples(st.integers(-1, 3), st.integers(-1, 4)), max_size=25),
    st.lists(st.tuples(st.integers(-1, 3), st.integers(-1, 4)), max_size=6),
    st.sets(st.integers(1, 25), max_size=5),
)
def test_a_renewed_shelf_equals_a_new_one(before, after, gone):
    old = [row(at, session, ["x"] * at, position) for at, (session, position) in enumerate(before, 1)]
    new = [
        row(at, session, ["x"] * at, position) for at, (session, position) in enumerate(after, len(old) + 1)
    ]
    renewed = renew(shelve(old, (0, 0)), sorted(gone), new, (1, 1))
    fresh = shelve([line for line in [*old, *new] if line[0] not in gone or line in new], (1, 1))
    assert renewed.rows.tolist() == fresh.rows.tolist()
    assert renewed.first.tolist() == fresh.first.tolist()
