"""`recollect store`: what is proven of statements, and members, shares and distribution from the shell."""

import json
import secrets

import psycopg
import pytest

from recollect.cli.app import main
from recollect.errors import StoreError
from recollect.store.postgres import distribute, proving
from recollect.store.postgres.address import read

BAD = {
    "SELECT text FROM memory WHERE uid = $2 AND $1::bigint IS NOT NULL": "reads memory",
    "DELETE FROM memory WHERE uid = $2 AND $1::bigint IS NOT NULL": "reads memory",
    "UPDATE label SET name = 'x' WHERE number = $2 AND $1::bigint IS NOT NULL": "reads label",
    "UPDATE receipt SET space = 7 WHERE space = $1 AND token = $2": "changes the space",
    "INSERT INTO receipt (token, space) SELECT $2, $1": "without giving them the space",
    "INSERT INTO receipt (space, token) SELECT 7, $2 WHERE $1::bigint IS NOT NULL": "without giving",
    "SELECT 1 FROM memory m JOIN label l ON l.number = m.author WHERE m.space = $1 AND m.uid = $2": "reads label",
    "WITH old AS (DELETE FROM posting WHERE level = $2 RETURNING *) SELECT * FROM old WHERE space = $1": "posting",
}
GOOD = (
    "SELECT text FROM memory WHERE space = $1 AND uid = $2",
    "SELECT 1 FROM memory m JOIN label l ON l.space = m.space AND l.number = m.author "
    "WHERE m.space = $1 AND m.uid = $2",
    "INSERT INTO receipt (space, token) VALUES ($1, $2)",
    "SELECT $1::bigint, $2::bigint",
)


def run_main(*arguments):
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    return ended.value.code


@pytest.mark.parametrize("sql", BAD)
def test_a_statement_that_could_reach_into_another_space_is_found(server, space, sql):
    server.enter(space)
    found = server.own(space, lambda one: proving.findings(one, {sql: (space.uid, 3)}))
    assert found
    assert BAD[sql] in found[0]


def test_statements_that_name_their_space_are_proven(server, space):
    server.enter(space)
    assert server.own(space, lambda one: proving.findings(one, dict.fromkeys(GOOD, (space.uid, 3)))) == []


def test_a_table_whose_key_does_not_begin_with_the_space_is_found(database):
    from recollect.store.postgres.server import Server

    opened = Server(read(database))
    opened.open()
    opened.close()
    with psycopg.connect(database, autocommit=True, cursor_factory=psycopg.RawCursor) as connection:
        assert proving.keys(connection) == []
        connection.execute("CREATE TABLE recollect.odd (number bigint PRIMARY KEY, space bigint)")
        assert proving.keys(connection) == [
            "The table odd has no row policies.",
            "The key odd_pkey of odd does not begin with the space.",
        ]


@pytest.mark.timeout(120)
def test_a_check_looks_at_everything_and_leaves_nothing_behind(shop, store_url, admin, capsys):
    count = "SELECT count(*) FROM recollect.space WHERE name LIKE 'recollect-check-%'"
    assert run_main("store", "check", "--path", str(shop), "--store", store_url, "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert told["findings"] == []
    assert told["statements"] > 150
    assert admin.execute(count).fetchone() == (0,)


def test_members_and_shares_from_the_shell(shop, store_url, admin, capsys):
    def told(*arguments):
        code = run_main("store", *arguments, "--path", str(shop), "--store", store_url, "--json")
        return code, json.loads(capsys.readouterr().out)

    login = f"login_{secrets.token_hex(5)}"
    admin.execute(f"CREATE ROLE {login} LOGIN")
    assert told("grant", login, "reader")[0] == 0
    assert told("members")[1]["members"] == [
        {"login": "postgres", "role": "owner"},
        {"login": login, "role": "reader"},
    ]
    assert told("revoke", login)[1]["changed"]
    other = f"{store_url}x"
    assert run_main("store", "members", "--path", str(shop), "--store", other) == 0
    assert run_main("remember", "Tea at four", "--path", str(shop), "--store", store_url, "--json") == 0
    item = json.loads(capsys.readouterr().out.splitlines()[-1])["id"]
    target = read(other).space
    assert told("share", item, "--with", target)[1]["changed"]
    assert [(one["id"], one["space"]) for one in told("shares")[1]["given"]] == [(item, target)]
    assert run_main("recall", "tea", "--path", str(shop), "--store", other) == 0
    assert f"shared by {read(store_url).space}" in capsys.readouterr().out
    assert told("unshare", item, "--with", target)[1]["changed"]
    assert told("shares")[1]["given"] == []
    admin.execute(f"DROP OWNED BY {login}; DROP ROLE {login}")


def test_a_project_in_files_has_no_store_to_look_after(shop, capsys):
    assert run_main("store", "members", "--path", str(shop)) == 2
    assert "kept in files" in capsys.readouterr().err


def test_a_server_without_citus_is_told_what_to_do_and_is_not_changed(server):
    with pytest.raises(StoreError, match=r"has no extension citus.*Nothing was changed"):
        distribute.distribute(server.address)
