"""Fails when the agent server offers too many tools, or says more about them than an agent should have to read."""

from __future__ import annotations

import json

from recollect.mcp.offered import instructions, tool_rows
from recollect.retrieve.tokens import exact

MOST_TOOLS = 6
MOST_TOKENS = 1500


def counted() -> dict[str, int]:
    """Return the tokens of the instructions and of each tool as the protocol lists it."""
    rows = {row["name"]: exact(json.dumps(row, separators=(",", ":"))) for row in tool_rows()}
    return {"instructions": exact(instructions()), **rows}


def main() -> int:
    """Print the count of each part, and fail when there are too many."""
    parts = counted()
    total, tools = sum(parts.values()), len(parts) - 1
    print(", ".join(f"{name} {count}" for name, count in parts.items()))
    print(f"{tools} tools (at most {MOST_TOOLS}), {total} tokens (at most {MOST_TOKENS})")
    return 1 if tools > MOST_TOOLS or total > MOST_TOKENS else 0


if __name__ == "__main__":
    raise SystemExit(main())
