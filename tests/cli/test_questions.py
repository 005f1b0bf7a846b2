import json

import pytest

from recollect.retrieve.tokens import exact

TASK = "send an order again"


@pytest.fixture
def at(shop):
    return ("--path", str(shop))


def one(done):
    (line,) = done.out.splitlines()
    return json.loads(line)


def test_context_prints_inside_its_budget_and_says_what_it_cost(run, at):
    done = run("context", TASK, "--budget", "120", *at)
    assert done.code == 0
    assert 0 < exact(done.out) <= 120
    assert "of 120 tokens" in done.err


@pytest.mark.parametrize("form", ["text", "markdown", "xml", "json", "lines"])
@pytest.mark.parametrize("budget", [0, 1, 60, 10_000_000])
def test_every_format_holds_every_budget(run, at, form, budget):
    done = run("context", TASK, "--format", form, "--budget", str(budget), *at)
    assert done.code == (0 if budget >= 60 else 1)
    assert exact(done.out) <= budget


def test_context_json_is_the_pack(run, at):
    pack = one(run("context", TASK, "--json", *at))
    assert pack["profile"] == "code"
    assert pack["tokens"] <= pack["budget"]
    assert {"signature", "tokens", "form", "ratio", "path", "reasons"} <= set(pack["items"][0])


def test_context_starts_from_files_and_from_a_base(run, at, shop):
    files = one(run("context", "--files", "shop/retry.py", "shop/client.py", "--json", *at))
    assert {"RetryPolicy", "Client"} <= {item["name"] for item in files["items"]}
    (shop / "shop" / "retry.py").write_text("class RetryPolicy:\n    attempts = 4\n", encoding="utf-8")
    change = one(run("context", "--base", "HEAD", "--json", *at))
    assert change["profile"] == "code-change"
    assert "RetryPolicy" in {item["name"] for item in change["items"]}


def test_a_change_without_files_and_an_unknown_base_are_said(run, at):
    assert "Nothing differs from 'HEAD'" in run("context", "--base", "HEAD", *at).err
    unknown = run("context", "--base", "no-such-branch", *at)
    assert (unknown.code, unknown.out) == (1, "")
    assert "knows no commit 'no-such-branch'" in unknown.err


def test_a_batch_of_contexts_answers_line_by_line(run, at, tmp_path):
    batch = tmp_path / "tasks.jsonl"
    batch.write_text('{"id": 1, "query": "retry"}\n{"id": 2, "query": "zzzqqq"}\n', encoding="utf-8")
    rows = [json.loads(line) for line in run("context", "--batch", str(batch), *at).out.splitlines()]
    assert [row["id"] for row in rows] == [1, 2]
    assert rows[0]["items"]
    assert rows[1]["items"] == []


def test_a_profile_and_its_keys_are_chosen_per_call(run, at):
    assert one(run("search", "RetryPolicy", "--profile", "lexical", "--json", *at))["profile"] == "lexical"
    few = one(run("search", TASK, "--set", "fuse.linear.limit=1", "--json", *at))
    assert len(few["hits"]) == 1
    silent = one(run("search", "RetryPolicy", "--set", "channel.definitions.enabled=false", "--json", *at))
    assert "definitions" not in silent["channels"]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--profile", "nonsense"], "There is no profile 'nonsense'. The profiles are"),
        (["--set", "nonsense"], "write it as phase.stage.key=value"),
        (["--set", "limit=3"], "--set limit names no key of a stage"),
        (["--set", "fuse.linear.limt=3"], "no key 'limt'"),
        (["--set", "fuse.linear.limit=many"], "Expected `int`, got `str`"),
        (["--set", "rerank.nothing.limit=1"], "names no stage of the profile"),
    ],
)
def test_a_wrong_profile_or_key_is_one_sentence(run, at, arguments, sentence):
    for command in (["search", "a"], ["context", "a"]):
        done = run(*command, *arguments, *at)
        assert done.code in {1, 2}
        assert sentence in done.err
        assert len(done.err.splitlines()) == 1


def test_why_shows_every_stage_of_a_symbol_that_is_there(run, at):
    done = run("why", "RetryPolicy", "RetryPolicy", *at)
    assert done.code == 0
    assert "number 1 of" in done.out
    assert "channel.definitions" in done.out
    assert "pack." in done.out


def test_why_says_where_a_symbol_was_lost_and_what_would_have_kept_it(run, at):
    last = one(run("search", TASK, "--json", *at))["hits"][-1]["id"]
    found = one(run("why", TASK, last, "--set", "fuse.linear.limit=1", "--json", *at))
    assert not found["packed"]
    assert found["lost_at"] == "fuse.linear"
    assert any("fuse.linear.limit=" in sentence for sentence in found["keep"])
    done = run("why", "zzzqqq", "deliver", *at)
    assert done.code == 1
    assert "never a candidate" in done.out


def test_why_shows_what_another_profile_would_change(run, at):
    done = run("why", TASK, "Client.send", "--trace-diff", "lexical", *at)
    assert "code -> lexical" in done.out
    rows = one(run("why", TASK, "Client.send", "--trace-diff", "lexical", "--json", *at))["trace_diff"]
    assert {"id", "name", "path", "before", "after", "why"} == set(rows[0])


def test_why_of_an_unknown_symbol_is_code_one(run, at):
    done = run("why", TASK, "Nowhere.at_all", *at)
    assert (done.code, done.out) == (1, "")
    assert "No symbol is called 'Nowhere.at_all'" in done.err


def test_profiles_are_listed_shown_and_compared(run, at):
    names = [row["name"] for row in one(run("profile", "list", "--json", *at))]
    assert {"code", "knowing", "lexical"} <= set(names)
    keys = one(run("profile", "show", "knowing", "--set", "fuse.rrf.k=7", "--json", *at))
    assert keys["fuse.rrf.k"] == 7
    assert run("profile", "diff", "code", "code", *at)[:2] == (0, "code and code say the same.\n")
    done = run("profile", "diff", "code", "lexical", *at)
    assert done.code == 1
    assert "rerank.files.enabled: true -> not there" in done.out


def test_feedback_is_filed_under_the_query_and_moves_the_ranking_of_a_learning_profile(run, at):
    asked = ("search", TASK, "--profile", "knowing", "--json", *at)
    answer = one(run(*asked))
    last = answer["hits"][-1]["id"]
    for _ in range(3):
        done = run("feedback", answer["query_id"], last, *at)
        assert (done.code, done.out) == (0, "Filed 1 item as useful.\n")
    again = one(run(*asked))
    before, after = (
        next(hit["score"] for hit in found["hits"] if hit["id"] == last) for found in (answer, again)
    )
    assert after > before
    assert again["query_id"] == answer["query_id"]


def test_feedback_needs_an_answer_and_real_ids(run, at):
    answer = one(run("search", TASK, "--json", *at))
    for arguments in (["qnothing", answer["hits"][0]["id"]], [answer["query_id"], "caaaaaaaaaaaaa"]):
        done = run("feedback", *arguments, *at)
        assert (done.code, done.out) == (1, "")
        assert len(done.err.splitlines()) == 1


def test_a_session_is_told_what_it_saw_and_an_edit_says_what_was_used(run, at, tmp_path):
    first = one(run("context", TASK, "--session", "s", "--json", *at))
    again = one(run("context", TASK, "--session", "s", "--json", *at))
    assert "body" in {item["form"] for item in first["items"]}
    assert {item["form"] for item in again["items"]} == {"unchanged"}
    edit = tmp_path / "edit.diff"
    edit.write_text("+    RetryPolicy()\n", encoding="utf-8")
    filed = one(run("feedback", "--used-in", str(edit), "--session", "s", "--json", *at))
    assert filed["ids"] == [item["id"] for item in first["items"] if item["name"] == "RetryPolicy"]
    for wrong in ([], ["q1"], ["q1", "c1", "--used-in", str(edit)], ["--used-in", str(edit), "--useless"]):
        assert "Give QUERY_ID and ids, or --used-in FILE" in run("feedback", *wrong, *at).err
