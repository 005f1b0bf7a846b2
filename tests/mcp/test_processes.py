"""What a server does to the machine: when it starts, while others run, and when its client is gone."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from mcp import Client, StdioServerParameters
from recollect.mcp.serve import PARENT_LOOK

HELLO = {
    "jsonrpc": "2.0",
    "id": 0,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "c", "version": "1"},
    },
}
INITIALIZED = '{"jsonrpc": "2.0", "method": "notifications/initialized"}\n'
STARTER = """
import subprocess, sys
command = [sys.executable, "-m", "recollect", "mcp", "--path", sys.argv[1]]
print(subprocess.Popen(command, stdin=0, stdout=subprocess.DEVNULL).pid, flush=True)
sys.stdin.close()
while True: __import__("time").sleep(60)
"""
CLIENT = """
import json, subprocess, sys
server = subprocess.Popen([sys.executable, "-m", "recollect", "mcp", "--path", sys.argv[1]],
                          stdin=subprocess.PIPE, stdout=subprocess.PIPE)
server.stdin.write(sys.argv[2].encode() + b"\\n")
server.stdin.flush()
server.stdout.readline()
server.stdin.write(sys.argv[3].encode())
server.stdin.flush()
print(server.pid, flush=True)
sys.stdin.read()
"""
linux = pytest.mark.skipif(not Path("/proc").is_dir(), reason="reads the table of processes in /proc")


def family(*roots: int) -> set[int]:
    """Return processes with all their descendants, as far as they run."""
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                state, parent = (entry / "stat").read_text("utf-8").rpartition(")")[2].split()[:2]
            except OSError:
                continue
            if state != "Z":
                children.setdefault(int(parent), []).append(int(entry.name))
    found, waiting = set(), [*roots]
    while waiting:
        one = waiting.pop()
        if Path(f"/proc/{one}").exists():
            found.add(one)
        waiting += children.get(one, [])
    return found


def alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


@pytest.fixture
def many_files(shop):
    """A repository whose first index takes a while."""
    for number in range(600):
        lines = "\n".join(f"    value_{line} = other_{number}(value_{line})" for line in range(60))
        (shop / f"shop/part_{number}.py").write_text(f"def part_{number}():\n{lines}\n", encoding="utf-8")
    return shop


def test_the_handshake_does_not_wait_for_the_sdk_or_the_index(many_files, talk):
    # Counted in processor time, so that a busy machine does not fail it; a second of wall time is the promise.
    before = time.perf_counter()
    server = talk(many_files)
    answer = server.greet()
    server.say({"jsonrpc": "2.0", "id": 1, "method": "tools/list"})
    tools = server.hear()
    taken = time.perf_counter() - before
    ticks = sum(
        map(
            int, Path(f"/proc/{server.process.pid}/stat").read_text("utf-8").rpartition(")")[2].split()[11:13]
        )
    )
    assert answer["result"]["serverInfo"]["name"] == "recollect"
    assert len(tools["result"]["tools"]) == 6
    assert ticks / os.sysconf("SC_CLK_TCK") < 1
    assert taken < 5


def test_progress_is_told_while_a_call_waits(many_files, talk):
    server = talk(many_files)
    server.greet()
    _, notes = server.call("context", task="what does part_9 do")
    told = [note["params"]["progress"] for note in notes]
    assert told == sorted(set(told)), "the protocol wants each note to be further than the one before"
    assert all(note["params"]["progressToken"] == 1 for note in notes)


@linux
def test_nothing_is_left_when_the_client_hangs_up_while_it_indexes(many_files, talk, within):
    server = talk(many_files)
    server.greet()
    assert within(20, lambda: len(family(server.process.pid)) > 1)
    relatives = family(server.process.pid)
    server.hang_up()
    assert within(10, lambda: not any(map(alive, relatives)))
    assert b"Traceback" not in server.process.stderr.read()


@linux
def test_nothing_is_left_when_the_client_is_killed(many_files, within):
    client = subprocess.Popen(
        [sys.executable, "-c", CLIENT, str(many_files), json.dumps(HELLO), INITIALIZED],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    try:
        server = int(client.stdout.readline())
        assert within(20, lambda: len(family(server)) > 1)
        relatives = family(server)
    finally:
        client.send_signal(signal.SIGKILL)
        client.wait()
        client.stdin.close()
        client.stdout.close()
    assert within(10, lambda: not any(map(alive, relatives)))


@linux
def test_a_server_whose_parent_died_ends_also_when_its_pipe_stays_open(shop, within):
    reading, writing = os.pipe()
    starter = subprocess.Popen(
        [sys.executable, "-c", STARTER, str(shop)], stdin=reading, stdout=subprocess.PIPE
    )
    os.close(reading)
    try:
        server = int(starter.stdout.readline())
        os.write(writing, (json.dumps(HELLO) + "\n" + INITIALIZED).encode())
        assert within(20, (shop / ".recollect/index.db").exists)
    finally:
        starter.stdout.close()
        starter.kill()
        starter.wait()
    assert within(10 + PARENT_LOOK, lambda: not alive(server))
    os.close(writing)


@pytest.mark.parametrize("count", [3, pytest.param(10, marks=[pytest.mark.slow, pytest.mark.timeout(300)])])
def test_many_servers_share_one_project(shop, talk, count):
    servers = [talk(shop) for _ in range(count)]
    for server in servers:
        server.greet()
    for number, server in enumerate(servers):
        remembered, _ = server.call("remember", 1, text=f"Shelf {number} holds tea number {number}.")
        assert "isError" not in remembered or not remembered["isError"], remembered
    for server in servers:
        found, _ = server.call("search", 2, query="RetryPolicy")
        assert found["structuredContent"]["items"][0]["name"] == "RetryPolicy"
        recalled, _ = server.call("recall", 3, query="which shelf holds tea", limit=50)
        said = recalled["content"][0]["text"]
        assert all(f"Shelf {number} holds" in said for number in range(count))
    assert [server.hang_up() for server in servers] == [0] * count


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_the_client_of_the_sdk_talks_to_a_real_process(shop, mode):
    import anyio

    async def main():
        arguments = ["-m", "recollect", "mcp", "--path", str(shop)]
        async with Client(StdioServerParameters(command=sys.executable, args=arguments), mode=mode) as client:
            tools = await client.list_tools()
            return len(tools.tools), await client.call_tool("search", {"query": "RetryPolicy"})

    count, found = anyio.run(main)
    assert count == 6
    assert found.structured_content["items"][0]["name"] == "RetryPolicy"


def test_stray_output_never_reaches_the_client(shop, talk):
    server = talk(shop)
    server.greet()
    server.process.stdin.write(b"this is no message\n")
    result, _ = server.call("search", query="RetryPolicy")
    assert not result["isError"]
    server.hang_up()
    assert server.process.stdout.read() == b""


def test_a_variable_that_the_client_did_not_fill_in_means_the_current_folder(shop, talk, monkeypatch):
    monkeypatch.chdir(shop)
    server = talk("${workspaceFolder}")
    server.greet()
    result, _ = server.call("search", query="RetryPolicy")
    assert result["structuredContent"]["items"][0]["at"].startswith("shop/retry.py")
