"""Package manifests: every declared dependency as a reference of kind `depends` with its version as the literal."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from pathlib import PurePosixPath

from recollect.facts import Reference

Found = Iterator[tuple[str, str]]
REQUIREMENT = re.compile(r"^\s*([A-Za-z0-9][\w.\-]*)\s*(?:\[[^\]]*\])?\s*(?:@\s*(\S+)|([<>=!~^][^;#]*))?")
SETUP_CFG = re.compile(r"^(?:install_requires|tests_require|setup_requires)\s*=\s*\n((?:[ \t]+.*\n?)+)", re.M)
CABAL_FIELD = re.compile(
    r"^[ \t]*(?:build-depends|build-tool-depends)[ \t]*:((?:.*)(?:\n[ \t]+[^:\n]*$)*)", re.M | re.I
)


def _requirement(line: str) -> Found:
    match = REQUIREMENT.match(line)
    if match and not line.lstrip().startswith(("#", "-")):
        yield match.group(1), (match.group(2) or match.group(3) or "").strip()


def _requirements(text: str) -> Found:
    for line in text.splitlines():
        yield from _requirement(line)


def _pyproject(text: str) -> Found:
    data = tomllib.loads(text)
    project = data.get("project", {})
    groups = [project.get("dependencies", []), *project.get("optional-dependencies", {}).values()]
    groups += [*data.get("dependency-groups", {}).values(), data.get("build-system", {}).get("requires", [])]
    for group in groups:
        for line in group:
            if isinstance(line, str):
                yield from _requirement(line)
    poetry = data.get("tool", {}).get("poetry", {})
    tables = [poetry.get("dependencies", {}), poetry.get("dev-dependencies", {})]
    tables += [group.get("dependencies", {}) for group in poetry.get("group", {}).values()]
    for table in tables:
        yield from ((name, _version(value)) for name, value in table.items() if name != "python")


def _setup_cfg(text: str) -> Found:
    for match in SETUP_CFG.finditer(text):
        yield from _requirements(match.group(1))


def _package_json(text: str) -> Found:
    data = json.loads(text)
    for key in ("dependencies", "devDependencies", "peerDependencies", "optionalDependencies"):
        yield from ((name, _version(value)) for name, value in (data.get(key) or {}).items())


def _composer(text: str) -> Found:
    data = json.loads(text)
    for key in ("require", "require-dev"):
        yield from ((name, _version(value)) for name, value in (data.get(key) or {}).items())


def _vcpkg(text: str) -> Found:
    for row in json.loads(text).get("dependencies", []):
        yield (row, "") if isinstance(row, str) else (row.get("name", ""), row.get("version>=", ""))


def _cargo(text: str) -> Found:
    data = tomllib.loads(text)
    tables = [data, data.get("workspace", {}), *data.get("target", {}).values()]
    for table in tables:
        for key in ("dependencies", "dev-dependencies", "build-dependencies"):
            for name, value in table.get(key, {}).items():
                real = value.get("package", name) if isinstance(value, dict) else name
                yield real, _version(value)


def _version(value: object) -> str:
    if isinstance(value, Mapping):
        return str(value.get("version") or value.get("git") or value.get("path") or "")
    return str(value)


def _patterns(*patterns: str) -> Callable[[str], Found]:
    compiled = [re.compile(pattern, re.M) for pattern in patterns]

    def read(text: str) -> Found:
        for pattern in compiled:
            for match in pattern.finditer(text):
                groups = match.groupdict()
                group = groups.get("group")
                yield (f"{group}:" if group else "") + groups["name"], (groups.get("version") or "").strip()

    return read


def _cabal(text: str) -> Found:
    for match in CABAL_FIELD.finditer(text):
        for part in match.group(1).replace("\n", " ").split(","):
            words = part.split(None, 1)
            if words and re.match(r"[A-Za-z]", words[0]):
                yield words[0].split(":")[0], words[1].strip() if len(words) > 1 else ""


def _package_yaml(text: str) -> Found:
    inside = False
    for line in text.splitlines():
        if re.match(r"\s*dependencies:\s*$", line):
            inside = True
        elif inside and (match := re.match(r"\s*-\s+\"?([\w\-]+)\s*([^\"]*)", line)):
            yield match.group(1), match.group(2).strip()
        elif line.strip():
            inside = False


def _pom(text: str) -> Found:
    for block in re.findall(
        r"<(?:dependency|parent|plugin)>(.*?)</(?:dependency|parent|plugin)>", text, re.S
    ):
        values = dict(re.findall(r"<(groupId|artifactId|version)>\s*([^<]+?)\s*</", block))
        if "artifactId" in values:
            group = f"{values['groupId']}:" if "groupId" in values else ""
            yield group + values["artifactId"], values.get("version", "")


def _go_mod(text: str) -> Found:
    for block in re.findall(r"^require\s*\((.*?)^\)", text, re.M | re.S):
        yield from re.findall(r"^\s*([^\s/][^\s]*)\s+(v\S+)", block, re.M)
    yield from re.findall(r"^require\s+([^\s(]+)\s+(v\S+)", text, re.M)


GRADLE = _patterns(
    r"""\b(?:\w*[iI]mplementation|api|compileOnly\w*|runtimeOnly\w*|testCompile|compile|kapt|ksp|annotationProcessor|\w+Api|classpath)\s*\(?\s*(?:platform\()?["'](?P<group>[^:"'\s]+):(?P<name>[^:"'\s]+)(?::(?P<version>[^"'\s]+))?["']""",
    r"""\bproject\(\s*(?:path\s*[:=]\s*)?["'](?P<name>:[^"']+)["']""",
    r"""\bid\s*\(?\s*["'](?P<name>[\w.\-]+)["']\)?\s*version\s*["'](?P<version>[^"']+)""",
)
RUBY = _patterns(
    r"""^\s*(?:gem|\w+\.add_(?:runtime_|development_)?dependency)\s*\(?\s*["'](?P<name>[^"']+)["'](?:\s*,\s*["'](?P<version>[^"']+)["'])?"""
)
READERS: dict[str, Callable[[str], Found]] = {
    "package.json": _package_json,
    "pyproject.toml": _pyproject,
    "setup.cfg": _setup_cfg,
    "go.mod": _go_mod,
    "Cargo.toml": _cargo,
    "pom.xml": _pom,
    "build.gradle": GRADLE,
    "build.gradle.kts": GRADLE,
    "Gemfile": RUBY,
    "composer.json": _composer,
    "vcpkg.json": _vcpkg,
    "mix.exs": _patterns(
        r"""\{\s*:(?P<name>\w+)\s*,\s*(?:"(?P<version>[^"]+)"|(?:git|github|path|in_umbrella):)"""
    ),
    "Package.swift": _patterns(
        r"""\.package\([^)]*?url:\s*"[^"]*?(?P<name>[^/"]+?)(?:\.git)?"(?:[^)]*?"(?P<version>[^"]+)")?"""
    ),
    "build.sbt": _patterns(
        r""""(?P<group>[^"]+)"\s*%{1,3}\s*"(?P<name>[^"]+)"\s*%\s*"?(?P<version>[\w.\-]+)"?"""
    ),
    "package.yaml": _package_yaml,
    "CMakeLists.txt": _patterns(
        r"""(?i:find_package|FetchContent_Declare)\s*\(\s*(?P<name>[\w\-]+)(?:\s+(?P<version>\d[\d.]*))?"""
    ),
    "conanfile.txt": _patterns(r"""^(?P<name>[\w.\-]+)/(?P<version>[\w.\-]+)"""),
    "conanfile.py": _patterns(r"""requires\w*\(?\s*=?\s*\(?["'](?P<name>[\w.\-]+)/(?P<version>[\w.\-]+)"""),
    "build.zig.zon": _patterns(
        r"""\.@?"?(?P<name>[\w\-]+)"?\s*=\s*\.\{\s*\.(?:url|path)\s*=\s*"(?P<version>[^"]+)"""
    ),
}
"""Which reader fits a file of that exact name."""
ENDINGS: tuple[tuple[re.Pattern[str], Callable[[str], Found]], ...] = (
    (re.compile(r"requirements[\w.\-]*\.(?:txt|in)$"), _requirements),
    (re.compile(r"\.gemspec$"), RUBY),
    (
        re.compile(r"\.(?:cs|fs|vb)proj$|^Directory\.Packages\.props$"),
        _patterns(
            r"""<Package(?:Reference|Version)\s+(?:Include|Update)="(?P<name>[^"]+)"(?:\s+Version="(?P<version>[^"]+)")?"""
        ),
    ),
    (re.compile(r"\.cabal$"), _cabal),
    (
        re.compile(r"\.rockspec$"),
        _patterns(r"""^\s*["'](?P<name>[\w\-]+)\s*(?P<version>[<>=~][^"']*)?["']\s*,?\s*$"""),
    ),
)
"""Which reader fits a file whose name matches."""


def reader_of(path: str) -> Callable[[str], Found] | None:
    """Return the manifest reader for a path, or nothing."""
    name = PurePosixPath(path).name
    if name in READERS:
        return READERS[name]
    return next((reader for pattern, reader in ENDINGS if pattern.search(name)), None)


def read_manifest(path: str, text: str) -> tuple[Reference, ...]:
    """Return what a manifest depends on; a manifest that cannot be read gives nothing."""
    reader = reader_of(path)
    if reader is None:
        return ()
    try:
        found = dict.fromkeys((name, version) for name, version in reader(text) if name)
    except (ValueError, AttributeError, TypeError):
        return ()
    return tuple(
        Reference("depends", name, -1, _line(text, name), literal=version[:200]) for name, version in found
    )


def _line(text: str, name: str) -> int:
    """Return the line that names a dependency."""
    match = re.search(rf"(?<![\w\-]){re.escape(name.rpartition(':')[2] or name)}(?![\w\-])", text)
    return text.count("\n", 0, match.start()) + 1 if match else 1
