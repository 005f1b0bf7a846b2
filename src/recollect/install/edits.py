"""One edit of a configuration file as text: what goes in, and how exactly that comes out again."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Mapping
from copy import deepcopy
from typing import Any, NamedTuple

from recollect.errors import UsageError
from recollect.install import jsonc
from recollect.install.agents import Agent


class Edit(NamedTuple):
    """A text after an edit, with what was put in and what that took the place of."""

    text: str
    inserted: str = ""
    replaced: str = ""


class Format(NamedTuple):
    """How a kind of file is read and edited."""

    read: Callable[[str], Any]
    put: Callable[[str, Agent], Edit]
    take: Callable[[str, Agent], str]
    empty: str
    line: Callable[[Agent], str]
    """The entry as a person adds it."""


def put(text: str, agent: Agent) -> Edit:
    """Return the text with the agent's entry; everything else stays as it is, letter by letter."""
    form = _form(agent)
    before = _read(form, text, agent)
    if _servers(before, agent).get(agent.key) == agent.entry:
        return Edit(text)
    edit = form.put(text if text.strip() else form.empty, agent)
    if "\r\n" in text:
        edit = Edit(*(re.sub("\r?\n", "\r\n", part) for part in edit))
    wanted = deepcopy(before)
    wanted.setdefault(agent.container, {})[agent.key] = agent.entry
    _verify(form, edit.text, wanted, agent)
    return edit


def take(text: str, agent: Agent, inserted: str = "", replaced: str = "") -> str:
    """Return the text without the entry: exactly what was put in, or the entry as it stands now."""
    form = _form(agent)
    before = _read(form, text, agent)
    if agent.key not in _servers(before, agent):
        return text
    wanted = deepcopy(before)
    del wanted[agent.container][agent.key]
    if inserted and text.count(inserted) == 1:
        after = text.replace(inserted, replaced)
        if replaced or _same_servers(_parsed(form, after), wanted, agent):
            return after
    after = form.take(text, agent)
    _verify(form, after, wanted, agent)
    return after


def _form(agent: Agent) -> Format:
    toml = agent.file is not None and agent.file.suffix == ".toml"
    return TOML if toml else JSON


def _read(form: Format, text: str, agent: Agent) -> dict[str, Any]:
    try:
        found = form.read(text) if text.strip() else {}
    except ValueError as error:
        raise UsageError(
            f"{agent.file} cannot be read ({error}); mend it first, nothing was changed."
        ) from error
    if not isinstance(found, dict) or not isinstance(found.get(agent.container, {}), dict):
        raise UsageError(
            f"{agent.file} does not hold a table of servers; mend it first, nothing was changed."
        )
    return found


def _servers(found: Mapping[str, Any], agent: Agent) -> dict[str, Any]:
    servers: dict[str, Any] = found.get(agent.container, {})
    return servers


def _parsed(form: Format, text: str) -> Any:
    try:
        return form.read(text) if text.strip() else {}
    except ValueError:
        return None


def _same_servers(found: Any, wanted: dict[str, Any], agent: Agent) -> bool:
    """Tell whether a text says what it should; a table of servers that is empty may as well be missing."""
    if not isinstance(found, dict):
        return False
    mine, other = dict(found), dict(wanted)
    return (mine.pop(agent.container, {}), mine) == (other.pop(agent.container, {}), other)


def _verify(form: Format, text: str, wanted: dict[str, Any], agent: Agent) -> None:
    if not _same_servers(_parsed(form, text), wanted, agent):
        raise UsageError(
            f"{agent.file} is written in a way that cannot be edited safely; add by hand, to "
            f"{agent.container}: {form.line(agent)}"
        )


def _put_json(text: str, agent: Agent) -> Edit:
    root = jsonc.root_of(text)
    servers = root.member(agent.container)
    if servers is None:
        at, new = jsonc.insertion(text, root, agent.container, {agent.key: agent.entry})
        return Edit(text[:at] + new + text[at:], new)
    found = jsonc.object_at(text, servers.value)
    old = found.member(agent.key)
    at, new = jsonc.insertion(text, found, agent.key, agent.entry)
    if old is None:
        return Edit(text[:at] + new + text[at:], new)
    was = text[old.start : old.end]
    new = new.strip(", \n\t")
    return Edit(text[: old.start] + new + text[old.end :], new, was)


def _take_json(text: str, agent: Agent) -> str:
    servers = jsonc.root_of(text).member(agent.container)
    if servers is None:
        return text
    found = jsonc.object_at(text, servers.value)
    member = found.member(agent.key)
    return text if member is None else jsonc.without(text, found, member)


def _put_toml(text: str, agent: Agent) -> Edit:
    lines = [f"[{agent.container}.{agent.key}]"]
    lines += [f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in agent.entry.items()]
    block = "\n".join(lines) + "\n"
    table = _table(text, agent)
    if table is not None:
        was = table[0]
        return Edit(text.replace(was, block, 1), block, was)
    gap = "" if not text else "\n" if text.endswith("\n") else "\n\n"
    return Edit(text + gap + block, gap + block)


def _take_toml(text: str, agent: Agent) -> str:
    table = _table(text, agent)
    return text if table is None else text[: table.start()] + text[table.end() :]


def _table(text: str, agent: Agent) -> re.Match[str] | None:
    """Return the entry's table with the tables in it, up to the last line that says something."""
    name = rf"{agent.container}\s*\.\s*[\"']?{re.escape(agent.key)}[\"']?"
    head = rf"^[ \t]*\[\s*{name}\s*(?:\.[^\]\n]*)?\][^\n]*(?:\n|\Z)"
    return re.search(rf"(?:{head}(?:(?![ \t]*(?:\[|#|\n))[^\n]*(?:\n|\Z))*)+", text, re.MULTILINE)


def _line_json(agent: Agent) -> str:
    return f"{json.dumps(agent.key)}: {json.dumps(agent.entry, ensure_ascii=False)}"


def _line_toml(agent: Agent) -> str:
    values = ", ".join(
        f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in agent.entry.items()
    )
    return f"{agent.key} = {{ {values} }}"


JSON = Format(jsonc.read, _put_json, _take_json, "{}\n", _line_json)
TOML = Format(tomllib.loads, _put_toml, _take_toml, "", _line_toml)
