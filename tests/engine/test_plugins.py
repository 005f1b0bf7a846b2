from importlib.metadata import EntryPoint

import pytest

from recollect import plugins
from recollect.errors import UsageError


def test_an_unknown_group_names_the_known_ones():
    with pytest.raises(UsageError, match="parsers, channels, embedders, rerankers, rankers, stores"):
        plugins.found("parser")


def test_a_near_miss_is_suggested(monkeypatch):
    monkeypatch.setattr(plugins, "found", lambda _: {"sqlite": None})
    with pytest.raises(UsageError, match="Did you mean 'sqlite'"):
        plugins.load("stores", "sqlit")


def test_a_plugin_that_cannot_be_imported_is_named(monkeypatch):
    broken = EntryPoint("broken", "no_such_module_anywhere:thing", "recollect.stores")
    monkeypatch.setattr(plugins, "found", lambda _: {"broken": broken})
    with pytest.raises(UsageError, match=r"no_such_module_anywhere:thing\) cannot be loaded"):
        plugins.load("stores", "broken")


def test_ours_win_over_others_of_the_same_name(monkeypatch):
    ours = EntryPoint("sqlite", "recollect.store:open", "recollect.stores")
    theirs = EntryPoint("sqlite", "another:open", "recollect.stores")
    monkeypatch.setattr(plugins, "points", lambda group: (ours, theirs))
    assert plugins.found("stores")["sqlite"] is ours
