"""Keeps the settings of whoever runs the tests out of them."""

import os

import pytest


@pytest.fixture(autouse=True, scope="session")
def no_git_settings(tmp_path_factory):
    patch = pytest.MonkeyPatch()
    patch.setenv("XDG_CONFIG_HOME", str(tmp_path_factory.mktemp("settings")))
    patch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    yield
    patch.undo()
