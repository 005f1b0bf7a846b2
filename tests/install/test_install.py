"""The two commands as a person uses them."""

import json
import tomllib
from pathlib import Path
from typing import NamedTuple

import pytest

from recollect.cli.app import main
from recollect.cli.install import AGENTS
from recollect.install import agents, plan, record

FILES = {
    "claude-code": ".mcp.json",
    "cursor": ".cursor/mcp.json",
    "vscode": ".vscode/mcp.json",
    "codex": "~/.codex/config.toml",
    "windsurf": "~/.codeium/windsurf/mcp_config.json",
}


class Done(NamedTuple):
    code: int
    out: str
    err: str


@pytest.fixture
def run(capsys, monkeypatch):
    monkeypatch.setattr("recollect.cli.app._speak_utf8", lambda: None)

    def run(*arguments):
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            main(arguments)
        captured = capsys.readouterr()
        return Done(ended.value.code, captured.out, captured.err)

    return run


def place(name, shop):
    file = FILES[name]
    return Path(file).expanduser() if file.startswith("~") else shop / file


def test_the_command_knows_the_agents_of_the_data_file():
    assert tuple(agents.known()) == AGENTS


@pytest.mark.parametrize("name", FILES)
def test_a_file_that_was_made_goes_again_with_its_folders(name, run, shop):
    before = {path for path in (*shop.rglob("*"), *Path.home().rglob("*")) if ".git/" not in str(path)}
    done = run("install", name, "--path", str(shop), "--yes")
    assert done.code == 0, done.err
    assert "+++ " in done.out
    assert place(name, shop).exists()
    assert run("uninstall", name, "--path", str(shop), "--yes").code == 0
    after = {path for path in (*shop.rglob("*"), *Path.home().rglob("*")) if ".git/" not in str(path)}
    assert after == before


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("before", ["", "\n", "  \n\n"])
def test_a_blank_file_is_blank_again(name, before, run, shop):
    file = place(name, shop)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(before, encoding="utf-8")
    run("install", name, "--path", str(shop), "--yes")
    run("uninstall", name, "--path", str(shop), "--yes")
    assert file.read_text(encoding="utf-8") == before


@pytest.mark.parametrize("name", FILES)
def test_what_was_there_comes_back_letter_by_letter(name, run, shop):
    file = place(name, shop)
    file.parent.mkdir(parents=True, exist_ok=True)
    before = '# mine\nmodel = "x"' if file.suffix == ".toml" else '{"mine": 1, // keep\n "servers": {}}'
    file.write_text(before, encoding="utf-8")
    run("install", name, "--path", str(shop), "--yes")
    assert file.read_text(encoding="utf-8") != before
    run("uninstall", name, "--path", str(shop), "--yes")
    assert file.read_text(encoding="utf-8") == before


def test_a_second_run_changes_nothing(run, shop):
    run("install", "cursor", "--path", str(shop), "--yes")
    before = (shop / ".cursor/mcp.json").read_bytes()
    done = run("install", "cursor", "--path", str(shop))
    assert (done.code, (shop / ".cursor/mcp.json").read_bytes()) == (0, before)
    assert "Nothing to do" in done.out


def test_nobody_to_ask_means_no(run, shop):
    done = run("install", "claude-code", "--path", str(shop))
    assert done.code == 1
    assert "--yes" in done.err
    assert not (shop / ".mcp.json").exists()


def test_an_own_entry_that_is_brought_up_to_date_still_goes_without_a_trace(run, shop, monkeypatch):
    run("install", "claude-code", "--path", str(shop), "--yes")
    monkeypatch.setattr("recollect.install.agents.shutil.which", lambda name, path=None: None)
    run("install", "claude-code", "--path", str(shop), "--yes")
    assert "-m" in (shop / ".mcp.json").read_text(encoding="utf-8")
    run("uninstall", "claude-code", "--path", str(shop), "--yes")
    assert not (shop / ".mcp.json").exists()


def test_the_entries_say_what_each_agent_reads(run, shop, servers):
    for name in FILES:
        run("install", name, "--path", str(shop), "--yes")
    assert servers(shop / ".mcp.json", "mcpServers")["recollect"] == {
        "type": "stdio",
        "command": "recollect",
        "args": ["mcp"],
    }
    for file, container in ((".cursor/mcp.json", "mcpServers"), (".vscode/mcp.json", "servers")):
        assert servers(shop / file, container)["recollect"]["args"] == ["mcp", "--path", "${workspaceFolder}"]
    codex = tomllib.loads(place("codex", shop).read_text(encoding="utf-8"))
    assert codex["mcp_servers"]["recollect"] == {"command": "/bin/recollect", "args": ["mcp"]}
    windsurf = servers(place("windsurf", shop), "mcpServers")
    assert windsurf["recollect-shop"]["args"] == ["mcp", "--path", str(shop)]


def test_codex_is_found_where_its_variable_says(run, shop, tmp_path, monkeypatch):
    monkeypatch.setenv("CODEX_HOME", str(tmp_path / "elsewhere"))
    run("install", "codex", "--yes")
    assert (tmp_path / "elsewhere/config.toml").exists()


def test_generic_only_prints_the_entry(run, shop):
    done = run("install", "generic", "--path", str(shop))
    assert json.loads(done.out)["mcpServers"]["recollect"]["args"] == ["mcp", "--path", str(shop)]


def test_json_says_what_was_written(run, shop):
    done = run("install", "vscode", "--path", str(shop), "--yes", "--json")
    assert json.loads(done.out) | {"diff": ""} == {
        "agent": "vscode",
        "file": str(shop / ".vscode/mcp.json"),
        "changed": True,
        "written": True,
        "diff": "",
    }


def test_a_broken_file_is_refused_with_a_sentence(run, shop):
    (shop / ".mcp.json").write_text("{", encoding="utf-8")
    done = run("install", "claude-code", "--path", str(shop), "--yes")
    assert done.code == 2
    assert "mend it first" in done.err


def test_a_file_that_changed_after_it_was_shown_is_not_overwritten(shop, agent):
    file = shop / ".mcp.json"
    planned = plan.to_install(agent("claude-code"), file)
    file.write_text("{}", encoding="utf-8")
    with pytest.raises(plan.UsageError, match="changed meanwhile"):
        plan.carry_out(planned)
    assert file.read_text(encoding="utf-8") == "{}"


def test_uninstalling_what_was_never_installed_does_nothing(run, shop):
    assert run("uninstall", "claude-code", "--path", str(shop)).code == 0


def test_the_record_goes_with_the_last_entry(run, shop):
    run("install", "claude-code", "--path", str(shop), "--yes")
    assert record.noted(shop / ".mcp.json", "recollect")["created"] is True
    run("uninstall", "claude-code", "--path", str(shop), "--yes")
    assert record.noted(shop / ".mcp.json", "recollect") == {}


HOOKS = {
    "claude-code": ".claude/settings.local.json",
    "cursor": ".cursor/hooks.json",
    "vscode": ".github/hooks/recollect.json",
    "codex": "~/.codex/hooks.json",
    "windsurf": ".windsurf/hooks.json",
}


@pytest.mark.parametrize("name", HOOKS)
def test_hooks_are_written_once_and_go_without_a_trace(name, run, shop):
    file = Path(HOOKS[name]).expanduser() if HOOKS[name].startswith("~") else shop / HOOKS[name]
    before = {path for path in (*shop.rglob("*"), *Path.home().rglob("*")) if ".git/" not in str(path)}
    assert run("install", name, "--path", str(shop), "--hooks", "--yes").code == 0
    assert f"hook {name} " in file.read_text(encoding="utf-8")
    again = run("install", name, "--path", str(shop), "--hooks")
    assert (again.code, again.out.count("Nothing to do")) == (0, 2)
    assert run("uninstall", name, "--path", str(shop), "--yes").code == 0
    after = {path for path in (*shop.rglob("*"), *Path.home().rglob("*")) if ".git/" not in str(path)}
    assert after == before


def test_a_blank_file_of_hooks_is_blank_again(run, shop):
    file = shop / ".windsurf/hooks.json"
    file.parent.mkdir()
    file.write_text("\n", encoding="utf-8")
    run("install", "windsurf", "--hooks", "--path", str(shop), "--yes")
    run("uninstall", "windsurf", "--path", str(shop), "--yes")
    assert file.read_text(encoding="utf-8") == "\n"


def test_older_hooks_are_brought_up_to_date_and_still_go_without_a_trace(run, shop, monkeypatch):
    file = shop / ".claude/settings.local.json"
    file.parent.mkdir()
    file.write_text('{"permissions": {}}', encoding="utf-8")
    run("install", "claude-code", "--path", str(shop), "--hooks", "--yes")
    monkeypatch.setattr("recollect.install.agents.shutil.which", lambda name, path=None: None)
    run("install", "claude-code", "--path", str(shop), "--hooks", "--yes")
    assert file.read_text(encoding="utf-8").count("hook claude-code stop") == 1
    assert "-m recollect hook" in file.read_text(encoding="utf-8")
    run("uninstall", "claude-code", "--path", str(shop), "--yes")
    assert file.read_text(encoding="utf-8") == '{"permissions": {}}'


def test_hooks_for_an_agent_that_has_none_are_refused(run, shop):
    done = run("install", "generic", "--path", str(shop), "--hooks")
    assert done.code == 2
    assert "Agents with hooks:" in done.err


def test_json_tells_of_the_hooks_too(run, shop):
    done = run("install", "claude-code", "--path", str(shop), "--hooks", "--json")
    told = json.loads(done.out)
    assert (done.code, told["written"], told["hooks"]["written"]) == (1, False, False)
    assert told["hooks"]["file"].endswith("settings.local.json")
