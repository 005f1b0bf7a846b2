"""Memories by time, one of them with its history, and everything that changes them."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import groupby
from typing import Any
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from recollect.errors import SecretError, UsageError
from recollect.memory.note import LINK_TYPES, PRIORITIES
from recollect.store.memories import DERIVED, KINDS, STATUSES
from recollect.types import Item
from recollect.web.shown import day
from recollect.web.site import Form, Site, back, posted, seen

WRITTEN = tuple(kind for kind in KINDS if kind not in DERIVED)
"""Kinds that a person may give; the others are made by dreams."""
PAGE = 50
TYPED = ("kind", "priority", "tags", "valid_until", "supersedes")
"""What can be said of a memory beside its text."""
NAMED = 60
"""How many memories are offered when one is to be linked to another."""
SAID = {
    "ADD": "Remembered.",
    "UPDATE": "Known already; what is new was added.",
    "NOOP": "Known already; counted again.",
}
"""What became of a text that was to be remembered."""


def memories(request: Request, site: Site) -> Response:
    """Show memories newest first, or those that answer a question."""
    return _memories(request, site, {})


def _memories(request: Request, site: Site, typed: Form, mistake: str = "") -> Response:
    """Show the page; what was typed and could not be stored stands in its form again."""
    given = request.query_params
    filters = _filters(given)
    project, query = site.project(), given.get("q", "").strip()
    first = int(given["first"]) if given.get("first", "").isdecimal() else 0
    found = project.recall(query, PAGE, **filters) if query else None
    page = None if query else project.timeline(first, PAGE, **filters)
    days = [] if page is None else _by_day(page.items)
    return site.page(
        request, "memories.html", 422 if mistake else 200,
        mistake=mistake, typed={name: str(typed.get(name, "")) for name in ("text", *TYPED)},
        query=query, found=found, days=days, total=page.total if page else 0, first=first, length=PAGE,
        kinds=KINDS, written=WRITTEN, statuses=STATUSES, chosen=filters, priorities=PRIORITIES,
        more=_more(given, first), forgotten=site.tray.count, minutes=round(site.tray.seconds / 60),
    )  # fmt: skip


def memory(request: Request, site: Site) -> Response:
    """Show one memory with its links, its history and what can be done with it."""
    project, own = site.project(), request.path_params["id"]
    kept = project.memories.of("project")
    item = kept.get(own)
    return site.page(
        request, "memory.html",
        item=item, links=kept.links(own), history=project.history(own), written=WRITTEN, priorities=PRIORITIES,
        types=tuple(LINK_TYPES), others=[one for one in project.timeline(0, NAMED).items if one.id != item.id],
    )  # fmt: skip


def remember(request: Request, site: Site, form: Form) -> Response:
    """Write a memory, perhaps in the place of an older one."""
    fields: dict[str, Any] = {name: value for name in TYPED if (value := _text(form, name))}
    older = fields.pop("supersedes", "")
    if older:
        fields["links"] = {"supersedes": [older]}
    try:
        item = site.project().remember(str(form.get("text", "")), **fields)
    except (UsageError, SecretError) as error:
        return _memories(request, site, form, str(error))
    said = SAID[item.metadata["action"]]
    if item.metadata.get("similar"):
        said += " Others say nearly the same; link them if one replaces the other."
    return back(f"/memories/{item.id}", said)


def link(request: Request, site: Site, form: Form) -> Response:
    """Link a memory to another one, or take a link back."""
    own, other, remove = request.path_params["id"], _text(form, "other"), "remove" in form
    source, target = (other, own) if "incoming" in form else (own, other)
    changed = site.project().link(source, _text(form, "type"), target, remove)
    said = "The link was taken back." if remove else "Linked."
    return back(f"/memories/{own}", said if changed else "Nothing changed.")


def pin(request: Request, site: Site, form: Form) -> Response:
    """Keep a memory from ever fading, or let it go again."""
    own, pinned = request.path_params["id"], form.get("pinned") == "yes"
    site.project().pin(own, pinned)
    return back(f"/memories/{own}", "Pinned; it never fades." if pinned else "No longer pinned.")


def archive(request: Request, site: Site, form: Form) -> Response:
    """Put a memory away, or take it out again."""
    own, archived = request.path_params["id"], form.get("archived") == "yes"
    site.project().archive(own, archived)
    return back(f"/memories/{own}", "Put away; recall shows it no more." if archived else "Active again.")


def _text(form: Form, name: str) -> str:
    return str(form.get(name, "")).strip()


def _filters(given: Mapping[str, str]) -> dict[str, Any]:
    names = {"kind": "kinds", "status": "statuses", "tag": "tags", "author": "authors", "source": "sources"}
    chosen: dict[str, Any] = {
        key: [value] for name, key in names.items() if (value := given.get(name, "").strip())
    }
    return chosen | ({"archived": True} if given.get("archived") == "yes" else {})


def _more(given: Mapping[str, str], first: int) -> dict[str, str]:
    """Return the addresses of the pages before and after this one."""
    rest = {key: value for key, value in given.items() if key not in ("first", "notice") and value}
    return {
        "newer": "/memories?" + urlencode(rest | {"first": max(0, first - PAGE)}),
        "older": "/memories?" + urlencode(rest | {"first": first + PAGE}),
    }


def _by_day(items: tuple[Item, ...]) -> list[tuple[str, list[Item]]]:
    days = groupby(items, lambda item: day(item.metadata["created"]))
    return [(said, list(rows)) for said, rows in days]


ROUTES = [
    Route("/memories", seen(memories)),
    Route("/memories/remember", posted(remember), methods=["POST"]),
    Route("/memories/{id}", seen(memory)),
    Route("/memories/{id}/link", posted(link), methods=["POST"]),
    Route("/memories/{id}/pin", posted(pin), methods=["POST"]),
    Route("/memories/{id}/archive", posted(archive), methods=["POST"]),
]
