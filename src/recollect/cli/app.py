"""The program `recollect`: finds the command, runs it, and turns every failure into one sentence and an exit code."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, NoReturn

import click

from recollect.config import suggest
from recollect.errors import RecollectError

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

SECTIONS = {
    "Ask about the code": {
        "context": "Pack what a task, files or a change need into a budget of tokens.",
        "search": "Find code and documentation.",
        "why": "Explain why a symbol ranks where it does, or why it is not there.",
        "impact": "Show what calls a symbol, or what it calls.",
        "tests": "Print the tests that a change concerns, for the programs that run them.",
        "dead": "List code that nothing seems to use, with how sure that is.",
        "feedback": "Say which results of an answer were of use.",
    },
    "Remember": {
        "remember": "Remember a text as it is.",
        "recall": "Find memories that answer a question.",
        "forget": "Forget memories for good.",
        "history": "Show what happened to a memory.",
        "link": "Say what one memory is to another.",
        "pin": "Keep a memory from ever fading.",
        "archive": "Put a memory away, or take it out again.",
        "hygiene": "Put away the memories that have faded.",
        "dream": "Consolidate memories, or take a dream back.",
        "embed": "Make the vectors that memories lack.",
        "unlearn": "Reset what was learned from use.",
        "export": "Write every memory as JSON lines.",
        "import": "Remember every line of a JSONL file.",
    },
    "Work with an agent": {
        "install": "Write the configuration that makes an agent use recollect.",
        "uninstall": "Take back what install wrote.",
        "mcp": "Serve an agent over the Model Context Protocol.",
        "hook": "Run by an agent at certain moments of a session.",
    },
    "Look after the project": {
        "index": "Read the repository and make it searchable.",
        "status": "Show what is indexed, how fresh and how big it is.",
        "doctor": "Look for damage and repair it.",
        "watch": "Keep the index up to date while files change.",
        "enrich": "Have language servers prove what the code refers to.",
        "observe": "Learn from traces and coverage reports what runs.",
        "store": "Look after a shared store: members, shares, checks, distribution.",
        "migrate": "Move memories between files and a server, verified.",
    },
    "See and measure": {
        "serve": "Show the project in a browser.",
        "bench": "Measure how good retrieval is, on your own data.",
        "profile": "List, show and compare the ways of ranking.",
        "schema": "Print the JSON Schema of what a command prints.",
        "completion": "Print what makes a shell complete recollect's words.",
    },
}
"""The commands as the help lists them, what is needed first in front."""
COMMANDS = {name: text for rows in SECTIONS.values() for name, text in rows.items()}
TOGETHER = dict.fromkeys(("remember", "recall", "forget", "history", "link"), "memory")
TOGETHER |= dict.fromkeys(("export", "import"), "exchange")
TOGETHER |= dict.fromkeys(("pin", "archive", "hygiene", "dream", "embed", "unlearn"), "life")
"""Commands that share a module; it has them by name."""
INTERRUPTED = 130
LONGEST_NAME = 200
"""Letters that are shown of a file's name in an error."""
DEBUG = "RECOLLECT_DEBUG"
COMPLETE = "_RECOLLECT_COMPLETE"


class LazyGroup(click.Group):
    """Imports the module of a command only when that command is run."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import one command."""
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f"recollect.cli.{TOGETHER.get(cmd_name, cmd_name)}")
        command: click.Command = module.commands[cmd_name] if cmd_name in TOGETHER else module.command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Refuse an unknown command with the nearest known one."""
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            known = ", ".join(COMMANDS)
            hint = suggest(args[0], COMMANDS)
            raise click.UsageError(f"There is no command '{args[0]}'.{hint} Commands: {known}.", ctx)
        return super().resolve_command(ctx, args)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Complete the names of commands from the table, without importing them."""
        from click.shell_completion import CompletionItem

        if incomplete.startswith("-"):
            return super().shell_complete(ctx, incomplete)
        return [
            CompletionItem(name, help=text) for name, text in COMMANDS.items() if name.startswith(incomplete)
        ]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands from the table, without importing them."""
        for title, rows in SECTIONS.items():
            with formatter.section(title):
                formatter.write_dl(list(rows.items()))


@click.group(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 80},
    epilog="""\b
Examples:
  recollect context "make the retry policy configurable" --budget 4000
  recollect search where are retries configured
  recollect impact Client.send --direction callers --depth 2
  recollect remember "Retries are for idempotent calls only" --kind decision
  recollect install claude-code""",
)
@click.version_option(None, "-V", "--version", package_name="recollect", message="recollect %(version)s")
def app() -> None:
    """Give an agent or a person the right code and memories for a task.

    The first search in a repository indexes it; later ones read again only what changed.
    Nothing leaves the machine.
    """


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the program and exit: 0 done, 1 nothing found or check failed, 2 bad usage, 3 broken state."""
    _speak_utf8()
    code = _guarded(arguments)
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        _close_stdout()
    sys.exit(code)


def _guarded(arguments: Sequence[str] | None) -> int:
    try:
        return int(_run(sys.argv[1:] if arguments is None else arguments) or 0)
    except click.exceptions.Exit as ended:
        return ended.exit_code
    except click.UsageError as error:
        where = f" See '{error.ctx.command_path} --help'." if error.ctx else ""
        return _fail(_sentence(error.format_message()) + _near(error) + where, error.exit_code)
    except click.ClickException as error:
        return _fail(_sentence(error.format_message()), 2)
    except (click.Abort, KeyboardInterrupt):
        return _fail("Interrupted; what was indexed so far is kept.", INTERRUPTED)
    except RecollectError as error:
        if os.environ.get(DEBUG):
            raise
        return _fail(str(error), error.exit_code)
    except BrokenPipeError:
        _close_stdout()
        return 0
    except Exception as error:  # the process edge: a person gets a sentence, a developer the trace
        if os.environ.get(DEBUG):
            raise
        return _fail(_unforeseen(error), 3)


def _unforeseen(error: Exception) -> str:
    """Return what a person is told about a failure that no other code has put into words."""
    if isinstance(error, OSError):
        name = f" ({str(error.filename)[:LONGEST_NAME]})" if error.filename else ""
        said = f"The system refused: {error.strerror or error}{name}."
        return f"{said} Check the name, who may use it, and the disk."
    kind = type(error).__name__
    return f"Internal error, please report it ({kind}: {error}); {DEBUG}=1 shows where it came from."


def _run(arguments: Sequence[str]) -> Any:
    if COMPLETE in os.environ:
        # A shell asks while a line is typed; it says what it wants in the environment.
        from click.shell_completion import shell_complete

        return shell_complete(app, {}, "recollect", COMPLETE, os.environ[COMPLETE])
    # Not app.main(): it would end the program itself, with code 1 when nobody reads the output any more.
    with app.make_context("recollect", list(arguments) or ["--help"]) as context:
        return app.invoke(context)


def _near(error: click.UsageError) -> str:
    """Return which of the allowed words a wrong one may have meant."""
    kind = error.param.type if isinstance(error, click.BadParameter) and error.param else None
    wrong = re.search(r"'([^']*)' is not one of", error.format_message())
    return suggest(wrong[1], map(str, kind.choices)) if isinstance(kind, click.Choice) and wrong else ""


def _sentence(text: str) -> str:
    text = " ".join(text.split())
    return text if text.endswith((".", "?", "!")) else f"{text}."


def _fail(message: str, code: int) -> int:
    click.echo(f"recollect: {message}", err=True)
    return code


def _speak_utf8() -> None:
    """Make pipes and old consoles take any text; what a stream cannot show is replaced."""
    for stream in (sys.stdout, sys.stderr, sys.stdin):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="replace")


def _close_stdout() -> None:
    """Point stdout nowhere, so that the interpreter's last flush does not fail again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
