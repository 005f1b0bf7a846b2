"""Writes real command output into the documentation, or fails when what stands there is not real any more.

A block begins with `<!-- run: recollect ... -->` and ends with `<!-- end -->`; what is between is replaced.
Commands run on a copy of docs/example. The blocks of measured tables are those of tools/results.py
and tools/cost.py; docs/json.md is made by tools/json_page.py.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import cost
import json_page
import recording
import results

ROOT = Path(__file__).resolve().parent.parent
BLOCK = re.compile(r"(<!-- run: (?P<command>.+?) -->\n).*?(<!-- end -->)", re.DOTALL)
SECONDS = re.compile(r"\b\d+\.\d+ s\b")
QUERY = re.compile(r"\bq[0-9a-f]{16}\b")
RECORDING = ROOT / "docs" / "recording.svg"


@contextlib.contextmanager
def example() -> Iterator[Path]:
    """Stand in a fresh copy of the example repository, with no settings of the user around."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder).resolve() / "shop"
        shutil.copytree(ROOT / "docs" / "example", place)
        subprocess.run(["git", "init", "-q"], cwd=place, check=True)
        os.environ.update(XDG_CONFIG_HOME=folder, APPDATA=folder, NO_COLOR="1", COLUMNS="80")
        # Commands that look for recollect itself find the one that runs.
        os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
        with contextlib.chdir(place):
            yield place


def output_of(command: str) -> str:
    """Return what a command prints; durations and ids of queries differ and are not shown."""
    from recollect.cli.app import main

    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        try:
            main(shlex.split(command)[1:])
        except SystemExit as ended:
            if ended.code not in {0, 1}:
                raise SystemExit(f"'{command}' failed: {said.getvalue()}") from ended
    text = QUERY.sub("q…", SECONDS.sub("… s", said.getvalue()))
    today = datetime.now(UTC).date().isoformat()
    return text.replace(str(Path.cwd()), "~/shop").replace(today, "YYYY-MM-DD").rstrip()


def recorded() -> str:
    """Return the picture of the main flow, run as at a terminal with colours."""
    from recollect.cli import render
    from recollect.cli.app import app

    plain, render.colour = render.colour, lambda: True
    app.context_settings["color"] = True
    try:
        with example():
            output_of("recollect index")
            return recording.picture([(one, output_of(one)) for one in recording.SCRIPT])
    finally:
        render.colour = plain
        del app.context_settings["color"]


def written(text: str) -> str:
    """Return a page with the output of every block in it."""

    def block(found: re.Match[str]) -> str:
        command = found["command"]
        return f"{found[1]}```console\n$ {command}\n{output_of(command)}\n```\n{found[3]}"

    return BLOCK.sub(block, text)


def pages() -> list[Path]:
    """Return every page that may hold blocks."""
    return [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def main() -> int:
    """Write the pages anew, or with --check tell which are stale."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; fail when a page is stale")
    options = parser.parse_args()
    stale = []
    for page in pages():
        before = page.read_text(encoding="utf-8")
        if not BLOCK.search(before):
            continue
        with example():
            after = written(before)
        if after != before:
            stale.append(page.relative_to(ROOT).as_posix())
            if not options.check:
                page.write_text(after, encoding="utf-8")
    stale += [page.relative_to(ROOT).as_posix() for page in results.stale(pages(), write=not options.check)]
    stale += [page.relative_to(ROOT).as_posix() for page in cost.stale(write=not options.check)]
    stale += [page.relative_to(ROOT).as_posix() for page in json_page.stale(write=not options.check)]
    picture = recorded()
    if not RECORDING.exists() or RECORDING.read_text(encoding="utf-8") != picture:
        stale.append(RECORDING.relative_to(ROOT).as_posix())
        if not options.check:
            RECORDING.write_text(picture, encoding="utf-8", newline="\n")
    if options.check and stale:
        stale = list(dict.fromkeys(stale))
        print(f"Not what the commands print now: {', '.join(stale)}; run make docs.", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
