"""`recollect tests`: which tests to run for a change, as arguments of the programs that run them."""

from __future__ import annotations

import shlex
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING

import click

from recollect.cli.options import examples, json_option, path_option, print_json, typed

if TYPE_CHECKING:
    from recollect.engine.changing import TestPlan

NOTHING = 1


@click.command(
    "tests",
    epilog=examples(
        "recollect tests --base main",
        "recollect tests --base HEAD --why",
        "recollect tests --base main --runner pytest | xargs -d '\\n' pytest",
        "recollect tests --files src/client.py src/retry.py --json",
    ),
)
@click.argument("words", nargs=-1, metavar="")
@path_option
@click.option("--base", metavar="REF", help="What differs from where HEAD left this branch or commit.")
@click.option(
    "--files", "first_file", metavar="F...", help="All of these files instead; they follow one another."
)
@click.option(
    "--runner",
    metavar="NAME",
    default="",
    help="Only the arguments of this one, one a line: pytest, go test, cargo test, jest, vitest.",
)
@click.option("--proven", is_flag=True, help="Leave out tests that are only possibly concerned.")
@click.option("--why", is_flag=True, help="Say why each test is chosen instead.")
@click.option(
    "--depth", type=click.IntRange(1, 20), default=6, show_default=True, help="How many steps to follow."
)
@json_option
def command(
    words: tuple[str, ...],
    folder: Path | None,
    base: str | None,
    first_file: str | None,
    runner: str,
    proven: bool,
    why: bool,
    depth: int,
    as_json: bool,
) -> int:
    """Print the commands that run the tests which a change concerns.

    A test is chosen when it was changed itself, when a run of it was seen to reach a changed symbol, when
    calls lead from it there, when it is named after it, or when history changes both together. What is
    not known is said on stderr: changed symbols that no test reaches, files that are not indexed. Exit
    code 1 means that no test was found.
    """
    from recollect import engine
    from recollect.cli.progress import ProgressBar

    if words and first_file is None:
        raise click.UsageError("Files follow --files.", click.get_current_context())
    if (base is None) == (first_file is None):
        raise click.UsageError("Give --base or --files.", click.get_current_context())
    files = [typed(path) for path in (first_file, *words)] if first_file is not None else []
    with engine.open(folder) as project:
        with ProgressBar() as progress:
            project.ready(progress)
        plan = project.tests(base, files, runner=runner, proven=proven, depth=depth)
    if as_json:
        print_json(plan.to_dict())
    else:
        _print(plan, runner, why)
    return 0 if plan.tests else NOTHING


def _print(plan: TestPlan, runner: str, why: bool) -> None:
    from recollect.cli.render import WIDTH, cut, plural

    if why:
        for test in plan.tests:
            place = f"{test.path}:{test.start_line}" if test.start_line else test.path
            click.echo(cut(f"{test.name}  {place}" if test.name != test.path else place))
            sure = "" if test.certain else f", {test.confidence:.0%} sure"
            click.echo(cut(f"    {test.why}{sure}"))
    else:
        for call in plan.calls:
            if runner:
                click.echo("\n".join(call.arguments))
            else:
                click.echo(shlex.join([*shlex.split(call.command), *call.arguments]))
    proven = sum(test.certain for test in plan.tests)
    said = [
        f"{plural(len(plan.changed), 'changed symbol')}: {plural(len(plan.tests), 'test')}, {proven} of them proven."
    ]
    if plan.unreached:
        shown = ", ".join(plan.unreached[:5]) + (" …" if len(plan.unreached) > 5 else "")
        said.append(f"No test is known to reach {len(plan.unreached)} of them: {shown}")
    for line in (*said, *plan.notes):
        click.echo("\n".join(textwrap.wrap(line, WIDTH, subsequent_indent="  ")), err=True)
