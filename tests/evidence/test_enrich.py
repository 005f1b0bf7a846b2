import os
import shutil
import subprocess
from pathlib import Path

import pytest
from tests.evidence.conftest import edges
from tests.index.dumped import dumped

import recollect
from recollect.errors import ConfigError, UsageError
from recollect.evidence import enrich as enriching
from recollect.evidence.places import outside_name

GUESS = "def call(thing):\n    thing.close()\n"
FILES = {
    "a.py": "class A:\n    def close(self):\n        return 1\n",
    "b.py": "class B:\n    def close(self):\n        return 2\n",
    "use.py": GUESS,
}
PROVEN = ("lsp_resolved", 90)


def tool(report):
    return next(one for one in report.tools if one.name == "small")


def test_a_guess_that_is_confirmed_is_proven_and_the_others_go(project, opened):
    r = opened(project(FILES))
    r.index()
    assert {known[0] for known in edges(r).values()} == {"ambiguous"}
    report = r.enrich()
    assert edges(r) == {"use.py:call -> a.py:A.close": PROVEN}
    assert (report.before["ambiguous"], report.after.get("ambiguous", 0)) == (2, 0)
    assert [one.certain for one in r.impact("A.close").reached] == [True]
    assert not r.impact("B.close").reached


def test_files_are_resolved_once_and_again_when_they_change(project, opened):
    root = project(FILES)
    r = opened(root)
    assert tool(r.enrich()).resolved == 3
    assert (tool(r.enrich()).resolved, tool(r.enrich()).known) == (0, 3)
    (root / "use.py").write_text(GUESS + "\n\ndef more():\n    call(1)\n", encoding="utf-8")
    assert tool(r.enrich()).resolved == 1
    assert tool(r.enrich(full=True)).resolved == 3


def test_what_was_resolved_goes_with_the_code_it_speaks_of(project, opened):
    root = project(FILES)
    r = opened(root)
    r.enrich()
    (root / "a.py").write_text("class A:\n    def close(self, now):\n        return 1\n", encoding="utf-8")
    r.index()
    assert PROVEN not in edges(r).values()
    assert tool(r.enrich()).resolved == 2, "the file that changed and the one that led to it"
    assert edges(r)["use.py:call -> a.py:A.close"] == PROVEN


def test_evidence_comes_back_with_the_content(project, opened):
    root = project(FILES)
    r = opened(root)
    r.enrich()
    proven = edges(r)
    (root / "use.py").write_text("def call(thing):\n    thing.open()\n", encoding="utf-8")
    r.index()
    assert PROVEN not in edges(r).values()
    (root / "use.py").write_text(GUESS, encoding="utf-8")
    r.index()
    assert edges(r) == proven


def test_worktrees_share_what_was_resolved(project, opened, tmp_path):
    root = project(FILES)
    for command in (["init", "-q"], ["add", "."], ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "x"],
                    ["worktree", "add", "-q", str(tmp_path / "other")]):  # fmt: skip
        subprocess.run(["git", *command], cwd=root, check=True, capture_output=True)
    opened(root).enrich()
    other = opened(tmp_path / "other")
    other.index()
    assert edges(other)["use.py:call -> a.py:A.close"] == PROVEN


def test_an_edited_index_with_evidence_equals_a_fresh_one(project, opened, tmp_path):
    root = project(FILES)
    r = opened(root)
    r.enrich()
    (root / "b.py").unlink()
    (root / "c.py").write_text("from use import call\n\n\ndef last():\n    call(2)\n", encoding="utf-8")
    r.index()
    (root / "b.py").write_text(FILES["b.py"], encoding="utf-8")
    r.index()
    fresh = tmp_path / "fresh"
    shutil.copytree(root, fresh, ignore=shutil.ignore_patterns("index.*"))
    again = opened(fresh)
    again.index()
    assert dumped(r._index) == dumped(again._index)
    assert edges(r)["use.py:call -> a.py:A.close"] == PROVEN


def test_the_index_itself_does_not_change(project, opened):
    r = opened(project(FILES))
    r.index()
    with r._index.reader() as reader:
        before = reader.counts(), reader.dependencies()
    r.enrich()
    with r._index.reader() as reader:
        assert (reader.counts(), reader.dependencies()) == before


@pytest.mark.parametrize("trouble", ["HANG", "DIE", "GARBAGE"])
def test_a_server_that_fails_over_a_file_costs_that_file(project, opened, monkeypatch, trouble):
    monkeypatch.setattr(enriching, "FIRST_FILE_SECONDS", 0.5)
    monkeypatch.setattr(enriching, "FILE_SECONDS", 0.5)
    r = opened(project({**FILES, "m.py": f"# {trouble}\nfrom a import A\n\n\ndef f():\n    A()\n"}))
    report = r.enrich()
    assert (tool(report).resolved, tool(report).failed) == (3, 1)
    assert any("m.py was left as it was" in note for note in report.notes)
    assert edges(r)["use.py:call -> a.py:A.close"] == PROVEN


def test_a_server_that_always_fails_is_given_up(project, opened):
    files = {f"f{number}.py": f"# DIE\ndef f{number}():\n    f{number}()\n" for number in range(6)}
    report = opened(project(files)).enrich()
    assert (tool(report).resolved, tool(report).failed) == (0, 3)
    assert "given up" in report.notes[-1]


def test_a_server_that_does_not_start_is_told_with_its_own_words(project, opened, monkeypatch):
    monkeypatch.setenv("PATH", os.defpath)
    report = opened(project(FILES, "--broken")).enrich()
    assert (tool(report).resolved, tool(report).failed) == (0, 0), "no file is to blame"
    assert "cannot be used" in report.notes[0]
    assert "error: Unknown binary 'small' in the toolchain" in report.notes[0]
    assert any("3 python files were left as they are" in note for note in report.notes)


def test_where_a_server_does_not_start_the_next_of_the_table_is_used(project, opened):
    root = project(FILES)
    table = root / ".recollect" / "servers.toml"
    working = table.read_text(encoding="utf-8")
    broken = working.replace('"small"', '"first"').replace("server.py'", "server.py', '--broken'")
    table.write_text(broken + working, encoding="utf-8")
    r = opened(root)
    report = r.enrich()
    assert [(one.name, one.resolved) for one in report.tools] == [("first", 0), ("small", 3)]
    assert edges(r) == {"use.py:call -> a.py:A.close": PROVEN}


def test_a_server_that_answers_nothing_has_resolved_nothing(project, opened):
    calls = "".join(f"    thing{number}()\n" for number in range(12))
    root = project({**FILES, "many.py": f"def many():\n{calls}"}, "--lost")
    r = opened(root)
    report = r.enrich()
    assert (tool(report).resolved, tool(report).left) == (0, 4)
    assert any("answered none of" in note and "No project is here." in note for note in report.notes)
    table = root / ".recollect" / "servers.toml"
    table.write_text(table.read_text(encoding="utf-8").replace(", '--lost'", ""), encoding="utf-8")
    assert tool(r.enrich()).resolved == 4, "it is asked again"


def test_a_server_that_goes_by_names_proves_no_member_of_something_unknown(project, opened):
    root = project(
        {**FILES, "bare.py": "from a import A\n\n\ndef make(kind):\n    kind.A()\n    return A()\n"}
    )
    table = root / ".recollect" / "servers.toml"
    table.write_text(table.read_text(encoding="utf-8") + "guesses = true\n", encoding="utf-8")
    r = opened(root)
    assert tool(r.enrich()).resolved == 4
    found = edges(r)
    assert found["bare.py:make -> a.py:A"] == ("resolved", 100)
    assert {found[f"use.py:call -> {path}.close"][0] for path in ("a.py:A", "b.py:B")} == {"ambiguous"}


def test_a_server_that_cannot_do_it_is_told(project, opened):
    report = opened(project(FILES, "--old")).enrich()
    assert tool(report).resolved == 0
    assert any("cannot tell where names are defined" in note for note in report.notes)


def test_the_next_run_goes_on_where_the_time_was_up(project, opened):
    r = opened(project(FILES))
    first = r.enrich(seconds=1e-9)
    assert tool(first).left == 3
    assert any("run enrich again" in note for note in first.notes)
    assert tool(r.enrich()).resolved == 3


def test_what_lies_outside_is_counted_and_never_returned(project, opened):
    r = opened(project({**FILES, "w.py": "from world import outside\n\n\ndef far():\n    outside()\n"}))
    report = r.enrich()
    assert report.outside == 1
    assert edges(r)["w.py:far -> outside"] == PROVEN
    for profile in ("code", "knowing", "mnemosyne"):
        assert all(
            "outside" not in hit.name for hit in r.search("far outside world api", profile=profile).hits
        )
    assert not r.impact("far", direction="callees").reached


def test_a_missing_server_is_named_with_the_way_to_get_it(tmp_path, opened, monkeypatch):
    monkeypatch.setenv("PATH", "/usr/bin")
    (tmp_path / "x.rb").write_text("def a; b; end\ndef b; end\n", encoding="utf-8")
    monkeypatch.setattr("recollect.evidence.servers.shutil.which", lambda _: None)
    report = opened(tmp_path).enrich()
    assert report.tools == ()
    assert "gem install ruby-lsp" in report.notes[0]


def test_a_language_that_no_server_speaks_is_an_error(project, opened):
    with pytest.raises(UsageError, match="No language server is listed for cobol"):
        opened(project(FILES)).enrich(["cobol"])


def test_a_wrong_table_is_an_error_that_names_it(project, opened):
    root = project(FILES)
    (root / ".recollect" / "servers.toml").write_text("[[server]]\nnom = 1\n", encoding="utf-8")
    with pytest.raises(ConfigError, match="servers"):
        opened(root).enrich()


def test_damaged_evidence_costs_evidence_only(project, opened):
    root = project(FILES)
    r = opened(root)
    r.enrich()
    with r._evidence().writing() as connection:
        connection.execute("UPDATE resolved SET data = x'00ff'")
    assert {known[0] for known in edges(r).values()} == {"ambiguous"}
    assert tool(r.enrich(full=True)).resolved == 3


def test_nothing_is_made_before_something_is_known(project):
    root = project(FILES)
    with recollect.open(root) as r:
        r.search("close")
    assert not (root / ".recollect" / "evidence.db").exists()


@pytest.mark.parametrize(
    ("place", "name"),
    [
        (
            "/v/lib/python3.11/site-packages/pyright/dist/typeshed-fallback/stdlib/os/path.pyi",
            "external://os/path#join",
        ),
        ("/usr/lib/python3.11/json/decoder.py", "external://json/decoder#join"),
        ("/v/lib/python3.11/site-packages/click/core.py", "external://click/core#join"),
        ("/p/node_modules/typescript/lib/lib.es5.d.ts", "external://typescript/lib/lib.es5.d#join"),
    ],
)
def test_what_lies_outside_is_named_after_its_module_wherever_it_is_installed(place, name):
    assert outside_name(Path(place), "join")[1] == name
