"""Conversations with Claude Code and ChatGPT: what was said, in its order, without what tools did."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from recollect.errors import UsageError
from recollect.memory.imports.taken import KEY, Taken, plain

_SPEAKERS = ("user", "assistant")


def read_claude_code(path: Path) -> Taken:
    """Read one transcript of Claude Code, or every one below a folder."""
    files = sorted(path.rglob("*.jsonl")) if path.is_dir() else [path]
    taken = Taken()
    for file in files:
        broken = 0
        for at, line in enumerate(file.read_text("utf-8", errors="replace").splitlines()):
            try:
                one = json.loads(line) if line.strip() else None
            except ValueError:
                broken += 1
                continue
            if isinstance(one, Mapping) and _is_said(one):
                taken.rows += _turn(one, file.stem, at)
        if broken:
            taken.notes.append(f"{broken} lines of {file.name} are not JSON and were left out.")
    return taken


def _is_said(one: Mapping[str, Any]) -> bool:
    hidden = one.get("isMeta") or one.get("isSidechain") or one.get("isCompactSummary")
    return one.get("type") in _SPEAKERS and not hidden and isinstance(one.get("message"), Mapping)


def _turn(one: Mapping[str, Any], stem: str, at: int) -> Iterator[dict[str, Any]]:
    text = "\n\n".join(_texts(one["message"].get("content"))).strip()
    if text:
        more = {"cwd": one.get("cwd"), "branch": one.get("gitBranch")}
        yield _line(text, str(one["type"]), str(one.get("sessionId") or stem), at) | plain(
            {
                "source": "claude-code",
                "created": one.get("timestamp"),
                "metadata": plain(more),
                KEY: one.get("uuid"),
            }
        )


def _texts(content: Any) -> Iterable[str]:
    if isinstance(content, str):
        return [content]
    blocks = content if isinstance(content, list) else []
    return [str(one["text"]) for one in blocks if isinstance(one, Mapping) and one.get("type") == "text"]


def read_chatgpt(path: Path) -> Taken:
    """Read conversations.json of a ChatGPT export, or the archive that holds it."""
    taken = Taken()
    for one in _conversations(path):
        session = str(one.get("conversation_id") or one.get("id") or one.get("title") or "")
        for at, message in enumerate(_path(one)):
            text = "\n\n".join(_parts(message)).strip()
            speaker = str((message.get("author") or {}).get("role") or "")
            if text and speaker in _SPEAKERS and message.get("weight", 1) != 0:
                created = message.get("create_time") or one.get("create_time")
                taken.rows.append(
                    _line(text, speaker, session, at)
                    | plain({"source": "chatgpt", "created": created, KEY: message.get("id")})
                    | {"metadata": plain({"title": one.get("title")})}
                )
    return taken


def _conversations(path: Path) -> list[Mapping[str, Any]]:
    if not zipfile.is_zipfile(path):
        return _list(json.loads(path.read_text("utf-8")))
    with zipfile.ZipFile(path) as archive:
        names = sorted(name for name in archive.namelist() if Path(name).match("conversations*.json"))
        if not names:
            raise UsageError(f"{path} holds no conversations.json; give the archive that ChatGPT sends.")
        return [one for name in names for one in _list(json.loads(archive.read(name)))]


def _list(found: Any) -> list[Mapping[str, Any]]:
    return [one for one in (found if isinstance(found, list) else [found]) if isinstance(one, Mapping)]


def _path(one: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the messages of the branch that was shown last, in their order."""
    nodes = one.get("mapping") or {}
    at: Any = one.get("current_node") or _last(nodes)
    found: list[Mapping[str, Any]] = []
    seen: set[str] = set()
    while at in nodes and at not in seen:
        seen.add(at)
        if nodes[at].get("message"):
            found.append(nodes[at]["message"])
        at = nodes[at].get("parent")
    return found[::-1]


def _last(nodes: Mapping[str, Any]) -> str | None:
    """Return the leaf to which the last child of every node leads."""
    at = next((key for key, node in nodes.items() if not node.get("parent")), None)
    seen: set[str] = set()
    while at is not None and at not in seen and nodes.get(at, {}).get("children"):
        seen.add(at)
        at = nodes[at]["children"][-1]
    return at


def _parts(message: Mapping[str, Any]) -> list[str]:
    content = message.get("content") or {}
    parts = content.get("parts") or ([content["text"]] if isinstance(content.get("text"), str) else [])
    return [part for part in parts if isinstance(part, str)] if content.get("content_type") != "code" else []


def _line(text: str, author: str, session: str, at: int) -> dict[str, Any]:
    return {"text": text, "kind": "narrative", "author": author, "session": session, "position": at}
