from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tree_sitter import Parser

from recollect.parse.grammars import load, names
from recollect.retrieve.compress import compressor
from recollect.retrieve.compress.boilerplate import ASSIGNMENTS, BLANKS, IMPORTS, LOGS
from recollect.retrieve.compress.compressor import Parameters, compress, own_idf, preserved, prune
from recollect.retrieve.compress.rows import Row
from recollect.retrieve.compress.similar import SAME, WINDOW, drop_repeated, near
from recollect.retrieve.compress.sound import is_sound
from recollect.retrieve.compress.syntax import syntax_of
from recollect.retrieve.compress.units import cut
from recollect.retrieve.tokens import words

SAMPLES = {
    path.parent.name: path.read_text(encoding="utf-8")
    for path in sorted((Path(__file__).parents[2] / "golden").glob("*/sample.*"))
}
HARD = Parameters(target_ratio=0.0, max_prune_ratio=1.0)
LOOSE = Parameters(target_ratio=1.0)
LINES = st.sampled_from(
    [
        "def f(a):", "    return a", "    x = 1", "", "import os", "from a import b", "    self.x = y", "    print(x)",
        "# TODO: mend", "# a remark", '    """A docstring', "    of two lines.", '    """', "class A:", "    if x:",
        "        y(", "            1)",
        "    z = [", "    ]", "{", "}", "'", "    assert x", "    raise X", "    v = 'it'",
    ]
)  # fmt: skip
TEXTS = st.lists(LINES, max_size=30).map("\n".join)
LANGUAGES = st.sampled_from(
    ["python", "javascript", "ruby", "rust", "haskell", "text", "unknown", "bash", "yaml"]
)


def squeezed(text, language="python", parameters=LOOSE, **more):
    return compress(text, language, words, parameters, **more).text


def test_the_shipped_numbers():
    assert Parameters() == Parameters(0.4, True, True, True, True, 0.7, True)
    assert (IMPORTS, ASSIGNMENTS, LOGS, BLANKS) == (3, 2, 1, 1)
    assert (SAME, WINDOW) == (0.85, 20)


@pytest.mark.parametrize(
    "line",
    [
        "def f(x):",
        "    async def g():", "class A:", "    return 1", "    raise E", "    yield", "    assert x", "if x:",
        "    elif y:",
        "    else:", "for a in b:", "while x:", "    try:", "    except E:", "    finally:", "with a as b:",
        "    x = 1  # TODO: mend", "# FIXME", "#HACK", "# NOTE", "# XXX", '"""Words."""',
    ],
)  # fmt: skip
def test_structure_stays_in_python(line):
    assert preserved(line, "python") == (line,)


@pytest.mark.parametrize(
    "line", ["x = 1", "import os", "self.x = x", "print(1)", "# a remark", "returned = 1", ""]
)
def test_the_rest_may_go_in_python(line):
    assert preserved(line, "python") == ()


def test_docstrings_stay_only_when_they_shall():
    text = 'def f():\n    """One\n    two."""\n    x = 1'
    assert preserved(text, "python") == ("def f():", '    """One', '    two."""')
    assert preserved(text, "python", docs=False) == ("def f():",)


def test_a_longer_run_of_imports_is_one_remark_with_eight_names():
    four = "\n".join(f"import m{number}" for number in range(4))
    assert squeezed(four) == "# [4 imports: m0, m1, m2, m3]"
    three = "import alpha\nfrom omega import one\nimport x"
    assert squeezed(three) == three
    ten = "\n".join(f"from m{number} import x" for number in range(10))
    assert squeezed(ten) == "# [10 imports: m0, m1, m2, m3, m4, m5, m6, m7, ...]"


def test_more_than_two_assignments_are_one_remark():
    text = "    self.first = a\n    self.second = b\n    self.third = c"
    assert squeezed(text) == "    # [3 assignments: first, second, third]"
    two = "    self.alpha = 1\n    self.omega = function(9)"
    assert squeezed(two) == two


def test_more_than_one_log_statement_is_one_remark():
    text = "x()\nprint('something')\nlogger.info('something')\ny()"
    assert squeezed(text) == "x()\n# [2 log statements]\ny()"
    assert squeezed("print('something')") == "print('something')"


def test_blank_lines_never_come_in_runs():
    assert squeezed("alpha()\n\n\n\nomega(9)") == "alpha()\n\nomega(9)"


def test_remarks_are_comments_of_the_language():
    text = "import {a} from 'a'\nimport b from 'b'\nimport 'c'\nconst d = require('d')"
    assert squeezed(text, "javascript") == "// [4 imports: a, b, c, d]"
    assert squeezed("import A\nimport B\nimport C\nimport D", "haskell") == "-- [4 imports: A, B, C, D]"


def test_switched_off_nothing_is_collapsed():
    text = "import alpha\nfrom omega import one\nimport x\nfrom y.z import nothing"
    off = Parameters(target_ratio=1.0, collapse_imports=False)
    assert squeezed(text, parameters=off) == text


def rows(*texts):
    return [Row(text, text, False) for text in texts]


def test_the_least_important_lines_go_first_until_the_target_is_reached():
    idf = {"aaa": 1.0, "bbb": 2.0, "ccc": 3.0, "ddd": 4.0, "eee": 5.0}
    kept = prune(rows("ccc", "aaa", "eee", "bbb", "ddd"), words, Parameters(), idf)
    assert [row.text for row in kept] == ["eee", "ddd"]


def test_no_more_than_the_cap_of_removable_lines_goes():
    lines = [f"line{number}" for number in range(10)]
    kept = prune(rows(*lines), words, Parameters(target_ratio=0.0), None)
    assert len(kept) == 3


def test_kept_rows_are_never_pruned():
    kept = prune([Row("def f():", "def f():", True), *rows("aaa")], words, HARD, None)
    assert [row.text for row in kept] == ["def f():"]


def test_strict_prunes_nothing():
    text = "\n".join(f"call{'xyz'[number % 3] * number}({number})" for number in range(9))
    assert squeezed(text, parameters=Parameters(), strict=True) == text
    assert len(squeezed(text, parameters=Parameters()).split("\n")) < 9


def test_what_was_asked_for_weighs_as_much_as_the_rarest():
    weights = own_idf(["send retry", "send", "send basket"], ["retri", "send"])
    assert weights["send"] == max(weights.values())
    assert own_idf(["send retry", "send", "send basket"])["send"] == pytest.approx(1.0)


def test_a_query_decides_which_line_stays():
    text = "alpha = load(one)\nbeta = save(two)\ngamma = walk(six)"
    for word in ("load", "save", "walk"):
        idf = dict.fromkeys(["alpha", "beta", "gamma"], 0.1) | {word: 9.0}
        assert word in squeezed(text, parameters=Parameters(target_ratio=0.4), idf=idf)


def test_a_line_that_nearly_repeats_one_of_the_last_twenty_goes():
    assert near("value_number_one = 1", "value_number_one = 2")
    assert not near("x = 1", "completely different")
    lines = ["self.total_amount = first", "self.total_amount = firsts"]
    assert [row.text for row in drop_repeated(rows(*lines))] == lines[:1]
    between = [f"{chr(97 + number)}{number * 7919}" for number in range(20)]
    far = rows(lines[0], *between, lines[0])
    assert len(drop_repeated(far)) == 22
    assert len(drop_repeated(rows(lines[0], *between[:19], lines[0]))) == 20


def test_preserved_lines_stay_however_often_they_repeat():
    text = "if x:\n    return 1\nif x:\n    return 1"
    assert squeezed(text) == text


def test_a_header_whose_block_went_away_says_so():
    text = "if ready:\n    call(one)\n    other(two)\nelse:\n    return 1"
    assert squeezed(text, parameters=HARD) == "if ready:\n    ...\nelse:\n    return 1"


def test_a_text_that_ends_inside_a_block_says_so():
    assert compress("function f() {\n  x()", "javascript", words).notes == ("The text ends inside a block.",)
    assert compress("  x()\n}", "javascript", words).notes
    assert compress("x = '''\nabc", "python", words).notes == ("The text ends inside a string or comment.",)
    assert compress("function f() {\n  x()\n}", "javascript", words).notes == ()


def test_a_string_of_many_lines_stays_or_goes_whole():
    text = 'a = 1\nquery = """\nselect\n  1\n"""\nb = 2'
    units = [unit.text for unit in cut(text, syntax_of("python")).units]
    assert 'query = """\nselect\n  1\n"""' in units


def errors(language, text):
    found, open_nodes = 0, [Parser(load(language).language).parse(text.encode()).root_node]
    while open_nodes:
        node = open_nodes.pop()
        found += node.is_error or node.is_missing
        open_nodes.extend(node.children if node.has_error else [])
    return found


@pytest.mark.parametrize("language", sorted(set(SAMPLES) & set(names())))
def test_the_hardest_compression_still_parses(language):
    text = SAMPLES[language]
    shorter = squeezed(text, language, HARD)
    assert len(shorter) < 0.85 * len(text)
    assert errors(language, shorter) <= errors(language, text)


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(sorted(set(SAMPLES) & set(names()))),
    st.integers(0, 80),
    st.integers(1, 60),
    st.booleans(),
)
def test_no_piece_of_code_ever_parses_worse_than_before(language, first, count, strict):
    piece = "\n".join(SAMPLES[language].split("\n")[first : first + count])
    shorter = squeezed(piece, language, HARD, strict=strict)
    assert errors(language, shorter) <= errors(language, piece)


@pytest.mark.parametrize(
    ("language", "text", "kept"),
    [
        ("c", "if (busy)\n  wait();\nelse\n  go();", "if (busy)\n  wait();\nelse\n  go();"),
        ("c", "x = 1;\nssize_t\nread_all(int fd) {\n  y();\n}", "ssize_t\nread_all(int fd) {\n}"),
        ("csharp", "class A\n{\n    int b\n        = 1;\n    void C() { }\n}", "class A\n{\n}"),
        ("java", "class A {\n  @Old\n  int b;\n}", "class A {\n}"),
        ("php", "<?php\n$a->b()\n    ->c()\n;\nreturn $a;", "<?php\nreturn $a;"),
        ("javascript", "var a = b()\n  , c = d()\nreturn a", "return a"),
        ("typescript", "type A = B<\n  C,\n  D\n>;\nlet e = 1;", "type A = B<\n  C,\n  D\n>;"),
        ("go", "switch a {\ncase b,\n\tc:\n\td()\n}", "switch a {\ncase b,\n\tc:\n}"),
        ("lua", "if\n  a\n  or b\nthen\n  c()\nend", "if\n  a\n  or b\nthen\nend"),
        ("swift", "switch a {\ncase .b:\n    carryOn(a)\ndefault:\n    declineAll(a)\n}",
         "switch a {\ncase .b:\n    break\ndefault:\n    break\n}"),
        ("haskell", "f\n  :: Int  -- one\n  -> Int\nf x = x", "f\n  :: Int  -- one\n  -> Int\nf x = x"),
    ],
)  # fmt: skip
def test_a_statement_over_several_lines_stays_or_goes_whole(language, text, kept):
    assert squeezed(text, language, HARD) == kept


def test_what_would_break_is_not_shortened_and_that_is_said(monkeypatch):
    text = "x = 1\n\n\n\ny = 2"
    monkeypatch.setattr(compressor, "is_sound", lambda whole, shorter, language: False)
    assert compress(text, "python", words, HARD) == compressor.Compressed(text, 1.0, (compressor.WHOLE,))


def test_soundness_is_counted_by_the_mistakes_of_a_parser():
    assert not is_sound("def f():\n    pass", "def f(:", "python")
    assert is_sound("def f(:", "def f(:\n", "python")
    assert is_sound("anything", "what (", "no language")


@pytest.mark.parametrize("language", sorted(SAMPLES))
def test_no_preserved_line_of_a_sample_is_removed(language):
    out = squeezed(SAMPLES[language], language, HARD).split("\n")
    assert not [line for line in preserved(SAMPLES[language], language) if line not in out]


@given(TEXTS, LANGUAGES, st.booleans())
def test_no_preserved_line_is_ever_removed(text, language, strict):
    out = squeezed(text, language, HARD, strict=strict).split("\n")
    place = -1
    for line in preserved(text, language):
        place = out.index(line, place + 1)


@given(TEXTS, LANGUAGES)
def test_the_same_text_is_shortened_the_same_way_and_never_lengthened(text, language):
    once, again = (compress(text, language, words) for _ in range(2))
    assert once == again
    assert len(once.text) <= len(text)
    assert once.ratio <= 1.0


@given(st.text(), LANGUAGES)
def test_any_text_can_be_compressed(text, language):
    assert len(squeezed(text, language, Parameters())) <= len(text)
