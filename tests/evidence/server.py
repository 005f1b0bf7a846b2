"""A small language server for the tests: it finds `def` and `class` by name, and fails on demand.

What stands in a file decides how it behaves: HANG answers nothing, DIE ends it, GARBAGE breaks the protocol.
With --broken it does not start, with --old it offers nothing, with --lost it finds nothing.
"""

import json
import re
import sys
import time
from pathlib import Path
from urllib.parse import unquote, urlsplit

DEFINED = re.compile(r"^\s*(?:def|class) (\w+)", re.MULTILINE)
texts, root = {}, Path()


def send(message):
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    sys.stdout.buffer.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
    sys.stdout.buffer.flush()


def receive():
    length = 0
    while (line := sys.stdin.buffer.readline().strip()) != b"":
        length = int(line.partition(b":")[2])
    return json.loads(sys.stdin.buffer.read(length)) if length else sys.exit()


def definition(uri, position):
    line = texts[uri].split("\n")[position["line"]]
    name = re.match(r"\w*", line[position["character"] :])[0]
    if name == "outside":
        return [{"uri": "file:///opt/site-packages/world/api.py", "range": span(0, 0)}]
    found = []
    for file in sorted(root.rglob("*.py")):
        text = file.read_text()
        for match in DEFINED.finditer(text):
            if match[1] == name and "HIDDEN" not in text:
                at = match.start(1)
                start = text.rfind("\n", 0, at) + 1
                found.append({"uri": file.as_uri(), "range": span(text.count("\n", 0, at), at - start)})
    return found[:1]


def span(line, column):
    place = {"line": line, "character": column}
    return {"start": place, "end": place}


if "--broken" in sys.argv:
    sys.exit("error: Unknown binary 'small' in the toolchain\n\nStack backtrace:\n   0: small::main")
while True:
    message = receive()
    method, parameters = message.get("method"), message.get("params")
    if method == "initialize":
        root = Path(unquote(urlsplit(parameters["rootUri"]).path))
        offers = {} if "--old" in sys.argv else {"definitionProvider": True}
        send({"id": message["id"], "result": {"capabilities": offers}})
    elif method == "initialized":
        send({"id": "a", "method": "workspace/configuration", "params": {"items": [{"section": "x"}]}})
        if "--lost" in sys.argv:
            send({"method": "window/showMessage", "params": {"type": 1, "message": "No project\nis here."}})
        send({"method": "$/progress", "params": {"token": 1, "value": {"kind": "begin"}}})
        send({"method": "$/progress", "params": {"token": 1, "value": {"kind": "end"}}})
    elif method == "textDocument/didOpen":
        document = parameters["textDocument"]
        texts[document["uri"]] = document["text"]
        if "DIE" in document["text"]:
            sys.exit(1)
        if "GARBAGE" in document["text"]:
            sys.stdout.write("Traceback: this is no message\n\n")
            sys.stdout.flush()
    elif method == "textDocument/definition":
        uri = parameters["textDocument"]["uri"]
        if "HANG" in texts[uri]:
            time.sleep(3600)
        send(
            {
                "id": message["id"],
                "result": [] if "--lost" in sys.argv else definition(uri, parameters["position"]),
            }
        )
    elif method == "shutdown":
        send({"id": message["id"], "result": None})
    elif method == "exit":
        sys.exit()
