from recollect.parse import parse


def names(path, language, text):
    return [symbol.qualified for symbol in parse(path, language, text.encode()).symbols]


def test_what_follows_a_broken_function_is_still_found():
    text = "int first(void) { return 1; }\n\nint broken(int a {\n  if (a > 1) {\n}\n\nint last(void) { return 2; }\n"
    assert names("a.c", "c", text) == ["first", "last"]


def test_a_namespace_that_is_open_is_not_taken_for_the_error():
    text = "namespace a {\n\nvoid bad(int x {\n  if (x\n}\n\nvoid last() {}\n\n}  // namespace a\n"
    facts = parse("a.cpp", "cpp", text.encode())
    assert facts.package == "a"
    assert [symbol.name for symbol in facts.symbols][-1] == "last"
    assert facts.errors > 0


def test_lines_stay_where_they_are():
    text = "int bad(int a {\n  if (\n}\n\nint last(void) {\n  return 2;\n}\n"
    last = parse("a.c", "c", text.encode()).symbols[-1]
    assert (last.name, last.start_line, last.end_line) == ("last", 5, 7)


def test_an_error_that_hides_nothing_changes_nothing():
    assert names("a.lua", "lua", "local M = {}\nfunction M.bad(a if then\nend\nfunction M.last() end\n") == [
        "M",
        "M.bad",
        "M.last",
    ]


def test_only_the_broken_method_of_a_class_is_lost():
    text = (
        "class A {\n  int first() { return 1; }\n\n  int bad(int x {\n    go(x;\n  }\n\n"
        "  int last() { return 2; }\n}\n"
    )
    assert names("A.java", "java", text)[-1] == "A.last"
