"""`recollect install` and `uninstall`: the configuration that makes an agent start the server."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from recollect.cli.options import examples, json_option, path_option, print_json

if TYPE_CHECKING:
    from recollect.install.plan import Plan

AGENTS = ("claude-code", "cursor", "codex", "vscode", "windsurf", "generic")
REFUSED = 1

yes_option = click.option("--yes", "-y", is_flag=True, help="Write without asking.")
agent_argument = click.argument("agent", metavar="AGENT", type=click.Choice(AGENTS))


@click.command(
    "install",
    epilog=examples(
        "recollect install claude-code",
        "recollect install claude-code --hooks",
        "recollect install codex --yes",
    ),
)
@agent_argument
@path_option
@click.option("--hooks", is_flag=True, help="Also run recollect at certain moments of a session.")
@yes_option
@json_option
def command(agent: str, folder: Path | None, hooks: bool, yes: bool, as_json: bool) -> int:
    """Write the configuration that makes an agent use recollect.

    AGENT is claude-code, cursor, codex, vscode, windsurf or generic, which prints the entry only. The change
    is shown first. What is in the file already stays, comments too; a second run changes nothing.
    """
    from recollect.hooks.heard import known
    from recollect.install import agents, plan, wires

    root = _root(folder) if agents.needs_project(agent) else Path.cwd()
    chosen = agents.agent(agent, root)
    plans = [plan.to_install_hooks(wires.wiring(agent, root))] if hooks else []
    if chosen.file is None:
        click.echo(plan.snippet(chosen))
        click.echo(chosen.next, err=True)
        return 0
    code = _carry_out([plan.to_install(chosen, chosen.file), *plans], yes, as_json)
    if code == 0 and not as_json:
        click.echo(chosen.next)
        if hooks and "next" in known()["agents"][agent]:
            click.echo(known()["agents"][agent]["next"])
    return code


@click.command(
    "uninstall", epilog=examples("recollect uninstall claude-code", "recollect uninstall codex --yes")
)
@agent_argument
@path_option
@yes_option
@json_option
def uninstall(agent: str, folder: Path | None, yes: bool, as_json: bool) -> int:
    """Take back what install wrote, hooks too, and nothing else."""
    from recollect.hooks.heard import known
    from recollect.install import agents, plan, wires

    root = _root(folder) if agents.needs_project(agent) else Path.cwd()
    chosen = agents.agent(agent, root)
    if chosen.file is None:
        click.echo("Nothing was written for a generic client; take the entry out where you put it.", err=True)
        return 0
    hooks = plan.to_uninstall_hooks(wires.wiring(agent, root)) if agent in known()["agents"] else None
    plans = [plan.to_uninstall(chosen, chosen.file), *([hooks] if hooks and hooks.changed else [])]
    return _carry_out(plans, yes, as_json)


def _carry_out(plans: Sequence[Plan], yes: bool, as_json: bool) -> int:
    from recollect.install import plan

    changing = [one for one in plans if one.changed]
    if not as_json:
        for one in plans:
            unchanged = f"Nothing to do: {one.file} is as it should be.\n"
            click.echo(one.diff() if one.changed else unchanged, nl=False)
    agreed = not changing or yes or _agreed()
    if agreed:
        for one in changing:
            plan.carry_out(one)
    if as_json:
        print_json(_told(plans, agreed))
    elif agreed:
        for one in changing:
            click.echo(f"{'Removed' if one.after is None else 'Wrote'} {one.file}.")
    if not agreed:
        click.echo("Nothing was written; --yes writes without asking.", err=True)
    return 0 if agreed else REFUSED


def _told(plans: Sequence[Plan], agreed: bool) -> dict[str, Any]:
    """Return what was planned and done: the entry of the server, and below it that of the hooks."""
    server, *hooks = ({**one.to_dict(), "written": agreed and one.changed} for one in plans)
    return {**server, "hooks": hooks[0]} if hooks else server


def _agreed() -> bool:
    """Ask a person; nobody at a terminal means no."""
    return sys.stdin.isatty() and click.confirm("Write this?", err=True)


def _root(folder: Path | None) -> Path:
    from recollect import engine

    with engine.open(folder) as project:
        return project.root
