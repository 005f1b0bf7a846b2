"""Options and small habits that all commands share."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

from recollect.cli.offers import profiles

_STORE = "RECOLLECT_STORE"
Function = TypeVar("Function", bound=Callable[..., Any])


def path_option(function: Function) -> Function:
    """Add `--path DIR`, and `--store URL` with it."""
    store = click.option(
        "--store",
        metavar="URL",
        expose_value=False,
        callback=_use_store,
        help="Keep the project in a shared store, postgresql://HOST/DATABASE?space=NAME.",
    )
    return click.option(
        "--path",
        "folder",
        type=click.Path(path_type=Path),
        metavar="DIR",
        help="The repository to use; default: the one around this folder.",
    )(store(function))


def here_option(function: Function) -> Function:
    """Add `--path DIR` to a command that is about files: they are looked for there."""
    return click.option(
        "--path",
        type=click.Path(path_type=Path, exists=True, file_okay=False),
        metavar="DIR",
        is_eager=True,
        expose_value=False,
        callback=_go_there,
        help="Look for files and folders from here; default: the current folder.",
    )(function)


def _go_there(context: click.Context, _: click.Parameter, folder: Path | None) -> None:
    """Make a folder the current one while the program runs."""
    if folder is not None:
        before = Path.cwd()
        try:
            os.chdir(folder)
        except OSError as error:
            raise click.BadParameter(f"'{folder}' cannot be entered ({error.strerror}).", context) from error
        context.find_root().call_on_close(lambda: os.chdir(before))


def _use_store(context: click.Context, _: click.Parameter, url: str | None) -> None:
    """Let the store count for whatever this command opens."""
    if url is None:
        return
    refuse_password(url, context)
    before = os.environ.get(_STORE)
    os.environ[_STORE] = url
    context.call_on_close(lambda: _put_back(before))


def refuse_password(url: str, context: click.Context | None = None) -> None:
    """Refuse a URL with a password in it, without repeating it."""
    from recollect.store.postgres.address import has_password

    if has_password(url):
        raise click.BadParameter(
            "everybody on this machine sees the arguments of a program, so the password belongs into ~/.pgpass, "
            f"the variable PGPASSWORD, or {_STORE} as a whole",
            context,
        )


def _put_back(before: str | None) -> None:
    if before is None:
        os.environ.pop(_STORE, None)
    else:
        os.environ[_STORE] = before


def json_option(function: Function) -> Function:
    """Add `--json`."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON with a documented schema.")(
        function
    )


def profile_option(function: Function) -> Function:
    """Add `--profile NAME`."""
    return click.option(
        "--profile",
        metavar="NAME",
        shell_complete=profiles,
        help="Rank by this profile; `recollect profile list` names them.",
    )(function)


def set_option(function: Function) -> Function:
    """Add `--set KEY=VALUE`."""
    return click.option(
        "--set",
        "settings",
        multiple=True,
        metavar="KEY=VALUE",
        help="Override a key of the profile, such as fuse.rrf.limit=40; may be repeated.",
    )(function)


def session_option(function: Function) -> Function:
    """Add `--session NAME`."""
    return click.option(
        "--session",
        default="",
        metavar="NAME",
        help="The conversation that asks: what it saw before is not sent again.",
    )(function)


def overrides(settings: Sequence[str], short: bool = False) -> dict[str, Any]:
    """Return what `--set` says, by dotted key; with `short` also by the short names that a recall knows."""
    from recollect.engine.asked import WHOLE
    from recollect.retrieve.profile import read_override

    read = dict(read_override(one) for one in settings)
    for key in read:
        if "." not in key and key not in WHOLE and not short:
            raise click.UsageError(
                f"--set {key} names no key of a stage; write phase.stage.key=value, as `recollect profile show` does."
            )
    return read


def print_json(value: Any) -> None:
    """Print one JSON object on one line."""
    click.echo(json.dumps(value, ensure_ascii=False, separators=(",", ":")))


def typed(text: str) -> str:
    """Return an argument as it was typed: as UTF-8, also where the locale made something else of its bytes."""
    return os.fsencode(text).decode("utf-8", "replace")


def either(words: Sequence[str]) -> str:
    """Return words as a help text lists them: a, b or c."""
    return f"{', '.join(words[:-1])} or {words[-1]}"


def examples(*lines: str) -> str:
    """Return an epilog that shows how a command is used."""
    return "\b\nExamples:\n" + "\n".join(f"  {line}" for line in lines)
