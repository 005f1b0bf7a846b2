"""Finds what was added, changed and removed since the last look, for the price of one stat per known file."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from stat import S_ISREG

from recollect.errors import UsageError
from recollect.source.folders import FoundFile, Omitted
from recollect.source.git import holds_home
from recollect.source.sweep import CLOCK_STEP_NS, Swept, Window, sweep_folders


@dataclass(frozen=True, slots=True)
class Scan:
    """How a tree differs from what was known of it."""

    added: tuple[FoundFile, ...]
    changed: tuple[FoundFile, ...]
    """Files whose size or time differ, or whose time is too close to the last look to tell."""
    removed: tuple[str, ...]
    folders: Mapping[str, int]
    """What the next scan needs to know: times of folders and of ignore files. Opaque to everyone else."""
    omitted: tuple[Omitted, ...]
    """What could not be read in the folders that were listed this time, with the reason."""
    started_ns: int
    """When this look began; give it to the next one."""
    unchanged: int

    @property
    def nothing_changed(self) -> bool:
        """Tell whether the index would stay as it is."""
        return not (self.added or self.changed or self.removed)


def scan(
    root: Path,
    known_files: Mapping[str, tuple[int, int]] | None = None,
    known_folders: Mapping[str, int] | None = None,
    since_ns: int = 0,
    ignore: Sequence[str] = (),
) -> Scan:
    """Compare a tree with what the last scan left.

    `known_files` maps each path to its size and time, `known_folders` and `since_ns` are `folders` and `started_ns`
    of the last scan; `ignore` holds extra patterns in the syntax of .gitignore. Links are not followed: what
    they lead to is either found by its own path or outside.
    """
    root = check_root(root)
    known = known_files or {}
    window = Window(since_ns, time.time_ns())
    swept = sweep_folders(root, known_folders or {}, window, ignore)
    found = {file.path: file for listing in swept.listed.values() for file in listing.files}
    asked = known if swept.same else _in_quiet_folders(known, swept)
    changed, removed = _stat_files(str(root), asked, window)
    if asked is not known:
        removed.extend(path for path in known if path not in asked and path not in found)
        changed.extend(
            file
            for path, file in found.items()
            if path in known
            and (file.size != known[path][0] or window.touched(file.mtime_ns, known[path][1]))
        )
    return Scan(
        tuple(sorted(file for path, file in found.items() if path not in known)),
        tuple(sorted(changed)),
        tuple(sorted(removed)),
        swept.times,
        tuple(sorted(note for listing in swept.listed.values() for note in listing.omitted)),
        window.now,
        len(known) - len(changed) - len(removed),
    )


def check_root(root: Path) -> Path:
    """Return the real path of a folder that may be indexed, or say why it may not."""
    real = root.resolve()
    if not real.is_dir():
        state = "is not a folder" if real.exists() else "does not exist"
        raise UsageError(f"Cannot index {root}: it {state}. Give the folder of a project.")
    if holds_home(real):
        raise UsageError(
            f"Will not index {real}: it is the root of the disk, your home folder or a folder above it. "
            "Give the folder of one project."
        )
    return real


def _in_quiet_folders(known: Mapping[str, tuple[int, int]], swept: Swept) -> dict[str, tuple[int, int]]:
    """Return the known files of folders that still hold the same names."""
    quiet = swept.times.keys() - swept.listed.keys()
    return {path: values for path, values in known.items() if path.rpartition("/")[0] in quiet}


def _stat_files(
    root: str, known: Mapping[str, tuple[int, int]], window: Window
) -> tuple[list[FoundFile], list[str]]:
    """Return the files that look changed and those that are gone."""
    changed: list[FoundFile] = []
    removed: list[str] = []
    suspect_ns = window.since - CLOCK_STEP_NS if window.since else 1 << 63
    lstat = os.lstat
    for path, (size, mtime_ns) in known.items():
        try:
            now = lstat(f"{root}/{path}")
        except OSError:
            removed.append(path)
            continue
        now_ns = now.st_mtime_ns
        if now_ns == mtime_ns and now.st_size == size and now_ns < suspect_ns:
            continue
        if not S_ISREG(now.st_mode):
            removed.append(path)
        elif now.st_size != size or window.touched(now_ns, mtime_ns):
            changed.append(FoundFile(path, now.st_size, now_ns))
    return changed, removed
