import os

import pytest

from recollect.source import lines
from recollect.source.lines import Lines
from recollect.source.secrets import redact
from recollect.types import Item

SECRET = "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"


def item(path="a.py", start=1, end=1):
    return Item(id="c1", domain="code", kind="function", name="f", path=path, start_line=start, end_line=end)


def old(place):
    os.utime(place, ns=(10**18, 10**18))


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"one\ntwo\nthree\n", ["one", "two", "three", "one\ntwo", "two\nthree", ""]),
        (b"one\ntwo\nthree", ["one", "two", "three", "one\ntwo", "two\nthree", ""]),
        (b"one\r\ntwo\r\nthree\r\n", ["one", "two", "three", "one\ntwo", "two\nthree", ""]),
        ("one\nzwö\nthree".encode("utf-16"), ["one", "zwö", "three", "one\nzwö", "zwö\nthree", ""]),
        ("\ufeffone\nzwö\nthree".encode(), ["one", "zwö", "three", "one\nzwö", "zwö\nthree", ""]),
        ("one\nzwö\nthree".encode("latin-1"), ["one", "zwö", "three", "one\nzwö", "zwö\nthree", ""]),
    ],
)
def test_lines_are_those_that_the_index_counted(tmp_path, data, expected):
    (tmp_path / "a.py").write_bytes(data)
    spans = [(1, 1), (2, 2), (3, 3), (1, 2), (2, 9), (4, 9)]
    assert [Lines(tmp_path).of(item(start=first, end=last)) for first, last in spans] == expected


def test_an_empty_file_has_no_lines(tmp_path):
    (tmp_path / "a.py").write_bytes(b"")
    assert Lines(tmp_path).of(item()) == ""


@pytest.mark.parametrize("more", [0, 5000])
def test_a_secret_is_never_shown(tmp_path, more):
    (tmp_path / "a.py").write_text(
        f"def f():\n    return '{SECRET}'\n" + "x = 'ä' + 1\n" * more, encoding="utf-8"
    )
    assert Lines(tmp_path).of(item(end=2)) == f"def f():\n    return '{'*' * len(SECRET)}'"


@pytest.mark.parametrize("before", [0, 9000])
def test_a_key_is_hidden_in_whatever_part_of_it_is_asked_for(tmp_path, before):
    body = "\n".join("MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQDf8" for _ in range(20))
    text = "some words\n" * before + f"-----BEGIN PRIVATE KEY-----\n{body}\n-----END PRIVATE KEY-----\n"
    (tmp_path / "key.txt").write_text(text, encoding="utf-8")
    assert "MII" not in (Lines(tmp_path).of(item("key.txt", before + 10, before + 12)) or "MII")


def test_a_file_that_changed_is_read_again(tmp_path):
    place = tmp_path / "a.py"
    known = Lines(tmp_path)
    place.write_text("one\n", encoding="utf-8")
    old(place)
    assert known.of(item()) == "one"
    place.write_text("two\n", encoding="utf-8")
    assert known.of(item()) == "two"
    place.unlink()
    assert known.of(item()) is None


def test_a_file_that_was_just_written_is_not_trusted(tmp_path):
    place = tmp_path / "a.py"
    known = Lines(tmp_path)
    place.write_text("one\n", encoding="utf-8")
    seen = place.stat()
    assert known.of(item()) == "one"
    place.write_text("two\n", encoding="utf-8")
    os.utime(place, ns=(seen.st_atime_ns, seen.st_mtime_ns))
    assert known.of(item()) == "two"


def test_a_link_out_of_the_project_is_not_followed(tmp_path):
    (tmp_path / "outside.txt").write_text("private\n", encoding="utf-8")
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / "a.py").symlink_to(tmp_path / "outside.txt")
    assert Lines(tmp_path / "project").of(item()) is None


def test_no_more_text_is_kept_than_there_is_room_for(tmp_path, monkeypatch):
    monkeypatch.setattr(lines, "ROOM", 100)
    known = Lines(tmp_path)
    for name in "abcdef":
        place = tmp_path / f"{name}.py"
        place.write_text(name * 29 + "\n", encoding="utf-8")
        old(place)
        assert known.of(item(f"{name}.py")) == name * 29
    assert (known._size, list(known._files)) == (90, ["d.py", "e.py", "f.py"])


def test_a_file_without_secrets_is_searched_for_them_once_until_it_changes(tmp_path, monkeypatch):
    place = tmp_path / "a.py"
    place.write_text("one\n", encoding="utf-8")
    old(place)
    searched = []
    monkeypatch.setattr(lines, "ROOM", 0)
    monkeypatch.setattr(
        lines, "redact", lambda content, path: searched.append(content) or redact(content, path)
    )
    known = Lines(tmp_path)
    assert [known.of(item()), known.of(item())] == ["one", "one"]
    assert searched == [b"one\n"]
    place.write_text(f"key = '{SECRET}'\n", encoding="utf-8")
    os.utime(place, ns=(1, 1))
    assert [SECRET in known.of(item()), SECRET in known.of(item())] == [False, False]
    assert len(searched) == 3
