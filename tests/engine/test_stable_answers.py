"""What a model has read already stays as it was when a file is edited, up to the first entry of that file."""

import pytest
from tests.retrieve.conftest import FILES, write

import recollect

TASK = "make the retry policy of the http client configurable"
EDITS = {
    "a body": ("    return 2**attempt", "    return 3**attempt"),
    "a new line above": ('"""When and how often to try again."""', '"""When and how often."""\n\nLIMIT = 9'),
    "a remark": ("    attempts = 3", "    attempts = 3  # enough"),
}


@pytest.fixture
def folder(tmp_path):
    return write(tmp_path / "shop", FILES)


def asked(folder, form, budget, profile="code"):
    with recollect.open(folder) as project:
        project.index()
        pack = project.context(TASK, budget=budget, format=form, profile=profile)
        return project.write(pack, form), [item.hit.path for item in pack.items]


@pytest.mark.parametrize("edit", EDITS)
@pytest.mark.parametrize("form", ["markdown", "xml", "lines"])
def test_an_edit_changes_nothing_before_the_first_entry_of_its_file(folder, form, edit):
    before, paths = asked(folder, form, 8000)
    place = folder / "shop/http/retry.py"
    old, new = EDITS[edit]
    assert old in place.read_text(encoding="utf-8")
    place.write_text(place.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
    after, again = asked(folder, form, 8000)
    shared = next((at for at, (a, b) in enumerate(zip(before, after, strict=False)) if a != b), len(after))
    assert before != after
    assert {path for path in paths if path < "shop/http/retry.py"} <= set(again)
    assert shared >= before.index("shop/http/retry.py")
    assert shared / len(before) > 0.25


@pytest.mark.parametrize("form", ["text", "markdown", "xml", "json", "lines"])
def test_without_an_edit_an_answer_is_the_same_to_the_letter(folder, form):
    assert asked(folder, form, 2000)[0] == asked(folder, form, 2000)[0]
    (folder / "unrelated.txt").write_text("nothing of this\n", encoding="utf-8")
    with_more, without = asked(folder, form, 2000)[0], asked(folder, form, 2000)[0]
    assert with_more == without
