"""Lays out the code of a repository at one commit in a folder of its own; the user's tree is never touched."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Iterable
from pathlib import Path

from recollect.bench.values import DataSet, Question, Repository, RepositorySpec
from recollect.errors import UsageError

TIMEOUT = 1800.0
UNREAD = ".git"
Same = Callable[[str, str], bool]


def git(folder: Path, *arguments: str) -> str:
    """Return what git prints, or refuse with what it said."""
    done = _run(folder, *arguments)
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise UsageError(f"git {arguments[0]} failed in {folder}: {said[-1] if said else 'no reason given'}.")
    return done.stdout.decode("utf-8", "surrogateescape")


def find_checkouts(data: DataSet, folder: Path | None) -> dict[str, Path]:
    """Return where each repository of a data set lies; all that are missing are named at once, with the cure."""
    places = {name: _place(data, spec, folder) for name, spec in data.repositories.items()}
    missing = [name for name, place in places.items() if place is None]
    if missing:
        where = folder or data.folder / "checkouts"
        cures = "\n".join(
            f"  git clone {data.repositories[name].url} {where / name} && "
            f"git -C {where / name} checkout --detach {data.repositories[name].revision}"
            for name in missing
        )
        many = "1 repository" if len(missing) == 1 else f"{len(missing)} repositories"
        raise UsageError(
            f"{many} of {data.name} cannot be found on this machine; give the folder of checkouts with --repos, "
            f"or fetch them:\n{cures}"
        )
    return {name: place for name, place in places.items() if place is not None}


def lay_out(source: Path, spec: RepositorySpec, into: Path) -> Repository:
    """Put a repository at its revision, or the part of it that is measured, into a new folder."""
    target = into / spec.name
    revision = spec.revision
    if (source / ".git").exists():
        revision = clone_at(source, spec.revision or "HEAD", target, spec.root)
    else:
        _copy(source, target, spec.root)
    return Repository(spec.name, target, spec.root, revision, spec.language, spec.name)


def clone_at(source: Path, revision: str, target: Path, root: str = "") -> str:
    """Clone by reference into a new folder, check one commit out, forget all others, and return the commit."""
    commit = git(source, "rev-parse", "--verify", "--end-of-options", f"{revision}^{{commit}}").strip()
    target.parent.mkdir(parents=True, exist_ok=True)
    git(
        target.parent,
        "clone",
        "-q",
        "--shared",
        "--no-checkout",
        "--no-tags",
        str(source.resolve()),
        str(target),
    )
    if root:
        git(target, "sparse-checkout", "set", "--no-cone", f"/{root}/")
    # A history that misses a few blobs still gives a usable tree, so the commit is what is checked, not git's mood.
    _run(
        target,
        "-c",
        "advice.detachedHead=false",
        "-c",
        "core.hooksPath=",
        "checkout",
        "-q",
        "--detach",
        commit,
    )
    if git(target, "rev-parse", "HEAD").strip() != commit:
        raise UsageError(f"{source} cannot be checked out at {revision}; run git fsck in it.")
    _forget_other_refs(target)
    return commit


def files_of(repository: Repository) -> list[str]:
    """Return the paths of the files that are measured, sorted."""
    top = repository.folder / repository.root
    found = (path for path in top.rglob("*") if path.is_file() and not path.is_symlink())
    relative = (path.relative_to(repository.folder) for path in found)
    return sorted(path.as_posix() for path in relative if path.parts[0] not in {UNREAD, ".recollect"})


def missing_targets(repository: Repository, questions: Iterable[Question], same: Same) -> int:
    """Return how many files that are asked for the repository does not have: nobody can find them."""
    here = files_of(repository)
    wanted = {target.path for question in questions for target in question.targets if target.path}
    return sum(not any(same(path, one) for path in here) for one in wanted)


def _forget_other_refs(target: Path) -> None:
    """Remove the branches of later commits, so that nothing that reads history can see the future."""
    for reference in git(target, "for-each-ref", "--format=%(refname)").split():
        _run(target, "update-ref", "--no-deref", "-d", reference)
    _run(target, "remote", "remove", "origin")


def _place(data: DataSet, spec: RepositorySpec, folder: Path | None) -> Path | None:
    given = (
        [Path(spec.path) if Path(spec.path).is_absolute() else data.folder / spec.path] if spec.path else []
    )
    named = [base / spec.name for base in (folder, data.folder / "checkouts") if base is not None]
    return next((place for place in (*given, *named) if place.is_dir()), None)


def _copy(source: Path, target: Path, root: str) -> None:
    if not (source / root).is_dir():
        raise UsageError(f"{source} has no folder {root}; correct benchmark_root in repos.json.")
    shutil.copytree(
        source / root, target / root, ignore=shutil.ignore_patterns(UNREAD, ".recollect"), symlinks=True
    )


def _run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    command = ["git", "-C", str(folder), "--no-optional-locks", *arguments]
    try:
        return subprocess.run(
            command, capture_output=True, timeout=TIMEOUT, check=False, stdin=subprocess.DEVNULL
        )
    except OSError as error:
        raise UsageError("The program git is needed for this and was not found; install it.") from error
