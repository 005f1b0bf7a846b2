"""Compares answers from a server with those from files: python benchmarks/store_agreement.py URL DATA [REPOS [SPLIT]].

Runs `recollect bench run` twice over a data set, once in files and once with RECOLLECT_STORE=URL, and prints the
rank-biased overlap (p = 0.9, extrapolated) of the top ten of each question, how many are equal, and the metrics.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

P = 0.9
DEPTH = 10


def overlap(one, other):
    """Return the extrapolated rank-biased overlap of two lists, cut at DEPTH."""
    one, other = [json.dumps(x) for x in one[:DEPTH]], [json.dumps(x) for x in other[:DEPTH]]
    depth = max(len(one), len(other))
    if not depth:
        return 1.0
    agreed = [len(set(one[:d]) & set(other[:d])) / d for d in range(1, depth + 1)]
    return (1 - P) * sum(a * P**d for d, a in enumerate(agreed)) + agreed[-1] * P**depth


def run(url, folder, data, repos, split):
    environment = {**os.environ, "RECOLLECT_STORE": url}
    command = [
        sys.executable,
        "-m",
        "recollect",
        "bench",
        "run",
        "--data",
        data,
        "-r",
        "recollect",
        "-o",
        folder,
    ]
    command += ["--repos", repos] if repos else []
    command += ["--split", split] if split else []
    subprocess.run(command, check=True, env=environment, stdout=subprocess.DEVNULL)
    (file,) = Path(folder).glob("*.json")
    return json.loads(file.read_text("utf-8"))


def main():
    url, data, *rest = sys.argv[1:]
    repos, split = (*rest, "", "")[:2]
    with tempfile.TemporaryDirectory() as here, tempfile.TemporaryDirectory() as there:
        files, server = run("", here, data, repos, split), run(url, there, data, repos, split)
    pairs = list(zip(files["questions"], server["questions"], strict=True))
    assert all(one["id"] == other["id"] for one, other in pairs)
    found = [overlap(one["results"], other["results"]) for one, other in pairs]
    equal = sum(one["results"][:DEPTH] == other["results"][:DEPTH] for one, other in pairs)
    print(f"{len(pairs)} questions, top ten equal in {equal}")
    print(f"rank-biased overlap: mean {sum(found) / len(found):.4f}, least {min(found):.4f}")
    for name, value in files["metrics"].items():
        print(f"{name:14} files {value:.4f}  server {server['metrics'][name]:.4f}")
    for name in ("p50", "p95"):
        keys = [key for key in files["latency_ms"] if name in key]
        print(
            *(
                f"{key} ms: files {files['latency_ms'][key]:.2f}  server {server['latency_ms'][key]:.2f}"
                for key in keys
            )
        )


main()
