"""Memories whose author the question names."""

from __future__ import annotations

import numpy as np

from recollect.retrieve.context import Context
from recollect.retrieve.recall.asked import asked, said_by
from recollect.retrieve.recall.columns import Columns, nothing
from recollect.retrieve.stage import NoParameters, Stage


def run(context: Context, _: NoParameters) -> Columns:
    """Return everything that the named authors said and that may be shown."""
    question = asked(context)
    shelf, allowed = question.shelf, question.view.allowed
    if not question.authors:
        return nothing(shelf)
    by_them = said_by(shelf, question.authors)
    rows = np.flatnonzero(by_them if allowed is None else by_them & allowed)
    return Columns(shelf, rows, np.ones(len(rows)), reason="the question names who said it")


STAGE = Stage("speaker", "channel", NoParameters, run)
