"""What cuts texts into words."""

from __future__ import annotations

from typing import NamedTuple

from recollect.store.view import Cut


class Tools(NamedTuple):
    """What cuts texts into words, stemmed and as they are."""

    stem: Cut
    cut: Cut
