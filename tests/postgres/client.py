"""A client of a shared space, run as a process of its own: writes, reads, and says what it did."""

import json
import sys

from recollect.memory.opened import OpenMemory
from recollect.store.postgres.address import read
from recollect.store.postgres.memory_store import MemorySpace
from recollect.store.postgres.server import Space


def main():
    url, name, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
    address = read(url)
    memory = OpenMemory(MemorySpace(address, Space(address.space)), wait=120.0)
    ids = []
    for number in range(count):
        ids.append(memory.remember(f"{name} says fact {number}", {"author": name, "tags": [name]}, None).id)
        memory.remember("Everybody says this", {}, None)
        if number % 5 == 0:
            assert memory.recall(f"fact {number}", 3, {}, None).hits
    memory.link(ids[0], "see-also", ids[1])
    memory.close()
    print(json.dumps(ids))


main()
