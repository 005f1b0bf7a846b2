"""The main server dies: a standby answers and says so, and becomes the main server with all that was acknowledged."""

import shutil
import tempfile
from pathlib import Path

import pytest
from tests.postgres.cluster import Cluster, packaged

import recollect
from recollect.errors import AwayError, ReadOnlyError


@pytest.fixture
def pair():
    """A server and one that follows it, each acknowledged write on both."""
    folder = Path(tempfile.mkdtemp(prefix="recollect-pair-"))
    folder.chmod(0o755)  # the servers run as another user
    programs = packaged(folder)
    # Later settings win over those that make a lone server fast.
    main = Cluster(folder / "main", programs, ("synchronous_commit=remote_apply", "hot_standby=on"))
    main.make()
    standby = Cluster(folder / "standby", programs, ("hot_standby=on",))
    standby.folder.mkdir()
    shutil.chown(standby.folder, "nobody", "nogroup")
    main.run("pg_basebackup", "-d", main.url(), "-D", standby.data, "-R", "-X", "stream", "-c", "fast")
    standby.start()
    main.run(
        "psql",
        main.url(),
        "-c",
        "ALTER SYSTEM SET synchronous_standby_names = '*'",
        "-c",
        "SELECT pg_reload_conf()",
    )
    yield main, standby
    for cluster in (main, standby):
        if cluster.running:
            cluster.stop("immediate")
    shutil.rmtree(folder, ignore_errors=True)


@pytest.mark.slow  # two servers are set up, one is killed and the other promoted
@pytest.mark.timeout(180)
def test_a_standby_answers_says_so_and_takes_over(pair, shop):
    main, standby = pair
    url = f"postgresql://postgres@127.0.0.1:{main.port},127.0.0.1:{standby.port}/postgres?space=team"
    with recollect.open(shop, store=url) as project:
        kept = [project.remember(f"Orders were sent again {number} times").id for number in range(5)]
        before = [hit.id for hit in project.search("retry policy").hits]
        assert not project.recall("orders").degraded
        main.stop("immediate")
        hits = project.recall("orders sent again")
        assert {hit.id for hit in hits.hits} == set(kept)
        assert any("A standby of" in note and "nothing can be written" in note for note in hits.degraded)
        (shop / "shop/new.py").write_text("def added():\n    pass\n", encoding="utf-8")
        found = project.search("retry policy")
        assert [hit.id for hit in found.hits] == before
        assert any("standby" in note for note in found.degraded)
        with pytest.raises(ReadOnlyError, match=r"takes no writes.*standby"):
            project.remember("Said in between")
        with recollect.open(shop, store=url, offline=True) as patient:
            assert patient.remember("Said while only a standby was there").metadata["queued"]
        standby.run("pg_ctl", "-w", "-D", standby.data, "promote")
        new = project.remember("Said afterwards")
        hits = project.recall("orders sent again", limit=20)
        assert {hit.id for hit in hits.hits} >= set(kept)
        assert not hits.degraded
        assert project.recall("said afterwards").hits[0].id == new.id
        with recollect.open(shop, store=url, offline=True) as patient:
            assert (
                patient.recall("only a standby was there").hits[0].text
                == "Said while only a standby was there"
            )
        assert len(project.recall("standby").hits) == 1
        standby.stop("immediate")
        with pytest.raises(AwayError, match="does not answer"):
            project.recall("orders")
