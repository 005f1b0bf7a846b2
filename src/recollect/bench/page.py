"""Parts of a report as one HTML page: no script, nothing from outside, light and dark."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from importlib.resources import files
from typing import NamedTuple

from recollect.bench.blocks import Block
from recollect.bench.plots import COLOURS

_WORDS = frozenset({"note", "command", "commit", "made", "meaning", ""})
"""Columns that hold text, not numbers."""


def write(title: str, parts: Sequence[Block]) -> str:
    """Return the page."""
    style = files("recollect.bench").joinpath("report.css").read_text(encoding="utf-8")
    places = [(at, part.caption) for at, part in enumerate(parts) if part.kind == "heading"]
    links = "".join(f'<a href="#s{at}">{escape(caption)}</a>' for at, caption in places)
    body = "\n".join(_sections(parts))
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><title>{escape(title)}</title>\n'
        f"<style>\n{style}</style></head>\n<body>\n"
        f"<header><h1>{escape(title)}</h1><nav>{links}</nav></header>\n<main>\n{body}\n</main>\n</body></html>\n"
    )


def _sections(parts: Sequence[Block]) -> Iterator[str]:
    """Yield a section for each heading, with narrow plots in pairs."""
    opened = paired = False
    for at, block in enumerate(parts):
        narrow = block.kind == "plot" and not block.wide
        if paired and not narrow:
            yield "</div>"
        if narrow and not paired:
            yield '<div class="pair">'
        paired = narrow
        if block.kind == "heading":
            yield f'{"</section>" if opened else ""}<section id="s{at}"><h2>{escape(block.caption)}</h2>'
            opened = True
        else:
            yield _element(block)
    yield ("</div>" if paired else "") + ("</section>" if opened else "")


def _element(block: Block) -> str:
    caption = escape(block.caption)
    if block.kind in ("lead", "text"):
        return f'<p class="{block.kind}">{caption}</p>'
    if block.kind == "plot":
        # A wide plot keeps a readable size on a narrow screen and is moved under the finger instead.
        drawn = f'<div class="scroll wide">{block.svg}</div>' if block.wide else block.svg
        return f"<figure><figcaption>{caption}</figcaption>{drawn}{_legend(block.names)}</figure>"
    shown = _table(block)
    if block.folded:
        return f"<details><summary>{caption}</summary>{shown}</details>"
    return f'<p class="caption">{caption}</p>{shown}' if caption else shown


def _legend(names: Sequence[str]) -> str:
    if len(names) < 2:
        return ""
    rows = (f'<li><i class="{_colour(at)}"></i>{escape(name)}</li>' for at, name in enumerate(names))
    return f'<ul class="legend">{"".join(rows)}</ul>'


class _Column(NamedTuple):
    """How the cells of a column are shown."""

    words: bool
    best: str
    bar: bool


def _table(block: Block) -> str:
    heads, *rows = block.table
    columns = [_column(block, at) for at in range(len(heads))]
    head = "".join(
        f"<th{_class(['words'] if column.words else [])}>{escape(cell)}</th>"
        for cell, column in zip(heads, columns, strict=True)
    )
    body = "".join(f"<tr>{''.join(_row(block, number, columns))}</tr>" for number in range(len(rows)))
    return f'<div class="scroll"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'


def _column(block: Block, at: int) -> _Column:
    heads, *rows = block.table
    measured = bool(block.names) and ("@" in heads[at] or heads[at] == "mrr")
    best = (
        max((row[at] for row in rows if row[at]), key=float, default="") if measured and len(rows) > 1 else ""
    )
    return _Column(at == 0 or heads[at] in _WORDS, best, bool(block.main) and heads[at] == block.main)


def _row(block: Block, number: int, columns: Sequence[_Column]) -> Iterator[str]:
    for at, (cell, column) in enumerate(zip(block.table[number + 1], columns, strict=True)):
        kinds = ["words"] if column.words else []
        kinds += ["best"] if cell and cell == column.best else []
        kinds += ["bar"] if column.bar and cell else []
        share = f' style="--share:{float(cell):.4f}"' if column.bar and cell else ""
        mark = f'<i class="{_colour(number)}"></i>' if block.names and at == 0 else ""
        indented = "&emsp;" if cell.startswith("  ") else ""
        yield f"<td{_class(kinds)}{share}>{mark}{indented}{escape(cell.strip())}</td>"


def _class(names: Sequence[str]) -> str:
    return f' class="{" ".join(names)}"' if names else ""


def _colour(at: int) -> str:
    return f"c{at % COLOURS}"
