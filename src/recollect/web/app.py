"""The application: every page behind the door."""

from __future__ import annotations

from pathlib import Path

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles

from recollect.errors import RecollectError
from recollect.served import Served
from recollect.web import bench, dreams, forgetting, graph, index, memories, search, settings
from recollect.web.door import App, Door, guarded
from recollect.web.freshness import Freshness
from recollect.web.metrics import PLACE, Metrics
from recollect.web.refusal import strict
from recollect.web.site import Site, failed, templates

STATIC = Path(__file__).parent / "static"
PAGES = (search, graph, forgetting, memories, dreams, index, bench, settings)


def build(served: Served, door: Door, metrics: Metrics | None = None) -> App:
    """Return the whole application for a project; with metrics there is a place where monitoring reads them."""
    routes = [route for page in PAGES for route in page.ROUTES]
    if metrics is not None:
        routes.append(metrics.route())
    app = Starlette(
        routes=[*routes, Mount("/static", StaticFiles(directory=STATIC))],
        exception_handlers={RecollectError: failed, HTTPException: failed, Exception: failed},
    )
    app.state.site = Site(served, door, Freshness(served), templates())
    if metrics is None:
        return strict(guarded(app, door))
    return metrics.counted(strict(guarded(app, door, (PLACE,))))
