"""What all pages share: the project, the door, the templates, and how an answer or a failure becomes a page."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData, UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from recollect.engine import Recollect
from recollect.errors import BusyError, NotFoundError, RecollectError, SecretError, UsageError
from recollect.served import Served
from recollect.web import shown
from recollect.web.door import Door, same
from recollect.web.freshness import Freshness
from recollect.web.tray import Tray

MAX_FORM = 16_000_000
"""Bytes that a form may send; a run of the bench is the largest thing that anybody sends."""
MAX_FIELD = 2_000_000
LOG = logging.getLogger(__name__)

NAVIGATION = (
    ("/", "Search", "search"),
    ("/graph", "Graph", "graph"),
    ("/memories", "Memories", "memories"),
    ("/dreams", "Dreams", "dreams"),
    ("/index", "Index", "index"),
    ("/bench", "Bench", "bench"),
    ("/settings", "Settings", "settings"),
)
"""The pages in the order of the rail: place, name and picture."""

Form = Mapping[str, Any]


@dataclass(frozen=True)
class Site:
    """One server: its project and its door."""

    served: Served
    door: Door
    freshness: Freshness
    templates: Environment
    tray: Tray = field(default_factory=Tray)
    """What was forgotten a moment ago."""

    @property
    def name(self) -> str:
        """Return what the project is called: the name of its folder."""
        return (self.served.root or self.served.folder or Path()).resolve().name

    def project(self) -> Recollect:
        """Return the project, once there is something to answer from."""
        if not self.served.answerable:
            raise BusyError("The first index is being built; answers begin in a moment.")
        return self.served.project()

    def page(self, request: Request, name: str, status: int = 200, /, **values: Any) -> Response:
        """Return a template as a page."""
        around = {
            "path": request.url.path,
            "csrf": self.door.form_token,
            "project_name": self.name,
            "navigation": NAVIGATION,
            "notice": request.query_params.get("notice", ""),
        }
        return HTMLResponse(self.templates.get_template(name).render(around | values), status)


def templates() -> Environment:
    """Return the templates; whatever they show is escaped, and what they lack is an error."""
    found = Environment(
        loader=PackageLoader("recollect.web"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found.filters |= shown.FILTERS
    return found


def site_of(request: Request) -> Site:
    """Return the site that a request is for."""
    site: Site = request.app.state.site
    return site


def seen(handler: Callable[[Request, Site], Response]) -> Callable[[Request], Response]:
    """Return a route that shows something; it runs in a thread of its own."""

    def route(request: Request) -> Response:
        return handler(request, site_of(request))

    route.__name__ = handler.__name__
    return route


def posted(handler: Callable[[Request, Site, Form], Response]) -> Callable[[Request], Any]:
    """Return a route that changes something; without the token of our own forms nothing is done."""

    async def route(request: Request) -> Response:
        site = site_of(request)
        length = request.headers.get("content-length", "")
        if not length.isdecimal() or int(length) > MAX_FORM:
            raise HTTPException(413, "The form is larger than this page takes; nothing was done.")
        form = await request.form(max_files=8, max_fields=2000, max_part_size=MAX_FIELD)
        if not same(str(form.get("csrf", "")), site.door.form_token):
            raise HTTPException(403, "The form did not come from this page, or the server was started anew.")
        return await run_in_threadpool(handler, request, site, await _read(form))

    route.__name__ = handler.__name__
    return route


async def _read(form: FormData) -> Form:
    """Return the fields as texts with newlines as on disk, files as bytes, and repeated fields as lists."""
    fields: dict[str, Any] = {}
    for key in form:
        values = [
            await value.read() if isinstance(value, UploadFile) else value.replace("\r\n", "\n")
            for value in form.getlist(key)
        ]
        fields[key] = values if len(values) > 1 else values[0]
    return fields


def several(form: Form, key: str) -> list[Any]:
    """Return all values of a field."""
    value = form.get(key, [])
    return value if isinstance(value, list) else [value]


def back(place: str, notice: str = "") -> Response:
    """Lead to a page of ours after something was done, with a sentence that says what."""
    page, mark, part = place.partition("#")
    joint = "&" if "?" in page else "?"
    return RedirectResponse(f"{page}{joint}notice={quote(notice)}{mark}{part}" if notice else place, 303)


def failed(request: Request, error: Exception) -> Response:
    """Return a failure as a page with its sentence."""
    site = site_of(request)
    if isinstance(error, BusyError) and not site.served.answerable:
        site.served.start()
        query = request.url.query
        address = f"{request.url.path}?{query}" if query else request.url.path
        return site.page(request, "waiting.html", progress=site.freshness.progress(), address=address)
    status, sentence = _told(error)
    if status == 500:
        LOG.error("A page failed", exc_info=error)
    return site.page(request, "failure.html", status, sentence=sentence, status=status)


def _told(error: Exception) -> tuple[int, str]:
    if isinstance(error, HTTPException):
        sentence = "There is no such page." if error.status_code == 404 else error.detail
        return error.status_code, sentence
    if isinstance(error, RecollectError):
        kinds = ((NotFoundError, 404), (UsageError, 400), (SecretError, 400), (BusyError, 503))
        return next((status for kind, status in kinds if isinstance(error, kind)), 500), str(error)
    return 500, f"Internal error, please report it ({type(error).__name__}: {error})."
