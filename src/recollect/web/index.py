"""How fresh the index is, live, and a run of it on demand."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from recollect.web.site import Form, Site, back, posted, seen


def index(request: Request, site: Site) -> Response:
    """Show what is indexed."""
    return site.page(request, "index.html", **_values(site))


def live(request: Request, site: Site) -> Response:
    """Show the part of the page that changes."""
    return site.page(request, "index_live.html", **_values(site))


def freshness(request: Request, site: Site) -> Response:
    """Show the state in one line, for the rail of every page."""
    return site.page(request, "pulse.html", state=site.freshness.state())


def run(_request: Request, site: Site, _: Form) -> Response:
    """Look for changes in the background."""
    begun = site.served.again()
    return back("/index", "" if begun else "A run is under way already.")


def _values(site: Site) -> dict[str, object]:
    state = site.freshness.state()
    answerable = site.served.answerable
    return {
        "state": state,
        "status": site.freshness.status() if answerable else None,
        "report": site.served.report,
    }


ROUTES = [
    Route("/index", seen(index)),
    Route("/index/live", seen(live)),
    Route("/index/run", posted(run), methods=["POST"]),
    Route("/freshness", seen(freshness)),
]
