import os
import sys
from pathlib import Path

import pytest

import recollect
from recollect.evidence.servers import servers
from recollect.types import EDGE_TYPES, PROVENANCES

HERE = Path(__file__).parent
TOP = HERE.parents[1]
SERVERS = (Path(sys.executable).parent, TOP / ".venv" / "servers" / "node_modules" / ".bin")


@pytest.fixture
def real_servers(monkeypatch):
    """Let the servers that `make servers` installs be found."""
    monkeypatch.setenv("PATH", os.pathsep.join([*map(str, SERVERS), os.environ["PATH"]]))

    def need(language):
        ready = [
            one
            for one in servers()
            if language in one.languages and one.program and (not one.version or one.told_version())
        ]
        if not ready:
            pytest.skip(f"no server for {language} is installed; make servers installs some")

    return need


@pytest.fixture
def project(tmp_path):
    """Write files into a folder whose language server is the one of the tests."""

    def make(files, *arguments):
        root = tmp_path / "project"
        for path, text in files.items():
            file = root / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        table = root / ".recollect"
        table.mkdir(exist_ok=True)
        command = [sys.executable, str(HERE / "server.py"), *arguments]
        (table / "servers.toml").write_text(
            f'[[server]]\nname = "small"\nlanguages = ["python"]\ncommand = {command!r}\nwarm = 0\n',
            encoding="utf-8",
        )
        return root

    return make


def edges(opened, kind="calls"):
    """Return the edges of one type as `source -> target`, with provenance and confidence."""

    def read(reader):
        graph = reader.graph()
        items = {item.number: item for item in reader.items(graph.numbers.tolist())}
        found = {}
        for edge in range(len(graph.targets)):
            if EDGE_TYPES[graph.types[edge]] == kind:
                ends = [int(graph.numbers[column[edge]]) for column in (graph.sources, graph.targets)]
                said = " -> ".join(
                    f"{items[end].path}:{items[end].name}" if end in items else "outside" for end in ends
                )
                found[said] = PROVENANCES[graph.provenances[edge]], int(graph.confidences[edge])
        return found

    return opened._index.ask(read)


@pytest.fixture
def opened():
    """Open projects and close them at the end."""
    found = []

    def open_(root, **settings):
        found.append(recollect.open(root, **settings))
        return found[-1]

    yield open_
    for one in found:
        one.close()
