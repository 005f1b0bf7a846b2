"""Checks the folders of a tree against what was known of them, and lists again only those that may have changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from recollect.source.folders import FolderReader, Listing, Omitted, file_time, folder_time

CLOCK_STEP_NS = 20_000_000
"""A write this soon after a look may carry the time that was seen; the clocks of kernels tick every 1 to 10 ms."""

_OF = "//"
"""Stands between a folder and an ignore file that its rules come from; no path has it."""


class Window(NamedTuple):
    """From the last look to this one, in nanoseconds; `since` is 0 when the last look is not known."""

    since: int
    now: int

    def touched(self, time_ns: int, before_ns: int) -> bool:
        """Tell whether a time differs, or lies so close to the last look that it could hide a change."""
        return time_ns != before_ns or (self.since > 0 and self.since - CLOCK_STEP_NS <= time_ns <= self.now)


class Swept(NamedTuple):
    """The folders of a tree as they are now."""

    times: Mapping[str, int]
    """Times of all folders, and of the ignore files that their rules come from."""
    listed: Mapping[str, Listing]
    """The folders that were listed this time; all others hold the same names as before."""
    same: bool
    """No folder had to be listed and none is gone."""


class _Known(NamedTuple):
    """What was known to belong to one folder."""

    folders: set[str]
    controls: dict[str, int]


@dataclass(slots=True)
class _Sweep:
    root: str
    reader: FolderReader
    times: Mapping[str, int]
    known: dict[str, _Known] = field(default_factory=dict)
    listed: dict[str, Listing] = field(default_factory=dict)
    gone: set[str] = field(default_factory=set)


def sweep_folders(root: Path, times: Mapping[str, int], window: Window, ignore: Sequence[str] = ()) -> Swept:
    """Return the folders of a tree, given the times that the last sweep returned."""
    sweep = _Sweep(str(root), FolderReader(root, ignore), times)
    whole, single = _folders_to_list(sweep, window)
    if not (whole or single or sweep.gone):
        return Swept(times, {}, same=True)
    _group_known(sweep)
    for folder in sorted(whole):
        _list(sweep, folder, everything=True)
    for folder in sorted(single):
        _list(sweep, folder, everything=False)
    reached = _reached_times(sweep)
    listed = {folder: listing for folder, listing in sweep.listed.items() if folder in reached}
    return Swept(reached, listed, same=False)


def _folders_to_list(sweep: _Sweep, window: Window) -> tuple[set[str], set[str]]:
    """Return the folders to list with all that is below them, and those to list alone."""
    if not sweep.times:
        return {""}, set()
    whole: set[str] = set()
    single: set[str] = set()
    root = sweep.root
    for key, before in sweep.times.items():
        if _OF in key:
            folder, _, source = key.partition(_OF)
            if window.touched(file_time(root, source), before):
                whole.add(folder)
            continue
        now = folder_time(f"{root}/{key}" if key else root)
        if not now:
            sweep.gone.add(key)
        elif window.touched(now, before):
            single.add(key)
    return whole - sweep.gone, single - whole


def _list(sweep: _Sweep, start: str, everything: bool) -> None:
    """List a folder with what is new below it, or with everything below it."""
    waiting = [(start, everything)]
    while waiting:
        folder, deep = waiting.pop()
        if folder in sweep.listed:
            continue
        try:
            listing = sweep.reader.list(folder)
        except OSError as error:
            listing = Listing(0, omitted=[Omitted(folder, f"it cannot be read: {error.strerror or error}")])
        sweep.listed[folder] = listing
        known = sweep.known.get(folder)
        deep = deep or known is None or known.controls != listing.controls
        waiting.extend((sub, deep) for sub in listing.folders if deep or sub not in sweep.times)


def _group_known(sweep: _Sweep) -> None:
    for key, time_ns in sweep.times.items():
        folder, control, source = key.partition(_OF)
        if control:
            sweep.known.setdefault(folder, _Known(set(), {})).controls[source] = time_ns
        else:
            sweep.known.setdefault(folder, _Known(set(), {}))
            if folder:
                parent = folder.rpartition("/")[0]
                sweep.known.setdefault(parent, _Known(set(), {})).folders.add(folder)


def _reached_times(sweep: _Sweep) -> dict[str, int]:
    """Walk down from the root over new listings and, where there is none, over what was known."""
    times: dict[str, int] = {}
    waiting = [""]
    while waiting:
        folder = waiting.pop()
        listing = sweep.listed.get(folder)
        if listing:
            times[folder] = listing.mtime_ns
            controls = listing.controls
            waiting.extend(listing.folders)
        elif folder in sweep.times and folder not in sweep.gone:
            times[folder] = sweep.times[folder]
            controls = sweep.known[folder].controls
            waiting.extend(sweep.known[folder].folders)
        else:
            continue
        times.update((f"{folder}{_OF}{source}", time_ns) for source, time_ns in controls.items())
    return times
