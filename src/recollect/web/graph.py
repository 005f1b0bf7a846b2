"""The graph around a symbol, drawn and listed, and what a change of it may concern."""

from __future__ import annotations

from itertools import groupby
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from recollect.errors import NotFoundError
from recollect.web.drawing import draw, groups
from recollect.web.site import Site, seen

DEPTH = 3
SUGGESTED = 8


def graph(request: Request, site: Site) -> Response:
    """Show the surroundings of a symbol, or what it may have been called."""
    symbol = request.query_params.get("symbol", "").strip()
    values: dict[str, Any] = {"symbol": symbol, "around": None, "found": None, "sentence": ""}
    if not symbol:
        return site.page(request, "graph.html", **values)
    project = site.project()
    try:
        around = project.around(symbol)
    except NotFoundError as error:
        near = project.search(symbol, SUGGESTED).hits
        return site.page(request, "graph.html", 404, **(values | {"sentence": str(error), "found": near}))
    drawings = (draw(around), draw(around, narrow=True))
    values |= {"around": around, "drawings": drawings, "groups": groups(around)}
    return site.page(request, "graph.html", **values)


def impact(request: Request, site: Site) -> Response:
    """Show what depends on a symbol, or what it depends on, step by step."""
    given = request.query_params
    symbol = given.get("symbol", "").strip()
    direction = given.get("direction", "callers")
    found = site.project().impact(symbol, direction, DEPTH)
    steps = [(distance, list(rows)) for distance, rows in groupby(found.reached, lambda one: one.distance)]
    part = "hx-request" in request.headers
    return site.page(
        request,
        "impact_list.html" if part else "impact.html",
        found=found,
        steps=sorted(steps),
        symbol=symbol,
    )


ROUTES = [Route("/graph", seen(graph)), Route("/graph/impact", seen(impact))]
