"""Measures publishing an index on a server beside files: python benchmarks/store_publish.py URL REPOSITORY [ROUNDS].

The repository is indexed once so that every file is parsed already; then the whole index is made and published anew,
in files and on the server in turn. Seconds are on the clock, with the processor time of the client in brackets.
"""

from __future__ import annotations

import sys
import time

import recollect


def publish(repository, url):
    settings = {"store": url} if url else {}
    with recollect.open(repository, **settings) as project:
        project.index()
        wall, cpu = time.perf_counter(), time.process_time()
        project.index(full=True)
        took = time.perf_counter() - wall, time.process_time() - cpu
        return took, project.status().counts


def main(url, repository, rounds):
    took = {"": [], url: []}
    for _ in range(rounds):
        for store in took:
            times, counts = publish(repository, store)
            took[store].append(times)
            print(f"{'server' if store else 'files '}: {times[0]:.1f} s ({times[1]:.1f})", flush=True)
    wall, cpu = (min(column) for column in zip(*took[""], strict=True))
    wall_there, cpu_there = (min(column) for column in zip(*took[url], strict=True))
    print(f"{counts['symbols']:,} symbols, {counts['files']:,} files, {counts['edges']:,} edges")
    print(
        f"best of {rounds}: {wall_there / wall:.2f} times on the clock, {cpu_there / cpu:.2f} times of the client"
    )


main(sys.argv[1], sys.argv[2], int(sys.argv[3]) if len(sys.argv) > 3 else 2)
