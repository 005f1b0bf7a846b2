"""The shipped engine is measured with everything that a corpus says, through the doors that users have."""

import pytest

from recollect.bench import datasets, notes, runner
from recollect.bench.retrievers import resolve
from recollect.bench.shipped import Shipped, make
from recollect.bench.values import Memory
from recollect.errors import UsageError

SECRET = "token ghp_" + "x8Kq2Vw9Lm4Zt7Rb" + "N3cY6pHs1JdF5gTeWuQa"


def ask(memories, query, k=5):
    retriever = Shipped()
    try:
        retriever.build_index(memories)
        return retriever.retrieve(query, k), retriever.notes
    finally:
        retriever.close()


def said(number, speaker, text, session=1):
    extra = {"conversation": "c", "session": session, "speaker": speaker, "date": "1:56 pm on 8 May, 2023"}
    return Memory(number, text, category="conversation", extra=extra)


def test_who_said_it_counts():
    turns = [
        said(1, "Ann", "I had soup for lunch"),
        said(2, "Bob", "I had soup for lunch"),
        said(3, "Ann", "the weather is fine"),
    ]
    assert ask(turns, "what soup did Ann have for lunch")[0][0] == 1
    assert ask(turns, "what soup did Bob have for lunch")[0][0] == 2


def test_what_was_said_before_counts():
    turns = [
        said(1, "Ann", "Which instrument do you play?"),
        said(2, "Bob", "Oh, the violin, since long ago."),
        said(3, "Ann", "Lovely.", session=2),
        said(4, "Bob", "Oh, the usual, since long ago.", session=2),
    ]
    assert set(ask(turns, "which instrument does he play", 2)[0]) == {1, 2}


def test_keywords_and_tags_of_a_corpus_are_searched():
    rows = [
        Memory(1, "we settled on the blue one", tags="paint,walls", expanded_keywords="colour facade"),
        Memory(2, "we settled on the large one"),
    ]
    assert ask(rows, "walls")[0] == [1]
    assert ask(rows, "facade")[0] == [1]


def test_a_memory_that_was_folded_into_another_answers_for_both_lines():
    rows = [
        Memory(1, "We retry idempotent calls three times."),
        Memory(2, "we retry idempotent calls three times"),
    ]
    assert ask(rows, "retry calls")[0] == [1, 2]


def test_a_line_that_is_refused_is_told_and_costs_no_other():
    rows = [Memory(1, SECRET), Memory(2, "deploys happen on tuesday")]
    found, told = ask(rows, "when do deploys happen")
    assert found == [2]
    assert any("left out" in note for note in told)


def test_when_everything_is_refused_memories_are_asked_all_the_same():
    found, _ = ask([Memory(1, SECRET)], "token")
    assert found == []


def test_numbers_of_a_profile_can_be_overridden_in_the_name(memory_folder):
    data = datasets.load(memory_folder)
    label, made = resolve("recollect:item=0,before=0,around=0,wide=0,session=0,author=0,related=0")
    assert runner.run(label, made, data).metrics["recall@10"] == 0
    assert runner.run(*resolve("recollect"), data).metrics["recall@10"] == 1
    with pytest.raises(UsageError, match="names 2 profiles"):
        make("code,lexical")


def test_like_notes_are_counted_and_not_repeated():
    said_first = {notes.shape(one): 1 for one in ("docs/a b.md: A secret in line 3 was hidden.",)}
    more = notes.counted(map(notes.shape, ["x/y.py: A secret in line 14 was hidden."] * 3 + ["It is slow."]))
    assert notes.sentences([said_first, more]) == [
        "4 times in 2 of 2 parts: A secret in line … was hidden.",
        "It is slow.",
    ]


def test_a_profile_of_the_users_own_project_is_known_by_its_name(bench, memory_folder, tmp_path, monkeypatch):
    own = tmp_path / "project" / ".recollect" / "profiles"
    own.mkdir(parents=True)
    (own / "base.toml").write_text('extends = "memory"\n[override]\nlimit = 3\n', encoding="utf-8")
    (own / "narrow.toml").write_text(
        'extends = "base"\n[override]\n"channel.item.weight" = 0.5\n', encoding="utf-8"
    )
    (own.parent.parent / "deep").mkdir()
    monkeypatch.chdir(own.parent.parent / "deep")
    named = bench("run", memory_folder, "-r", "recollect:narrow", "-o", tmp_path / "out")
    assert named.exception is None
    assert (tmp_path / "out" / "small-recollect-narrow.json").is_file()
    tuned = bench("tune", memory_folder, "--profile", "narrow", "--set", "channel.item.weight=0.4")
    assert "too few to be divided" in str(tuned.exception)
    assert "no profile 'broad'" in str(bench("run", memory_folder, "-r", "recollect:broad").exception)
