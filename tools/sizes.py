"""Fails when a file, function or class outgrows the house limits; what is too big already may only shrink."""

from __future__ import annotations

import argparse
import ast
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RATCHET = ROOT / "tools" / "sizes.json"
SAMPLES = re.compile(r"tests/(golden|traps)/[^/]+/.")
LIMITS = {"file lines": 500, "function lines": 100, "parameters": 6, "class lines": 350, "methods": 15}
Function = ast.FunctionDef | ast.AsyncFunctionDef


def measure_functions(node: Function, name: str, test: bool) -> Iterator[tuple[str, str, int]]:
    """Yield the sizes of one function; fixtures of a test are not parameters of it."""
    yield name, "function lines", (node.end_lineno or node.lineno) - node.lineno + 1
    arguments = node.args
    names = [a.arg for a in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]
    bound = names[1:] if names[:1] in (["self"], ["cls"]) else names
    # A click command takes one parameter per option: its signature is the command line, nobody calls it.
    command = any("command" in ast.unparse(d) for d in node.decorator_list)
    if not (test or command):
        yield name, "parameters", len(bound)


def is_property(node: Function) -> bool:
    """Tell whether a function is read like an attribute."""
    return any(ast.unparse(decorator) == "property" for decorator in node.decorator_list)


def measure(tree: ast.AST, prefix: str, test: bool) -> Iterator[tuple[str, str, int]]:
    """Yield (name, measure, size) of every class and function below a node."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, Function):
            name = f"{prefix}{node.name}"
            yield from measure_functions(node, name, test and node.name.startswith("test_"))
            yield from measure(node, f"{name}.", test)
        elif isinstance(node, ast.ClassDef):
            name = f"{prefix}{node.name}"
            yield name, "class lines", (node.end_lineno or node.lineno) - node.lineno + 1
            yield (
                name,
                "methods",
                sum(isinstance(child, Function) and not is_property(child) for child in node.body),
            )
            yield from measure(node, f"{name}.", test)
        else:
            yield from measure(node, prefix, test)


def excesses(
    root: Path, folders: tuple[str, ...] = ("src", "tests", "tools", "benchmarks")
) -> dict[str, int]:
    """Return every measure over its limit, by `path name: measure`."""
    found: dict[str, int] = {}
    for path in sorted(p for folder in folders for p in (root / folder).rglob("*.py")):
        relative = path.relative_to(root).as_posix()
        text = path.read_text(encoding="utf-8")
        rows = [("", "file lines", text.count("\n"))]
        # Samples are what is parsed, not code of ours; some of them are broken on purpose.
        if not SAMPLES.match(relative):
            rows += measure(ast.parse(text), "", relative.startswith("tests/"))
            for name, kind, size in rows:
                if size > LIMITS[kind]:
                    found[f"{relative} {name}: {kind}".replace(" :", ":")] = size
    return found


def judge(found: dict[str, int], allowed: dict[str, int]) -> list[str]:
    """Return one sentence for each measure that grew, and for each allowance that is larger than needed."""
    faults = []
    for key, size in found.items():
        limit = allowed.get(key, LIMITS[key.rpartition(": ")[2]])
        if size > limit:
            faults.append(f"{key} is {size}, allowed are {limit}; split it.")
    for key, limit in allowed.items():
        size = found.get(key, 0)
        if size < limit:
            faults.append(f"{key} shrank from {limit}; run tools/sizes.py --tighten so that it stays small.")
    return faults


def main() -> int:
    """Check the sizes, or lower the allowances to what is needed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--tighten", action="store_true", help="lower the recorded allowances, never raise them"
    )
    options = parser.parse_args()
    found = excesses(ROOT)
    allowed: dict[str, int] = json.loads(RATCHET.read_text(encoding="utf-8"))
    if options.tighten:
        allowed = {key: min(limit, found[key]) for key, limit in allowed.items() if key in found}
        RATCHET.write_text(json.dumps(allowed, indent=2, sort_keys=True) + "\n", encoding="utf-8")
    faults = judge(found, allowed)
    for fault in faults:
        print(fault, file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    raise SystemExit(main())
