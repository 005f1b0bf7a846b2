"""Everything that an open index says, as lines that do not depend on how it came to be."""

from __future__ import annotations

from recollect.store.sqlite.dump import dump


def dumped(index) -> list[str]:
    with index.reader() as reader:
        return list(dump(reader))


def difference(incremental: list[str], fresh: list[str]) -> str:
    """Say what one has and the other has not, for the message of a failing test."""
    one, two = set(incremental), set(fresh)
    return "\n".join(
        [
            *(f"only incremental: {line}" for line in sorted(one - two)[:8]),
            *(f"only fresh:       {line}" for line in sorted(two - one)[:8]),
        ]
    )
