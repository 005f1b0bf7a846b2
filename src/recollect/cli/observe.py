"""`recollect observe`: learns from traces and coverage reports what runs, how often and when."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from recollect.cli.options import examples, json_option, path_option, print_json
from recollect.errors import UsageError

if TYPE_CHECKING:
    from recollect.engine import Recollect
    from recollect.evidence.values import ObserveReport

_FORMATS = ("otlp", "otlp-protobuf", "coverage", "coverage-json", "lcov", "cobertura", "jsonl")
_ADDRESS = "127.0.0.1:4318"
_KEPT_EVERY = 5.0


@click.command(
    "observe",
    epilog=examples(
        "recollect observe .coverage",
        "recollect observe coverage.xml lcov.info traces.json.gz",
        "recollect observe --listen",
        "recollect observe --listen 127.0.0.1:9999 --seconds 60",
        "recollect observe --forget",
    ),
)
@click.argument("files", nargs=-1, type=click.Path(path_type=Path, exists=True, dir_okay=False))
@path_option
@click.option(
    "--format",
    "form",
    type=click.Choice(_FORMATS),
    default=None,
    help="Read the files as this, whatever they look like.",
)
@click.option("--again", is_flag=True, help="Count reports that were observed before once more.")
@click.option(
    "--listen",
    metavar="[HOST:PORT]",
    is_flag=False,
    flag_value=_ADDRESS,
    help=f"Receive OTLP over HTTP on loopback, at {_ADDRESS} if nothing else is said.",
)
@click.option("--seconds", type=click.FloatRange(min=0.1), help="Listen for so long only.")
@click.option("--forget", is_flag=True, help="Drop everything that was ever seen running.")
@click.option("--keep-days", type=click.FloatRange(min=0.01), help="Drop what was not seen for so many days.")
@json_option
def command(
    files: tuple[Path, ...],
    folder: Path | None,
    form: str | None,
    again: bool,
    listen: str | None,
    seconds: float | None,
    forget: bool,
    keep_days: float | None,
    as_json: bool,
) -> int:
    """Learn from reports of runs which symbols ran, how often and when.

    Reads OpenTelemetry traces (OTLP JSON), databases and JSON reports of coverage.py, LCOV, Cobertura XML, and
    lines of JSON; which one a file is, is told by its content. Of traces only which code they are of is kept,
    never what their attributes say. Coverage by test gives edges from tests to what they run. Without files it
    says what is known. Exit code 1 means that nothing was recognised.
    """
    from recollect import engine
    from recollect.cli import evidence_lines
    from recollect.cli.progress import ProgressBar

    if bool(files) + bool(listen) + (forget or keep_days is not None) > 1:
        raise UsageError("Name files, or listen, or forget: one at a time.")
    with engine.open(folder) as project:
        if forget or keep_days is not None:
            gone = project.forget_runs(keep_days or 0)
            if as_json:
                print_json({"forgotten": gone})
            else:
                click.echo(f"Forgot {gone:,} rows of what was seen running.")
            return 0
        if listen:
            return _listen(project, listen, seconds, as_json)
        if not files:
            known = project.runs()
            if as_json:
                print_json(known.to_dict())
            else:
                click.echo("\n".join(evidence_lines.runs(known)))
            return 0 if known.symbols else 1
        with ProgressBar() as progress:
            report = project.observe(files, form or "", again, progress)
    if as_json:
        print_json(report.to_dict())
    else:
        click.echo("\n".join(evidence_lines.observed(report)))
    return 0 if report.symbols or not report.sources else 1


def _listen(project: Recollect, address: str, seconds: float | None, as_json: bool) -> int:
    """Receive until the time is up or the program is interrupted, and say what came."""
    from recollect.cli.progress import ProgressBar
    from recollect.evidence.runtime.receive import address_of

    with ProgressBar() as progress:
        project.ready(progress)
    until = time.monotonic() + seconds if seconds else float("inf")
    symbols = 0
    listening = project.listen(*address_of(address))
    click.echo(f"Listening for OTLP traces at {listening.address}/v1/traces; end with Ctrl-C.", err=True)
    try:
        while (left := until - time.monotonic()) > 0:
            time.sleep(min(_KEPT_EVERY, left))
            symbols += _say(listening.keep(), as_json)
    except KeyboardInterrupt:
        pass
    finally:
        symbols += _say(listening.close(), as_json)
    return 0 if symbols else 1


def _say(report: ObserveReport, as_json: bool) -> int:
    from recollect.cli import evidence_lines

    if report.records:
        if as_json:
            print_json(report.to_dict())
        else:
            click.echo("\n".join(evidence_lines.observed(report)))
    return report.symbols
