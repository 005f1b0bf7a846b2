"""Does all that recollect can do on a server, in a space made for it, so that its statements can be looked at."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from recollect import engine

if TYPE_CHECKING:
    from recollect.engine import Recollect
    from recollect.memory.opened import OpenMemory
    from recollect.store.postgres.address import Address
    from recollect.store.postgres.server import Server, Space

FILES = {
    "shop/client.py": "from shop.retry import Policy\n\n\nclass Client:\n    def send(self, order):\n        return "
    "Policy().again(order)\n",
    "shop/retry.py": "class Policy:\n    def again(self, order):\n        return order\n",
    "README.md": "# Shop\n\nSells tea.\n\n## Orders\n\nOrders are sent again.\n",
}
LATER = {
    "shop/retry.py": "import json\n\n\nclass Policy:\n    def never(self):\n        return json.dumps(1)\n"
}
SAID = (
    "We retry idempotent calls only, said Ann Miller in May 2024",
    "Tea is brewed for three minutes",
    "Ann Miller owns shop/client.py and the Client",
    "Tea is brewed for two minutes by Ann Miller",
    "The port of the shop is 5432",
)
_MODEL = "made-up"


def exercise(place: Path, address: Address, server: Server, spaces: tuple[Space, Space]) -> None:
    """Index, ask, remember, recall, change, share, move and forget."""
    for name, text in FILES.items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_text(text, encoding="utf-8")
    with engine.open(place, store=address.url, space=spaces[0].name) as project:
        _ask_of_code(project)
        _change(project, place)
        _remember(project)
        _look_after(project, server, spaces)
        _let_go(project)
    _vectors(place, address, spaces[0])
    _move(address, spaces)


def _ask_of_code(project: Recollect) -> None:
    project.index()
    hits = project.search("send orders again", profile="code")
    for profile in ("knowing", "lexical", "mnemosyne"):
        project.search("Policy.again order", profile=profile)
    project.search("Client.send in:shop/client.py")
    pack = project.context("send orders again", session="s")
    project.context(files=["shop/retry.py"])
    project.why("orders", "Policy")
    project.impact("Policy.again")
    project.around("Client")
    project.outline("shop/client.py")
    project.feedback(pack.query_id, [item.hit.id for item in pack.items[:1]])
    project.feedback(hits.query_id, [hit.id for hit in hits.hits[1:]], useful=False)
    project.status()
    project.doctor()


def _change(project: Recollect, place: Path) -> None:
    for name, text in LATER.items():
        (place / name).write_text(text, encoding="utf-8")
    (place / "README.md").unlink()
    project.refresh()
    project.search("never")
    project.index(full=True)


def _remember(project: Recollect) -> None:
    ids = [project.remember(text, tags=["shop"], source="talk", author="Ann").id for text in SAID]
    project.remember(SAID[1], tags=["kitchen"], metadata={"cups": 2})
    project.remember("Said in a talk", session="s1", position=1, author="Bob")
    project.remember_many([{"text": f"number {number} of many", "tags": ["many"]} for number in range(3)])
    for filters in (
        {}, {"tags": ["shop"]}, {"sources": ["talk"]}, {"sessions": ["s1"]}, {"authors": ["Ann"]}, {"kinds": ["fact"]},
        {"mentions": ["Ann Miller"]}, {"since": "2020-01-01"}, {"until": "2030-01-01"}, {"as_of": "2030-01-01"},
        {"layers": ["semantic"]}, {"archived": True}, {"derived": True}, {"metadata": {"cups": 2}},
    ):  # fmt: skip
        project.recall("tea that Ann brews", **filters)
    project.link(ids[3], "supersedes", ids[1])
    project.link(ids[0], "see-also", ids[2])
    project.link(ids[0], "see-also", ids[2], remove=True)
    project.history(ids[1])
    project.timeline()
    memory: OpenMemory = project.memories.of("project")
    memory.get(ids[0])
    memory.links(ids[0])
    memory.retention(ids[0])
    list(memory.export())
    memory.check()
    project.context("tea")


def _look_after(project: Recollect, server: Server, spaces: tuple[Space, Space]) -> None:
    from recollect.store.ids import uid_of
    from recollect.store.postgres import sharing

    shared = project.remember("This may be known elsewhere").id
    server.enter(spaces[1])
    sharing.share(server, spaces[0], uid_of(shared), spaces[1].name)
    sharing.given(server, spaces[0])
    uids = [one.uid for one in sharing.received(server, spaces[1])]
    sharing.shared_memories(server, spaces[1], spaces[0].name, uids)
    sharing.unshare(server, spaces[0], uid_of(shared), spaces[1].name)
    (owner,) = sharing.members(server, spaces[0])
    sharing.admit(server, spaces[0], owner.login, "owner")
    sharing.dismiss(server, spaces[0], "nobody who is a member")


def _let_go(project: Recollect) -> None:
    (first, second, *_) = [row["id"] for row in project.memories.of("project").export()]
    project.pin(first)
    project.archive(second)
    project.hygiene()
    project.hygiene(delete=True)
    dream = project.dream()
    project.dreams()
    project.undo_dream(dream.number)
    project.forget(second)
    project.forget(tag="many")
    project.unlearn()


def _vectors(place: Path, address: Address, space: Space) -> None:
    from recollect.store.postgres.index_store import open_index
    from recollect.store.postgres.memory_store import MemorySpace

    rows = [(bytes(31) + bytes([at]), np.full(4, 0.2 + at, np.float32)) for at in range(3)]
    index = open_index(address.url, (space.name, str(place)))
    memories = MemorySpace(address, space).open(5.0)
    for store in (index, memories):
        for kind in ("float16", "int8"):
            with store.writer() as writer:
                writer.put_vectors(f"{_MODEL} {kind}", kind, rows)
            with store.reader() as reader:
                reader.vectors(f"{_MODEL} {kind}")
                reader.missing_vectors(f"{_MODEL} {kind}", [rows[0][0]])
        store.close()
    memories.close()


def _move(address: Address, spaces: tuple[Space, Space]) -> None:
    from recollect.memory.move import move
    from recollect.store.postgres.moving import SpaceFilled, space_rows

    with space_rows(address, spaces[0]) as rows:
        move(rows, SpaceFilled(address, spaces[1]))
