"""Files of other programs become memories, with what they say of them."""

import json
import lzma
import zipfile
from pathlib import Path

import pytest

import recollect
from recollect.errors import UsageError
from recollect.memory.imports.formats import FORMATS, read

FOREIGN = Path(__file__).with_name("foreign")


@pytest.fixture
def at(tmp_path):
    """Return the path of a foreign file, unpacked where it is packed."""

    def path(name):
        packed = FOREIGN / f"{name}.xz"
        if not packed.exists():
            return FOREIGN / name
        (tmp_path / name).write_bytes(lzma.decompress(packed.read_bytes()))
        return tmp_path / name

    return path


@pytest.fixture
def project(tmp_path):
    (tmp_path / "project").mkdir()
    with recollect.open(tmp_path / "project") as opened:
        yield opened


def take(project, path, format_name=""):
    items, refused = project.memories.import_from(path, format_name, {})
    return {item.text: item for item in items}, refused


def links(project, item):
    return {
        (link["type"], link["source"], link["target"])
        for link in project.memories.of("project").get(item.id).metadata["links"]
    }


@pytest.mark.parametrize("name", ["engrava.db", "engrava.json", "engrava.jsonl"])
def test_engrava(project, at, name):
    items, refused = take(project, at(name))
    assert refused == []
    old, new = items["We retry idempotent calls only"], items["We retry all calls now"]
    assert (new.metadata["priority"], new.metadata["metadata"]["ticket"]) == ("P1", "7")
    assert items["Idempotent calls get retried"].kind == "reflection"
    assert old.metadata["created"].startswith("2026-11-19T02:31:19.345")
    assert links(project, old) == {("contests", new.id, old.id)}
    assert project.memories.of("project").get(old.id).metadata["status"] == "contested"


@pytest.mark.parametrize("name", ["engram.db", "engram.json"])
def test_engram(project, at, name):
    items, refused = take(project, at(name))
    assert refused == []
    assert set(items) == {
        "We retry idempotent calls only",
        "We retry all calls now",
        "The deploy took two hours",
    }
    old = items["We retry idempotent calls only"]
    assert (old.metadata["importance"], old.metadata["trust"], old.metadata["layer"]) == (
        0.8,
        1.0,
        "semantic",
    )
    assert old.metadata["valid_from"] == "2025-05-01T00:00:00.000Z"
    assert items["We retry all calls now"].metadata["tags"] == ["http"]
    deploy = items["The deploy took two hours"]
    assert (deploy.metadata["source"], deploy.metadata["tags"]) == ("log.md", ["codebase"])
    if name.endswith(".db"):
        assert (old.metadata["status"], deploy.metadata["status"]) == ("superseded", "contested")
        assert items["We retry all calls now"].kind == "procedure"


def test_claude_memory(project, at):
    items, refused = take(project, at("claude-memory.db"))
    assert refused == ["1 sensitive memories were left out; their text is not in the file."]
    one = items["We retry idempotent calls only"]
    assert (one.kind, one.metadata["tags"], one.metadata["importance"]) == (
        "decision",
        ["http", "retry"],
        0.8,
    )
    assert items["Anna prefers tea"].kind == "preference"
    assert len(items) == 2


@pytest.mark.parametrize("name", ["mem0.db", "mem0.json"])
def test_mem0(project, at, name):
    items, refused = take(project, at(name))
    assert refused == []
    assert set(items) == {"Anna prefers tea", "We retry all calls now"}
    assert items["We retry all calls now"].metadata["created"].startswith("2026-11-19T02:32:05.053")
    if name == "mem0.json":
        assert items["Anna prefers tea"].metadata["metadata"] == {
            "topic": "drinks",
            "user_id": "anna",
            "role": "user",
        }


def test_the_mcp_memory_server(project, at):
    items, refused = take(project, at("mcp-memory.jsonl"))
    assert refused == []
    assert set(items) == {
        "Anna Berg: Leads the payments team", "Anna Berg: Prefers tea", "payments: Owns the retry policy",
        "Anna Berg leads payments.",
    }  # fmt: skip
    assert items["Anna Berg: Prefers tea"].metadata["tags"] == ["person"]


def test_claude_code(project, at):
    items, refused = take(project, at("claude-code.jsonl"))
    assert refused == ["1 lines of claude-code.jsonl are not JSON and were left out."]
    assert list(items) == ["Make the retry policy configurable", "I will add a setting to `Client`.", "Done."]
    first = items["Make the retry policy configurable"]
    assert (first.metadata["author"], first.metadata["session"], first.kind) == ("user", "s1", "narrative")
    assert first.metadata["created"] == "2026-05-01T10:00:00.000Z"
    assert first.metadata["metadata"] == {"cwd": "/home/me/shop", "branch": "main"}


def test_chatgpt_follows_the_branch_that_was_shown_last(project, at, tmp_path):
    items, refused = take(project, at("chatgpt.json"))
    assert (list(items), refused) == (["Which calls may be retried?", "Only idempotent ones.", "Thanks"], [])
    archive = tmp_path / "export.zip"
    with zipfile.ZipFile(archive, "w") as file:
        file.write(at("chatgpt.json"), "conversations.json")
    again, _ = take(project, archive)
    assert [item.metadata["action"] for item in again.values()] == ["NOOP"] * 3


def test_chatgpt_without_a_current_node_takes_the_last_branch(project, at, tmp_path):
    (conversation,) = json.loads(at("chatgpt.json").read_text("utf-8"))
    del conversation["current_node"]
    (tmp_path / "one.json").write_text(json.dumps(conversation), "utf-8")
    items, _ = take(project, tmp_path / "one.json")
    assert list(items) == ["Which calls may be retried?", "Only idempotent ones.", "Thanks"]


def test_markdown(project, at):
    items, refused = take(project, at("notes.md"))
    assert refused == []
    assert list(items) == [
        "We sell tea\nand nothing else.", "We retry idempotent calls only",
        "We moved to Postgres,\n  after a long talk",
        "Call it like this:\n```python\n# no heading\nclient.send()\n```",
    ]  # fmt: skip
    kept = items["We retry idempotent calls only"]
    assert (kept.kind, kept.metadata["source"]) == ("decision", "notes.md")
    assert kept.metadata["metadata"] == {"heading": "Shop > Decisions"}
    dated = list(items.values())[-1]
    assert dated.metadata["created"] == "2026-05-01T00:00:00.000Z"


def test_a_folder_of_notes(project, tmp_path):
    (tmp_path / "notes" / "deep").mkdir(parents=True)
    (tmp_path / "notes" / "a.md").write_text("- one thing\n", "utf-8")
    (tmp_path / "notes" / "deep" / "b.md").write_text("another thing\n", "utf-8")
    items, _ = take(project, tmp_path / "notes")
    assert {text: item.metadata["source"] for text, item in items.items()} == {
        "one thing": "a.md", "another thing": "deep/b.md",
    }  # fmt: skip


FILES = [
    "engrava.db", "engrava.json", "engrava.jsonl", "engram.db", "engram.json", "claude-memory.db", "mem0.db",
    "mem0.json", "mcp-memory.jsonl", "claude-code.jsonl", "chatgpt.json", "notes.md",
]  # fmt: skip


@pytest.mark.parametrize("name", FILES)
def test_taking_a_file_in_twice_adds_nothing(project, at, name):
    take(project, at(name))
    before = list(project.memories.of("project").export())
    items, _ = take(project, at(name))
    assert {item.metadata["action"] for item in items.values()} == {"NOOP"}
    assert list(project.memories.of("project").export()) == before


@pytest.mark.parametrize("name", FILES)
def test_everything_taken_in_comes_back_from_an_export(project, at, name, tmp_path):
    take(project, at(name))
    lines = list(project.memories.of("project").export())
    (tmp_path / "out.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    (tmp_path / "other").mkdir()
    with recollect.open(tmp_path / "other") as other:
        _, refused = take(other, tmp_path / "out.jsonl")
        back = list(other.memories.of("project").export())
    assert refused == []
    changed = {"updated"}
    strip = [{key: value for key, value in line.items() if key not in changed} for line in back]
    assert strip == [{key: value for key, value in line.items() if key not in changed} for line in lines]


@pytest.mark.parametrize("name", FILES)
def test_what_cannot_be_read_in_a_format_is_told_in_a_sentence(at, name):
    told = {}
    for format_name in FORMATS:
        try:
            read(at(name), format_name)
        except UsageError as error:
            told[format_name] = str(error)
    own = next(one for one in FORMATS if name.startswith((one, "notes" if one == "markdown" else one)))
    assert own not in told
    assert told
    assert all(name in sentence for sentence in told.values())


def test_what_is_no_known_file_is_said(tmp_path):
    (tmp_path / "x.bin").write_bytes(b"\xff\xfe\x00binary")
    with pytest.raises(UsageError, match="--from"):
        read(tmp_path / "x.bin")
    with pytest.raises(UsageError, match="There is no file"):
        read(tmp_path / "none")
    with pytest.raises(UsageError, match="engrava, engram"):
        read(tmp_path / "x.bin", "engrva")


def test_our_own_database_is_not_taken_in_by_its_tables(project):
    project.remember("tea")
    project.close()
    with recollect.open(project.root) as other:
        other.remember("coffee")
        with pytest.raises(UsageError, match="export it"):
            read(project.root / ".recollect" / "memory.db")
