import json

import pytest

import recollect
from recollect.errors import UsageError

SHOP = {
    "shop/__init__.py": "from shop.cart import total\n",
    "shop/cart.py": (
        "import registry\n\n\n"
        "def total(rows):\n    return _sum(rows)\n\n\n"
        "def _sum(rows):\n    return sum(rows)\n\n\n"
        "def _forgotten(rows):\n    return _only_for_the_forgotten(rows)\n\n\n"
        "def _only_for_the_forgotten(rows):\n    return rows\n\n\n"
        "def _by_name():\n    return 1\n\n\n"
        "@registry.handler('x')\ndef _registered():\n    return 2\n\n\n"
        "def _tested():\n    return 3\n\n\n"
        "def offered():\n    return 4\n\n\n"
        "def main():\n    return 5\n\n\n"
        "def _loop(n):\n    return _loop(n - 1)\n"
    ),
    "shop/stream.py": (
        "import io\n\n\n"
        "class _Stream(io.RawIOBase):\n    def readinto(self, b):\n        return 0\n\n"
        "    def _unasked(self):\n        return 0\n\n\n"
        "def stream():\n    return _Stream()\n"
    ),
    "shop/dispatch.py": "def call(shop):\n    return getattr(shop, '_by_name')()\n\n\nTABLE = {'s': call}\n",
    "tests/test_cart.py": "from shop.cart import _tested\n\n\ndef test_it():\n    assert _tested() == 3\n",
}


@pytest.fixture
def dead(tmp_path):
    def find(files=SHOP, *observed, **how):
        for path, text in files.items():
            file = tmp_path / "r" / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        with recollect.open(tmp_path / "r") as opened:
            opened.index()
            for text in observed:
                (tmp_path / "runs.jsonl").write_text(text, encoding="utf-8")
                opened.observe([tmp_path / "runs.jsonl"], again=True)
            return opened.dead(**how)

    return find


def sureness(report):
    return {one.name: one.certainty for one in report.candidates}


def test_what_nothing_names_is_told_and_what_is_used_is_not(dead):
    found = sureness(dead())
    assert found["_forgotten"] == 0.95
    assert found["_loop"] == 0.95, "a call of itself is no use"
    assert not {"total", "_sum", "main", "stream", "_Stream"} & set(found)


def test_what_only_dead_code_uses_is_dead_too_but_no_surer_than_that(dead):
    report = dead()
    found = next(one for one in report.candidates if one.name == "_only_for_the_forgotten")
    assert 0.5 <= found.certainty < 0.95
    assert found.reasons[0] == "only _forgotten uses it, and nothing uses that"


def test_each_doubt_lowers_the_certainty_and_is_told(dead):
    report = dead(least=0)
    by_name = {one.name: one for one in report.candidates}
    for name, reason in (
        ("_by_name", "its name stands in another line of code"),
        ("_registered", "@registry.handler may hand it to others"),
        ("_tested", "only tests use it"),
        ("offered", "it is public, so code elsewhere may use it"),
        ("_Stream.readinto", "its type has a base outside the repository, which may call it"),
    ):
        assert by_name[name].certainty < by_name["_forgotten"].certainty, name
        assert reason in by_name[name].reasons, name
    assert {"_by_name", "_registered", "offered", "_Stream.readinto"}.isdisjoint(sureness(dead()))


def test_the_surest_come_first_and_the_rest_is_counted(dead):
    report = dead(least=0.9)
    everything = dead(least=0)
    assert [one.certainty for one in everything.candidates] == sorted(
        (one.certainty for one in everything.candidates), reverse=True
    )
    assert report.doubtful == len(everything.candidates) - len(report.candidates)
    assert report.looked_at >= len(everything.candidates)


def test_only_the_named_folders_are_told(dead):
    assert {one.path for one in dead(paths=["shop/stream.py"], least=0).candidates} == {"shop/stream.py"}
    assert {one.path for one in dead(paths=["./shop/"], least=0).candidates} == {
        "shop/stream.py",
        "shop/cart.py",
    }


def test_what_was_seen_running_lives_and_its_neighbours_are_surer_dead(dead):
    ran = json.dumps({"symbol": "_by_name", "path": "shop/cart.py", "count": 3}) + "\n"
    before, after = sureness(dead(least=0)), sureness(dead(SHOP, ran, least=0))
    assert "_by_name" not in after
    assert after["offered"] > before["offered"]
    assert after["_forgotten"] > before["_forgotten"]


def test_what_would_make_it_surer_is_said(dead):
    notes = dead().notes
    assert any("recollect enrich" in note for note in notes)
    assert any("recollect observe" in note for note in notes)


def test_members_that_an_interface_promises_are_doubtful(dead):
    found = dead(
        {
            "a.py": (
                "from typing import Protocol\n\n\nclass Port(Protocol):\n    def answer(self): ...\n\n\n"
                "class Other:\n    def answer(self):\n        return 1\n\n    def _alone(self):\n        return 2\n\n\n"
                "def ask(port: Port):\n    return port.answer(), Other()\n\n\nprint(ask(Other()))\n"
            )
        },
        least=0,
    )
    known = sureness(found)
    assert known["Other._alone"] == 0.95
    assert known.get("Other.answer", 0) < 0.5


def test_a_method_that_overrides_a_used_one_is_not_surely_dead(dead):
    source = (
        "class Base:\n    def run(self):\n        return 0\n\n\n"
        "class Sub(Base):\n    def run(self):\n        return 1\n\n\n"
        "def start(base: Base):\n    return base.run()\n\n\nprint(start(Sub()))\n"
    )
    assert "Sub.run" not in sureness(dead({"a.py": source}))


def test_nonsense_is_refused(dead):
    with pytest.raises(UsageError, match="certainty lies between 0 and 1"):
        dead(least=2)


def test_an_empty_repository_has_no_candidates(dead):
    report = dead({"README.md": "# Nothing\n"})
    assert report.candidates == () and report.looked_at == 0 and report.notes == ()


def test_impact_says_how_sure_it_is_that_nothing_needs_a_symbol(dead, tmp_path):
    dead()
    with recollect.open(tmp_path / "r") as opened:
        (told,) = opened.impact("_forgotten").unused.values()
        assert (told.certainty, told.reasons) == (0.95, ("nothing is known to use it",))
        assert not opened.impact("_sum").unused
        assert not opened.impact("_forgotten", direction="callees").unused


def test_a_use_in_a_line_that_defines_the_same_name_counts(dead):
    source = (
        "class A:\n    def __init__(self):\n        self._make = _make()\n\n\n"
        "def _make():\n    return 1\n\n\nprint(A())\n"
    )
    assert "_make" not in sureness(dead({"a.py": source}))


def test_a_function_that_is_written_as_an_argument_is_in_the_hands_of_others(dead):
    source = (
        "function _own() { return 1 }\nserve('/x', function _handed() { return 2 })\n"
        "client.onload = function () { return 3 }\n"
    )
    assert set(sureness(dead({"a.js": source}))) <= {"_own"}
