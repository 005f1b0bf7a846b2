"""What `--json` prints, held against the schemas that recollect comes with; here a key without one is an error."""

import json
from functools import cache
from types import SimpleNamespace

import click
from jsonschema import Draft202012Validator

from recollect.cli.schema import names, schema


def strict(part):
    """Return a schema that takes no key that it does not name; users may get more keys later, tests may not."""
    if isinstance(part, list):
        return [strict(one) for one in part]
    if not isinstance(part, dict):
        return part
    closed = {} if "properties" not in part else {"additionalProperties": False}
    return closed | {key: strict(value) for key, value in part.items()}


@cache
def validator(name):
    """Return what checks the output of a command."""
    return Draft202012Validator(strict(schema(name)))


def differences(name, value):
    """Return a sentence for each way in which a value is not what the schema of a command says."""
    plain = json.loads(json.dumps(value))
    return [f"{error.json_path}: {error.message}" for error in validator(name).iter_errors(plain)]


def checked_dumps(value, **options):
    """Turn a value into JSON like `json.dumps`, once it is what the schema of the running command says."""
    context = click.get_current_context(silent=True)
    name = context.command_path.partition(" ")[2] if context else ""
    if name in names():
        wrong = differences(name, value)
        hint = f"correct it, or src/recollect/cli/schemas/{name.replace(' ', '-')}.json and run make docs"
        assert not wrong, f"`recollect {name} --json` is not what its schema says, {hint}: {wrong}"
    return json.dumps(value, **options)


JSON = SimpleNamespace(dumps=checked_dumps)
