"""Runs as one file that needs nothing else: a page of HTML with plots inside, or the same in Markdown."""

from __future__ import annotations

from collections.abc import Sequence

from recollect.bench import page, tables
from recollect.bench.blocks import blocks
from recollect.bench.runs import Run


def html(runs: Sequence[Run]) -> str:
    """Return the report as one HTML page."""
    return page.write(_title(runs), list(blocks(runs)))


def markdown(runs: Sequence[Run]) -> str:
    """Return the report as Markdown; plots are left out, their figures are in the tables."""
    parts = [f"# {_title(runs)}"]
    for block in blocks(runs):
        if block.kind == "heading":
            parts.append(f"## {block.caption}")
        elif block.kind != "plot":
            parts.append(block.caption)
        if block.table:
            parts.append(tables.markdown(block.table))
    return "\n\n".join(part for part in parts if part) + "\n"


def _title(runs: Sequence[Run]) -> str:
    return f"Retrieval on {', '.join(dict.fromkeys(run.data for run in runs))}"
