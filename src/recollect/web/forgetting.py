"""Forgetting and hygiene: what would go is shown first, and only what was shown goes."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from recollect.errors import UsageError
from recollect.web.shown import plural
from recollect.web.site import Form, Site, back, posted, seen, several

SELECTIONS = ("query", "tag", "source", "session", "author", "before")
"""By what memories can be chosen beside their ids."""


def form(request: Request, site: Site) -> Response:
    """Show how memories can be chosen, and what the choice would forget."""
    given = request.query_params
    selection = {name: value for name in SELECTIONS if (value := given.get(name, "").strip())}
    ids = [one for one in given.getlist("id") if one]
    found = site.project().forget(*ids, dry_run=True, **selection) if ids or selection else None
    rows = list(zip(found.ids, found.titles, strict=True)) if found else []
    return site.page(
        request,
        "forget.html",
        rows=rows,
        asked=found is not None,
        selection=selection,
        ids=ids,
        notes=found.notes if found else (),
    )


def forget(_request: Request, site: Site, sent: Form) -> Response:
    """Forget the memories that were shown; for a while the page can bring them back."""
    ids = [str(one) for one in several(sent, "id") if one]
    if not ids:
        raise UsageError("Nothing was chosen, so nothing was forgotten.")
    notes = site.tray.forget(site.project(), ids)
    said = f"Forgotten from every file: {plural(len(ids), 'memory')}. {' '.join(notes)}"
    return back("/memories", said.strip())


def undo(_request: Request, site: Site, _sent: Form) -> Response:
    """Bring back what was forgotten last."""
    count, refused = site.tray.bring_back(site.project())
    return back("/memories", f"Brought back: {plural(count, 'memory')}. {' '.join(refused)}".strip())


def hygiene(request: Request, site: Site) -> Response:
    """Show what has faded and would be put away."""
    return site.page(request, "hygiene.html", found=site.project().hygiene(dry_run=True))


def clean(_request: Request, site: Site, _form: Form) -> Response:
    """Put away what has faded."""
    done: Any = site.project().hygiene()
    return back(
        "/memories", f"Put away: {plural(len(done.archived), 'memory')}. Each can be taken out again."
    )


ROUTES = [
    Route("/memories/forget", seen(form)),
    Route("/memories/forget", posted(forget), methods=["POST"]),
    Route("/memories/forget/undo", posted(undo), methods=["POST"]),
    Route("/memories/hygiene", seen(hygiene)),
    Route("/memories/hygiene", posted(clean), methods=["POST"]),
]
