"""Prints the table of caller precision and recall; `--write` puts it into docs/edges.md, `-v` lists the differences."""

from __future__ import annotations

import sys

from tests.traps.measure import TRAPS, languages, lines, measure

BEGIN, END = "<!-- traps: begin -->", "<!-- traps: end -->"


def main() -> None:
    """Print, and on demand write, the table."""
    table = lines()
    print("\n".join(table))
    if "-v" in sys.argv:
        for score in map(measure, languages()):
            print(score.language)
            print("".join(f"  missed {call}\n" for call in score.missed), end="")
            print("".join(f"  wrong  {call}\n" for call in score.wrong), end="")
    if "--write" in sys.argv:
        page = TRAPS.parent.parent / "docs" / "edges.md"
        text = page.read_text(encoding="utf-8")
        before, rest = text.split(BEGIN)
        after = rest.split(END)[1]
        page.write_text("\n".join([f"{before}{BEGIN}", *table, f"{END}{after}"]), encoding="utf-8")


if __name__ == "__main__":
    main()
