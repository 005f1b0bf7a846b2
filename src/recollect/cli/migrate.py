"""`recollect migrate`: memories from files to a server and back."""

from __future__ import annotations

import click

from recollect.cli.options import examples, here_option, json_option, print_json, refuse_password
from recollect.cli.progress import ProgressBar


@click.command(
    "migrate",
    epilog=examples(
        "recollect migrate . postgresql://db.example.org/team?space=shop",
        "recollect migrate . postgresql://db.example.org/team --switch",
        "recollect migrate postgresql://db.example.org/team?space=shop ./copy.db",
    ),
)
@click.argument("source")
@click.argument("target")
@click.option("--switch", is_flag=True, help="Afterwards let the project keep its memories at the target.")
@here_option
@json_option
def command(source: str, target: str, switch: bool, as_json: bool) -> None:
    """Copy all memories from SOURCE to TARGET, each a folder, a memory.db or a URL.

    What arrived is read back and compared, by counts and checksums, before it can be used. The source is
    only read. After an interruption the same command goes on where it stopped. The index is not copied: it
    is made again from the files.
    """
    from recollect.engine.migrating import migrate

    for end in (source, target):
        refuse_password(end)
    with ProgressBar() as bar:
        moved = migrate(source, target, switch, bar)
    if as_json:
        print_json(moved.to_dict())
        return
    for name, one in moved.sums.items():
        if one.size:
            click.echo(f"{name:10} {one.size:>9,}  {one.checksum}")
    again = ", going on where it had stopped" if moved.resumed else ""
    click.echo(f"Moved and verified in {moved.seconds:.1f} s{again}; the source is as it was.")
    if not switch:
        click.echo("Add --switch, or set `store` in .recollect/config.toml, to use it from now on.", err=True)
