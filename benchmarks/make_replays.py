"""Makes benchmarks/replays: later commits of twelve public repositories as questions about the code before them.

    .venv/bin/python benchmarks/make_replays.py CHECKOUTS... [-o FOLDER]

CHECKOUTS are folders that hold clones with their history, by the names in replays/repositories.json. The commit
that is named there is the newest that is asked, whichever one a clone stands on.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path

from recollect.bench import checkout, replay

HERE = Path(__file__).resolve().parent / "replays"
LIMIT = 30


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("checkouts", nargs="+", type=Path)
    parser.add_argument("-o", "--output", type=Path, default=HERE)
    given = parser.parse_args()
    known = json.loads((HERE / "repositories.json").read_text("utf-8"))
    with tempfile.TemporaryDirectory() as scratch:
        tops = [laid_out(one, given.checkouts, Path(scratch)) for one in known]
        asked = replay.build(tops, given.output, replay.Wanted(limit=LIMIT, name="replays"))
    addresses = {one["name"]: one["url"] for one in known}
    file = given.output / "repos.json"
    rows = [
        {"name": row["name"], "url": addresses[row["name"]], "revision": row["revision"]}
        for row in json.loads(file.read_text("utf-8"))
    ]
    file.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    print(f"{asked} questions on {len(rows)} repositories in {given.output}")


def laid_out(one: dict, folders: list[Path], into: Path) -> Path:
    source = next((folder / one["name"] for folder in folders if (folder / one["name"]).is_dir()), None)
    if source is None:
        sys.exit(f"No checkout of {one['name']}; fetch it with: git clone {one['url']} FOLDER/{one['name']}")
    checkout.clone_at(source, one["head"], into / one["name"])
    return into / one["name"]


if __name__ == "__main__":
    main()
