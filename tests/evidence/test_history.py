import random
import subprocess
import threading

import pytest
from tests.evidence.conftest import edges
from tests.evidence.past import Repository

from recollect.evidence.history.follow import Span, Ways, follow, pack_hunks
from recollect.source.commits import commits, files_of, hunks, reachable
from recollect.store.past import Step, short_blob
from recollect.store.sqlite.past import open_past

A = "def one():\n    return 1\n\n\ndef two():\n    return 2\n"
B = "class B:\n    def close(self):\n        return 2\n"


@pytest.fixture
def repository(tmp_path):
    return Repository(tmp_path / "r")


def past_of(opened):
    return open_past(opened._index.project.evidence_db)


def symbols(opened, path):
    """Return days of the last change and number of changes of each symbol of a file."""
    from recollect.store.ids import id_of

    names = {item.id: item.name for item in opened._index.ask(lambda reader: reader.items_of(path))}
    start = 1_700_000_000
    return {
        names[id_of(one.uid)]: ((one.latest - start) // 86_400, one.commits)
        for one in past_of(opened).symbols(path)
        if id_of(one.uid) in names
    }


def test_each_symbol_knows_when_and_how_often_its_lines_were_changed(repository, opened):
    repository.commit({"a.py": A})
    repository.commit({"a.py": A.replace("return 2", "return 22")})
    repository.commit({"a.py": "import os\n\n" + A.replace("return 2", "return 22")}, who="Bob")
    r = opened(repository.root)
    report = r.read_history()
    assert (report.read, report.commits, report.followed, report.notes) == (3, 3, 3, ())
    assert symbols(r, "a.py") == {"one": (1, 1), "two": (2, 2)}
    (known,) = past_of(r).files(["a.py"]).values()
    assert (known.commits, [(one.name, one.commits) for one in known.people]) == (3, [("Ann", 2), ("Bob", 1)])


def test_a_new_commit_costs_that_commit(repository, opened, monkeypatch):
    repository.commit({"a.py": A, "b.py": B})
    r = opened(repository.root)
    r.read_history()
    assert r.read_history().read == 0
    repository.commit({"b.py": B.replace("2", "3")})
    followed = []
    monkeypatch.setattr(
        "recollect.evidence.history.gather.follow", lambda *given: followed.append(given[0]) or follow(*given)
    )
    report = r.read_history()
    assert (report.read, report.followed_now, len(followed)) == (1, 1, 1)
    assert symbols(r, "b.py") == {"B": (2, 2), "B.close": (2, 2)}


def test_lines_are_followed_through_a_rename_and_through_both_sides_of_a_merge(repository, opened):
    many = "".join(f"def f{at}():\n    return {at}\n\n\n" for at in range(12))
    repository.commit({"a.py": many})
    repository.git("checkout", "-qb", "side")
    repository.commit({"a.py": many.replace("return 11", "return 'eleven'")})
    repository.git("checkout", "-q", "main")
    repository.git("mv", "a.py", "moved.py")
    repository.commit({"moved.py": "import os\n" + many.replace("return 0", "return 'none'")})
    repository.git("merge", "-q", "--no-edit", "side")
    r = opened(repository.root)
    assert not r.read_history().notes
    found = symbols(r, "moved.py")
    assert (found["f0"], found["f5"], found["f11"]) == ((3, 2), (1, 1), (2, 2))


def test_what_git_blames_for_a_line_is_among_what_is_found(repository):
    chance = random.Random(7)
    text = [f"line {at}\n" for at in range(30)]
    repository.commit({"a.txt": "".join(text)})
    for number in range(25):
        for _ in range(chance.randint(1, 3)):
            at = chance.randrange(len(text))
            text[at : at + chance.randint(0, 3)] = [
                f"{number} {chance.random()}\n" for _ in range(chance.randint(0, 3))
            ]
        repository.commit({"a.txt": "".join(text)})
    said = repository.git("blame", "-s", "--abbrev=39", "a.txt").splitlines()
    blamed = [line.split()[0].lstrip("^") for line in said]
    line = [one for one, _ in reachable(repository.root, "HEAD", 100)]
    numbers = {one: at + 1 for at, one in enumerate(line)}
    steps, lines = {}, {}
    for one in commits(repository.root, "", line, renames=True):
        for change in one.changes:
            key = (1, short_blob(change.new))
            steps.setdefault(key, []).append(Step(numbers[one.id], 1, short_blob(change.old), 0, merge=False))
    for old, new, rows in hunks(repository.root, line, ["*.txt"]):
        lines[short_blob(old), short_blob(new)] = pack_hunks(rows)
    order = {number: number for number in numbers.values()}
    ways = Ways(lambda path, blob: steps.get((path, blob), []), lambda *pair: lines.get(pair), order, order)
    spans = [Span(at, at, at, True) for at in range(1, len(text) + 1)]
    blob = short_blob(files_of(repository.root, "HEAD")["a.txt"])
    found = {one.uid: one.numbers for one in follow(1, blob, spans, ways).symbols}
    for at, commit in enumerate(blamed, start=1):
        assert any(one.startswith(commit) and numbers[one] in found[at] for one in line), (at, commit)


def test_a_content_that_comes_back_is_followed_on(repository, opened):
    repository.commit({"a.py": A})
    repository.commit({"a.py": A.replace("return 1", "return 11")})
    repository.commit({"a.py": A})
    r = opened(repository.root)
    r.read_history()
    assert symbols(r, "a.py") == {"one": (3, 3), "two": (1, 1)}


def test_files_and_symbols_that_change_together_are_told_but_not_those_of_sweeps_and_merges(
    repository, opened
):
    sweep = {f"many/f{at}.py": "x = 1\n" for at in range(25)}
    repository.commit({"a.py": A, "b.py": B, "c.py": "def c():\n    return 1\n", **sweep})
    for number in range(3):
        files = {"a.py": A.replace("return 1", f"return 'a{number}'"), "b.py": B.replace("2", f"'b{number}'")}
        repository.commit(files)
    repository.commit({"c.py": "def c():\n    return 5\n", **dict.fromkeys(sweep, "x = 2\n")})
    repository.commit({"c.py": "def c():\n    return 6\n", **dict.fromkeys(sweep, "x = 3\n")})
    r = opened(repository.root)
    r.read_history()
    assert [(pair.second, pair.times, pair.percent) for pair in past_of(r).partners("a.py")] == [
        ("b.py", 3, 75)
    ]
    assert not past_of(r).partners("c.py")
    found = edges(r, "changes_with")
    assert found["a.py:a.py -> b.py:b.py"] == ("history", 75)
    assert found["a.py:one -> b.py:B.close"] == ("history", 100), (
        "the sweep that began them counts as one of them"
    )
    assert not any("two" in name or "B ->" in name for name in found)


def test_rewritten_history_leaves_nothing_of_the_old_one(repository, opened):
    repository.commit({"a.py": A})
    repository.commit({"a.py": A.replace("return 2", "return 22")})
    r = opened(repository.root)
    r.read_history()
    repository.days = 50
    repository.git("commit", "-q", "--amend", "--allow-empty", "-m", "Say it better")
    assert symbols(r, "a.py")["two"] == (2, 2)
    r.read_history()
    assert symbols(r, "a.py") == {"one": (1, 1), "two": (50, 2)}


def test_worktrees_share_what_was_read(repository, opened, tmp_path):
    repository.commit({"a.py": A})
    r = opened(repository.root)
    r.read_history()
    repository.git("worktree", "add", "-q", "-b", "other", str(tmp_path / "other"))
    repository.write({"../other/a.py": A.replace("return 2", "return 7")})
    subprocess.run(
        ["git", "-c", "user.name=A", "-c", "user.email=a@b", "commit", "-qam", "x"],
        cwd=tmp_path / "other",
        check=True,
    )
    other = opened(tmp_path / "other")
    report = other.read_history()
    assert (report.read, report.commits) == (1, 2)
    assert symbols(other, "a.py")["two"][1] == 2
    assert r.read_history().read == 0
    assert symbols(r, "a.py")["two"][1] == 1


def test_a_shallow_clone_says_so_and_goes_on_when_it_is_deepened(repository, opened, tmp_path):
    repository.commit({"a.py": A, "b.py": B})
    repository.commit({"a.py": A.replace("return 2", "return 22")})
    clone = tmp_path / "clone"
    subprocess.run(["git", "clone", "-q", "--depth=2", f"file://{repository.root}", str(clone)], check=True)
    subprocess.run(["git", "fetch", "-q", "--depth=1"], cwd=clone, check=True)
    r = opened(clone)
    report = r.read_history()
    assert report.commits == 0
    assert "shallow" in report.notes[0]
    assert "shallow" in r._past().missing()[0]
    subprocess.run(["git", "fetch", "-q", "--unshallow"], cwd=clone, check=True)
    report = r.read_history()
    assert (report.commits, report.notes) == (2, ())
    assert symbols(r, "a.py") == {"one": (1, 1), "two": (2, 2)}


def test_without_a_repository_or_a_commit_nothing_is_known_and_that_is_said(tmp_path, opened):
    (tmp_path / "plain").mkdir()
    (tmp_path / "plain" / "a.py").write_text(A, encoding="utf-8")
    report = opened(tmp_path / "plain").read_history()
    assert (report.commits, "no git repository" in report.notes[0]) == (0, True)
    empty = Repository(tmp_path / "empty")
    empty.write({"a.py": A})
    report = opened(empty.root).read_history()
    assert (report.commits, "no commit yet" in report.notes[0]) == (0, True)


def test_only_the_newest_commits_count_when_there_are_more(repository, opened):
    for number in range(5):
        repository.commit({"a.py": f"x = {number}\n"})
    r = opened(repository.root)
    report = r.read_history(most=3)
    assert (report.commits, len(report.notes)) == (3, 1)
    assert past_of(r).files(["a.py"])["a.py"].commits == 3


def test_a_run_that_was_stopped_goes_on_in_the_next_one(repository, opened, monkeypatch):
    for number in range(6):
        repository.commit({"a.py": A.replace("return 1", f"return {number}")})
    monkeypatch.setattr("recollect.evidence.history.gather._AT_ONCE", 2)

    class StoppedError(Exception):
        pass

    def stop(progress):
        if progress.stage == "Reading commits":
            raise StoppedError

    r = opened(repository.root)
    with pytest.raises(StoppedError):
        r.read_history(progress=stop)
    report = r.read_history()
    assert (report.read, report.commits) == (4, 6)
    assert symbols(r, "a.py")["one"] == (6, 6)


def test_a_question_asks_git_for_nothing_of_the_past(repository, opened, monkeypatch):
    repository.commit({"a.py": A})
    repository.commit({"a.py": A.replace("return 2", "return 22")})
    r = opened(repository.root)
    r.index()
    r.read_history()
    asked = []
    run = subprocess.Popen.__init__
    monkeypatch.setattr(
        subprocess.Popen,
        "__init__",
        lambda self, given, *rest, **more: asked.append(given) or run(self, given, *rest, **more),
    )
    r.search("two", profile="knowing")
    r.context("change two", profile="knowing")
    assert not [command for command in asked if {"blame", "log", "diff-tree", "rev-list"} & set(command)]
    items = r._index.ask(lambda reader: reader.items_of("a.py"))
    assert len(r._past().committed(items)) == 2


def test_history_is_read_while_others_ask(repository, opened):
    for number in range(4):
        repository.commit({"a.py": A.replace("return 1", f"return {number}")})
    r = opened(repository.root)
    r.index()
    reading = threading.Thread(target=r.read_history)
    reading.start()
    while reading.is_alive():
        assert r.search("two").hits
    reading.join()
    assert symbols(r, "a.py")["one"] == (4, 4)


def test_damaged_rows_mean_that_nothing_is_known(repository, opened):
    repository.commit({"a.py": A})
    r = opened(repository.root)
    r.read_history()
    past = past_of(r)
    with past.writing() as connection:
        connection.execute("UPDATE past_symbol SET data = x'00'")
        connection.execute("UPDATE meta SET value = '{' WHERE key = 'history'")
    assert past.symbols("a.py") == ()
    assert past.state().commits == 0
    past.forget_all()
    assert r.read_history().read == 1
    assert symbols(r, "a.py")


def test_impact_tells_who_changed_a_symbol_who_owns_it_and_what_changes_with_it(repository, opened):
    first = {
        "a.py": "def one():\n    return 1\n",
        "b.py": "def two():\n    return 2\n",
        "CODEOWNERS": "*.py @shop\n",
    }
    repository.commit(first)
    for number in (3, 4):
        repository.commit(
            {"a.py": f"def one():\n    return {number}\n", "b.py": f"def two():\n    return {number}\n"},
            who="Bob",
        )
    r = opened(repository.root)
    r.read_history()
    (past,) = r.impact("one").past.values()
    assert (past.commits, past.latest, past.file_commits) == (3, repository.time(repository.days), 3)
    assert past.authors == (("Bob", 2), ("Ann", 1))
    assert past.owners == ("@shop",)
    assert past.changes_with[0] == ("b.py:two", 100)
