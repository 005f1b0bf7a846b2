"""How sure it is that a symbol is dead: one factor for each thing that speaks against it, each with its sentence."""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from recollect.evidence.dead.users import Group, Use
from recollect.graph.keys import last_part
from recollect.types import TYPE_KINDS

HIDDEN, INNER, OPEN = 0.95, 0.8, 0.4
"""How sure it is of what others cannot reach, are not meant to, and may, when nothing speaks against it."""
_INNER = re.compile(
    r"(^|/)(_[^/]*|internal|cmd|bin|scripts?|tools|examples?|samples?|benchmarks?|docs?)(/|$|\.)"
)
_SAME_FILE, _OTHER_FILE, _COMMON = 0.15, 0.35, 0.5
_TESTED, _TOLD, _DECORATED, _FOREIGN, _IMPORTED, _OFTEN = 0.75, 0.5, 0.3, 0.3, 0.35, 0.5
_LEAST, _HANDED = 0.02, 0.15
_COVERED = 0.6
"""How much of the doubt is left when runs reached its file but not it."""


class Rules(NamedTuple):
    """What is alive by itself in a language."""

    entry: frozenset[str] = frozenset()
    prefixes: tuple[str, ...] = ()
    harmless: frozenset[str] = frozenset()
    duck: frozenset[str] = frozenset()


class Seen(NamedTuple):
    """How many lines name a symbol that nothing explains, by where they stand."""

    same_file: int = 0
    other_files: int = 0
    tests: int = 0
    told: tuple[str, ...] = ()
    """Documents, settings and manifests that name it."""
    often: bool = False


class Facts(NamedTuple):
    """What is known of a candidate beside its uses."""

    seen: Seen
    decorators: tuple[str, ...] = ()
    namesakes: int = 1
    """How many symbols have its last name."""
    promised: bool = False
    """Whether an interface has a member of that name."""
    overriding: bool = False
    """Whether it says of itself that it overrides something."""
    handed: bool = False
    """Whether it is written where it is taken, as an argument or a value."""
    tested: bool = False
    covered: bool = False
    """Whether something of its file was seen running, but not it."""
    dead_users: tuple[str, ...] = ()
    dead_share: float = 1.0
    """How sure it is that those are dead."""


class Verdict(NamedTuple):
    """How sure it is that something is dead, and what that rests on."""

    certainty: float
    reasons: tuple[str, ...]


@cache
def rules() -> Mapping[str, Rules]:
    """Read the table once."""
    text = files("recollect.evidence.dead").joinpath("rules.toml").read_text(encoding="utf-8")
    found: dict[str, Rules] = {}
    for name, row in tomllib.loads(text).items():
        made = Rules(
            frozenset(row.get("entry", "").split()),
            tuple(row.get("prefixes", "").split()),
            frozenset(row.get("harmless", "").split()),
            frozenset(row.get("duck", "").split()),
        )
        found.update(dict.fromkeys((name, *row.get("like", "").split()), made))
    return found


def is_entry(group: Group) -> bool:
    """Say whether a language or its tools call something by its name."""
    known = rules().get(group.first.language, Rules())
    name = last_part(group.name)
    return name in known.entry or name.startswith(known.prefixes or ("\0",))


def judge(group: Group, possible: list[Use], facts: Facts) -> Verdict:
    """Return how sure it is that a symbol without a proven living use is dead."""
    first = group.first
    sure = HIDDEN
    reasons = [_headline(facts)]
    if any(one.visibility in {"public", "protected"} for one in group.definitions):
        inner = _INNER.search(group.path) is not None or first.package == "main"
        sure = INNER if inner else OPEN
        if not inner:
            reasons.append("it is public, so code elsewhere may use it")
    for factor, reason in _doubts(group, possible, facts):
        sure *= factor
        reasons.append(reason)
    sure *= facts.dead_share
    if facts.covered:
        sure = 1 - (1 - sure) * _COVERED
        reasons.append("runs reached its file but never it")
    return Verdict(round(sure, 3), tuple(reasons))


def _headline(facts: Facts) -> str:
    if facts.dead_users:
        verb = "uses" if len(facts.dead_users) == 1 else "use"
        return f"only {', '.join(facts.dead_users[:3])} {verb} it, and nothing uses that"
    return "only tests use it" if facts.tested else "nothing is known to use it"


def _doubts(group: Group, possible: list[Use], facts: Facts) -> list[tuple[float, str]]:
    found = _named(facts)
    if possible:
        left = math.prod(1 - use.confidence for use in possible)
        some = "a call" if len(possible) == 1 else f"{len(possible)} calls"
        found.insert(0, (max(_LEAST, left), f"{some} of that name may mean it"))
    if strange := _registering(group, facts):
        found.append((_DECORATED, f"{strange} may hand it to others"))
    known = rules().get(group.first.language, Rules())
    member = group.first.kind in {"method", "property"} or (
        bool(group.first.owner) and group.first.kind not in TYPE_KINDS
    )
    if (group.foreign or facts.overriding) and member:
        found.append((_FOREIGN, "its type has a base outside the repository, which may call it"))
    elif member and last_part(group.name) in known.duck:
        found.append((_FOREIGN, "whatever takes such an object may call it"))
    elif member and facts.promised:
        found.append((_FOREIGN, "an interface has a member of that name"))
    if facts.handed:
        found.append((_HANDED, "it is written where something takes it"))
    if group.imported:
        found.append((_IMPORTED, "another file imports it"))
    return found


def _named(facts: Facts) -> list[tuple[float, str]]:
    """Return what it says that the name stands elsewhere."""
    seen, found = facts.seen, list[tuple[float, str]]()
    if seen.same_file:
        found.append((_SAME_FILE, "its name stands elsewhere in its file"))
    if seen.other_files:
        factor = _COMMON if facts.namesakes > 1 else _OTHER_FILE
        lines = "another line" if seen.other_files == 1 else f"{seen.other_files} other lines"
        found.append((factor, f"its name stands in {lines} of code"))
    if seen.often and not seen.other_files:
        found.append((_OFTEN, "its name stands in very many places"))
    if facts.tested or seen.tests:
        found.append((_TESTED, "tests name it"))
    if seen.told:
        found.append((_TOLD, f"{seen.told[0]} names it"))
    return found


def _registering(group: Group, facts: Facts) -> str:
    known = rules().get(group.first.language, Rules()).harmless
    for name in facts.decorators:
        bare = name.lstrip("@#[").partition("(")[0].strip("] ")
        if (
            bare not in known
            and last_part(bare) not in known
            and last_part(bare) not in {"setter", "getter", "deleter"}
        ):
            return f"@{bare}" if not name.startswith("#") else f"#[{bare}]"
    return ""
