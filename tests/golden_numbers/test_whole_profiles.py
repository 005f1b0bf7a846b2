"""Every key of every shipped profile of this family, so that no number changes unseen."""

import json
from pathlib import Path

import pytest

from recollect.decay import Elastic, Huber
from recollect.learn import implicit, session, usage
from recollect.retrieve import classes
from recollect.retrieve.compare import show_profile
from recollect.retrieve.expand import implementors
from recollect.retrieve.fuse import convex, linear
from recollect.retrieve.profile import load_profile

KNOWN = json.loads(Path(__file__).with_name("profiles.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", KNOWN)
def test_a_profile_says_what_it_said(name):
    shown = show_profile(load_profile(name))
    del shown["description"]
    assert json.loads(json.dumps(shown)) == KNOWN[name]


def test_session_numbers():
    assert (session.HALF_LIFE, session.CAP, session.LEAST, session.LAST) == (180.0, 2.0, 0.01, 20)
    times = [0.0] * 21
    assert session.boost(times, 180.0 * 5) == pytest.approx(20 * 2**-5)
    assert session.session_boosts([], "s", 0.0, frozenset()) == {}


def test_attribution_numbers():
    assert (implicit.WINDOW, implicit.SHORTEST_NAME) == (600.0, 3)
    assert usage.HALF_LIFE_DAYS == 7.0


def test_class_numbers():
    assert classes.SHORTEST_TARGET == 4
    assert classes.usable_target("abcd")
    (row,) = classes.read_classes({"classes": {"X": {"phrases": "a b", "targets": "Thing"}}}, "project", "x")
    assert row.weight == 0.8


def test_numbers_that_no_profile_sets():
    assert (Huber().delta, Elastic().l1) == (0.5, 0.3)
    assert (convex.Parameters().limit, linear.Parameters().limit) == (50, 50)
    assert implementors.Parameters() == implementors.Parameters(edges=("implements",), factor=1.0, cap=0)
