"""What a package looked like when something was learned of it: learned things expire when it changes."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import blake2b

from recollect.retrieve.context import Context


def root_of(context: Context) -> Callable[[str], str]:
    """Return the function from a path to the root of its folder, which is made when it is first asked."""

    def roots() -> dict[str, str]:
        rows: dict[str, list[bytes]] = {}
        for record in context.reader.files():
            folder = record.path.rpartition("/")[0]
            rows.setdefault(folder, []).append(
                record.path.encode("utf-8", "surrogatepass") + b"\0" + record.content
            )
        return {
            folder: blake2b(b"\1".join(sorted(parts)), digest_size=8).hexdigest()
            for folder, parts in rows.items()
        }

    def root(path: str) -> str:
        return context.snapshot.memo("roots", roots).get(path.rpartition("/")[0], "")

    return root
