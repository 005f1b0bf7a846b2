"""Prints the table of caller precision and recall; `--write` puts it into docs/edges.md, `-v` lists the differences."""

from __future__ import annotations

import sys

from tests.traps.measure import DOCS, languages, lines, measure, write_table


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
        write_table(DOCS / "edges.md", table)


if __name__ == "__main__":
    main()
