"""`recollect serve`: the local page."""

from __future__ import annotations

from pathlib import Path

import click

from recollect.cli.options import examples, path_option, print_json
from recollect.errors import UsageError


@click.command(
    "serve", epilog=examples("recollect serve", "recollect serve --port 8765 --no-open --path ../other")
)
@path_option
@click.option(
    "--port", type=click.IntRange(0, 65535), default=0, metavar="PORT", help="Default: any that is free."
)
@click.option(
    "--host",
    default="127.0.0.1",
    metavar="ADDRESS",
    help="An address of this machine itself; no other is taken.",
)
@click.option("--no-open", is_flag=True, help="Only print the address; open no browser.")
@click.option(
    "--metrics", is_flag=True, help="Serve counts and times at /metrics for Prometheus, without the key."
)
@click.option("--json", "as_json", is_flag=True, help="Print the address as JSON; open no browser.")
def command(folder: Path | None, port: int, host: str, no_open: bool, metrics: bool, as_json: bool) -> None:
    """Show the project in a browser: search, graph, memories, freshness.

    The page is served to this machine only. The address that is printed holds a key that is made anew
    each time; without it nobody is answered.
    """
    try:
        from recollect.web.serve import serve
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] in {
            "jinja2",
            "markupsafe",
            "pygments",
            "starlette",
            "uvicorn",
        }:
            raise UsageError(
                f"The page needs the extra 'web' ({error.name} is missing): pip install 'recollect[web]'."
            ) from error
        raise
    serve(folder, port, host, not (no_open or as_json), _told if as_json else _said, metrics)


def _said(address: str) -> None:
    click.echo(f"Serving {address}")
    click.echo("Only this machine can reach it. Ctrl-C ends it.", err=True)


def _told(address: str) -> None:
    print_json({"url": address})
