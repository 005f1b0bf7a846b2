"""Deployment files: what compose, Kubernetes, CI and container files run, build or copy."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from recollect.facts import Reference

IMAGE = re.compile(r"^[\s-]*image\s*:\s*[\"']?([^\s\"'#]+)")
BUILD = re.compile(
    r"^[\s-]*(?:build|context|dockerfile|env_file|working-directory|file|script_path)\s*:\s*[\"']?([\w./\-]+)[\"']?\s*(?:#.*)?$"
)
USES = re.compile(r"^[\s-]*(?:uses|include|extends)\s*:\s*[\"']?([\w./\-@]+)")
RUN = re.compile(r"^(\s*)-?\s*(?:run|script|before_script|after_script|command|entrypoint|args)\s*:\s*(.*)$")
DOCKER = re.compile(r"^\s*(FROM|COPY|ADD|ENTRYPOINT|CMD|RUN)\s+(.*)$", re.I)
KUBERNETES = re.compile(r"^apiVersion\s*:", re.M)
COMPOSE = re.compile(r"(?:^|/)(?:docker-)?compose[\w.\-]*\.ya?ml$")
PIPELINE = re.compile(
    r"(?:^|/)(?:\.github/workflows/[^/]+|\.gitlab-ci|\.circleci/config|azure-pipelines[\w\-]*)\.ya?ml$"
)


def is_deployment(path: str, text: str) -> bool:
    """Say whether a file tells how something is built, deployed or run."""
    name = PurePosixPath(path).name
    if (
        name == "Dockerfile"
        or name.startswith("Dockerfile.")
        or name.endswith((".dockerfile", "Containerfile"))
    ):
        return True
    if COMPOSE.search(path) or PIPELINE.search(path):
        return True
    return name.endswith((".yaml", ".yml")) and bool(KUBERNETES.search(text)) and "kind:" in text


def read_deployment(path: str, text: str) -> tuple[Reference, ...]:
    """Return references of kind `deploys`: name is image, path, action or command; the receiver says which of them."""
    rows = _docker(text) if "yml" not in path and "yaml" not in path else _yaml(text)
    found: dict[tuple[str, str], int] = {}
    for line, what, name in rows:
        if name:
            found.setdefault((what, name[:200]), line)
    return tuple(
        Reference("deploys", name, -1, line, receiver=what, literal=name)
        for (what, name), line in found.items()
    )


def _docker(text: str) -> list[tuple[int, str, str]]:
    rows: list[tuple[int, str, str]] = []
    for number, line in enumerate(text.splitlines(), 1):
        match = DOCKER.match(line)
        if not match:
            continue
        word, rest = match.group(1).upper(), match.group(2).strip()
        if word == "FROM":
            rows.append((number, "image", rest.split()[0]))
        elif word in {"COPY", "ADD"}:
            paths = [part for part in rest.split() if not part.startswith("--")]
            rows.extend((number, "path", part) for part in paths[:-1] if "--from" not in rest)
        else:
            rows.append((number, "command", _command(rest)))
    return rows


def _yaml(text: str) -> list[tuple[int, str, str]]:
    rows: list[tuple[int, str, str]] = []
    block, listed = -1, False
    for number, line in enumerate(text.splitlines(), 1):
        own = len(line) - len(line.lstrip())
        if block >= 0 and line.strip():
            if own > block or (listed and own == block and line.lstrip().startswith("- ")):
                rows.append((number, "command", _command(line.strip().removeprefix("- "))))
                continue
            block = -1
        if match := IMAGE.match(line):
            rows.append((number, "image", match.group(1)))
        elif match := USES.match(line):
            rows.append((number, "action", match.group(1)))
        elif match := RUN.match(line):
            value = match.group(2).strip()
            if value in {"", "|", ">", "|-", ">-", "|+"}:
                block, listed = len(match.group(1)), not line.lstrip().startswith("- ")
            else:
                rows.append((number, "command", _command(value)))
        elif match := BUILD.match(line):
            rows.append((number, "path", match.group(1)))
    return rows


def _command(text: str) -> str:
    """Return a command as one line, also when it is written as a list."""
    if text.startswith("["):
        return " ".join(part.strip().strip("\"'") for part in text.strip("[]").split(","))
    return text.strip().strip("\"'").rstrip("\\").strip()
