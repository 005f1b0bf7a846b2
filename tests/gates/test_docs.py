import json
import re
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

from recollect.config import Settings

ROOT = Path(__file__).resolve().parents[2]


def page(name):
    return (ROOT / "docs" / name).read_text(encoding="utf-8")


def test_every_setting_is_documented_with_its_default():
    rows = dict(re.findall(r"^\| `(\w+)` \| (\S+) \|", page("quickstart.md"), re.MULTILINE))
    assert {key: json.loads(value) for key, value in rows.items()} == {
        field.name: list(value) if isinstance(value := field.default, tuple) else value
        for field in fields(Settings)
    }


def test_links_between_the_pages_lead_somewhere():
    for file in (ROOT / "README.md", *(ROOT / "docs").glob("*.md")):
        for target in re.findall(r"\]\((?!https?:)([^)#]+)", file.read_text(encoding="utf-8")):
            assert (file.parent / target).exists(), f"{file.name}: {target}"


def test_stale_output_in_the_documentation_is_noticed(tmp_path):
    program = (
        "import sys, pathlib; sys.path.insert(0, 'tools'); import docs\n"
        f"page = pathlib.Path({str(tmp_path)!r}) / 'page.md'\n"
        "docs.ROOT, root = page.parent, docs.ROOT\n"
        "docs.pages = lambda: [page]\n"
        "docs.recorded = lambda: docs.RECORDING.read_text(encoding='utf-8')\n"
        "import contextlib; docs.example = contextlib.nullcontext\n"
        "sys.argv = ['docs', '--check']; raise SystemExit(docs.main())\n"
    )
    (tmp_path / "page.md").write_text(
        "<!-- run: recollect --version -->\nold\n<!-- end -->\n", encoding="utf-8"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 1
    assert "page.md" in done.stderr
