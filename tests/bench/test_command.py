import json
import re
import subprocess
import xml.etree.ElementTree as ET

import pytest
from click.testing import CliRunner

from recollect.bench import datasets, replay
from recollect.cli.app import app
from recollect.errors import RecollectError


@pytest.fixture
def two_runs(bench, memory_folder, tmp_path):
    done = bench(
        "run", "--data", memory_folder, "-r", "grep", "-r", "bm25", "-o", tmp_path / "out", "--no-text"
    )
    assert done.return_value == 0, done.exception
    return tmp_path / "out" / "small-grep.json", tmp_path / "out" / "small-bm25.json"


def test_run_prints_a_table_and_keeps_every_answer(bench, two_runs, memory_folder, tmp_path):
    assert all(file.is_file() for file in two_runs)
    done = bench("run", "--data", memory_folder, "-r", "bm25", "-o", tmp_path / "again")
    assert "4 questions of small" in done.output
    assert "recall@10" in done.output
    assert len(json.loads(two_runs[1].read_text(encoding="utf-8"))["questions"]) == 4


def test_run_as_json_holds_figures_and_no_questions(bench, memory_folder, tmp_path):
    done = bench("run", "--data", memory_folder, "-r", "bm25", "-o", tmp_path, "--json")
    row = json.loads(done.stdout)
    assert row["metrics"]["recall@10"] == 1.0
    assert "questions" not in row


def test_texts_are_left_out_when_asked(two_runs):
    assert "retry" not in two_runs[1].read_text(encoding="utf-8")


def test_a_broken_data_set_exits_with_two_and_lists_its_problems(bench, memory_folder, tmp_path):
    (memory_folder / "qrels.jsonl").write_text('{"query_id": "q1", "relevant_ids": [77]}\n', encoding="utf-8")
    done = bench("run", "--data", memory_folder, "-r", "bm25", "-o", tmp_path)
    assert isinstance(done.exception, RecollectError)
    assert done.exception.exit_code == 2
    assert "qrels.jsonl:1: id 77 is not in corpus.jsonl" in str(done.exception)


def test_an_unknown_retriever_is_refused_before_anything_runs(bench, memory_folder, tmp_path):
    done = bench("run", "--data", memory_folder, "-r", "bm25", "-r", "nothing", "-o", tmp_path / "out")
    assert "There is no retriever 'nothing'" in str(done.exception)
    assert not (tmp_path / "out").exists()


ABSENT = """
from recollect.bench import NotInstalledError


class Absent:
    def __init__(self):
        raise NotInstalledError("The tool is not installed here; install it.")

    def retrieve(self, query, k):
        return []
"""


def test_a_tool_that_is_not_installed_is_skipped_beside_others(bench, memory_folder, tmp_path, monkeypatch):
    (tmp_path / "absent_peer.py").write_text(ABSENT, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    both = bench("run", "--data", memory_folder, "-r", "absent_peer:Absent", "-r", "bm25", "-o", "out")
    assert both.return_value == 0, both.exception
    assert "Skipped absent_peer:Absent: The tool is not installed here" in both.stderr
    assert [file.name for file in (tmp_path / "out").iterdir()] == ["small-bm25.json"]
    alone = bench("run", "--data", memory_folder, "-r", "absent_peer:Absent", "-o", "out")
    assert (alone.exception.exit_code, "not installed" in str(alone.exception)) == (2, True)
    none = bench("run", "--data", memory_folder, *["-r", "absent_peer:Absent"] * 2, "-o", "out")
    assert (none.exception.exit_code, "nothing was run" in str(none.exception)) == (2, True)


@pytest.mark.parametrize(
    "command",
    [("run", "-r", "bm25", "--json", "--no-text"), ("stats",), ("tune", "--set", "channel.item.weight=0.5")],
)
def test_a_data_set_is_named_alike_by_every_command(bench, memory_folder, tmp_path, monkeypatch, command):
    monkeypatch.chdir(tmp_path)
    name, *rest = command
    said = [
        str(bench(name, *place, *rest).exception) for place in (["--data", memory_folder], [memory_folder])
    ]
    # So few questions cannot be tuned, which is said only after they were read.
    assert (
        said
        == (
            ["4 questions are too few to be divided in two; make more first."] if name == "tune" else ["None"]
        )
        * 2
    )
    for wrong in ((), (memory_folder, "--data", memory_folder)):
        assert "Give one data set" in bench(name, *wrong, *rest).exception.message


def test_the_key_in_the_example_of_tune_is_one_of_the_profile(bench):
    shown = bench("tune", "--help").output
    keys = re.findall(r"--set ([a-z_.]+)=", shown)
    assert keys
    known = CliRunner().invoke(app, ["profile", "show", "code"], standalone_mode=False).output
    assert not [key for key in keys if f"{key} = " not in known], known


def test_compare_says_decisive(bench, two_runs):
    done = bench("compare", *two_runs)
    assert "decisive" in done.output
    assert "decisive" not in bench("compare", two_runs[1], two_runs[1]).output
    assert json.loads(bench("compare", *two_runs, "--json").stdout)["overall"]["decisive"] is True


def test_compare_says_when_what_is_decisive_rests_on_few_questions(bench, two_runs):
    assert "fewer than 6 questions differ" in bench("compare", *two_runs).stderr
    assert "all questions, bm25 (4)" in bench("compare", *two_runs).stderr
    assert "questions differ" not in bench("compare", two_runs[1], two_runs[1]).stderr
    markdown = two_runs[0].with_name("report.md")
    bench("report", *two_runs, "-o", markdown.with_suffix(".html"), "--markdown", markdown)
    assert "fewer than 6 questions differ" in markdown.read_text(encoding="utf-8")


def test_gate_exits_with_one_when_a_metric_fell(bench, two_runs):
    poor, good = two_runs
    assert bench("gate", good, "--baseline", good).return_value == 0
    failed = bench("gate", poor, "--baseline", good)
    assert failed.return_value == 1
    assert "FAILED" in failed.output
    assert bench("gate", good, "--min", "recall@10=0.9").return_value == 0
    assert bench("gate", good, "--min", "mrr=1.1").return_value == 1


def test_gate_takes_the_older_run_first(bench, two_runs):
    poor, good = two_runs
    assert bench("gate", poor, good).return_value == 0
    assert bench("gate", good, poor).return_value == 1
    assert "one older run" in str(bench("gate", poor, good, good).exception)


def test_compare_and_run_tell_the_mean_over_parts(bench, two_runs, memory_folder, tmp_path):
    assert "mean of 2 splits" in bench("compare", *two_runs).output
    found = json.loads(bench("compare", *two_runs, "--json").stdout)["splits"]
    assert found["n"] == 2
    ran = bench("run", "--data", memory_folder, "-r", "bm25", "-o", tmp_path / "again")
    assert re.search(r"mean of 2 +1\.000 \[1\.000, 1\.000\]", ran.output)


def test_gate_needs_something_to_hold_against(bench, two_runs):
    assert "Give --baseline" in str(bench("gate", two_runs[0]).exception)
    assert "METRIC=VALUE" in str(bench("gate", two_runs[0], "--min", "mrr").exception)


def test_stats_shows_counts_and_no_text(bench, memory_folder):
    done = bench("stats", memory_folder)
    assert "exact 3, multihop 1" in done.output
    assert "redis" not in done.output
    assert json.loads(bench("stats", memory_folder, "--json").stdout)["memories"] == 5


def test_the_report_needs_nothing_from_outside_and_its_plots_are_well_formed(bench, two_runs, tmp_path):
    page, text = tmp_path / "deep" / "report.html", tmp_path / "report.md"
    done = bench("report", *two_runs, "-o", page, "--markdown", text)
    assert done.exception is None
    content = page.read_text(encoding="utf-8")
    plots = re.findall(r"<svg.*?</svg>", content, re.DOTALL)
    assert len(plots) == 7
    for plot in plots:
        for element in ET.fromstring(plot).iter():
            numbers = [element.get(name) for name in ("x", "y", "cx", "cy", "height")]
            assert all(-50 <= float(number) <= 1000 for number in numbers if number is not None)
    outside = re.findall(r"""(?:src|href|url)\s*[=(]\s*["']?([^"'#>][^"'>]*)""", content)
    assert outside == []
    assert "<script" not in content
    assert "bm25 reaches recall@10 1.000" in content
    assert "which is decisive" in content
    assert "| bm25 |" in text.read_text(encoding="utf-8")


def test_the_report_of_one_run_alone_is_whole(bench, memory_folder, tmp_path):
    done = bench("run", "--data", memory_folder, "-r", "recollect", "-o", tmp_path)
    assert done.return_value == 0, done.exception
    assert bench("report", tmp_path / "small-recollect.json", "-o", tmp_path / "r.html").exception is None
    assert "How to read this" in (tmp_path / "r.html").read_text(encoding="utf-8")


@pytest.fixture
def history(tmp_path):
    """A repository whose commits change functions, tests and notes, with a bot and a revert among them."""
    repo = tmp_path / "shop"
    repo.mkdir()

    def commit(message, files, author="Ann <ann@example.com>"):
        for name, text in files.items():
            (repo / name).parent.mkdir(parents=True, exist_ok=True)
            (repo / name).write_text(text, encoding="utf-8")
        git("add", ".")
        git("commit", "-q", "-m", message, f"--author={author}")

    def git(*arguments):
        identity = ["-c", "user.name=Ann", "-c", "user.email=ann@example.com"]
        done = subprocess.run(
            ["git", "-C", repo, *identity, *arguments],
            check=True,
            capture_output=True,
            text=True,
            encoding="utf-8",
        )
        return done.stdout.strip()

    client = "def send(order):\n    return order\n\n\ndef cancel(order):\n    return None\n"
    retry = "def wait(attempt):\n    return attempt\n"
    git("init", "-q", "-b", "main")
    commit("Start the shop with a client", {"client.py": client, "retry.py": retry, "notes.md": "# Notes\n"})
    git("tag", "v1")
    commit(
        "Wait longer before each retry (#12)",
        {"retry.py": retry.replace("return attempt", "return 2 * attempt")},
    )
    commit("Bump the version to 2.0", {"client.py": client + "\nVERSION = 2\n"})
    commit("Cancel orders that were never sent", {"client.py": client.replace("return None", "return order")})
    commit("Update the notes about retries", {"notes.md": "# Notes\n\nRetries wait.\n"})
    commit('Revert "Cancel orders"', {"client.py": client})
    commit("Send orders again after failure", {"client.py": client.replace("return order\n\n", "return [order]\n\n")},
           author="renovate[bot] <bot@example.com>")  # fmt: skip
    commit("Add a basket for many orders", {"basket.py": "def fill():\n    return []\n"})
    return repo, git


def test_replay_keeps_commits_that_change_code_that_was_there(history, tmp_path):
    repo, _ = history
    replay.build(repo, tmp_path / "data", replay.Wanted(since="v1"))
    data = datasets.load(tmp_path / "data")
    found = {
        question.text: [(target.path, target.symbol) for target in question.targets]
        for question in data.questions
    }
    assert found == {
        "Wait longer before each retry": [("retry.py", ""), ("retry.py", "wait")],
        "Cancel orders that were never sent": [("client.py", ""), ("client.py", "cancel")],
    }


def test_several_repositories_are_replayed_together(bench, history, tmp_path):
    repo, git = history
    other = tmp_path / "elsewhere" / "shop"
    subprocess.run(["git", "clone", "-q", repo, other], check=True)
    git("remote", "add", "origin", "https://ann:secret@example.com/shop.git")
    done = bench("replay", "--path", repo, "--path", other, "--save", tmp_path / "data", "--questions-only")
    assert done.return_value == 0, done.exception
    data = datasets.load(tmp_path / "data")
    assert (data.name, data.splits) == ("replay-all", ("shop", "shop-1"))
    assert data.repositories["shop"].url == "https://example.com/shop.git"


@pytest.mark.parametrize("commits", [None, 0, 1])
def test_a_folder_without_a_history_is_refused_with_the_cure(bench, tmp_path, commits):
    if commits is not None:
        subprocess.run(["git", "init", "-q", tmp_path], check=True)
    for _ in range(commits or 0):
        identity = ["-c", "user.name=Ann", "-c", "user.email=ann@example.com"]
        command = ["git", "-C", tmp_path, *identity, "commit", "-q", "--allow-empty", "-m", "Begin"]
        subprocess.run(command, check=True)
    said = str(bench("replay", "--path", tmp_path).exception)
    assert ("not in a git repository" if commits is None else "no history to replay") in said


def test_replay_measures_without_touching_the_working_tree(bench, history, tmp_path):
    repo, git = history
    before = (git("status", "--porcelain", "--ignored"), git("rev-parse", "HEAD"), git("worktree", "list"))
    done = bench(
        "replay", "--path", repo, "--since", "v1", "-r", "recollect", "-r", "bm25", "-o", tmp_path / "out"
    )
    assert done.return_value == 0, done.exception
    assert "2 questions of replay-shop" in done.output
    run = json.loads((tmp_path / "out" / "replay-shop-recollect.json").read_text(encoding="utf-8"))
    assert run["metrics"]["recall@5"] == 1.0
    assert run["metrics"]["fn_recall@10"] == 1.0
    assert (
        git("status", "--porcelain", "--ignored"),
        git("rev-parse", "HEAD"),
        git("worktree", "list"),
    ) == before


def test_a_snapshot_for_each_commit_is_its_parent(history, tmp_path):
    repo, git = history
    replay.build(repo, tmp_path / "data", replay.Wanted(since="v1", each=True))
    data = datasets.load(tmp_path / "data")
    parents = {git("rev-parse", f"{question.id}^") for question in data.questions}
    assert {spec.revision for spec in data.repositories.values()} == parents
    assert len(parents) == 2


def test_without_a_wish_the_snapshot_leaves_as_many_commits_as_are_asked(history, tmp_path):
    repo, _ = history
    assert replay.build(repo, tmp_path / "data", replay.Wanted(limit=1)) == 1


def test_a_replay_with_nothing_to_ask_says_so(history, tmp_path):
    repo, _ = history
    with pytest.raises(RecollectError, match="give an older --since"):
        replay.build(repo, tmp_path / "data", replay.Wanted(since="HEAD"))
    with pytest.raises(RecollectError, match="has no commit 'v9'"):
        replay.build(repo, tmp_path / "data", replay.Wanted(since="v9"))


def test_questions_that_no_replay_made_are_not_overwritten(history, memory_folder, tmp_path):
    repo, _ = history
    before = (memory_folder / "queries.jsonl").read_bytes()
    with pytest.raises(RecollectError, match="no replay made"):
        replay.build(repo, memory_folder, replay.Wanted(since="v1"))
    assert (memory_folder / "queries.jsonl").read_bytes() == before
    assert not (memory_folder / "repos.json").exists()
    assert replay.build(repo, tmp_path / "data", replay.Wanted(since="v1")) == 2
    assert replay.build(repo, tmp_path / "data", replay.Wanted(since="v1")) == 2


def test_a_replay_leaves_messages_out_when_asked(bench, history, tmp_path):
    repo, _ = history
    done = bench("replay", "--path", repo, "--since", "v1", "-r", "bm25", "-o", tmp_path / "out", "--no-text")
    assert done.return_value == 0, done.exception
    kept = (tmp_path / "out" / "replay-shop-bm25.json").read_text(encoding="utf-8")
    assert "Wait longer" not in kept
