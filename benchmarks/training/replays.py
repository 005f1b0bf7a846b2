"""Makes the commits that the rankers learn from: replays and indexed snapshots.


    .venv/bin/python benchmarks/training/replays.py --mirrors FOLDER --into FOLDER [--list FILE ...] [OWNER/NAME ...]

--mirrors holds a clone of each repository as OWNER+NAME (bare, or with its git folder in `repo`). Under --into it makes
`source/NAME`, `replays/NAME` (questions as `recollect bench replay` asks them) and `snapshots/NAME` (the code before
the first of them, indexed). What is there already is kept, so a run that was stopped goes on.
"""

from __future__ import annotations

import argparse
import json
import subprocess
from collections.abc import Sequence
from pathlib import Path

import recollect
from recollect.bench import replay
from recollect.bench.checkout import clone_at
from recollect.errors import RecollectError

LISTED = Path(__file__).with_name("repositories.txt")
COMMITS = 45


def listed(lists: Sequence[Path]) -> dict[str, str]:
    """Return the revision of every repository, by owner and name."""
    lines = [line.split() for one in lists for line in one.read_text(encoding="utf-8").splitlines()]
    return {parts[0]: parts[1] for parts in lines if parts and not parts[0].startswith("#")}


def make(mirror: Path, revision: str, into: Path, count: int) -> int:
    """Make what is missing of one repository, and return how many questions it has."""
    into, name = into.parent, into.name
    source, folder, snapshot = (into / part / name for part in ("source", "replays", "snapshots"))
    if not source.exists():
        source.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run(["git", "clone", "-q", "--shared", "--no-checkout", mirror, source], check=True)
        subprocess.run(["git", "-C", source, "update-ref", "--no-deref", "HEAD", revision], check=True)
    if not (folder / "queries.jsonl").exists():
        replay.build(source, folder, replay.Wanted(limit=count))
    if not snapshot.exists():
        clone_at(source, json.loads((folder / "repos.json").read_text())[0]["revision"], snapshot)
    with recollect.open(snapshot) as project:
        project.index()
    return len((folder / "queries.jsonl").read_text(encoding="utf-8").splitlines())


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--mirrors", type=Path, required=True)
    parser.add_argument("--into", type=Path, required=True)
    parser.add_argument("--list", type=Path, action="append", help="instead of repositories.txt")
    parser.add_argument("--commits", type=int, default=COMMITS, help="of each repository")
    parser.add_argument("names", nargs="*")
    chosen = parser.parse_args()
    for name, revision in listed(chosen.list or [LISTED]).items():
        if chosen.names and name not in chosen.names:
            continue
        mirror = chosen.mirrors / name.replace("/", "+")
        inner = mirror / "repo"
        try:
            into = chosen.into / name.partition("/")[2]
            count = make(inner if inner.exists() else mirror, revision, into, chosen.commits)
            print(f"{name}: {count} commits", flush=True)
        except (RecollectError, subprocess.CalledProcessError, OSError) as error:
            print(f"{name}: left out, {error}", flush=True)


if __name__ == "__main__":
    main()
