"""`recollect mcp`: the server that an agent starts."""

from __future__ import annotations

from pathlib import Path

import click

from recollect.cli.options import examples, path_option, print_json


@click.command(
    "mcp",
    epilog=examples("recollect mcp", "recollect mcp --path ../other", "recollect mcp --http 8765"),
)
@path_option
@click.option(
    "--http",
    "port",
    type=click.IntRange(0, 65535),
    metavar="PORT",
    help="Serve over HTTP on this machine instead; 0 takes a free port.",
)
@click.option("--json", "as_json", is_flag=True, help="With --http: print the address and the token as JSON.")
def command(folder: Path | None, port: int | None, as_json: bool) -> None:
    """Serve an agent over the Model Context Protocol.

    Agents start this themselves after `recollect install AGENT`. It speaks over standard input and
    output and ends with its client. The repository is indexed while the agent is answered already.
    """
    if folder is not None and str(folder).startswith("${"):
        # A client that does not know the variable of its entry hands it over as it stands.
        folder = None
    if port is None:
        if as_json:
            raise click.UsageError("--json goes with --http; otherwise the client talks on these pipes.")
        from recollect.mcp.serve import serve_stdio

        serve_stdio(folder)
    else:
        from recollect.mcp.http import serve_http

        serve_http(folder, port, _told if as_json else _said)


def _said(url: str, token: str, chosen: bool) -> None:
    click.echo(f"Serving {url}; Ctrl-C ends it.", err=True)
    if not chosen:
        click.echo(f"Clients send the header  Authorization: Bearer {token}", err=True)
        click.echo("Set RECOLLECT_MCP_TOKEN to choose the token yourself.", err=True)


def _told(url: str, token: str, chosen: bool) -> None:
    print_json({"url": url} if chosen else {"url": url, "token": token})
