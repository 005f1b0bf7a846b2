"""`recollect store`: members, shares, checks and distribution of a shared store."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from recollect.cli.options import examples, json_option, path_option, print_json

if TYPE_CHECKING:
    from recollect.memory.copied import Copied
    from recollect.memory.queue import Waiting

FAILED = 1
ROLES = ("reader", "writer", "owner")


@click.group(
    "store",
    epilog=examples(
        "recollect store members",
        "recollect store grant ann writer",
        "recollect store share mk2wqlcvjdhqce --with example.org/team/other",
        "recollect store check",
    ),
)
def command() -> None:
    """Look after the shared store of a project, on PostgreSQL.

    Which store that is comes from --store, RECOLLECT_STORE or the setting `store`.
    """


@command.command("members", epilog=examples("recollect store members"))
@path_option
@json_option
def members_command(folder: Path | None, as_json: bool) -> None:
    """List who is let into the space of this project, and as what."""
    from recollect.engine import spaces
    from recollect.store.postgres import sharing

    with spaces.opened(folder) as (server, space):
        found = sharing.members(server, space)
    if as_json:
        print_json({"space": space.name, "members": [one._asdict() for one in found]})
        return
    for one in found:
        click.echo(f"{one.role:8} {one.login}")


@command.command("grant", epilog=examples("recollect store grant ann writer"))
@click.argument("login")
@click.argument("role", type=click.Choice(ROLES), metavar="reader|writer|owner")
@path_option
@json_option
def grant_command(login: str, role: str, folder: Path | None, as_json: bool) -> None:
    """Let a LOGIN of the server, or a group, into the space of this project; only owners can."""
    from recollect.engine import spaces
    from recollect.store.postgres import sharing

    with spaces.opened(folder) as (server, space):
        sharing.admit(server, space, login, role)
    told = {"space": space.name, "login": login, "role": role}
    print_json(told) if as_json else click.echo(f"{login} is {role} of {space.name}.")


@command.command("revoke", epilog=examples("recollect store revoke ann"))
@click.argument("login")
@path_option
@json_option
def revoke_command(login: str, folder: Path | None, as_json: bool) -> int:
    """Put a LOGIN out of the space of this project; only owners can."""
    from recollect.engine import spaces
    from recollect.store.postgres import sharing

    with spaces.opened(folder) as (server, space):
        known = sharing.dismiss(server, space, login)
    said = (
        f"{login} is no member of {space.name} any more."
        if known
        else f"{login} was no member of {space.name}."
    )
    print_json({"space": space.name, "login": login, "changed": known}) if as_json else click.echo(said)
    return 0 if known else FAILED


@command.command(
    "share", epilog=examples("recollect store share mk2wqlcvjdhqce --with example.org/team/other")
)
@click.argument("item_id", metavar="ID")
@click.option("--with", "target", required=True, metavar="SPACE", help="The space that may read it.")
@path_option
@json_option
def share_command(item_id: str, target: str, folder: Path | None, as_json: bool) -> None:
    """Let another space read one memory, as it is at any time; only owners can.

    Nothing is copied. `recollect store shares` lists what is shared, `unshare` takes it back.
    """
    _share(item_id, target, folder, as_json, True)


@command.command(
    "unshare", epilog=examples("recollect store unshare mk2wqlcvjdhqce --with example.org/team/other")
)
@click.argument("item_id", metavar="ID")
@click.option("--with", "target", required=True, metavar="SPACE", help="The space that could read it.")
@path_option
@json_option
def unshare_command(item_id: str, target: str, folder: Path | None, as_json: bool) -> int:
    """Take back a memory that another space could read."""
    return _share(item_id, target, folder, as_json, False)


def _share(item_id: str, target: str, folder: Path | None, as_json: bool, shared: bool) -> int:
    from recollect.engine import spaces
    from recollect.errors import NotFoundError
    from recollect.store.ids import uid_of
    from recollect.store.postgres import sharing

    if not item_id.startswith("m"):
        raise NotFoundError(f"There is no memory {item_id}; recall shows the ids.")
    with spaces.opened(folder) as (server, space):
        change = sharing.share if shared else sharing.unshare
        changed = change(server, space, uid_of(item_id), target)
    if as_json:
        print_json({"id": item_id, "space": target, "shared": shared, "changed": changed})
    elif not changed:
        click.echo("Nothing changed; it was so already.")
    else:
        click.echo(f"{target} {'reads' if shared else 'no longer reads'} {item_id}.")
    return 0 if changed or shared else FAILED


@command.command("shares", epilog=examples("recollect store shares"))
@path_option
@json_option
def shares_command(folder: Path | None, as_json: bool) -> None:
    """List what this project shares with others, and what others share with it."""
    from recollect.engine import spaces
    from recollect.store.ids import id_of
    from recollect.store.postgres import sharing

    with spaces.opened(folder) as (server, space):
        both = {"given": sharing.given(server, space), "received": sharing.received(server, space)}
    told = {
        name: [
            {
                "id": id_of(one.uid, "memory"),
                "space": one.other,
                "given_by": one.given_by,
                "created": one.created.isoformat(timespec="seconds"),
            }
            for one in found
        ]
        for name, found in both.items()
    }
    if as_json:
        print_json({"space": space.name, **told})
        return
    for name, word in (("given", "to"), ("received", "from")):
        for row in told[name]:
            click.echo(f"{row['id']}  {word} {row['space']}, by {row['given_by']} on {row['created'][:10]}")


@command.command("check", epilog=examples("recollect store check", "recollect store check --json"))
@path_option
@json_option
def check_command(folder: Path | None, as_json: bool) -> int:
    """Prove that every statement names its space, which is what lets the store be distributed by it.

    Does everything that recollect can do, in two spaces that are removed again, and looks at the server's
    plan of each statement and at the keys of every table. Exit code 1 means that one could reach further.
    """
    from recollect.engine import spaces

    found = spaces.check(folder)
    if as_json:
        print_json(found.to_dict())
    else:
        for sentence in found.findings:
            click.echo(sentence)
        reach = f"{len(found.findings)} findings" if found.findings else "each filters by the space"
        click.echo(f"Looked at {found.statements} statements on {found.server}: {reach}.")
    return FAILED if found.findings else 0


@command.command("distribute", epilog=examples("recollect store distribute"))
@path_option
@json_option
def distribute_command(folder: Path | None, as_json: bool) -> None:
    """Spread the tables over the machines of a Citus cluster, all rows of a space on one of them."""
    from recollect.engine import spaces
    from recollect.store.postgres.distribute import distribute

    with spaces.opened(folder) as (server, _):
        done = distribute(server.address)
    if as_json:
        print_json(done._asdict())
        return
    click.echo(f"Distributed {len(done.new)} tables by space; {len(done.known)} were already.")


@command.command("sync", epilog=examples("recollect store sync"))
@path_option
@json_option
def sync_command(folder: Path | None, as_json: bool) -> int:
    """Make the writes that wait for the server, and copy its memories for when it is away.

    Needs the setting `offline`. Exit code 1 means that some met changes of others; they are listed and kept.
    """
    with _copied(folder) as memory:
        made, conflicts = memory.sync()
    if as_json:
        print_json({"made": made, "conflicts": [one.to_dict() for one in conflicts]})
    else:
        click.echo(f"Made {made} writes that had waited; the copy is as the server is.")
        _list(conflicts)
    return FAILED if conflicts else 0


@command.command(
    "conflicts", epilog=examples("recollect store conflicts", "recollect store conflicts --json")
)
@path_option
@click.option("--clear", is_flag=True, help="Forget them after they were listed.")
@json_option
def conflicts_command(folder: Path | None, clear: bool, as_json: bool) -> int:
    """List the writes that waited and met changes of others, in full; nothing was lost."""
    from recollect.memory import queue

    with _copied(folder) as memory:
        found = memory.conflicts()
        if clear:
            queue.replace(memory.folder / queue.CONFLICTS, ())
    if as_json:
        print_json({"conflicts": [one.to_dict() for one in found]})
    else:
        _list(found)
    return FAILED if found else 0


@contextmanager
def _copied(folder: Path | None) -> Iterator[Copied]:
    from recollect import engine
    from recollect.errors import UsageError
    from recollect.memory.copied import Copied

    with engine.open(folder) as project:
        memory = project.memories.of("project")
        if not isinstance(memory, Copied):
            raise UsageError(
                "No copy is kept of the memories of this project; set `offline = true` beside `store` in "
                ".recollect/config.toml, or RECOLLECT_OFFLINE=1."
            )
        yield memory


def _list(found: list[Waiting]) -> None:
    for one in found:
        said = json.dumps(one.arguments, ensure_ascii=False)
        click.echo(f"{one.time}  {one.action} {said}: {one.why}")
