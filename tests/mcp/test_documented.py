from pathlib import Path

from recollect.install import agents
from recollect.mcp.offered import offered, prompt_rows, resource_rows

PAGE = (Path(__file__).resolve().parents[2] / "docs/agents.md").read_text(encoding="utf-8")


def test_every_tool_is_documented_with_its_arguments():
    for tool in offered()["tools"]:
        (row,) = (line for line in PAGE.splitlines() if line.startswith(f"| `{tool['name']}` |"))
        assert row.rpartition("|")[0].rpartition("|")[2].strip() == ", ".join(
            f"`{key}`" for key in tool["input"]
        )


def test_every_agent_resource_and_prompt_is_documented():
    names = [row["uri"] for row in resource_rows()] + [row["name"] for row in prompt_rows()]
    for name in (*agents.known(), *names):
        assert f"`recollect install {name}`" in PAGE or f"`{name}`" in PAGE, name
