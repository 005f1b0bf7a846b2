"""The fast ranking gives what adding up BM25 over joined texts gives."""

import math
from collections import Counter
from itertools import chain

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from recollect.retrieve.recall.bm25 import (
    Bm25,
    item_scores,
    near_of,
    scores_at,
    session_scores,
    window_scores,
)
from recollect.store.memories import NEVER, ShelfRow
from recollect.store.postings import Posting, Postings
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


def bm25(documents, terms, constants, rarity=None):
    """Return the score of each list of words, as it is in any textbook."""
    mean = max(sum(map(len, documents)) / len(documents), 1.0)
    scores = []
    for document in documents:
        counts, score = Counter(document), 0.0
        for term in terms:
            rare = rarity or rarities(documents, terms)
            scale = constants.saturation * (
                1 - constants.normalisation + constants.normalisation * len(document) / mean
            )
            score += rare[term] * counts[term] * (constants.saturation + 1) / (counts[term] + scale)
        scores.append(score)
    return scores


def rarities(documents, terms):
    held = {term: sum(term in document for document in documents) for term in terms}
    return {term: math.log(1 + (len(documents) - many + 0.5) / (many + 0.5)) for term, many in held.items()}


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
        return Posting(rows, held)

    everything, postings = np.arange(len(words)), [(find(term), 1.0) for term in terms]
    assert np.allclose(item_scores(shelf, postings, constants), bm25(words, terms, constants))
    assert np.allclose(scores_at(shelf, everything, postings, constants), bm25(words, terms, constants))
    for name, (before, after) in WINDOWS.items():
        documents = []
        for at, session in enumerate(sessions):
            members = [n for n, other in enumerate(sessions) if other == session]
            own = members.index(at)
            documents.append(joined(words[n] for n in members[max(0, own - before) : own + after + 1]))
        near = near_of(shelf, everything, postings)
        found = window_scores(shelf, name, near, postings, constants)
        # A window holds a word more often than a memory does, but the word is as rare as it was.
        assert np.allclose(found, bm25(documents, terms, constants, rarities(words, terms))), name
    by_session = [joined(w for w, s in zip(words, sessions, strict=True) if s == group) for group in groups]
    found = session_scores(shelf, postings, constants)[shelf.column("session_of")]
    scores = dict(zip(groups, bm25(by_session, terms, constants), strict=True))
    assert np.allclose(found, [scores[session] for session in sessions])


@given(
    st.lists(st.tuples(st.integers(-1, 3), st.integers(-1, 4)), max_size=25),
    st.lists(st.tuples(st.integers(-1, 3), st.integers(-1, 4)), max_size=6),
    st.sets(st.integers(1, 25), max_size=5),
    st.booleans(),
)
def test_a_renewed_shelf_equals_a_new_one(before, after, gone, forgets):
    gone = gone if forgets else set()
    old = [row(at, session, ["x"] * at, position) for at, (session, position) in enumerate(before, 1)]
    new = [
        row(at, session, ["x"] * at, position) for at, (session, position) in enumerate(after, len(old) + 1)
    ]
    first = shelve(old, (0, 0))
    known = seen_of(first)
    renewed = first
    for line in new[:-1]:
        renewed = renew(renewed, [], [line], (0, 0))
    renewed = renew(renewed, sorted(gone), new[-1:], (1, 1))
    fresh = shelve([line for line in [*old, *new] if line[0] not in gone or line in new[-1:]], (1, 1))
    assert seen_of(renewed) == seen_of(fresh)
    assert renewed.seen == (1, 1)
    assert seen_of(first) == known, "an older state, which somebody may still read, is as it was"


def seen_of(shelf):
    """Return all that can be read of a shelf; sessions by their members, because their numbers may differ."""
    sessions = shelf.column("session_of")
    members = [np.flatnonzero(sessions == one).tolist() for one in sessions]
    words = shelf.session_words[sessions].tolist() if len(shelf) else []
    fields = [shelf.column(name).tolist() for name in ShelfRow._fields]
    near = shelf.near(np.arange(len(shelf))).tolist()
    numbers = np.arange(30)
    return fields, near, members, words, shelf.counts._replace(first_expiry=0), shelf.places(numbers).tolist()


@given(memories, memories, st.sampled_from(WORDS))
def test_postings_that_grew_equal_those_read_anew(before, after, word):
    def occurrences(length):
        texts = [words for _, words in (*before, *after)][:length]
        return lambda stem: np.array(
            [n for n, held in enumerate(texts, 1) for one in held if one == stem], np.int64
        )

    rows = [row(at, session, words) for at, (session, words) in enumerate((*before, *after), 1)]
    grown = Postings(shelve(rows[: len(before)], (0, 0)))
    grown.of(word, occurrences(len(before)))
    for at in range(len(before), len(rows)):
        shelf = renew(grown.shelf, [], [rows[at]], (0, 0))
        grown = grown.grown(shelf, [after[at - len(before)][1]])
    fresh = Postings(shelve(rows, (0, 0)))

    def never(_):
        raise AssertionError("what is kept is not read again")

    for found, expected in zip(grown.of(word, never), fresh.of(word, occurrences(len(rows))), strict=True):
        assert found.tolist() == expected.tolist()
