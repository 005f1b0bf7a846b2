import json
import subprocess
import sys
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.bench import build, company, datasets, memories, tune, tuning
from recollect.bench.overlap import jaccard, twins, words
from recollect.bench.values import Memory, Question, Target
from recollect.errors import RecollectError, UsageError

SUBJECTS = ["gateway", "scheduler", "billing", "search", "mailer", "importer"]
HABITS = [
    "retries every failed request three times before giving up quietly",
    "writes compressed snapshots into cold storage after midnight",
    "rejects tokens whose signature was made by an expired certificate",
    "counts slow answers and warns the owner on the dashboard",
]


@pytest.fixture
def some():
    texts = [
        f"The {subject} {habit}, as decided for case {at}."
        for at, subject in enumerate(SUBJECTS)
        for habit in HABITS
    ]
    return [Memory(id=number, content=text) for number, text in enumerate(texts, start=1)]


def test_every_stratum_has_questions_and_the_same_seed_gives_the_same(some):
    first, second = build.build(some, build.Plan(count=6)), build.build(some, build.Plan(count=6))
    assert first == second
    assert {question.stratum for question in first} >= {"exact", "multihop"}
    assert len({question.query_id for question in first}) == len(first)


def test_an_exact_question_is_a_phrase_of_its_memory(some):
    texts = {memory.id: memory.content for memory in some}
    found = [question for question in build.build(some) if question.stratum == "exact"]
    assert found
    assert all(any(question.text in texts[number] for number in question.relevant_ids) for question in found)


def test_a_multihop_question_needs_two_memories(some):
    found = [question for question in build.build(some) if question.stratum == "multihop"]
    assert found
    assert all(len(question.relevant_ids) >= 2 for question in found)


def test_paraphrases_keep_to_the_limit_and_the_model_may_write_them(some):
    said = {
        some[0].content: "what happens on Tuesdays with unusual weather",
        some[1].content: some[1].content,
    }
    plan = build.Plan(writer=lambda stratum, text: said.get(text, ""))
    found = [question for question in build.build(some, plan) if question.stratum == "paraphrase"]
    assert [question.text for question in found] == ["what happens on Tuesdays with unusual weather"]
    assert found[0].jaccard <= build.MAX_JACCARD


def test_paraphrases_without_a_model_share_few_words(shared):
    data = datasets.load(shared / "locomo", splits=["conv-26"])
    rows = data.memories["conv-26"]
    texts = {memory.id: set(words(memory.content)) for memory in rows}
    found = [one for one in build.build(rows, build.Plan(count=15)) if one.stratum == "paraphrase"]
    assert len(found) == 15
    for question in found:
        number = int(question.query_id.removeprefix("para_"))
        assert jaccard(words(question.text), texts[number]) <= build.MAX_JACCARD


def test_a_twin_is_an_answer_too():
    text = "the nightly backup of the orders table runs at two and takes nine minutes"
    rows = [
        Memory(1, text),
        Memory(2, text.upper()),
        Memory(3, "deploys need a second pair of eyes on fridays"),
    ]
    found = {
        question.query_id: question.relevant_ids
        for question in build.build(rows)
        if question.stratum == "exact"
    }
    assert found["exact_1"] == (1, 2)
    assert found["exact_3"] == (3,)


def test_what_was_written_is_a_data_set_that_git_ignores(some, tmp_path):
    build.write(tmp_path / "mine", some, build.build(some))
    assert (tmp_path / "mine" / ".gitignore").read_text(encoding="utf-8") == "*\n"
    assert len(datasets.load(tmp_path / "mine").memories[""]) == len(some)


def test_a_folder_that_was_not_made_here_is_left_alone(some, tmp_path):
    (tmp_path / ".gitignore").write_text("build/\n", encoding="utf-8")
    with pytest.raises(UsageError, match="holds other files"):
        build.write(tmp_path, some, build.build(some))
    assert [(file.name, file.read_text(encoding="utf-8")) for file in tmp_path.iterdir()] == [
        (".gitignore", "build/\n")
    ]
    build.write(tmp_path / "mine", some, build.build(some))
    build.write(tmp_path / "mine", some, build.build(some))


def test_sensitive_and_empty_memories_are_left_out():
    rows = [
        {"content": "the key of the safe", "is_sensitive": 1},
        {"text": "the password", "metadata": {"sensitive": True}},
        {"content": "  "},
        {"content": "the number of the account", "tags": ["bank", "sensitive"]},
        {"text": "what was put away", "status": "archived"},
        {"content": "we deploy on fridays", "is_sensitive": 0, "tags": ["ops", "habit"]},
    ]
    assert [(one.id, one.content, one.tags) for one in memories.plain(rows)] == [
        (1, "we deploy on fridays", "ops,habit")
    ]
    with pytest.raises(UsageError, match="no memories"):
        memories.plain(rows[:5])


def test_a_command_writes_the_question_it_prints():
    program = "import json, sys; print(json.load(sys.stdin)['text'][::-1])"
    assert memories.command_writer(f'"{sys.executable}" -c "{program}"')("paraphrase", "abc") == "cba"
    with pytest.raises(UsageError, match="failed"):
        memories.command_writer(f'"{sys.executable}" -c "raise SystemExit(3)"')("paraphrase", "abc")


def test_the_command_line_builds_and_the_result_can_be_run(some, tmp_path, bench):
    source = tmp_path / "export.jsonl"
    source.write_text("".join(json.dumps({"content": one.content}) + "\n" for one in some), encoding="utf-8")
    done = bench("build", "memory", "--from", source, "-o", tmp_path / "mine", "--count", 5)
    assert "5 exact" in done.output
    ran = bench("run", "--data", tmp_path / "mine", "-r", "bm25", "-o", tmp_path / "out", "--json")
    assert json.loads(ran.stdout)["strata"]["exact"]["hit@1"] == 1.0


def test_the_memories_of_the_project_are_taken_with_what_recall_ranks_by(some, tmp_path, bench):
    import subprocess

    import recollect

    subprocess.run(["git", "init", "-q", tmp_path / "shop"], check=True)
    (tmp_path / "shop" / "a.py").write_text("def retry():\n    ...\n", encoding="utf-8")
    with recollect.open(tmp_path / "shop") as project:
        for one in some:
            project.remember(one.content, session="s1", author="Ann", importance=0.7)
        project.remember("the safe opens with seven turns to the left", tags=["sensitive"])
    done = bench("build", "memory", "--path", tmp_path / "shop", "-o", tmp_path / "mine", "--count", 3)
    assert "on 24 memories" in done.output, done.exception
    memory = datasets.load(tmp_path / "mine").memories[""][0]
    assert (memory.importance, memory.extra["author"], memory.extra["session"]) == (0.7, "Ann", "s1")
    ran = bench("run", "--data", tmp_path / "mine", "-r", "recollect", "-o", tmp_path / "out", "--json")
    assert json.loads(ran.stdout)["strata"]["exact"]["hit@1"] == 1.0


def test_a_synonym_may_come_from_the_repository(some):
    from recollect.bench.neighbours import Neighbours

    code = [["gateway", "proxy", "route"]] * 3 + [["scheduler", "cron", "job"]] * 3 + [["proxy", "route"]] * 2
    near = Neighbours([*[words(one.content) for one in some], *code], {"gateway", "scheduler"})
    assert near.nearest("gateway", words(some[0].content)) in {"proxy", "route"}


def test_only_what_git_knows_keeps_company(tmp_path):
    import subprocess

    (tmp_path / "a.py").write_text("def fetch_invoice():\n    return ledger\n", encoding="utf-8")
    (tmp_path / "secret.txt").write_text("untracked words", encoding="utf-8")
    (tmp_path / "blob.bin").write_bytes(b"\0binary")
    for arguments in (["init", "-q"], ["add", "a.py", "blob.bin"]):
        subprocess.run(["git", "-C", tmp_path, *arguments], check=True)
    (found,) = company.texts(tmp_path)
    assert {"fetch", "invoice", "ledger"} <= set(found)
    assert company.texts(tmp_path / "nowhere") == []


@given(st.lists(st.sets(st.sampled_from("abcdefgh"), min_size=1), max_size=8), st.floats(0.3, 1.0))
def test_twins_are_exactly_the_pairs_over_the_limit(texts, least):
    expected = [
        {other for other in range(len(texts)) if other != at and jaccard(texts[at], texts[other]) >= least}
        for at in range(len(texts))
    ]
    assert twins(texts, least) == expected


def questions(count, splits=1):
    return [Question(f"q{at}", "?", (Target(id=1),), split=str(at % splits)) for at in range(count)]


def test_a_setting_that_truly_helps_is_accepted():
    tuned = tune.tune(
        questions(40),
        {"k": [1, 2, 3]},
        lambda settings, asked: {one.id: 0.2 * settings.get("k", 1) for one in asked},
    )
    assert tuned.settings == {"k": 3}
    assert tuned.accepted
    assert tuned.chosen_on + tuned.reported_on == 40


def test_a_setting_that_only_helps_the_choosing_half_is_refused():
    chosen = {question.id for question in tune.halves(questions(40))[0]}

    def measure(settings, asked):
        return {one.id: float(bool(settings) and one.id in chosen) for one in asked}

    tuned = tune.tune(questions(40), {"k": [1]}, measure)
    assert tuned.settings == {"k": 1}
    assert tuned.on_choosing.delta == 1.0
    assert not tuned.accepted


def test_defaults_that_nothing_beats_stay():
    tuned = tune.tune(questions(20), {"k": [1, 2]}, lambda settings, asked: {one.id: 0.5 for one in asked})
    assert (tuned.settings, tuned.accepted) == ({}, False)


@given(st.integers(4, 60), st.integers(1, 7))
def test_the_halves_share_no_question_and_no_split(count, splits):
    asked = questions(count, splits)
    try:
        choosing, other = tune.halves(asked)
    except UsageError:
        return
    assert sorted(one.id for one in [*choosing, *other]) == sorted(one.id for one in asked)
    if splits > 1 and count >= splits:
        assert not {one.split for one in choosing} & {one.split for one in other}


def test_choices_are_read_as_json_where_they_are():
    assert tuning.read_choices(["fuse.k=30,60.5", "name=abc,true"]) == {
        "fuse.k": [30, 60.5],
        "name": ["abc", True],
    }
    with pytest.raises(UsageError, match="Cannot tune"):
        tuning.read_choices(["fuse.k"])


def test_memories_of_several_conversations_make_one_set(some, tmp_path):
    told = [replace(one, extra={"conversation": f"c{at % 3}"}) for at, one in enumerate(some)]
    build.write(tmp_path / "mine", told, build.build(told, build.Plan(count=5)))
    data = datasets.load(tmp_path / "mine")
    assert data.splits == ("all",)
    assert len(data.memories["all"]) == len(some)
    assert data.memories["all"][1].to_row()["conversation"] == "c1"


def test_a_key_that_no_profile_takes_is_refused_before_anything_is_indexed(some, tmp_path, monkeypatch):
    build.write(tmp_path / "mine", some, build.build(some, build.Plan(count=3)))
    monkeypatch.setattr(tuning, "_open", None)
    with pytest.raises(RecollectError, match=r"nothing\.here"):
        tuning.tune_engine(datasets.load(tmp_path / "mine"), {"nothing.here": [1]})
    with pytest.raises(RecollectError, match="float"):
        tuning.tune_engine(datasets.load(tmp_path / "mine"), {"channel.session.weight": ["much"]})


def test_runs_over_own_memories_stay_out_of_git_unless_texts_are_left_out(some, bench, tmp_path, monkeypatch):
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    monkeypatch.chdir(tmp_path)
    build.write(tmp_path / "mine", some, build.build(some))

    def seen():
        command = ["git", "status", "--porcelain", "--untracked-files=all"]
        done = subprocess.run(command, check=True, capture_output=True, text=True, encoding="utf-8")
        return done.stdout.split()

    assert bench("run", "mine", "-r", "bm25").exception is None
    assert (tmp_path / "bench-results" / "mine-bm25.json").is_file()
    assert seen() == []
    (tmp_path / "public").mkdir()
    assert "git sees it" in bench("run", "mine", "-r", "bm25", "-o", "public").stderr
    assert "git sees it" not in bench("run", "mine", "-r", "bm25", "-o", "public", "--no-text").stderr
    assert seen() == ["??", "public/mine-bm25.json"]


def test_a_kind_that_falls_short_says_why(some):
    def copying(stratum, text):
        return text

    few = build.Plan(count=2, writer=copying)
    said = build.shortfalls(build.build(some, few), few)
    assert any("0 of 2 paraphrase" in one and "the command's were" in one and "0.18" in one for one in said)
    enough = build.Plan(count=1)
    assert [one for one in build.shortfalls(build.build(some, enough), enough) if "exact" in one] == []
