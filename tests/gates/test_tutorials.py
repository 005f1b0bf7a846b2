"""The tutorials about extending, carried out as they are written."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import recollect

DOCS = Path(__file__).resolve().parents[2] / "docs"
FILE = re.compile(r"<!-- file: (.+?) -->\n```\w*\n(.*?)```\n", re.DOTALL)
DOES = re.compile(r"<!-- does: (.+?) -->\n```console\n\$ .+?\n(.*?)```\n", re.DOTALL)


def part(title):
    page = (DOCS / "extending.md").read_text(encoding="utf-8")
    text = page.partition(f"\n## {title}\n")[2].partition("\n## ")[0]
    assert text, title
    return dict(FILE.findall(text)), DOES.findall(text)


def write(root, files):
    for name, text in files.items():
        file = root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")


@pytest.fixture
def carried_out(tmp_path):
    """Run a command in a copy of the example repository, with further folders to import from."""
    root = tmp_path / "shop"
    shutil.copytree(DOCS / "example", root)
    subprocess.run(["git", "init", "-q"], cwd=root, check=True)

    def carried_out(command, *places):
        done = subprocess.run(
            [sys.executable, "-m", *shlex.split(command)],
            cwd=root,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, places)), "COLUMNS": "80"},
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
            timeout=50,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    carried_out.root = root
    return carried_out


def test_a_language_is_two_pieces_of_data(carried_out, tmp_path):
    files, ((command, said),) = part("Add a language")
    copied = tmp_path / "copied" / "recollect"
    shutil.copytree(Path(recollect.__file__).parent, copied, ignore=shutil.ignore_patterns("__pycache__"))
    with (copied / "source/languages.toml").open("a", encoding="utf-8") as table:
        table.write("\n" + files.pop("source/languages.toml"))
    write(copied, {"parse/queries/tilt.scm": files.pop("parse/queries/tilt.scm")})
    write(carried_out.root, files)
    assert carried_out(command, copied.parent).strip() == said.strip()
    assert "calls, resolved" in carried_out("recollect impact build_image", copied.parent)


def installed(place, name, package):
    """Put a package where it is imported from, with the entry points that its project file declares."""
    points = re.sub(r'\[project\.entry-points\."(.+?)"\]', r"[\1]", package.pop("pyproject.toml")).replace(
        '"', ""
    )
    package[f"{name}-1.0.dist-info/entry_points.txt"] = points
    package[f"{name}-1.0.dist-info/METADATA"] = f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n"
    write(place, package)


def test_an_embedder_of_another_package_finds_what_words_do_not(carried_out, tmp_path):
    package, ((command, said),) = part("Write an embedder")
    place = tmp_path / "packages"
    write(carried_out.root, {".recollect/config.toml": package.pop(".recollect/config.toml")})
    installed(place, "letters", package)
    carried_out("recollect remember 'The supplier answers slowly on Mondays'", place)
    done = re.sub(r"\d{4}-\d\d-\d\d", "YYYY-MM-DD", carried_out(command, place))
    assert done.strip() == said.strip()
    assert "1 of 1 memory" in carried_out("recollect embed", place)


def test_a_channel_of_another_package_serves_a_profile_of_the_project(carried_out, tmp_path):
    package, _ = part("Write a channel")
    own, ((command, said),) = part("Write a profile")
    place = tmp_path / "packages"
    installed(place, "newest", package)
    write(carried_out.root, own)
    for number, file in enumerate(sorted(carried_out.root.rglob("*.*"))):
        os.utime(file, (1_700_000_000 + number, 1_700_000_000 + number))
    done = carried_out(command, place)
    assert done.strip() == said.strip()
    assert "tests/test_client.py was changed lately" in said
    shown = carried_out("recollect profile show fresh", place)
    assert "channel.newest.files" in shown
    assert "tests/test_client.py" not in carried_out(f"{command} --set channel.newest.enabled=false", place)
