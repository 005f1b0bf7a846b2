"""Everything that recollect does is done without the network, and leaves only files that the documentation names."""

import json
import os
import re
import subprocess
import sys
from fnmatch import fnmatch
from pathlib import Path

from recollect.cli.app import COMMANDS

PAGE = Path(__file__).resolve().parents[2] / "docs/privacy.md"
GUARD = """
import os, sys

def guard(event, arguments):
    said = ""
    if event in {"socket.connect", "socket.bind", "socket.getaddrinfo", "socket.gethostbyname", "socket.sendto"}:
        said = f"{event} {arguments[1:]}"
    elif event == "socket.__new__" and arguments[1] not in {-1, 1}:
        said = f"a socket of the family {arguments[1]}"
    elif event == "subprocess.Popen":
        words = {str(word) for word in arguments[1]}
        said = str(arguments[1]) if words & {"fetch", "pull", "clone", "push", "ls-remote", "curl"} else ""
    if said:
        with open(os.environ["GUARD_LOG"], "a", encoding="utf-8") as log:
            log.write(said + "\\n")
        raise PermissionError(f"the network is shut: {said}")

sys.addaudithook(guard)
"""
SCRIPT = """
import json, sys
from recollect.cli.app import main

for arguments in json.loads(sys.argv[1]):
    sys.stdin = open(arguments.pop(0), encoding="utf-8")
    print("::", *arguments, flush=True)
    try:
        main(arguments)
    except SystemExit as ended:
        print("::", ended.code, flush=True)
"""
ID = "mk2wqlcvjdhqce"
RUN: dict[str, list[list[str]]] = {
    "index": [["index"], ["index", "--full"]],
    "search": [["search", "retry policy"]],
    "context": [["context", "make the retry policy configurable"], ["context", "--base", "HEAD"]],
    "why": [["why", "retry policy", "RetryPolicy"]],
    "impact": [["impact", "RetryPolicy"]],
    "remember": [["remember", "We retry orders only"], ["remember", "Mine alone", "--global"]],
    "recall": [["recall", "retry"]],
    "history": [["history", ID]],
    "link": [["link", ID, "see-also", ID]],
    "export": [["export"]],
    "import": [["import", "notes.jsonl"]],
    "feedback": [["feedback", "q0", "c0"]],
    "profile": [["profile", "list"]],
    "status": [["status"]],
    "doctor": [["doctor", "--repair"]],
    "hook": [["hook", "claude-code", "after-use"], ["hook", "claude-code", "stop"]],
    "install": [["install", "claude-code", "--hooks", "--yes"]],
    "uninstall": [["uninstall", "claude-code", "--yes"]],
    "bench": [["bench", "--help"]],
    "completion": [["completion", "fish"]],
    "pin": [["pin", ID]],
    "archive": [["archive", ID]],
    "hygiene": [["hygiene"]],
    "unlearn": [["unlearn"]],
    "forget": [["forget", ID]],
    "migrate": [["migrate", "--help"]],
    "store": [["store", "--help"]],
}
"""How each command is run; one that is not here yet is run without arguments."""
ELSEWHERE = {
    "mcp": "below, and tests/mcp for HTTP",
    "watch": "the same update as index; tests/cli/test_usage.py runs it",
    "serve": "listens on loopback; tests/web",
}


def guarded(folder: Path, home: Path) -> dict[str, str]:
    """Return an environment in which every Python process refuses the network."""
    (folder / "sitecustomize.py").write_text(GUARD, encoding="utf-8")
    places = {"HOME": str(home), "XDG_CONFIG_HOME": str(home / "config"), "XDG_DATA_HOME": str(home / "data")}
    return {
        **os.environ,
        **places,
        "USERPROFILE": str(home),
        "PYTHONPATH": str(folder),
        "GUARD_LOG": str(folder / "guard.log"),
    }


def refused(folder: Path) -> str:
    log = folder / "guard.log"
    return log.read_text(encoding="utf-8") if log.exists() else ""


def test_the_guard_notices_a_socket(tmp_path):
    environment = guarded(tmp_path, tmp_path)
    code = "import socket; socket.socket(socket.AF_INET)"
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, check=False)
    assert done.returncode == 1
    assert "family" in refused(tmp_path)


def test_every_command_runs_without_the_network_and_leaves_only_named_files(shop, tmp_path):
    home = tmp_path / "home"
    home.mkdir()
    environment = guarded(tmp_path, home)
    moment = {
        "session_id": "s",
        "cwd": str(shop),
        "tool_input": {"file_path": str(shop / "shop/retry.py"), "new_string": "attempts"},
    }
    (tmp_path / "moment.json").write_text(json.dumps(moment), encoding="utf-8")
    (shop / "notes.jsonl").write_text('{"text": "Tea is sold by weight"}\n', encoding="utf-8")
    before = {path for path in (*shop.rglob("*"), *home.rglob("*")) if ".git" not in path.parts}
    others = [[name] for name in COMMANDS if name not in RUN and name not in ELSEWHERE]
    rows = [*(words for rows in RUN.values() for words in rows), *others]
    calls = [[str(tmp_path / "moment.json"), *words] for words in rows]
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, json.dumps(calls)],
        cwd=shop,
        env=environment,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert refused(tmp_path) == "", done.stdout + done.stderr
    codes = re.findall(r"^:: (\d+)$", done.stdout, re.MULTILINE)
    assert len(codes) == len(calls), done.stdout + done.stderr
    assert not set(codes[: len(calls) - len(others)]) - {"0", "1"}, done.stdout + done.stderr
    after = {path for path in (*shop.rglob("*"), *home.rglob("*")) if ".git" not in path.parts}
    made = {path for path in after - before if path.is_file()}
    assert {path.name for path in made} > {"index.db", "memory.db"}
    assert {path.name for path in made if not is_named(path.name, path.parent.name)} == set()


def is_named(name: str, folder: str) -> bool:
    named = re.findall(r"`([^`\s]+)`", PAGE.read_text(encoding="utf-8"))
    name = re.sub(r"-(wal|shm)$", "", name)
    files = [one.rpartition("/")[2] for one in named if not one.endswith("/")]
    return f"{folder}/" in named or any(fnmatch(name, one) for one in files if one and one != "*")


def test_a_file_that_is_not_documented_would_be_noticed():
    assert is_named("memory.db-wal", ".recollect")
    assert is_named("anything.jsonl", "sessions")
    assert not is_named("surprise.bin", ".recollect")


def test_the_agent_server_answers_without_the_network(shop, tmp_path):
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    calls = [
        ("context", {"task": "make the retry policy configurable"}),
        ("search", {"query": "retry"}),
        ("symbol", {"name": "RetryPolicy", "about": "impact"}),
        ("remember", {"text": "We retry orders only"}),
        ("recall", {"query": "retry"}),
        ("feedback", {"forget": ["mk2wqlcvjdhqce"]}),
    ]
    server = subprocess.Popen(
        [sys.executable, "-m", "recollect", "mcp", "--path", str(shop)],
        env=guarded(tmp_path, tmp_path),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )
    try:
        rows = [{"id": 0, "method": "initialize", "params": hello}, {"method": "notifications/initialized"}]
        rows += [
            {"id": number, "method": "tools/call", "params": {"name": name, "arguments": given}}
            for number, (name, given) in enumerate(calls, 1)
        ]
        for row in rows:
            server.stdin.write(json.dumps({"jsonrpc": "2.0", **row}) + "\n")
            server.stdin.flush()
        heard = {}
        while len(heard) <= len(calls):
            message = json.loads(server.stdout.readline())
            if "id" in message:
                heard[message["id"]] = message
        failed = [heard[number]["result"] for number in range(1, 6) if heard[number]["result"].get("isError")]
    finally:
        server.stdin.close()
        server.wait(20)
        server.stdout.close()
        server.stderr.close()
    assert failed == []
    assert refused(tmp_path) == ""
