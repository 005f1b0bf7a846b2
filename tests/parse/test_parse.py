import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recollect.errors import ParseError
from recollect.parse import decode, encode, grammar_version, parse
from recollect.parse.chunks import MOST
from recollect.parse.settings import read_query

PIECES = st.sampled_from(
    [
        "import os\n", "\n", "# note\n", "x = call(1)\n", "def f(a):\n    return g(a)\n\n",
        "class C:\n" + "".join(f"    def m{n}(self):\n        return self.m{n}({n} + {n})\n\n" for n in range(40)),
        "def long():\n" + "".join(f"    value_{n} = compute(value, {n})\n" for n in range(120)),
        "broken(((\n", "text = '''\nlines\n'''\n", "é = 'ü'\r\n",
    ]
)  # fmt: skip
HOSTILE = {
    "empty": b"",
    "only line ends": b"\n\n\n",
    "only comments": b"# a\n" * 3000,
    "one long line": b"x = " + b"1+" * 100_000 + b"1\n",
    "a long chain of calls": b"a.b()" + b".c(x)" * 20_000,
    "deep parentheses": b"(" * 10_000 + b")" * 10_000,
    "deep parentheses on lines": b"(\n" * 3_000 + b")\n" * 3_000,
    "open brackets": b"[{" * 5_000,
    "zero bytes": b"\0" * 10_000,
}


def check_cover(content, facts):
    assert [c.start_line for c in facts.chunks] == [1, *(c.end_line + 1 for c in facts.chunks)][
        : len(facts.chunks)
    ]
    assert b"".join(content[c.start_byte : c.end_byte] for c in facts.chunks) == content
    assert (facts.chunks[-1].end_line if facts.chunks else 0) == facts.lines


@settings(max_examples=40, deadline=None)
@given(st.lists(PIECES, max_size=12), st.sampled_from(["python", "markdown", "rst", "text", "proto"]))
def test_chunks_cover_every_line_once_in_order(pieces, language):
    content = "".join(pieces).encode()
    facts = parse("a", language, content)
    check_cover(content, facts)
    for chunk in facts.chunks:
        text = content[chunk.start_byte : chunk.end_byte]
        assert chunk.start_line == chunk.end_line or len(b"".join(text.split())) <= MOST


@pytest.mark.parametrize("language", ["python", "go", "typescript"])
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_files_end_in_chunks(language, name):
    check_cover(HOSTILE[name], parse("a", language, HOSTILE[name]))


@pytest.mark.parametrize("language", ["python", "go", "javascript", "markdown", "rst", "proto", "text"])
def test_random_text_ends_in_chunks(language):
    dice = random.Random(7)
    content = "".join(dice.choice(" \n\t(){}[]<>=:;,.'\"`#abcäöxyz019") for _ in range(20_000)).encode()
    check_cover(content, parse("a", language, content))


def test_a_long_file_that_is_no_code_is_kept_as_text():
    dice = random.Random(1)
    content = bytes(dice.choice(b" \n\t(){}[]<>=:;,.'\"abcxyz_019+-*/#@") for _ in range(100_000))
    facts = parse("a.js", "javascript", content)
    assert "plain text" in facts.notes[0]
    check_cover(content, facts)


def test_classes_are_split_between_methods():
    method = (
        "    def m{0}(self):\n" + "".join(f"        value{n} = self.step({n})\n" for n in range(20)) + "\n"
    )
    source = "class C:\n" + "".join(method.format(n) for n in range(12))
    facts = parse("a.py", "python", source.encode())
    assert len(facts.chunks) > 2
    for chunk in facts.chunks[1:]:
        assert source.encode()[chunk.start_byte : chunk.end_byte].lstrip().startswith(b"def m")


def test_facts_survive_being_encoded():
    facts = parse("a.py", "python", b"import os\ndef f(a: int):\n    'd'\n    return os.stat(a)\n")
    assert decode(encode(facts)) == facts


def test_bytes_that_are_no_facts_are_refused():
    with pytest.raises(ParseError, match="Parse the file again"):
        decode(b"nonsense")


def test_the_version_is_stable_within_a_process():
    assert grammar_version() == grammar_version() != ""


def test_an_unknown_setting_names_file_and_key(tmp_path):
    path = tmp_path / "odd.scm"
    path.write_text(
        ';;; grammar = "tree_sitter_python"\n;;; colour = "red"\n(module) @package\n', encoding="utf-8"
    )
    with pytest.raises(ParseError, match=r"odd\.scm.*colour"):
        read_query(path)


def test_parsing_twice_gives_the_same_facts():
    content = b"def f(xs):\n" + b"".join(b"    y%d = g(xs[%d])\n" % (n, n) for n in range(50))
    assert encode(parse("a.py", "python", content)) == encode(parse("a.py", "python", content))


def test_a_long_comment_is_cut_like_everything_else():
    content = b"# a note of some words\n" * 1000 + b"def f():\n    pass\n"
    facts = parse("a.py", "python", content)
    check_cover(content, facts)
    assert max(len(b"".join(content[c.start_byte : c.end_byte].split())) for c in facts.chunks) <= MOST


def test_a_test_that_is_named_by_a_sign_keeps_its_name():
    (found,) = parse("test/a_test.rb", "ruby", b"test('@') do\n  assert true\nend\n").symbols
    assert (found.name, found.kind) == ("@", "test")
