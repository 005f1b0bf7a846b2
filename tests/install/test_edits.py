"""Whatever stands in a file stays, and what was put in comes out again."""

import json
import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.errors import UsageError
from recollect.install import agents, edits, jsonc

CLAUDE = agents.agent("claude-code", agents.Path("/project"))
CODEX = agents.agent("codex", agents.Path("/project"))

WITH_COMMENTS = """{
  // the servers of the team
  "mcpServers": {
    "other": {"command": "x", "args": ["//no comment", "/*"]}, /* keep */
  },
}
"""
TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=5)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=8,
)
FILES = (
    st.dictionaries(TEXTS, VALUES, max_size=3)
    .flatmap(
        lambda rest: st.one_of(
            st.just(rest),
            st.dictionaries(TEXTS.filter(lambda key: key != "recollect"), VALUES, max_size=3).map(
                lambda servers: {**rest, "mcpServers": servers}
            ),
        )
    )
    .filter(lambda found: isinstance(found.get("mcpServers", {}), dict))
)


@given(FILES, st.sampled_from([None, 0, 2, 4, "\t"]), st.sampled_from(["", "\n", "\n\n"]))
def test_putting_in_keeps_everything_and_taking_out_gives_the_same_text_back(found, indent, end):
    before = json.dumps(found, indent=indent, ensure_ascii=False) + end
    edit = edits.put(before, CLAUDE)
    after = json.loads(edit.text)
    assert after["mcpServers"].pop("recollect") == CLAUDE.entry
    assert after == {"mcpServers": {}, **found}
    assert edits.put(edit.text, CLAUDE).text == edit.text
    assert edits.take(edit.text, CLAUDE, edit.inserted, edit.replaced) == before
    taken = json.loads(edits.take(edit.text, CLAUDE))
    assert taken in (found, {**found, "mcpServers": {}})


@given(FILES)
def test_the_own_reader_reads_what_json_reads(found):
    assert jsonc.read(json.dumps(found, indent=1)) == found


def test_comments_and_trailing_commas_stay():
    edit = edits.put(WITH_COMMENTS, CLAUDE)
    assert "// the servers of the team" in edit.text
    assert '"other": {"command": "x", "args": ["//no comment", "/*"]}, /* keep */\n' in edit.text
    assert list(jsonc.read(edit.text)["mcpServers"]) == ["other", "recollect"]
    assert edits.take(edit.text, CLAUDE, edit.inserted) == WITH_COMMENTS
    assert jsonc.read(edits.take(edit.text, CLAUDE)) == jsonc.read(WITH_COMMENTS)


def test_a_comment_behind_the_last_entry_stays_with_it():
    before = '{"mcpServers": {\n  "a": {} // mine\n}}'
    edit = edits.put(before, CLAUDE)
    assert '"a": {} // mine\n}}' in edit.text
    assert jsonc.read(edit.text) == {"mcpServers": {"a": {}, "recollect": CLAUDE.entry}}
    assert edits.take(edit.text, CLAUDE, edit.inserted) == edits.take(edit.text, CLAUDE) == before


def test_the_indentation_of_the_file_is_kept():
    assert '\n\t\t"recollect": {\n\t\t\t"type"' in edits.put('{\n\t"mcpServers": {}\n}\n', CLAUDE).text


def test_windows_line_ends_are_kept():
    before = '{\r\n  "mcpServers": {}\r\n}\r\n'
    edit = edits.put(before, CLAUDE)
    assert "\n" not in edit.text.replace("\r\n", "")
    assert edits.take(edit.text, CLAUDE, edit.inserted) == before


def test_an_entry_that_was_there_comes_back():
    before = '{"mcpServers": {"recollect": {"command": "old"}, "z": {}}}'
    edit = edits.put(before, CLAUDE)
    assert jsonc.read(edit.text)["mcpServers"] == {"recollect": CLAUDE.entry, "z": {}}
    assert edits.take(edit.text, CLAUDE, edit.inserted, edit.replaced) == before


def test_what_others_added_later_stays():
    edit = edits.put("", CLAUDE)
    later = edit.text.replace('"mcpServers": {', '"mcpServers": {"mine": {},')
    assert jsonc.read(edits.take(later, CLAUDE, edit.inserted)) == {"mcpServers": {"mine": {}}}


@pytest.mark.parametrize(
    "broken", ["{", "[]", '{"mcpServers": []}', '{"a": 1} x', '{"a": 1 "b": 2}', "nonsense"]
)
def test_a_file_that_makes_no_sense_is_not_touched(broken):
    with pytest.raises(UsageError, match="mend it first"):
        edits.put(broken, CLAUDE)


TOMLS = [
    "",
    "# only a comment\n",
    'model = "x" # keep this\n\n[profiles.a]\nmodel = "y"\n',
    '[mcp_servers.other]\ncommand = "a"\n\n[mcp_servers.other.env]\nKEY = "v"',
    '[mcp_servers.other]\r\ncommand = "a"\r\n',
    '[[list]]\nx = """\n[mcp_servers.recollected]\n"""\n',
]


@pytest.mark.parametrize("before", TOMLS)
def test_toml_keeps_its_comments_and_comes_back_letter_by_letter(before):
    edit = edits.put(before, CODEX)
    assert edit.text.startswith(before)
    assert tomllib.loads(edit.text)["mcp_servers"]["recollect"] == CODEX.entry
    assert edits.put(edit.text, CODEX).text == edit.text
    assert edits.take(edit.text, CODEX, edit.inserted) == before
    assert "recollect" not in tomllib.loads(edits.take(edit.text, CODEX)).get("mcp_servers", {})


def test_an_older_toml_entry_is_replaced_with_its_sub_tables():
    before = (
        '[mcp_servers.recollect]\ncommand = "old" # mine\n[mcp_servers.recollect.env]\nA = "b"\n'
        "\n# next\n[z]\na = 1\n"
    )
    edit = edits.put(before, CODEX)
    assert tomllib.loads(edit.text) == {"mcp_servers": {"recollect": CODEX.entry}, "z": {"a": 1}}
    assert "\n\n# next\n[z]" in edit.text
    assert edits.take(edit.text, CODEX, edit.inserted, edit.replaced) == before


def test_toml_that_cannot_be_edited_safely_is_left_alone_with_the_entry_to_add():
    with pytest.raises(UsageError, match="add by hand"):
        edits.put('mcp_servers = { other = { command = "x" } }\n', CODEX)


def test_what_is_to_be_added_by_hand_is_written_as_the_file_is():
    inline = 'mcp_servers = { other = { command = "z" } }\n'
    with pytest.raises(UsageError, match="to mcp_servers: ") as refused:
        edits.put(inline, CODEX)
    line = str(refused.value).partition("to mcp_servers: ")[2]
    assert tomllib.loads(line) == {CODEX.key: CODEX.entry}
