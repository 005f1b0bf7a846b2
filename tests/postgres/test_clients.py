"""Many clients read and write one space; a server is restarted and killed meanwhile."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import pytest
from tests.postgres.cluster import Cluster, packaged

from recollect.errors import AwayError, RecollectError
from recollect.memory.opened import OpenMemory
from recollect.store.postgres.address import read
from recollect.store.postgres.memory_store import MemorySpace
from recollect.store.postgres.server import Space

CLIENT = Path(__file__).with_name("client.py")


def opened(url, patience=10.0):
    address = read(url)
    return OpenMemory(MemorySpace(address, Space(address.space or "team"), patience), wait=60.0)


def check_all_there(memory, ids, said_by_all):
    rows = list(memory.export())
    kept = [row["id"] for row in rows]
    assert len(kept) == len(set(kept)) == len(ids) + 1
    assert set(ids) < set(kept)
    (common,) = [row for row in rows if row["text"] == "Everybody says this"]
    assert common["seen"] == said_by_all
    assert memory.check() == []
    for row in rows[:: max(1, len(rows) // 20)]:
        assert row["id"] in {hit.id for hit in memory.recall(row["text"], 1000, {}, None).hits}


def run_clients(url, processes, count):
    began = [
        subprocess.Popen(
            [sys.executable, CLIENT, url, f"client{number}", str(count)],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8", env=os.environ,
        )
        for number in range(processes)
    ]  # fmt: skip
    told = [client.communicate(timeout=280) for client in began]
    assert [client.returncode for client in began] == [0] * processes, [said[1][-600:] for said in told]
    return [one for out, _ in told for one in json.loads(out)]


def test_a_few_processes_lose_and_double_nothing(store_url):
    ids = run_clients(store_url, 2, 5)
    memory = opened(store_url)
    check_all_there(memory, ids, 10)
    memory.close()


@pytest.mark.slow  # sixteen processes of Python on a machine that may have two cores
@pytest.mark.timeout(300)
def test_sixteen_processes_lose_and_double_nothing(store_url):
    ids = run_clients(store_url, 16, 25)
    memory = opened(store_url)
    check_all_there(memory, ids, 16 * 25)
    memory.close()


@pytest.fixture
def own_server():
    """A server that this test alone may stop and kill."""
    folder = Path(tempfile.mkdtemp(prefix="recollect-own-"))
    folder.chmod(0o755)  # the server runs as another user
    cluster = Cluster(folder / "server", packaged(folder))
    cluster.make()
    yield cluster
    if cluster.running:
        cluster.stop("immediate")
    shutil.rmtree(folder, ignore_errors=True)


@pytest.mark.slow  # two restarts, with clients that wait for the server to come back
@pytest.mark.parametrize("mode", ["fast", "immediate"])
def test_a_server_that_is_restarted_under_load_loses_and_doubles_nothing(own_server, mode):
    memories = [opened(own_server.url()) for _ in range(3)]
    ids, failures = [], []

    def work(memory, name):
        try:
            for number in range(15):
                ids.append(memory.remember(f"{name} says fact {number}", {"author": name}, None).id)
                memory.remember("Everybody says this", {}, None)
                memory.recall("fact", 3, {}, None)
        except RecollectError as error:
            failures.append(error)

    threads = [
        threading.Thread(target=work, args=(memory, f"client{number}"))
        for number, memory in enumerate(memories)
    ]
    for thread in threads:
        thread.start()
    for share in (10, 25):
        while len(ids) < share and any(thread.is_alive() for thread in threads):
            threads[0].join(0.01)
        own_server.stop(mode)
        own_server.start()
    for thread in threads:
        thread.join()
    assert failures == []
    check_all_there(memories[0], ids, 45)
    for memory in memories:
        memory.close()


def test_a_server_that_is_stopped_is_told_of_clearly_and_found_again(own_server):
    memory = opened(own_server.url(), 0.2)
    item = memory.remember("The port is 5432", {}, None)
    own_server.stop()
    for ask in (
        lambda: memory.recall("port", 3, {}, None),
        lambda: memory.remember("More", {}, None),
        lambda: memory.history(item.id),
    ):
        with pytest.raises(AwayError, match="does not answer"):
            ask()
    own_server.start()
    assert [hit.id for hit in memory.recall("port", 3, {}, None).hits] == [item.id]
    memory.close()
