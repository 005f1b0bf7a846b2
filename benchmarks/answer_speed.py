"""How long answers take on an indexed project, warm and in process, and where the time goes.

    .venv/bin/python benchmarks/answer_speed.py PATH [--profile knowing] [--edges 300000] [--rounds 5]
    .venv/bin/python benchmarks/answer_speed.py PATH --doors [--profile code]
    .venv/bin/python benchmarks/answer_speed.py PATH --cold [--rounds 5]

`--edges N` keeps N edges of the graph, chosen with a fixed seed, to compare projects of different density.
`--doors` asks as a caller does, through `search` and `context` of an open project, with names, with few words and with
whole sentences: first questions that the process has not met, then the same again. Processor time counts the asking
thread alone, so a busy machine distorts it less than it does the wall clock. `--cold` runs commands, each in a process
of its own, and prints what all of the process took.
"""

from __future__ import annotations

import argparse
import random
import resource
import statistics
import subprocess
import sys
import time
from collections import defaultdict

import numpy as np

import recollect
from recollect.retrieve.ask import Surroundings, ask, profile_for
from recollect.retrieve.context import Snapshot
from recollect.retrieve.query import Request
from recollect.store.sqlite.graph import EDGE, build


def questions(reader, count):
    """Make tasks of the words in names of the project itself, spread over it evenly."""
    from recollect.retrieve.words import split_identifier

    rows = [row for row in reader.all_definitions() if len(split_identifier(row.name)) >= 2 and not row.test]
    chosen = rows[:: max(1, len(rows) // count)][:count]
    return [
        f"change how {' '.join(split_identifier(row.name)).lower()} works in {row.path.split('/')[-1]}"
        for row in chosen
    ]


def thinned(graph, edges):
    """Return the graph with only so many edges."""
    keep = np.random.default_rng(0).random(len(graph.targets)) < edges / len(graph.targets)
    rows = np.zeros(int(keep.sum()), dtype=EDGE)
    rows["source"], rows["target"] = graph.numbers[graph.sources][keep], graph.numbers[graph.targets][keep]
    for name, values in (
        ("type", graph.types),
        ("provenance", graph.provenances),
        ("confidence", graph.confidences),
    ):
        rows[name] = np.asarray(values)[keep]
    return build(b"thinned", np.asarray(graph.numbers), rows)


def measure(reader, profile, rounds):
    """Ask every question, first unmeasured, then several times."""
    around = Surroundings(Snapshot())
    tasks = questions(reader, 20)
    started = time.perf_counter()
    ask(reader, tasks[0], Request(), profile, around)
    first = time.perf_counter() - started
    for task in tasks:
        ask(reader, task, Request(), profile, around)
    wall, processor, stages = [], [], defaultdict(list)
    for _ in range(rounds):
        for task in tasks:
            begun, begun_cpu = time.perf_counter(), time.process_time()
            answer = ask(reader, task, Request(), profile, around)
            wall.append(time.perf_counter() - begun)
            processor.append(time.process_time() - begun_cpu)
            for stage in answer.trace.stages:
                stages[stage.key].append(stage.seconds)
    return first, wall, processor, stages


def kinds_of_questions(reader, count):
    """Make three kinds of questions of the names of the project itself, spread over it evenly."""
    from recollect.retrieve.words import split_identifier

    rows = [row for row in reader.all_definitions() if len(split_identifier(row.name)) >= 2 and not row.test]
    rows = random.Random(0).sample(rows, 3 * count)
    names, few, whole = (rows[at : at + count] for at in range(0, 3 * count, count))

    def words(row):
        return " ".join(split_identifier(row.name)).lower()

    return {
        "a name": [row.name for row in names],
        "few words": [words(row) for row in few],
        "a sentence": [
            f"change how {words(a)} works in {a.path.split('/')[-1]} so that {words(b)} is used when {words(c)} fails"
            for a, b, c in zip(whole, few, names, strict=True)
        ],
    }


def through_the_doors(opened, profile, count=40):
    """Print how long search and context take, for questions that are new and for the same ones again."""
    with opened._index.reader() as reader:
        kinds = kinds_of_questions(reader, count)
        print(f"{reader.counts()['symbols']} symbols, {len(reader.graph().targets)} edges, profile {profile}")
    opened.context("warm up", profile=profile)
    for door in ("search", "context"):
        for kind, texts in kinds.items():
            for when in ("new", "again"):
                wall, processor = [], []
                for text in texts:
                    begun, begun_cpu = time.perf_counter(), time.thread_time()
                    getattr(opened, door)(text, profile=profile)
                    wall.append(time.perf_counter() - begun)
                    processor.append(time.thread_time() - begun_cpu)
                print(
                    f"{door:8} {kind:11} {when:6} processor p50 {quantile(processor, 0.5):6.1f} ms, "
                    f"p95 {quantile(processor, 0.95):6.1f} ms; wall p50 {quantile(wall, 0.5):6.1f} ms"
                )

    print(f"largest resident size {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


def cold(path, rounds):
    """Print what commands take in processes of their own, imports and all."""
    with recollect.open(path) as opened:
        opened.ready()
        with opened._index.reader() as reader:
            kinds = kinds_of_questions(reader, 1)
            print(f"{reader.counts()['symbols']} symbols, {len(reader.graph().targets)} edges")
    few, sentence = kinds["few words"][0], kinds["a sentence"][0]
    commands = {
        "import recollect": [sys.executable, "-c", "import recollect"],
        "recollect --help": [sys.executable, "-m", "recollect", "--help"],
        "search, few words": [sys.executable, "-m", "recollect", "search", few, "--path", path],
        "search, a sentence": [sys.executable, "-m", "recollect", "search", sentence, "--path", path],
        "context, a sentence": [sys.executable, "-m", "recollect", "context", sentence, "--path", path],
    }
    for name, command in commands.items():
        wall, processor = [], []
        for _ in range(rounds + 1):
            before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
            subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            wall.append(time.perf_counter() - begun)
            processor.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
        # The first one may have had to read files that are in memory by now.
        took = (quantile(values[1:], 0.5) for values in (processor, wall))
        print("{:20} processor p50 {:5.0f} ms; wall p50 {:5.0f} ms".format(name, *took))


def quantile(values, share):
    """Return a quantile in milliseconds."""
    return sorted(values)[min(len(values) - 1, int(share * len(values)))] * 1000


def main():
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("path")
    parser.add_argument("--profile", default="knowing")
    parser.add_argument("--edges", type=int)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--doors", action="store_true")
    parser.add_argument("--cold", action="store_true")
    chosen = parser.parse_args()
    if chosen.cold:
        cold(chosen.path, chosen.rounds)
        return
    if chosen.doors:
        with recollect.open(chosen.path) as opened:
            through_the_doors(opened, chosen.profile)
        return
    with recollect.open(chosen.path) as opened, opened._index.reader() as reader:
        graph = reader.graph()
        if chosen.edges:
            graph = thinned(graph, chosen.edges)
            type(reader).graph = lambda _: graph
        profile = profile_for("task", chosen.profile)
        first, wall, processor, stages = measure(reader, profile, chosen.rounds)
        print(f"{reader.counts()['symbols']} symbols, {len(graph.targets)} edges, profile {profile.name}")
    print(f"first answer {first * 1000:.0f} ms")
    print(f"wall      p50 {quantile(wall, 0.5):.1f} ms, p95 {quantile(wall, 0.95):.1f} ms")
    print(f"processor p50 {quantile(processor, 0.5):.1f} ms, p95 {quantile(processor, 0.95):.1f} ms")
    for key, values in sorted(stages.items(), key=lambda row: -statistics.fmean(row[1])):
        print(f"  {key:22} {statistics.fmean(values) * 1000:7.2f} ms")


if __name__ == "__main__":
    main()
