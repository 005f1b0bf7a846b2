"""Search over code and memories, and the score waterfall of each hit."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from recollect.engine import PROFILE, Recollect
from recollect.errors import UsageError
from recollect.types import Hits
from recollect.web.site import Form, Site, back, posted, seen, several
from recollect.web.waterfall import waterfall

LIMITS = (10, 20, 50)
REMEMBERED = 3
SHOWN_LINES = 14


def search(request: Request, site: Site) -> Response:
    """Show the form, and with a question its hits."""
    given = request.query_params
    query, profile = given.get("q", "").strip(), given.get("profile", PROFILE)
    values: dict[str, Any] = {
        "query": query,
        "profile": profile,
        "limit": _limit(given.get("limit", "")),
        "tests": given.get("tests", "yes") == "yes",
        "limits": LIMITS,
        "shown_lines": SHOWN_LINES,
        "hits": None,
        "remembered": None,
        "profiles": [],
        "status": None,
    }
    if query or site.served.answerable:
        project = site.project()
        values["profiles"] = project.profiles()
        if query:
            asked = project.search(query, values["limit"], profile, include_tests=values["tests"])
            values |= {"hits": asked, "remembered": _recalled(project, query)}
        else:
            values["status"] = site.freshness.status()
    return site.page(request, "search.html", **values)


def why(request: Request, site: Site) -> Response:
    """Show the waterfall of one hit, as a page or, for htmx, as the part that goes below the hit."""
    given = request.query_params
    query, item = given.get("q", "").strip(), given.get("id", "").strip()
    if not query or not item:
        raise UsageError("To explain a place in an answer, name the question and the symbol.")
    tests = given.get("tests", "yes") == "yes"
    found = site.project().why(query, item, given.get("profile", PROFILE), include_tests=tests)
    part = "hx-request" in request.headers
    return site.page(
        request,
        "waterfall.html" if part else "why.html",
        found=found,
        drawn=waterfall(found),
        query=query,
        part=part,
    )


def feedback(request: Request, site: Site, form: Form) -> Response:
    """File whether a hit was of use."""
    useful = form.get("useful") == "yes"
    site.project().feedback(str(form.get("query_id", "")), several(form, "id"), useful)
    if "hx-request" in request.headers:
        return site.page(request, "filed.html", useful=useful)
    return back("/", "Noted.")


def _limit(given: str) -> int:
    return int(given) if given.isdecimal() and int(given) in LIMITS else LIMITS[0]


def _recalled(project: Recollect, query: str) -> Hits | None:
    found = project.recall(query, REMEMBERED)
    return found if found.hits else None


ROUTES = [
    Route("/", seen(search)),
    Route("/why", seen(why)),
    Route("/feedback", posted(feedback), methods=["POST"]),
]
