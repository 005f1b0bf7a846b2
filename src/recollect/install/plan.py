"""What installing or taking back would change, shown before it is done."""

from __future__ import annotations

import difflib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from recollect.errors import ReadOnlyError, UsageError
from recollect.install import edits, record, wires
from recollect.install.agents import Agent
from recollect.install.wires import Wiring


@dataclass(frozen=True, slots=True)
class Plan:
    """A file before and after; None where it does not exist."""

    name: str
    """The agent's."""
    key: str
    """What the file is changed for; one file may be changed for several."""
    file: Path
    before: str | None
    after: str | None
    note: dict[str, Any] | None = None
    """What is remembered for taking it back."""

    @property
    def changed(self) -> bool:
        """Tell whether there is anything to do."""
        return self.before != self.after

    def diff(self) -> str:
        """Return the change as a unified diff."""
        old, new = _lines(self.before), _lines(self.after)
        source, target = (
            "/dev/null" if text is None else str(self.file) for text in (self.before, self.after)
        )
        return "".join(difflib.unified_diff(old, new, source, target))

    def to_dict(self) -> dict[str, Any]:
        """Return the plan as plain values for JSON."""
        row = {"agent": self.name, "file": str(self.file), "changed": self.changed}
        return {**row, "diff": self.diff()}


def snippet(agent: Agent) -> str:
    """Return the entry as it would stand in a file of its own."""
    return json.dumps({agent.container: {agent.key: agent.entry}}, indent=2, ensure_ascii=False)


def to_install(agent: Agent, file: Path) -> Plan:
    """Return what writing the entry changes."""
    before = _text(file)
    edit = edits.put(before or "", agent)
    if before is not None and edit.text == before:
        return Plan(agent.name, agent.key, file, before, before)
    earlier = record.noted(file, agent.key)
    made = [str(folder) for folder in _missing(file.parent)]
    note = {**_begun(before), "folders": made, "inserted": edit.inserted, "replaced": edit.replaced}
    if earlier and edit.replaced and edit.replaced in earlier.get("inserted", ""):
        # Our own older entry was brought up to date: what was there before it stays what comes back.
        inserted = earlier["inserted"].replace(edit.replaced, edit.inserted)
        note = {**earlier, "inserted": inserted}
    return Plan(agent.name, agent.key, file, before, edit.text, note)


def to_uninstall(agent: Agent, file: Path) -> Plan:
    """Return what taking the entry back changes; a file that was made for it goes with it."""
    before = _text(file)
    if before is None:
        return Plan(agent.name, agent.key, file, None, None)
    earlier = record.noted(file, agent.key)
    after: str | None = edits.take(before, agent, earlier.get("inserted", ""), earlier.get("replaced", ""))
    if (after or "").strip() in {"", "{}"}:
        after = _as_it_began(after, earlier)
    return Plan(agent.name, agent.key, file, before, after)


def to_install_hooks(wiring: Wiring) -> Plan:
    """Return what writing an agent's hooks changes; older ones of ours go first."""
    before = _text(wiring.file)
    earlier = record.noted(wiring.file, wiring.key)
    if wires.wired(before or "", wiring):
        return Plan(wiring.name, wiring.key, wiring.file, before, before)
    bare = wires.take(before or "", wiring, earlier.get("pieces", []))
    text, pieces = wires.put(bare, wiring)
    made = [str(folder) for folder in _missing(wiring.file.parent)]
    note = {**_begun(before), "folders": made} | earlier | {"pieces": pieces}
    return Plan(wiring.name, wiring.key, wiring.file, before, text, note)


def to_uninstall_hooks(wiring: Wiring) -> Plan:
    """Return what taking the hooks back changes."""
    before = _text(wiring.file)
    if before is None:
        return Plan(wiring.name, wiring.key, wiring.file, None, None)
    earlier = record.noted(wiring.file, wiring.key)
    after: str | None = wires.take(before, wiring, earlier.get("pieces", []))
    if (after or "").strip() in {"", "{}"}:
        after = _as_it_began(after, earlier)
    return Plan(wiring.name, wiring.key, wiring.file, before, after)


def carry_out(plan: Plan) -> None:
    """Do what a plan says, unless the file was changed since it was made."""
    if _text(plan.file) != plan.before:
        raise UsageError(f"{plan.file} was changed meanwhile; nothing was written, run the command again.")
    folders = record.noted(plan.file, plan.key).get("folders", [])
    try:
        if plan.after is None:
            plan.file.unlink(missing_ok=True)
            _remove_empty(folders)
        else:
            plan.file.parent.mkdir(parents=True, exist_ok=True)
            with plan.file.open("w", encoding="utf-8", newline="") as stream:
                stream.write(plan.after)
        record.note(plan.file, plan.key, plan.note)
    except OSError as error:
        raise ReadOnlyError(f"{plan.file} cannot be written ({error}); check who may write there.") from error


def _begun(before: str | None) -> dict[str, Any]:
    """Note how a file began that said nothing: not there, or blank."""
    return {"created": before is None} | ({} if before is None or before.strip() else {"blank": before})


def _as_it_began(after: str | None, earlier: dict[str, Any]) -> str | None:
    """Return what a file goes back to that says nothing any more; None removes it."""
    if earlier.get("created"):
        return None
    blank: str | None = earlier.get("blank", after)
    return blank


def _lines(text: str | None) -> list[str]:
    return [f"{line}\n" for line in (text or "").splitlines()]


def _text(file: Path) -> str | None:
    try:
        with file.open(encoding="utf-8", newline="") as stream:
            return stream.read()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{file} cannot be read ({error}); nothing was changed.") from error


def _missing(folder: Path) -> list[Path]:
    """Return the folders that have to be made, the outermost first."""
    missing: list[Path] = []
    while not folder.exists():
        missing.insert(0, folder)
        folder = folder.parent
    return missing


def _remove_empty(folders: list[str]) -> None:
    for name in reversed(folders):
        folder = Path(name)
        if folder.is_dir() and not any(folder.iterdir()):
            folder.rmdir()
