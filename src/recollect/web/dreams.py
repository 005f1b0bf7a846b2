"""Dreams with their report: what one would do, what each did, and the way back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from recollect.engine import Recollect
from recollect.errors import NotFoundError, UsageError
from recollect.web.shown import plural
from recollect.web.site import Form, Site, back, posted, seen


def dreams(request: Request, site: Site) -> Response:
    """Show every dream, newest first, and with `try` what the next one would do."""
    project = site.project()
    told = project.dreams()[::-1]
    planned = project.dream(dry_run=True) if request.query_params.get("try") == "yes" else None
    return site.page(request, "dreams.html", dreams=told, planned=planned, titles=_titles(project, told))


def dream(_request: Request, site: Site, _form: Form) -> Response:
    """Dream."""
    done = site.project().dream()
    return back("/dreams", f"Dream {done.number} is over; its report is below.")


def undo(_request: Request, site: Site, form: Form) -> Response:
    """Take a dream back."""
    number = str(form.get("number", ""))
    if not number.isdecimal():
        raise UsageError(f"{number!r} is not the number of a dream.")
    taken = site.project().undo_dream(int(number))
    return back(
        "/dreams", f"Dream {number} was taken back; {plural(len(taken['removed']), 'memory')} removed."
    )


def _titles(project: Recollect, told: Iterable[Any]) -> Mapping[str, str]:
    """Return what the memories are called that dreams made or moved; those that are gone have no name."""
    kept = project.memories.of("project")
    found: dict[str, str] = {}
    for one in told:
        for own in (*one.reflections, *one.cards, *one.raised, *(moved["id"] for moved in one.promoted)):
            try:
                found[own] = kept.get(own).name
            except NotFoundError:
                continue
    return found


ROUTES = [
    Route("/dreams", seen(dreams)),
    Route("/dreams", posted(dream), methods=["POST"]),
    Route("/dreams/undo", posted(undo), methods=["POST"]),
]
