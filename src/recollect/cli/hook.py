"""`recollect hook`: what an agent runs at the moments that `recollect install AGENT --hooks` wires up."""

from __future__ import annotations

import sys

import click

from recollect.cli.options import examples

MOMENTS = (
    "session-start",
    "before-edit",
    "after-use",
    "after-reading",
    "before-compaction",
    "stop",
    "session-end",
)
AGENTS = ("claude-code", "codex", "cursor", "vscode", "windsurf")


@click.command(
    "hook",
    context_settings={"ignore_unknown_options": True, "allow_extra_args": True},
    epilog=examples(
        "recollect hook claude-code session-start < moment.json",
        "RECOLLECT_HOOKS=off claude",
    ),
)
@click.argument("agent", metavar="AGENT", default="")
@click.argument("moment", metavar="MOMENT", default="")
def command(agent: str, moment: str) -> int:
    """Run by an agent at certain moments of a session.

    AGENT is claude-code, codex, cursor, vscode or windsurf; MOMENT is session-start, before-edit, after-use,
    after-reading, before-compaction, stop or session-end.

    The agent writes JSON about the moment to stdin and reads what it should know from stdout. Whatever goes
    wrong, the exit code is 0 and the agent goes on; .recollect/hooks.log says what it was. The setting
    `hooks = false`, or RECOLLECT_HOOKS=off, turns all hooks off.
    """
    from recollect.hooks.run import run

    if agent not in AGENTS or moment not in MOMENTS:
        # Code 2 would stop what the agent is about to do, and an entry of another version may name anything.
        click.echo(f"recollect: There is no hook for '{agent} {moment}'; nothing was done.", err=True)
        return 0
    run(agent, moment, sys.stdin.read(), click.echo)
    return 0
