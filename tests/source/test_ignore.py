"""Rules of ignore files, asked one by one; test_walk compares whole trees with git."""

import pytest

from recollect.source.ignore import compile_rules, read_rules, verdict


def ask(rules, path, folder=False):
    compiled = compile_rules(rules.encode(), 0)
    return verdict([compiled] if compiled else [], path, path.rpartition("/")[2], folder)


@pytest.mark.parametrize(
    ("rules", "path", "answer"),
    [
        ("*.log", "a/b.log", True),
        ("*.log\n!keep.log", "keep.log", False),
        ("!keep.log\n*.log", "keep.log", True),
        ("/a", "b/a", None),
        ("b/a", "c/b/a", None),
        ("**/b/a", "c/b/a", True),
        ("a/**/b", "a/b", True),
        ("a/**/b", "a/x/y/b", True),
        ("a/*/b", "a/x/y/b", None),
        ("a*b*c*d", "a1b2c3d", True),
        ("a*b*c*d", "a1c2b3d", None),
        ("/x/a*b*c", "x/aabbcc", True),
        ("/x/a*b*c", "x/ab/c", None),
        ("a*/**/b*c*d", "a1/x/y/b2c3d", True),
        ("a**/b", "ax/y/b", True),
        ("?", "é", None),
        ("??", "é", True),
        ("[[:digit:]]x", "7x", True),
        ("[!a-c]x", "bx", None),
        ("\\#a", "#a", True),
        ("# a", "# a", None),
        ("a\\ ", "a ", True),
        ("a  ", "a", True),
        ("a\r", "a", True),
        ("[a", "[a", None),
    ],
)
def test_a_path_is_ignored_kept_or_not_named(rules, path, answer):
    assert ask(rules, path) is answer


def test_a_rule_with_a_slash_at_its_end_is_for_folders_only():
    assert ask("build/", "a/build", folder=True) is True
    assert ask("build/", "a/build", folder=False) is None


def test_inner_rule_sets_go_before_outer_ones():
    outer, inner = compile_rules(b"*.py\n", 0), compile_rules(b"!a.py\n", len("lib/"))
    assert verdict([outer, inner], "lib/a.py", "a.py", folder=False) is False
    assert verdict([outer, inner], "lib/b.py", "b.py", folder=False) is True


def test_a_rule_is_relative_to_its_own_folder():
    inner = compile_rules(b"/a.py\n", len("lib/"))
    assert verdict([inner], "lib/a.py", "a.py", folder=False) is True
    assert verdict([inner], "lib/x/a.py", "a.py", folder=False) is None


def test_empty_lines_comments_and_a_byte_order_mark_are_no_rules():
    assert [rule.pattern for rule in read_rules(b"\xef\xbb\xbf*.a\n\n# x\n   \n*.b")] == ["*.a", "*.b"]


def test_many_stars_are_matched_in_good_time():
    assert ask("*a" * 12 + "b", "a" * 200) is None
    assert ask("x/" + "*a" * 12 + "b", "x/" + "a" * 200) is None
