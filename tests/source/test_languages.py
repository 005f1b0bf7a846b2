"""Which language a file is of."""

import pytest

from recollect.source.languages import language_of, language_table

PARSED = [
    "python",
    "javascript",
    "typescript",
    "tsx",
    "go",
    "java",
    "rust",
    "ruby",
    "csharp",
    "c",
    "cpp",
    "php",
    "kotlin",
]
PARSED += ["scala", "swift", "lua", "bash", "elixir", "haskell", "zig", "markdown", "rst"]


@pytest.mark.parametrize(
    ("path", "language"),
    [
        ("a/b.py", "python"),
        ("x.d.ts", "typescript"),
        ("x.tsx", "tsx"),
        ("X.JAVA", "java"),
        ("lib.rs", "rust"),
        ("Rakefile", "ruby"),
        ("deploy/Dockerfile", "dockerfile"),
        ("Dockerfile.dev", "dockerfile"),
        ("web.dockerfile", "dockerfile"),
        ("CMakeLists.txt", "cmake"),
        ("requirements.txt", "text"),
        ("README", "markdown"),
        (".env", "dotenv"),
        (".env.local", "dotenv"),
        (".github/CODEOWNERS", "codeowners"),
        ("go.mod", "gomod"),
        ("api/v1/user.proto", "proto"),
        ("unknown.qqq", "text"),
        ("no-extension", "text"),
        ("with space/emoji-\U0001f40d.zig", "zig"),
    ],
)
def test_the_name_tells_the_language(path, language):
    assert language_of(path) == language


@pytest.mark.parametrize(
    ("head", "language"),
    [
        (b"#!/usr/bin/env python3\n", "python"),
        (b"#!/usr/bin/python3.11 -u\n", "python"),
        (b"#!/bin/sh\n", "bash"),
        (b"#! /usr/bin/env -S node --harmony\n", "javascript"),
        (b"#!/usr/bin/env -S FOO=1 ruby\n", "ruby"),
        (b"\xef\xbb\xbf#!/bin/bash\n", "bash"),
        (b"#!/opt/unknown\n", "text"),
        (b"# no shebang python\n", "text"),
    ],
)
def test_the_first_line_tells_the_language_of_a_script(head, language):
    assert language_of("bin/tool", head) == language


@pytest.mark.parametrize(
    "text",
    [
        b"namespace a {\n}",
        b"#include <vector>\n",
        b"class A {\npublic:\n  int x;\n};",
        b"std::string f();",
        b"template <class T>\nT f();",
    ],
)
def test_a_header_that_shows_cpp_is_cpp(text):
    assert language_of("a.h", b"#pragma once\n" + text) == "cpp"


@pytest.mark.parametrize(
    "text",
    [
        b"#include <stdio.h>\n#include <string.h>\nint f(void);",
        b"/* a class of things */\nstruct a { int template_id; };",
        b"",
        b"int namespace_of(int using);",
    ],
)
def test_a_header_that_shows_nothing_else_is_c(text):
    assert language_of("a.h", text) == "c"


@pytest.mark.parametrize("language", PARSED)
def test_every_parsed_language_has_an_extension(language):
    assert language in language_table().extensions.values()


def test_a_header_of_blank_lines_is_looked_at_in_good_time():
    assert language_of("a.h", b"\n" * 1_000_000) == "c"
