"""Where a run was made: the machine, the commit, the memory in use."""

from __future__ import annotations

import os
import platform
import sys
import time
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from recollect.source.git import run_git


def describe() -> str:
    """Return the machine and interpreter in one line."""
    cores = os.cpu_count() or 1
    return f"{platform.system()} {platform.machine()}, {cores} cores, Python {platform.python_version()}"


_STATUS, _CLEAR = Path("/proc/self/status"), Path("/proc/self/clear_refs")


def forget_peak() -> None:
    """Let the peak be counted from now on, where the system can."""
    with suppress(OSError):
        _CLEAR.write_text("5", encoding="ascii")


def peak_memory() -> int:
    """Return the most bytes that this process held since the last `forget_peak`, or ever; 0 where nothing tells."""
    with suppress(OSError):
        for line in _STATUS.read_text(encoding="ascii", errors="replace").splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    try:
        import resource
    except ImportError:
        return 0
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return used if sys.platform == "darwin" else used * 1024


def cpu_seconds() -> float:
    """Return the processor time that this process and the children that it waited for have used."""
    try:
        import resource
    except ImportError:
        return time.process_time()
    own, children = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime


def recollect_version() -> str:
    """Return the installed version."""
    try:
        return version("recollect")
    except PackageNotFoundError:
        return "not installed"


def revision(folder: Path) -> str:
    """Return the commit of a working tree, with + when the folder has changes, empty outside of one."""
    commit = (run_git(folder, "rev-parse", "HEAD") or "").strip()
    if not commit:
        return ""
    dirty = run_git(folder, "status", "--porcelain", "--untracked-files=no", "--", ".")
    return f"{commit}+" if dirty and dirty.strip() else commit
