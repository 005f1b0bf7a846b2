"""Profiles and settings as the files that they are, checked while they are typed."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from recollect.config import Settings, project_file
from recollect.engine import PROFILE, Recollect
from recollect.errors import ConfigError, RecollectError, UsageError
from recollect.web.site import Form, Site, back, posted, seen

NEW = 'extends = "{name}"\n\n[override]\n# "phase.stage.key" = value, as in the table below\n'


def settings(request: Request, site: Site) -> Response:
    """Show a profile and the settings as files that can be edited."""
    given = request.query_params
    name = given.get("profile", PROFILE)
    project = site.project()
    new = given.get("new") == "yes"
    text = NEW.format(name=name) if new else project.profile_text(name)
    return _page(request, site, {"name": name, "text": text, "new": new})


def save_profile(request: Request, site: Site, form: Form) -> Response:
    """Write a profile of the project's own, or say why it is not good."""
    name, text = str(form.get("name", "")).strip(), str(form.get("text", ""))
    try:
        site.project().save_profile(name, text)
    except UsageError as error:
        base = str(form.get("base", PROFILE))
        values = {"name": base, "text": text, "own_name": name, "mistake": str(error), "new": "new" in form}
        return _page(request, site, values, 422)
    return back(f"/settings?profile={name}", "Saved; it holds from the next question on.")


def save_settings(request: Request, site: Site, form: Form) -> Response:
    """Write the settings of the project, or say why they are not good."""
    text = str(form.get("text", ""))
    try:
        site.project().save_settings(text)
    except ConfigError as error:
        name = PROFILE
        values = {"name": name, "text": site.project().profile_text(name), "new": False}
        return _page(request, site, values | {"settings_text": text, "settings_mistake": str(error)}, 422)
    return back("/settings#settings", "Saved; the settings hold when recollect starts the next time.")


def check(request: Request, site: Site, form: Form) -> Response:
    """Say whether what is being typed would do."""
    mistake = ""
    try:
        if "name" in form:
            site.project().check_profile(str(form["name"]).strip(), str(form.get("text", "")))
        else:
            site.project().check_settings(str(form.get("text", "")))
    except RecollectError as error:
        mistake = str(error)
    return site.page(request, "checked.html", mistake=mistake)


def _page(request: Request, site: Site, values: dict[str, Any], status: int = 200) -> Response:
    project = site.project()
    name = values["name"]
    profiles = project.profiles()
    around = {
        "profiles": profiles,
        "own": {row["name"] for row in profiles if row["file"].startswith(str(project.root))},
        "keys": project.profile(name),
        "own_name": f"my-{name}" if values["new"] else name,
        "mistake": "",
        "settings_text": _settings_text(project),
        "settings_mistake": "",
        "settings": _settings(project),
    }
    return site.page(request, "settings.html", status, **(around | values))


def _settings_text(project: Recollect) -> str:
    try:
        return project_file(project.root).read_text(encoding="utf-8")
    except FileNotFoundError:
        return ""


def _settings(project: Recollect) -> list[tuple[str, Any, Any]]:
    """Return each setting with the value that holds and the one that it has by itself."""
    return [(one.name, getattr(project.settings, one.name), one.default) for one in fields(Settings)]


ROUTES = [
    Route("/settings", seen(settings)),
    Route("/settings/profile", posted(save_profile), methods=["POST"]),
    Route("/settings/project", posted(save_settings), methods=["POST"]),
    Route("/settings/check", posted(check), methods=["POST"]),
]
