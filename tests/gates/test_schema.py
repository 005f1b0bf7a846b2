import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_the_schema_gate_counts_what_the_server_sends(tmp_path):
    """The gate counts the data file; this holds that the protocol adds nothing to it."""
    import anyio

    from mcp import Client
    from recollect.mcp.offered import instructions, tool_rows
    from recollect.mcp.server import build
    from recollect.served import Served

    async def main():
        async with Client(build(Served(tmp_path)), mode="legacy") as client:
            return await client.list_tools(), client.instructions

    listed, said = anyio.run(main)
    sent = [tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in listed.tools]
    assert json.dumps(sent, sort_keys=True) == json.dumps(tool_rows(), sort_keys=True)
    assert said == instructions()


def test_the_schema_gate_holds():
    done = subprocess.run(
        [sys.executable, "tools/schema_tokens.py"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stdout
