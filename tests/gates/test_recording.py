"""The picture of a terminal in the README; that it is what the commands print now is checked by make check-docs."""

import re
from pathlib import Path
from xml.etree import ElementTree

ROOT = Path(__file__).resolve().parents[2]
PICTURE = (ROOT / "docs" / "recording.svg").read_text(encoding="utf-8")


def lines():
    root = ElementTree.fromstring(PICTURE)
    return ["".join(text.itertext()) for text in root.iter("{http://www.w3.org/2000/svg}text")]


def test_it_shows_the_main_flow_with_what_the_commands_printed():
    shown = lines()
    assert [line.split()[2] for line in shown if line.startswith("$ ")] == [
        "remember",
        "context",
        "impact",
        "recall",
    ]
    assert "class RetryPolicy:" in shown
    assert any(line.startswith("> RetryPolicy waits") for line in shown)


def test_it_is_as_wide_as_a_terminal_and_loads_nothing():
    assert max(map(len, lines())) <= 80
    assert not re.search(r"<(script|image|use|a)\b|href|url\(|@import", PICTURE)


def test_without_motion_every_line_is_there():
    moving = re.search(r"@media \(prefers-reduced-motion:no-preference\)\{.*", PICTURE)[0]
    assert "opacity:0" in moving
    assert PICTURE.count("opacity:0") == moving.count("opacity:0")
