import secrets
import subprocess

import pytest
from hypothesis import HealthCheck, settings
from tests import schemas
from tests.postgres import cluster

# How long an example takes says more about the machine than about the code; pytest's own limit holds for all of them.
settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")

SHOP = {
    "shop/client.py": '''"""Talks to the shop."""

from shop.retry import RetryPolicy


class Client:
    """Sends orders."""

    def __init__(self, policy: RetryPolicy) -> None:
        self.policy = policy

    def send(self, order: str) -> str:
        """Send one order, again when the line is bad."""
        for attempt in range(self.policy.attempts):
            deliver(order, attempt)
        return order


def deliver(order: str, attempt: int) -> None:
    print(order, attempt)
''',
    "shop/retry.py": '''class RetryPolicy:
    """How often and how long to wait before an order is sent again."""

    attempts = 3

    def waiting_time(self, attempt: int) -> float:
        return 0.5 * attempt
''',
    "tests/test_client.py": """from shop.client import Client
from shop.retry import RetryPolicy


def test_send():
    assert Client(RetryPolicy()).send("tea") == "tea"
""",
    "README.md": "# Shop\n\nSells tea.\n\n## Backoff\n\nOrders wait with exponential backoff.\n",
}


@pytest.fixture(autouse=True)
def _own_user_folder(tmp_path_factory, monkeypatch):
    """Keep the settings of whoever runs the tests out of them."""
    folder = str(tmp_path_factory.mktemp("user"))
    monkeypatch.setenv("XDG_CONFIG_HOME", folder)
    monkeypatch.setenv("APPDATA", folder)


def pytest_configure(config):
    if not hasattr(config, "workerinput"):
        cluster.begin()


def pytest_unconfigure(config):
    if not hasattr(config, "workerinput"):
        cluster.end()


@pytest.fixture(scope="session")
def postgres():
    """A real server, shared by all tests of a run; begun when the first one asks."""
    return cluster.shared()


@pytest.fixture(scope="session")
def _database(postgres):
    """A database of this worker of the test run."""
    name = f"w_{secrets.token_hex(6)}"
    _administer(postgres, f"CREATE DATABASE {name}")
    return name


def _administer(postgres, statement):
    import psycopg

    with psycopg.connect(postgres.url(), autocommit=True) as connection:
        connection.execute(statement)


@pytest.fixture
def database(postgres):
    """The URL of an empty database that only this test uses."""
    name = f"t_{secrets.token_hex(6)}"
    _administer(postgres, f"CREATE DATABASE {name}")
    yield postgres.url(name)
    _administer(postgres, f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture
def store_url(postgres, _database):
    """The URL of a space that only this test uses."""
    return f"{postgres.url(_database)}?space=s{secrets.token_hex(6)}"


@pytest.fixture
def shop(tmp_path):
    """A small git repository in Python."""
    root = tmp_path / "shop"
    for path, text in SHOP.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    for command in (
        ["init", "-q"],
        ["add", "."],
        ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "Start"],
    ):
        subprocess.run(["git", *command], cwd=root, check=True, capture_output=True)
    return root


@pytest.fixture(autouse=True)
def _json_is_as_documented(monkeypatch):
    """Hold everything that a command prints as JSON in this process against its schema."""
    monkeypatch.setattr("recollect.cli.options.json", schemas.JSON)
