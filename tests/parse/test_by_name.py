import pytest

from recollect.parse import parse

MANIFESTS = {
    "package.json": (
        '{"dependencies": {"@a/b": "^1"}, "devDependencies": {"c": "2"}}',
        {("@a/b", "^1"), ("c", "2")},
    ),
    "pyproject.toml": ('[project]\ndependencies = ["a>=1", "b[x]"]\n', {("a", ">=1"), ("b", "")}),
    "requirements-dev.txt": ("a==1 # why\n-r other.txt\nc\n", {("a", "==1"), ("c", "")}),
    "setup.cfg": ("[options]\ninstall_requires =\n    a>=2\n    b\n", {("a", ">=2"), ("b", "")}),
    "go.mod": ("module x\nrequire (\n\tgithub.com/a/b v1.2.3\n)\n", {("github.com/a/b", "v1.2.3")}),
    "Cargo.toml": (
        '[dependencies]\na = "1"\nb = {version = "2", package = "real"}\n',
        {("a", "1"), ("real", "2")},
    ),
    "pom.xml": (
        "<dependency><groupId>g</groupId><artifactId>a</artifactId><version>1</version></dependency>",
        {("g:a", "1")},
    ),
    "build.gradle": ("dependencies {\n  implementation 'a.b:c:1.0'\n}\n", {("a.b:c", "1.0")}),
    "Gemfile": ("gem 'rails', '~> 7'\n", {("rails", "~> 7")}),
    "x.gemspec": ('  spec.add_dependency "rack", ">= 2"\n', {("rack", ">= 2")}),
    "composer.json": ('{"require": {"a/b": "^1"}}', {("a/b", "^1")}),
    "x.csproj": ('<PackageReference Include="A.B" Version="1.0" />', {("A.B", "1.0")}),
    "mix.exs": ('{:phoenix, "~> 1.7"},\n', {("phoenix", "~> 1.7")}),
    "Package.swift": ('.package(url: "https://x.y/a/b.git", from: "1.0")', {("b", "1.0")}),
    "build.sbt": ('libraryDependencies += "org.x" %% "cats" % "2.0"', {("org.x:cats", "2.0")}),
    "x.cabal": ("library\n  build-depends:\n    base >=4,\n    text\n", {("base", ">=4"), ("text", "")}),
    "package.yaml": ("dependencies:\n- base >= 4\n", {("base", ">= 4")}),
    "CMakeLists.txt": ("find_package(Boost 1.7 REQUIRED)\n", {("Boost", "1.7")}),
    "vcpkg.json": (
        '{"dependencies": ["fmt", {"name": "zlib", "version>=": "1"}]}',
        {("fmt", ""), ("zlib", "1")},
    ),
    "build.zig.zon": ('.{ .clap = .{ .url = "https://x" } }', {("clap", "https://x")}),
    "x.rockspec": ('dependencies = {\n  "lua >= 5.1"\n}\n', {("lua", ">= 5.1")}),
}


def rows(path, text, kind):
    return [r for r in parse(path, "text", text.encode()).references if r.kind == kind]


@pytest.mark.parametrize("name", MANIFESTS)
def test_manifests_name_what_they_depend_on(name):
    text, expected = MANIFESTS[name]
    assert {(r.name, r.literal) for r in rows(f"sub/{name}", text, "depends")} == expected


def test_a_damaged_manifest_gives_nothing():
    assert rows("package.json", '{"dependencies": ', "depends") == []


def test_codeowners_name_owners_and_patterns():
    found = rows(".github/CODEOWNERS", "# all\n*.py @team a@b.c\n/docs/\n", "owns")
    assert [(r.name, r.literal, r.line) for r in found] == [("@team", "*.py", 2), ("a@b.c", "*.py", 2)]


def test_compose_names_images_paths_and_commands():
    text = "services:\n  web:\n    build: ./web\n    image: a/b:1\n    command: python app.py\n"
    found = {(r.receiver, r.name) for r in rows("docker-compose.yml", text, "deploys")}
    assert found == {("path", "./web"), ("image", "a/b:1"), ("command", "python app.py")}


def test_ci_blocks_give_each_command():
    text = "jobs:\n  t:\n    steps:\n      - run: |\n          make test\n          go build ./cmd\n      - run: ls\n"
    found = [r.name for r in rows(".github/workflows/ci.yml", text, "deploys")]
    assert found == ["make test", "go build ./cmd", "ls"]


def test_dockerfiles_name_images_copies_and_commands():
    found = [
        (r.receiver, r.name)
        for r in rows("Dockerfile", 'FROM a:3\nCOPY src/ /app\nCMD ["x", "y"]\n', "deploys")
    ]
    assert found == [("image", "a:3"), ("path", "src/"), ("command", "x y")]


def test_plain_yaml_deploys_nothing():
    assert rows("settings.yml", "image: not-deployed\n", "deploys") == []


@pytest.mark.parametrize(
    ("path", "text", "name"),
    [
        ("sub/go.mod", "// the module\nmodule example.com/shop/v2\n\ngo 1.22\n", "example.com/shop/v2"),
        ("go.mod", 'module "example.com/shop"\n', "example.com/shop"),
        ("package.json", '{"name": "@shop/cart"}', "@shop/cart"),
        ("package.json", '{"name": ', ""),
        ("package.json", "[1]", ""),
        ("Cargo.toml", '[package]\nname = "shop-cart"\n', "shop_cart"),
        ("Cargo.toml", '[package]\nname = "a"\n[lib]\nname = "cart"\n', "cart"),
        ("Cargo.toml", '[workspace]\nmembers = ["a"]\n', ""),
    ],
)
def test_a_project_file_gives_the_name_that_others_import(path, text, name):
    assert parse(path, "text", text.encode()).package == name


def test_aliases_of_a_compiler_are_read_through_comments_and_last_commas():
    text = """{
      // where things are
      "compilerOptions": {
        "baseUrl": "./app", /* all of it */
        "paths": {"@models/*": ["models/*", "../old/*"], "#url": ["http://x"],},
      },
    }"""
    found = [(r.name, r.literal, r.line) for r in rows("tsconfig.json", text, "path")]
    assert found == [
        ("@models/*", "app/models/*", 5),
        ("@models/*", "old/*", 5),
        ("#url", "app/http:/x", 5),
        ("*", "app/*", 1),
    ]


@pytest.mark.parametrize(
    "text", ["{", "[]", '{"compilerOptions": {"paths": 3}}', '{"compilerOptions": null}']
)
def test_settings_of_a_compiler_that_make_no_sense_give_nothing(text):
    assert rows("tsconfig.json", text, "path") == []
