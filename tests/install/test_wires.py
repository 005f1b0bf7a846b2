"""Hooks in an agent's file: put in, kept apart from others, and taken out again."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.hooks.heard import known
from recollect.install import wires

NAMES = tuple(known()["agents"])
FOREIGN = {"hooks": [{"type": "command", "command": "./mine.sh hook claude-code stop"}]}


def of(name):
    return wires.wiring(name, Path("/p"))


lists = st.lists(
    st.one_of(st.just(FOREIGN), st.dictionaries(st.text(max_size=4), st.integers(), max_size=2)), max_size=3
)
names = st.sampled_from(["PreToolUse", "Stop", "SessionStart", "stop", "Else"])
contents = st.dictionaries(
    st.sampled_from(["permissions", "env", "version"]),
    st.one_of(st.integers(), st.text(max_size=5)),
    max_size=2,
)


@given(
    st.sampled_from(NAMES),
    contents,
    st.none() | st.dictionaries(names, lists, max_size=3),
    st.sampled_from([None, 2, "\t"]),
)
def test_what_was_there_stays_and_comes_back_letter_by_letter(name, content, hooks, indent):
    found = content if hooks is None else {**content, "hooks": hooks}
    before = json.dumps(found, indent=indent)
    after, pieces = wires.put(before, of(name))
    assert wires.wired(after, of(name))
    kept = json.loads(after)
    for key, value in content.items():
        assert kept[key] == value
    for moment, rows in (hooks or {}).items():
        assert kept["hooks"][moment][: len(rows)] == rows
    assert wires.take(after, of(name), pieces) == before


def test_without_the_record_only_our_entries_go():
    before = json.dumps({"hooks": {"Stop": [FOREIGN]}})
    after, _ = wires.put(before, of("claude-code"))
    left = json.loads(wires.take(after, of("claude-code"), []))
    assert left["hooks"].pop("Stop") == [FOREIGN]
    assert not any(left["hooks"].values())


def test_comments_and_what_others_added_later_stay():
    before = '{\n  // mine\n  "hooks": {"Stop": []} // end\n}\n'
    after, pieces = wires.put(before, of("claude-code"))
    later = after.replace('"Stop": [', '"Stop": [\n    {"hooks": []},')
    left = wires.take(later, of("claude-code"), pieces)
    assert "// mine" in left and "// end" in left
    assert '{"hooks": []}' in left
    assert "recollect" not in left


@pytest.mark.parametrize("text", ["{", "[]", '{"hooks": []}', '{"hooks": {"Stop": {}}}'])
def test_a_file_that_makes_no_sense_is_not_touched(text):
    with pytest.raises(wires.UsageError, match="nothing was changed"):
        wires.put(text, of("claude-code"))


def test_an_agent_without_hooks_is_a_sentence():
    with pytest.raises(wires.UsageError, match="Did you mean 'claude-code'"):
        wires.wiring("claude-cod", Path("/p"))
