"""Lists folders under the ignore rules that hold there, and remembers what the listing depended on."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from stat import S_ISDIR, S_ISREG
from typing import NamedTuple

from recollect.source.git import (
    Repository,
    exclude_file,
    find_repository,
    is_worktree_of,
    repository_at,
    user_exclude_file,
)
from recollect.source.ignore import IGNORE_FILES, RuleSet, always_ignored, compile_rules, verdict
from recollect.source.tracked import Tracked


class FoundFile(NamedTuple):
    """A file as the disk has it now."""

    path: str
    """Relative to the root, with forward slashes."""
    size: int
    mtime_ns: int


class Omitted(NamedTuple):
    """Something that could not be read, with the reason."""

    path: str
    reason: str


class FolderRules(NamedTuple):
    """The ignore rules that hold in a folder, the innermost last."""

    git: tuple[RuleSet, ...]
    own: tuple[RuleSet, ...]
    """From `.recollectignore` files, which overrule those of git."""
    sources: tuple[str, ...]
    """The files that belong to this very folder, whether they exist or not, relative to the root."""
    tracked: Tracked | None = None
    """What git keeps although the rules name it."""
    only_tracked: bool = False
    """The folder itself is ignored, and is only entered for what git keeps in it."""


@dataclass(slots=True)
class Listing:
    """What one folder holds that is not ignored."""

    mtime_ns: int
    files: list[FoundFile] = field(default_factory=list)
    folders: list[str] = field(default_factory=list)
    controls: dict[str, int] = field(default_factory=dict)
    """Ignore files that decided about this folder and what is below, with their times."""
    omitted: list[Omitted] = field(default_factory=list)
    marked: bool = False
    """It is a cache or a virtual environment, so that nothing in it counts."""


class FolderReader:
    """Lists the folders of one tree; keeps the compiled rules of the folders it came through."""

    def __init__(self, root: Path, ignore: Sequence[str] = ()) -> None:
        self._root = str(root)
        self._extra = "\n".join(ignore).encode("utf-8", "surrogateescape")
        self._fixed = always_ignored()
        self._repository = find_repository(root)
        self._prefix = self._path_in_repository(root)
        self._rules: dict[str, FolderRules] = {}

    def rules(self, folder: str) -> FolderRules:
        """Return the rules that hold in a folder, reading those of the folders above when need be."""
        known = self._rules.get(folder)
        if known is None:
            known = self._rules[folder] = self._root_rules() if not folder else self._nested_rules(folder)
        return known

    def controls(self, folder: str) -> dict[str, int]:
        """Return the ignore files that belong to a folder, with their times.

        One that is missing is left out when its coming would change the folder's own time, and has time 0 otherwise.
        """
        start = f"{folder}/" if folder else ""
        seen_by_folder = {start + name for name in IGNORE_FILES}
        times = ((source, file_time(self._root, source)) for source in self.rules(folder).sources)
        return {source: time_ns for source, time_ns in times if time_ns or source not in seen_by_folder}

    def list(self, folder: str) -> Listing:
        """List what a folder holds that is neither ignored nor a link; an OSError tells that it cannot be read."""
        place = f"{self._root}/{folder}" if folder else self._root
        listing = Listing(os.lstat(place).st_mtime_ns)
        with os.scandir(place) as entries:
            found = sorted(entries, key=lambda entry: entry.name)
        names = {entry.name for entry in found}
        if folder and self._left_out(folder, names):
            listing.marked = True
            return listing
        rules = self.rules(folder)
        listing.controls = self.controls(folder)
        start = f"{folder}/" if folder else ""
        for entry in found:
            self._sort_in(listing, rules, start + entry.name, entry)
        return listing

    def _left_out(self, folder: str, names: set[str]) -> bool:
        if not self._fixed.markers.isdisjoint(names):
            return True
        repository = self._repository
        return (
            ".git" in names
            and repository is not None
            and is_worktree_of(Path(self._root, folder), repository.common_dir)
        )

    def _sort_in(self, listing: Listing, rules: FolderRules, path: str, entry: os.DirEntry[str]) -> None:
        name = entry.name
        try:
            folder = entry.is_dir(follow_symlinks=False)
            if name in (self._fixed.folders if folder else self._fixed.files):
                return
            if not folder and not entry.is_file(follow_symlinks=False):
                return
            if self._ignored(rules, path, name, folder):
                return
            if not name.isascii() and not _is_text(name):
                shown = path.encode("utf-8", "backslashreplace").decode("utf-8")
                listing.omitted.append(Omitted(shown, "its name is not valid UTF-8"))
            elif folder:
                listing.folders.append(path)
            else:
                known = entry.stat(follow_symlinks=False)
                listing.files.append(FoundFile(path, known.st_size, known.st_mtime_ns))
        except FileNotFoundError:
            return
        except OSError as error:
            listing.omitted.append(Omitted(path, f"it cannot be read: {error.strerror or error}"))

    def _ignored(self, rules: FolderRules, path: str, name: str, folder: bool) -> bool:
        path = self._prefix + path
        if rules.own:
            own = verdict(rules.own, path, name, folder)
            if own is not None:
                return own
        ignored = rules.only_tracked or bool(rules.git and verdict(rules.git, path, name, folder))
        return ignored and not (rules.tracked and rules.tracked.holds(path, folder))

    def _path_in_repository(self, root: Path) -> str:
        if self._repository is None or self._repository.root == root:
            return ""
        return root.relative_to(self._repository.root).as_posix() + "/"

    def _root_rules(self) -> FolderRules:
        rules = FolderRules((), (), ())
        if self._repository:
            rules = self._with_repository(rules, self._repository, "")
        above = self._prefix.count("/")
        base = 0
        for level, part in enumerate([*self._prefix.split("/")[:-1], ""]):
            folder = "/".join([".."] * (above - level))
            rules = self._with_folder_files(rules, folder, base)
            base += len(os.fsencode(part)) + 1
        extra = compile_rules(self._extra, len(os.fsencode(self._prefix)))
        return rules if extra is None else rules._replace(own=(extra, *rules.own))

    def _nested_rules(self, folder: str) -> FolderRules:
        above = self.rules(folder.rpartition("/")[0])
        rules = above._replace(sources=(), only_tracked=self._is_ignored(above, folder))
        base = len(os.fsencode(self._prefix + folder)) + 1
        place = f"{self._root}/{folder}"
        repository = repository_at(Path(place)) if os.path.lexists(f"{place}/.git") else None
        if repository:
            rules = rules._replace(git=(), only_tracked=False)
            rules = self._with_repository(rules, repository, f"{self._prefix}{folder}/")
        return self._with_folder_files(rules, folder, base)

    def _is_ignored(self, above: FolderRules, folder: str) -> bool:
        """Tell whether a folder that is entered is ignored all the same, for those who know its files by git only."""
        path = self._prefix + folder
        name = folder.rpartition("/")[2]
        if above.own and verdict(above.own, path, name, folder=True) is False:
            return False
        return above.only_tracked or bool(above.git and verdict(above.git, path, name, folder=True))

    def _with_repository(self, rules: FolderRules, repository: Repository, start: str) -> FolderRules:
        tracked = Tracked(repository, start)
        rules = rules._replace(tracked=tracked, sources=(*rules.sources, tracked.source(self._root)))
        return self._with_exclude_file(rules, repository, len(os.fsencode(start)))

    def _with_exclude_file(self, rules: FolderRules, repository: Repository, base: int) -> FolderRules:
        for file in (user_exclude_file(), exclude_file(repository)):
            if file:
                source = os.path.relpath(file, self._root).replace(os.sep, "/")
                rules = self._with_file(rules, source, base, own=False)
        return rules

    def _with_folder_files(self, rules: FolderRules, folder: str, base: int) -> FolderRules:
        start = f"{folder}/" if folder else ""
        rules = self._with_file(rules, f"{start}.gitignore", base, own=False)
        return self._with_file(rules, f"{start}.recollectignore", base, own=True)

    def _with_file(self, rules: FolderRules, source: str, base: int, own: bool) -> FolderRules:
        rules = rules._replace(sources=(*rules.sources, source))
        added = compile_rules(_ignore_text(f"{self._root}/{source}"), base)
        if added is None:
            return rules
        return rules._replace(own=(*rules.own, added)) if own else rules._replace(git=(*rules.git, added))


def file_time(root: str, path: str) -> int:
    """Return when a regular file was last changed, or 0 when there is none."""
    try:
        known = os.lstat(f"{root}/{path}")
    except OSError:
        return 0
    return known.st_mtime_ns if S_ISREG(known.st_mode) else 0


def folder_time(place: str) -> int:
    """Return when a folder's list of names last changed, or 0 when there is no such folder."""
    try:
        known = os.lstat(place)
    except OSError:
        return 0
    return known.st_mtime_ns if S_ISDIR(known.st_mode) else 0


def _ignore_text(place: str) -> bytes:
    try:
        if not S_ISREG(os.lstat(place).st_mode):
            return b""
        return Path(place).read_bytes()
    except OSError:
        return b""


def _is_text(name: str) -> bool:
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
