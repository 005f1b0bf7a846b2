"""Runs of the bench as the report that the bench draws of them."""

from __future__ import annotations

import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from recollect.bench import report, runs
from recollect.errors import UsageError
from recollect.web.refusal import WHOLE_PAGE
from recollect.web.site import Form, Site, posted, seen, several

FOLDERS = ("bench-results", "benchmarks/results", ".recollect/bench")
"""Where runs are looked for, below the project."""
ENDS = (".json", ".json.gz")


class Known(NamedTuple):
    """A file that may be a run."""

    path: str
    """Relative to the project."""
    folder: str
    name: str
    bytes: int
    day: str


def bench(request: Request, site: Site) -> Response:
    """Show which runs there are, and the report of those that were chosen."""
    known = _known(site.project().root)
    chosen = request.query_params.getlist("run")
    if chosen:
        # Read here too, so that what is wrong with a run is told by this page and not inside a frame.
        _loaded(site, chosen)
    folders = {folder: [one for one in known if one.folder == folder] for folder in FOLDERS}
    return site.page(request, "bench.html", folders=folders, chosen=chosen, count=len(known))


def shown(request: Request, site: Site) -> Response:
    """Return the report of runs of the project as a page that can do nothing but be read."""
    return _report(_loaded(site, request.query_params.getlist("run")))


def _loaded(site: Site, wanted: list[str]) -> list[runs.Run]:
    root = site.project().root
    known = {one.path for one in _known(root)}
    for path in wanted:
        if path not in known:
            raise UsageError(
                f"{path} is none of the runs of this project; they lie in {' or '.join(FOLDERS)}."
            )
    return [runs.load(root / path) for path in wanted]


def sent(_request: Request, _site: Site, form: Form) -> Response:
    """Return the report of runs that were sent as files."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for content in several(form, "file"):
            if isinstance(content, bytes) and content:
                end = ENDS[1] if content.startswith(b"\x1f\x8b") else ENDS[0]
                file = Path(folder) / f"sent{end}"
                file.write_bytes(content)
                found.append(runs.load(file))
    if not found:
        raise UsageError("No file was sent; choose a run that recollect bench run wrote.")
    return _report(found)


def _report(found: list[runs.Run]) -> Response:
    return HTMLResponse(report.html(found), headers=WHOLE_PAGE)


def _known(root: Path) -> list[Known]:
    found = []
    for folder in FOLDERS:
        for file in sorted((root / folder).glob("*")):
            if file.name.endswith(ENDS) and file.is_file():
                stat = file.stat()
                day = datetime.fromtimestamp(stat.st_mtime, UTC).date().isoformat()
                path = file.relative_to(root).as_posix()
                found.append(Known(path, folder, file.name, stat.st_size, day))
    return found


ROUTES = [
    Route("/bench", seen(bench)),
    Route("/bench/report", seen(shown)),
    Route("/bench/report", posted(sent), methods=["POST"]),
]
