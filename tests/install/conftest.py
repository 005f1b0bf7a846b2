import json

import pytest

from recollect.install import agents


@pytest.fixture(autouse=True)
def _own_home(tmp_path_factory, monkeypatch):
    """Keep the home of whoever runs the tests out of them, and recollect on no path."""
    home = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("USERPROFILE", str(home))
    monkeypatch.delenv("CODEX_HOME", raising=False)
    monkeypatch.setattr(
        "recollect.install.agents.shutil.which", lambda name, path=None: None if path else f"/bin/{name}"
    )


@pytest.fixture
def agent(tmp_path):
    """Return agents of one project by name."""
    return lambda name: agents.agent(name, tmp_path)


@pytest.fixture
def servers():
    """Return the servers that a JSON file lists."""
    return lambda file, container: json.loads(file.read_text(encoding="utf-8"))[container]
