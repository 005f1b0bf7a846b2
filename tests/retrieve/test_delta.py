from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.retrieve.conftest import write

import recollect
from recollect.retrieve.ask import ask, profile_for
from recollect.retrieve.context import Snapshot
from recollect.retrieve.delta import UNCHANGED, Seen, applied, difference
from recollect.retrieve.query import Request
from recollect.source.lines import Lines
from recollect.store.arc import CAPACITY, GHOSTS, ArcCache

BODY = (
    "def backoff(attempt):\n"
    + "".join(f"    step_{n} = attempt * {n * 7}\n" for n in range(12))
    + "    return 1\n"
)
TEXTS = st.lists(st.sampled_from(["a", "b", "", "+x", "-y", "@@ -1 +1 @@", "    c"]), max_size=12).map(
    "\n".join
)


def test_a_new_text_is_sent_whole_and_then_no_more():
    seen = Seen()
    assert seen.shown("s", "c1", BODY) == ("body", BODY)
    seen.mark("s", "c1", BODY)
    assert seen.shown("s", "c1", BODY) == ("unchanged", UNCHANGED)


def test_another_session_has_not_seen_it():
    seen = Seen()
    seen.mark("s", "c1", BODY)
    assert seen.shown("t", "c1", BODY).form == "body"
    seen.mark("", "c1", BODY)
    assert seen.shown("", "c1", BODY).form == "body"


def test_of_a_change_only_what_is_different_is_sent():
    seen = Seen()
    seen.mark("s", "c1", BODY)
    form, text = seen.shown("s", "c1", BODY.replace("return 1", "return 2"))
    assert form == "delta"
    assert "-    return 1\n+    return 2" in text
    assert len(text) < len(BODY) / 2


def test_a_text_that_became_another_is_sent_whole():
    seen = Seen()
    seen.mark("s", "c1", "x = 1")
    assert seen.shown("s", "c1", "y = 2") == ("body", "y = 2")


@given(TEXTS, TEXTS)
def test_a_reader_can_make_the_new_text_of_the_old_one_and_the_difference(before, now):
    changes = difference(before, now)
    assert (applied(before, changes) if changes else before) == now


def test_what_was_shown_outlives_the_process(tmp_path):
    seen = Seen()
    seen.mark("s", "c1", BODY)
    seen.save(tmp_path / "seen")
    assert Seen.load(tmp_path / "seen").before("s", "c1") == BODY
    assert Seen.load(tmp_path / "none").before("s", "c1") is None


def test_no_more_is_remembered_than_the_cache_holds():
    assert (CAPACITY, GHOSTS) == (500, 1000)
    seen = Seen(ArcCache(2, 2))
    for number in range(3):
        seen.mark("s", f"c{number}", BODY)
    assert seen.before("s", "c0") is None
    assert seen.before("s", "c2") == BODY


@pytest.mark.parametrize("profile", ["mnemosyne", "lexical"])
def test_a_session_gets_what_changed_since_it_last_saw_it(tmp_path, around, profile):
    folder = write(tmp_path, {"pause.py": BODY, "other.py": "def unrelated():\n    return 0\n"})
    seen = Seen()
    overrides = {} if profile == "mnemosyne" else {"pack.density.use": "bodies", "record.shown.use": "seen"}
    chosen = profile_for("task", profile, overrides)

    def entry(session="s"):
        services = {"text": Lines(folder).of, "seen": seen}
        here = replace(around, services=services, snapshot=Snapshot())
        with recollect.open(folder) as opened:
            opened.index()
            with opened._index.reader() as reader:
                found = ask(reader, "backoff attempt", Request(session=session), chosen, here)
        return next(entry for entry in found.packed.entries if entry.item.path == "pause.py")

    first = entry()
    assert first.form == "body"
    again = entry()
    assert again.form == "unchanged"
    assert again.tokens < first.tokens / 2
    (folder / "pause.py").write_text(BODY.replace("return 1", "return 22"), encoding="utf-8")
    changed = entry()
    assert changed.form == "delta"
    assert "+    return 22" in changed.text
    assert entry().form == "unchanged"
    assert entry("another").form == "body"
