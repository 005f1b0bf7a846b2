"""Records the main flow as a picture of a terminal: real output of real commands, drawn as an SVG that plays by itself.

Every line is in the picture from the start; where motion is wished, lines appear one after another.
"""

from __future__ import annotations

from xml.sax.saxutils import escape

from rich.console import Console
from rich.segment import Segment
from rich.style import Style
from rich.text import Text

COLUMNS, LINE, SIZE, ADVANCE = 80, 19, 14, 8.43
EDGE, BAR = 18, 34
PAUSE, STEP, TYPING = 1.4, 0.06, 0.035
"""Seconds between two commands, between two lines of output, and between two characters that are typed."""
COLOURS = {1: "#fca5a5", 2: "#86efac", 3: "#fde68a", 6: "#7dd3fc"}
"""By the number that a terminal has for them."""
STYLE = """
text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace;fill:#d6d9e0;white-space:pre}
.b{font-weight:700;fill:#fff}.d{fill:#8d94a3}.p{fill:#a5b4fc}.c{fill:#fff}
@media (prefers-reduced-motion:no-preference){g.l{animation:on .01s backwards}@keyframes on{from{opacity:0}}}
"""
SCRIPT = (
    'recollect remember "RetryPolicy waits 30 s at most, or the bank hangs up"',
    'recollect context "wait longer between attempts" --budget 300',
    "recollect impact RetryPolicy.waiting_time",
    'recollect recall "when does the bank hang up"',
)


def picture(played: list[tuple[str, str]]) -> str:
    """Return the SVG of commands with what each printed, escape codes of a terminal included."""
    rows: list[str] = []
    at, line = 0.6, 0
    for command, output in played:
        for number, part in enumerate(_wrapped(command)):
            mark = '<tspan class="p">$ </tspan>' if number == 0 else "  "
            rows.append(_row(line, at, f'{mark}<tspan class="c">{escape(part)}</tspan>'))
            at, line = at + TYPING * len(part), line + 1
        at += 0.3
        for spans in _lines(output.rstrip("\n")):
            rows.append(_row(line, at, spans))
            at, line = at + STEP, line + 1
        at, line = at + PAUSE, line + 1
    width, height = round(2 * EDGE + COLUMNS * ADVANCE), BAR + EDGE + LINE * line
    dots = "".join(
        f'<circle cx="{20 + 18 * n}" cy="18" r="5.5" fill="{colour}"/>'
        for n, colour in enumerate(("#ff5f57", "#febc2e", "#28c840"))
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        'role="img" aria-label="A terminal in which the commands below the picture are run">\n'
        f'<style>{STYLE}</style><rect width="{width}" height="{height}" rx="9" fill="#14161c"/>{dots}\n'
        + "\n".join(rows)
        + "\n</svg>\n"
    )


def _row(line: int, at: float, inside: str) -> str:
    y = BAR + LINE * line + SIZE
    text = f'<text x="{EDGE}" y="{y}" xml:space="preserve">{inside}</text>'
    return f'<g class="l" style="animation-delay:{at:.2f}s">{text}</g>'


def _wrapped(command: str) -> list[str]:
    """Return what is typed, folded where a terminal folds it."""
    wide = COLUMNS - 2
    return [command[start : start + wide] for start in range(0, len(command), wide)]


def _lines(output: str) -> list[str]:
    """Return what is printed, line by line, folded where a terminal folds it."""
    console = Console(color_system="standard", width=COLUMNS, legacy_windows=False)
    lines = [console.render_lines(Text.from_ansi(line), pad=False) for line in output.split("\n")]
    return ["".join(map(_span, Segment.simplify(part))) for line in lines for part in line]


def _span(segment: Segment) -> str:
    text = escape(segment.text)
    style = segment.style or Style()
    colour = COLOURS.get(style.color.number or 0) if style.color else None
    kind = "b" if style.bold else "d" if style.dim else ""
    if colour:
        return f'<tspan fill="{colour}">{text}</tspan>'
    return f'<tspan class="{kind}">{text}</tspan>' if kind else text
