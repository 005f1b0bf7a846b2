"""The one engine that every face calls; what it opens is `project`, the rest are its parts."""

from __future__ import annotations

from recollect.engine.project import PROFILE, Recollect, open  # noqa: A004  # recollect.open reads well

__all__ = ["PROFILE", "Recollect", "open"]
