"""`recollect uninstall`, which lives beside `recollect install`."""

from __future__ import annotations

from recollect.cli.install import uninstall as command

__all__ = ["command"]
