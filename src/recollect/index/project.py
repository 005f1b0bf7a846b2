"""Where a project's data lies, and which commit its working tree is at."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from recollect.config import FOLDER
from recollect.source.git import find_repository, head, main_worktree


@dataclass(frozen=True, slots=True)
class Project:
    """A folder that is indexed, with the places of its databases."""

    root: Path
    shared: Path
    """The main worktree, which holds what all worktrees of the repository share."""

    @property
    def folder(self) -> Path:
        """Where this worktree's own data lies."""
        return self.root / FOLDER

    @property
    def index_db(self) -> Path:
        """Items, texts and edges of this worktree; may be thrown away."""
        return self.folder / "index.db"

    @property
    def lock(self) -> Path:
        """Held by the one process that updates this index."""
        return self.folder / "update.lock"

    @property
    def parsed_db(self) -> Path:
        """Facts by content, shared by all worktrees; may be thrown away."""
        return self.shared / FOLDER / "parsed.db"

    @property
    def evidence_db(self) -> Path:
        """What tools and runs have shown of the code, shared by all worktrees; gathered again when it is lost."""
        return self.shared / FOLDER / "evidence.db"

    @property
    def memory_db(self) -> Path:
        """Memories, shared by all worktrees; precious."""
        return self.shared / FOLDER / "memory.db"


def project_at(root: Path) -> Project:
    """Return the project whose top folder this is."""
    place = root.resolve()
    return Project(place, main_worktree(place))


def commit_of(project: Project) -> str:
    """Return the commit that the working tree has checked out, empty when there is none."""
    repository = find_repository(project.root)
    return head(repository).commit if repository else ""
