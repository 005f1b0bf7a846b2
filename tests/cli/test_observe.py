import json
import os
import subprocess
import sys
import threading
import urllib.request

import pytest

LINE = '{"symbol": "Client.send", "path": "shop/client.py", "count": 120, "test": "tests/test_client.py::test_send"}\n'


@pytest.fixture
def runs(tmp_path):
    file = tmp_path / "runs.jsonl"
    file.write_text(LINE, encoding="utf-8")
    return str(file)


def test_observing_says_what_was_learned_and_what_is_known(run, shop, runs):
    at = ("--path", str(shop))
    assert (run("observe", *at).code, run("observe", runs, *at).out) == (
        1, "1 record: 1 symbol seen running, 1 step between symbols.\n",
    )  # fmt: skip
    known = run("observe", *at)
    assert known.code == 0
    assert "3 symbols, types and files among them, seen running, last 2" in known.out
    assert "jsonl         runs.jsonl" in known.out
    assert run("observe", runs, *at).out == "runs.jsonl was observed before, and was not counted again.\n"
    assert run("observe", "--forget", *at).out == "Forgot 4 rows of what was seen running.\n"
    assert run("observe", *at).code == 1


def test_observing_as_json(run, shop, runs):
    told = json.loads(run("observe", runs, "--json", "--path", str(shop)).out)
    assert (told["sources"], told["records"], told["symbols"], told["steps"]) == ([runs], 1, 1, 1)
    known = json.loads(run("observe", "--json", "--path", str(shop)).out)
    assert (known["symbols"], known["tests"], known["reports"][0]["format"]) == (3, 1, "jsonl")
    assert json.loads(run("observe", "--keep-days", "1", "--json", "--path", str(shop)).out) == {
        "forgotten": 0
    }


def test_what_is_not_recognised_is_code_one(run, shop, tmp_path):
    file = tmp_path / "runs.jsonl"
    file.write_text('{"symbol": "nowhere.at_all"}\n', encoding="utf-8")
    done = run("observe", str(file), "--path", str(shop))
    assert (done.code, "1 not recognised" in done.out) == (1, True)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--forget", "--listen"], "one at a time"),
        (["--listen", "0.0.0.0:1"], "is not this machine alone"),
        (["--listen", "a:b:c"], "is no address to listen on"),
        ([os.devnull], "is no report that is known"),
    ],
)
def test_bad_usage_is_one_sentence(run, shop, arguments, sentence):
    done = run("observe", *arguments, "--path", str(shop))
    assert (done.code, done.out) == (2, "")
    assert sentence in done.err


def test_the_program_listens_until_the_time_is_up(shop):
    command = [
        sys.executable,
        "-m",
        "recollect",
        "observe",
        "--listen",
        "127.0.0.1:0",
        "--seconds",
        "2",
        "--json",
    ]
    with subprocess.Popen(
        [*command, "--path", str(shop)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8"
    ) as listening:
        guard = threading.Timer(20, listening.kill)
        guard.start()
        address = listening.stderr.readline().split(" at ")[1].split(";")[0]
        attributes = [{"key": "code.function.name", "value": {"stringValue": "shop.client.deliver"}}]
        spans = [{"spanId": "01", "endTimeUnixNano": "0", "attributes": attributes}]
        body = json.dumps({"resourceSpans": [{"scopeSpans": [{"spans": spans}]}]}).encode()
        urllib.request.urlopen(
            urllib.request.Request(address, body, {"Content-Type": "application/json"})
        ).close()
        out, _ = listening.communicate()
        guard.cancel()
    assert (listening.returncode, json.loads(out)["symbols"]) == (0, 1)


def test_impact_and_status_say_what_was_seen_running(run, shop, runs):
    at = ("--path", str(shop))
    run("observe", runs, *at)
    impact = run("impact", "Client.send", "--depth", "1", *at).out
    assert "Client.send was seen running 120 times, last 2" in impact
    assert "calls, resolved; seen running 120 times, last 2" in impact
    status = run("status", *at).out
    assert "evidence   3 symbols with their types and files seen running, last 2" in status
