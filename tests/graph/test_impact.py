from dataclasses import dataclass
from pathlib import Path

import pytest

import recollect
from recollect.errors import NotFoundError, UsageError

PROGRAM = {
    "a.py": (
        "from b import Client\n\ndef top():\n    middle()\n\ndef middle():\n    Client().send()\n\n"
        "def loose(x):\n    x.send()\n"
    ),
    "b.py": (
        "class Client:\n    def send(self):\n        self.write()\n\n    def write(self): ...\n\n"
        "class Other:\n    def send(self): ...\n"
    ),
}


@dataclass(frozen=True)
class Asked:
    certain: bool
    distance: int
    provenance: str


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    root: Path = tmp_path_factory.mktemp("impact")
    for path, text in PROGRAM.items():
        (root / path).write_text(text, encoding="utf-8")
    with recollect.open(root) as opened:
        opened.index()
        yield opened


def reached(project, symbol, direction="callers", depth=3):
    found = project.impact(symbol, direction=direction, depth=depth)
    return {one.name: Asked(one.certain, one.distance, one.provenance) for one in found.reached}


def test_callers_are_followed_step_by_step_and_only_possible_ones_are_marked(project):
    found = reached(project, "Client.send")
    assert found["middle"] == Asked(True, 1, "resolved")
    assert found["top"] == Asked(True, 2, "resolved")
    assert found["loose"] == Asked(False, 1, "ambiguous")


def test_callees_are_followed_forwards(project):
    found = reached(project, "top", "callees")
    assert found["Client.write"] == Asked(True, 3, "resolved")


def test_the_depth_bounds_what_is_reached(project):
    assert "top" not in reached(project, "Client.send", depth=1)


def test_a_path_before_the_name_chooses_among_equal_names(project):
    assert [item.path for item in project.impact("b.py:Client.send").starts] == ["b.py"]


def test_an_unknown_symbol_is_an_error_with_the_cure(project):
    with pytest.raises(NotFoundError, match="recollect search"):
        project.impact("nowhere_to_be_found")


def test_an_unknown_direction_is_an_error(project):
    with pytest.raises(UsageError, match="callers, callees"):
        project.impact("top", direction="sideways")
