"""Files what was of use: what a person says of an answer, and what an edit shows without saying it."""

from __future__ import annotations

import time
from collections.abc import Sequence

from recollect.errors import NotFoundError
from recollect.index.opened import OpenIndex
from recollect.learn.kept import EventFile
from recollect.learn.views import Views


class Judging:
    """What an open project does with judgements of its answers."""

    _index: OpenIndex
    _events: EventFile
    _views: Views

    def feedback(self, query_id: str, ids: Sequence[str], useful: bool) -> tuple[str, ...]:
        """File what a person says of an answer; raise when it cannot be kept."""
        shown = {event.item_id for event in self._events.load(query_id)}
        if not shown:
            raise NotFoundError(
                f"No answer was shown under '{query_id}'; give the query_id of a search or a context."
            )
        wanted = tuple(dict.fromkeys(ids))
        unknown = [one for one in wanted if one not in shown]
        if unknown:
            items = self._index.ask(lambda reader: [reader.item(one) for one in unknown])
            strange = [one for one, item in zip(unknown, items, strict=True) if item is None]
            if strange:
                raise NotFoundError(
                    f"Nothing has the id {', '.join(strange)}; give ids as search and context print them."
                )
        self._views.judge(query_id, wanted, useful, time.time())
        self._events.flush()
        return wanted

    def used(self, text: str, session: str, files: Sequence[str], at: float) -> tuple[str, ...]:
        """File as used what was shown lately and is named in a text or lies in opened files; return the ids."""
        filed = self._index.ask(
            lambda reader: self._views.attribute(
                lambda ids: [item for one in ids if (item := reader.item(one)) is not None],
                text,
                at,
                session,
                files,
            )
        )
        if filed:
            self._events.flush()
        return tuple(dict.fromkeys(event.item_id for event in filed))

    def settle(self) -> None:
        """Write what was shown now, as far as that is possible at once."""
        self._events.settle()
