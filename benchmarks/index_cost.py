"""What indexing costs: CPU time with children, wall time, peak memory of the whole process tree and bytes on disk.

    python benchmarks/index_cost.py cold FOLDER...            first index of a copy, beside the peer where it is given
    python benchmarks/index_cost.py warm FOLDER               nothing changed, one file edited, all facts known
    python benchmarks/index_cost.py curve FOLDER --suffix .go growth from 10,000 lines to all
    python benchmarks/index_cost.py many 100000               many small files

`--peer PATH` names the binary of `knowing`, `--semble PATH` a Python that has semble. Every line of output is
one JSON object.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from recollect.config import Settings
from recollect.index.footprint import give_back, resident_bytes
from recollect.index.opened import OpenIndex
from recollect.index.project import project_at

STEPS = (10_000, 30_000, 100_000, 300_000, 1_000_000)
LOOK_EVERY_SECONDS = 0.02


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=("cold", "warm", "curve", "many", "one"))
    parser.add_argument("targets", nargs="+")
    parser.add_argument("--peer", type=Path)
    parser.add_argument("--semble", type=Path)
    parser.add_argument("--suffix", default=".py")
    chosen = parser.parse_args()
    for target in chosen.targets:
        if chosen.what == "cold":
            cold(Path(target), chosen.peer, chosen.semble)
        elif chosen.what == "warm":
            warm(Path(target), chosen.suffix)
        elif chosen.what == "curve":
            curve(Path(target), chosen.suffix)
        elif chosen.what == "many":
            many(int(target))
        else:
            one(Path(target))


def cold(folder: Path, peer: Path | None, semble: Path | None) -> None:
    with copied(folder) as root:
        tell(what="cold", folder=folder.name, tool="recollect", **measured(ours(root)), disk=on_disk(root))
        if peer:
            database = root.parent / "peer.db"
            command = [str(peer), "index", "-no-enrich", "-skip-blame", "-db", str(database), str(root)]
            found = measured(command, HOME=str(root.parent))
            tell(what="cold", folder=folder.name, tool=peer.name, **found, disk=database.stat().st_size)
        if semble:
            script = Path(__file__).parent / "peers/semble_cold.py"
            found = measured([str(semble), str(script), str(root)])
            tell(what="cold", folder=folder.name, tool="semble", **found)


def warm(folder: Path, suffix: str) -> None:
    with copied(folder) as root:
        measured(ours(root))
        index = OpenIndex(project_at(root), Settings())
        report = index.update()
        tell(what="nothing changed", folder=folder.name, files=report.files, **best_of(5, index.update))
        edited = sorted(root.rglob(f"*{suffix}"))[len(list(root.rglob(f"*{suffix}"))) // 2]

        def edit() -> None:
            edited.write_bytes(edited.read_bytes() + b"\n")
            index.update()

        tell(what="one file edited", folder=folder.name, **best_of(5, edit))
        index.update(full=True)
        give_back()
        tell(what="memory afterwards", folder=folder.name, megabytes=resident_bytes() >> 20)
        index.close()


def curve(folder: Path, suffix: str) -> None:
    files = [place for place in sorted(folder.rglob(f"*{suffix}")) if ".git" not in place.parts]
    counts = [place.read_bytes().count(b"\n") for place in files]
    total = sum(counts)
    for wanted in [*(step for step in STEPS if step < total), total]:
        with tempfile.TemporaryDirectory() as place:
            root = Path(place, "project")
            lines = 0
            # Every nth file, so that each subset looks like the whole.
            stride = max(1, total // wanted)
            for start in range(stride):
                for number in range(start, len(files), stride):
                    if lines < wanted:
                        target = root / files[number].relative_to(folder)
                        target.parent.mkdir(parents=True, exist_ok=True)
                        shutil.copyfile(files[number], target)
                        lines += counts[number]
            tell(what="curve", folder=folder.name, lines=lines, **measured(ours(root)), disk=on_disk(root))


def many(count: int) -> None:
    with tempfile.TemporaryDirectory() as place:
        root = Path(place, "project")
        for number in range(count):
            target = root / f"d{number // 100}" / f"m{number}.py"
            if number % 100 == 0:
                target.parent.mkdir(parents=True)
            target.write_text(f"def f{number}(): pass\n", encoding="utf-8")
        tell(what="many small files", **measured(ours(root)), disk=on_disk(root))
        index = OpenIndex(project_at(root), Settings())
        tell(what="nothing changed", files=count, **best_of(5, index.update))
        index.close()


def one(root: Path) -> None:
    """Index one folder in this process; what `cold` and `curve` start and watch."""
    index = OpenIndex(project_at(root), Settings())
    report = index.update()
    index.close()
    tell(files=report.files, symbols=report.symbols, edges=report.edges)


def ours(root: Path) -> list[str]:
    return [sys.executable, __file__, "one", str(root)]


def measured(command: list[str], **environment: str) -> dict[str, object]:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, env=os.environ | environment, text=True)
    peak = [0]
    watcher = threading.Thread(target=watch_memory, args=(process, peak))
    watcher.start()
    said, _ = process.communicate()
    watcher.join()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    found = json.loads(said) if said.startswith("{") else {}
    return found | {
        "exit": process.returncode,
        "cpu_seconds": round(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, 2),
        "wall_seconds": round(time.perf_counter() - began, 2),
        "peak_megabytes": peak[0] >> 20,
    }


def watch_memory(process: subprocess.Popen[str], peak: list[int]) -> None:
    while process.poll() is None:
        peak[0] = max(peak[0], sum(resident_bytes(pid) for pid in family(process.pid)))
        time.sleep(LOOK_EVERY_SECONDS)


def family(pid: int) -> list[int]:
    found = [pid]
    for place in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            found += [member for child in place.read_text().split() for member in family(int(child))]
        except OSError:
            continue
    return found


class copied:  # noqa: N801  reads as a verb
    """A copy of a folder without what belongs to git, gone after the block."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._place = tempfile.TemporaryDirectory()

    def __enter__(self) -> Path:
        target = Path(self._place.name, "project")
        ignored = shutil.ignore_patterns(".git", ".recollect")
        shutil.copytree(self._folder, target, ignore=ignored, symlinks=True)
        return target

    def __exit__(self, *_: object) -> None:
        self._place.cleanup()


def on_disk(root: Path) -> int:
    return sum(place.stat().st_size for place in (root / ".recollect").iterdir() if place.is_file())


def best_of(times: int, work) -> dict[str, float]:
    """Return the least wall time and the least CPU time of this process."""
    found = []
    for _ in range(times):
        began, used = time.perf_counter(), time.process_time()
        work()
        found.append((time.perf_counter() - began, time.process_time() - used))
    walls, cpus = zip(*found, strict=True)
    return {"seconds": round(min(walls), 4), "cpu_seconds": round(min(cpus), 4)}


def tell(**values: object) -> None:
    print(json.dumps(values), flush=True)


if __name__ == "__main__":
    main()
