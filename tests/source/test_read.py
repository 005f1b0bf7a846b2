"""Reading files: encodings, sizes, and files that do not keep still."""

import os
from hashlib import blake2b

import pytest

from recollect.source.read import decode, read_source


def test_bytes_are_hashed_raw_and_text_is_utf8(tmp_path):
    (tmp_path / "a.py").write_bytes("\ufeffx = 'é'\r\n".encode())
    raw = (tmp_path / "a.py").read_bytes()
    source = read_source(tmp_path, "a.py")
    assert source.content == blake2b(raw, digest_size=32).digest()
    assert source.text == raw[3:]
    assert (source.size, source.reason, source.notes) == (len(raw), "", ())


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_unicode_is_read_by_its_mark(encoding):
    assert decode("naïve 日本\r\n".encode(encoding)).text == "naïve 日本\r\n".encode()


@pytest.mark.parametrize(("mark", "encoding"), [(b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be")])
def test_both_byte_orders_are_read(mark, encoding):
    assert decode(mark + "é".encode(encoding)).text == "é".encode()


def test_broken_utf16_is_still_text():
    assert decode(b"\xff\xfea\x00b").text.decode("utf-8").startswith("a")


def test_anything_else_is_latin1_with_a_note():
    text, notes = decode(b"caf\xe9\n")
    assert text == "café\n".encode()
    assert notes == ("The file is not UTF-8; it was read as latin-1.",)


def test_a_huge_file_is_never_read(tmp_path):
    with (tmp_path / "big.py").open("wb") as file:
        file.truncate(500 << 20)
    source = read_source(tmp_path, "big.py")
    assert (source.reason, source.text, source.content, source.size) == ("too large", b"", b"", 500 << 20)


def test_a_file_that_changes_once_is_read_again(tmp_path):
    place = tmp_path / "a.py"
    place.write_text("old", encoding="utf-8")
    edits = iter(["new text"])

    def edit():
        for text in edits:
            place.write_text(text, encoding="utf-8")

    source = read_source(tmp_path, "a.py", between=edit)
    assert (source.text, source.reason) == (b"new text", "")


def test_a_file_that_never_keeps_still_is_unstable(tmp_path):
    place = tmp_path / "a.py"
    place.write_text("x", encoding="utf-8")
    source = read_source(
        tmp_path,
        "a.py",
        between=lambda: place.write_text(place.read_text(encoding="utf-8") + "x", encoding="utf-8"),
    )
    assert (source.reason, source.text) == ("unstable", b"")
    assert place.read_text(encoding="utf-8") == "xxxx"


def test_a_file_replaced_while_it_is_read_is_read_again(tmp_path):
    place = tmp_path / "a.py"
    place.write_text("old", encoding="utf-8")
    (tmp_path / "next").write_text("new", encoding="utf-8")
    os.utime(tmp_path / "next", ns=(1, 1))

    def replace():
        if (tmp_path / "next").exists():
            (tmp_path / "next").replace(place)

    assert read_source(tmp_path, "a.py", between=replace).text == b"new"


def test_missing_files_folders_links_and_pipes_have_reasons(tmp_path):
    (tmp_path / "real.py").write_text("x", encoding="utf-8")
    (tmp_path / "link.py").symlink_to("real.py")
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    reasons = {name: read_source(tmp_path, name).reason for name in ("nothing", "link.py", "folder", "pipe")}
    assert reasons == {
        "nothing": "missing",
        "link.py": "unreadable",
        "folder": "unreadable",
        "pipe": "unreadable",
    }


def test_an_unreadable_file_says_why(tmp_path, monkeypatch):
    (tmp_path / "a.py").write_text("x", encoding="utf-8")

    def refuse(*_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "open", refuse)
    source = read_source(tmp_path, "a.py")
    assert (source.reason, source.detail) == ("unreadable", "it cannot be read: Permission denied")
