import random
import shutil

import numpy as np
import pytest

import recollect
from recollect.ports import Outline
from recollect.retrieve import amending
from recollect.retrieve import catalogue as cataloguing
from recollect.retrieve.catalogue import TEST, build, catalogue_of, in_text_order
from recollect.retrieve.overlapping import shown
from recollect.retrieve.sites import name_words, stem_letters
from recollect.store.ids import id_of, uid_from
from recollect.types import PLACE_KINDS

WORDS = {1: "function", 2: "class", 3: "method", 4: "chunk", 5: "public"}
FILES = [(100, "a.py", "python", False, b"a"), (101, "b.py", "python", False, b"b")]


def row(number, kind, start, end, file=100, name=None):
    code = next(code for code, word in WORDS.items() if word == kind)
    return (
        number,
        number,
        file,
        code,
        name or f"n{number}",
        None,
        start,
        end - start,
        start,
        1,
        5,
        0,
        False,
        "",
    )


def catalogue_of_names(*names):
    rows = [row(at, "function", at, at, name=name) for at, name in enumerate(names, 1)]
    return build(Outline(rows, WORDS, FILES))


def shown_by(*rows):
    catalogue = build(Outline(rows, WORDS, FILES))
    numbers = np.array([one[0] for one in rows], np.int64)
    chunks, symbols = shown(catalogue, numbers)
    return dict(zip(numbers[chunks].tolist(), numbers[symbols].tolist(), strict=True))


def test_a_chunk_of_the_same_lines_is_the_symbol():
    assert shown_by(row(1, "chunk", 1, 10), row(2, "function", 2, 10)) == {1: 2}


def test_a_part_of_a_long_function_is_the_function():
    assert shown_by(row(1, "chunk", 50, 60), row(2, "function", 1, 300)) == {1: 2}


def test_a_part_of_a_long_class_is_not_the_class():
    assert shown_by(row(1, "chunk", 50, 60), row(2, "class", 1, 300)) == {}


def test_of_several_symbols_the_closest_is_taken():
    rows = [row(1, "chunk", 1, 10), row(2, "class", 1, 14), row(3, "method", 2, 10)]
    assert shown_by(*rows) == {1: 3}


def test_lines_of_another_file_are_other_lines():
    assert shown_by(row(1, "chunk", 1, 10), row(2, "function", 1, 10, file=101)) == {}


def test_nothing_shows_nothing():
    assert shown_by() == shown_by(row(1, "chunk", 1, 9)) == shown_by(row(1, "class", 1, 9)) == {}


def test_every_row_says_what_its_item_says(shop):
    catalogue = catalogue_of(shop, None)
    for file in shop.files():
        items = shop.items_of(file.path)
        at = catalogue.file_of[file.path]
        rows = np.arange(catalogue.file_rows[at], catalogue.file_rows[at + 1])
        assert catalogue.numbers[rows].tolist() == [item.number for item in items]
        assert catalogue.starts[rows].tolist() == [item.start_line for item in items]
        assert catalogue.ends[rows].tolist() == [item.end_line for item in items]
        assert ((catalogue.flags[rows] & TEST) > 0).tolist() == [item.test for item in items]
        symbol = catalogue.symbol[catalogue.kinds[rows]].tolist()
        assert symbol == [item.kind not in {*PLACE_KINDS, "section"} for item in items]
        for place, item in zip(rows.tolist(), items, strict=True):
            owner = catalogue.owners[place] - rows[0]
            if symbol[place - rows[0]]:
                assert words_of(catalogue, place) == set(name_words(item.name.rpartition(".")[2]))
                assert owner == place - rows[0] or items[owner].name == item.name.rpartition(".")[0]


def words_of(catalogue, row):
    leaf = catalogue.leaves[row]
    places = catalogue.name_words[catalogue.name_starts[leaf] : catalogue.name_starts[leaf + 1]]
    return {catalogue.words[place] for place in places.tolist()}


def test_what_has_no_row_is_told_apart(shop):
    catalogue = catalogue_of(shop, None)
    _, known = catalogue.rows_of(np.array([int(catalogue.numbers[0]), 10**6]))
    assert known.tolist() == [True, False]


def test_the_order_is_that_of_the_public_ids():
    uids = np.array([uid_from(str(at)) for at in range(2000)] + [0, 1, 2**63 - 1])
    ids = [id_of(uid) for uid in uids.tolist()]
    assert [ids[at] for at in np.argsort(in_text_order(uids))] == sorted(ids)


@pytest.mark.parametrize(
    ("path", "stem"),
    [("a/.env", "env"), ("a/b_c.test.py", "bctest"), ("Makefile", "makefile"), ("x/y.", "y")],
)
def test_the_letters_of_a_stem(path, stem):
    assert stem_letters(path) == stem


@pytest.fixture
def copy(shop_folder, tmp_path):
    with recollect.open(shutil.copytree(shop_folder, tmp_path / "shop")) as opened:
        yield opened


def test_a_catalogue_is_kept_until_the_index_changes(copy, tmp_path, monkeypatch):
    made = []
    for place in (cataloguing, amending):
        monkeypatch.setattr(place, "build", lambda outline: made.append(len(outline.files)) or build(outline))

    def paths():
        with copy._index.reader() as reader:
            return catalogue_of(reader, tmp_path).paths

    before = paths()
    assert (paths(), made) == (before, [len(before)])
    (copy.root / "shop" / "late.py").write_text("def late_arrival():\n    return 1\n", encoding="utf-8")
    copy.index()
    assert (set(paths()) - set(before), made[1:]) == ({"shop/late.py"}, [1])
    copy.index(full=True)
    assert (paths(), made[2:]) == (sorted({*before, "shop/late.py"}), [len(before) + 1])


BY_ROW = ("order", "starts", "ends", "flags", "depths", "sizes", "glances")


def told(catalogue):
    """Return everything that a catalogue says, whatever the order of its tables of names."""

    def words(name):
        places = catalogue.name_words[catalogue.name_starts[name] : catalogue.name_starts[name + 1]]
        return sorted(catalogue.words[place] for place in places.tolist())

    kinds, languages = catalogue.lists[2:]
    files = {
        path: (
            languages[catalogue.languages[at]], catalogue.sites[at].tolist(), catalogue.path_glances[at].item(),
            [words(name) for name in catalogue.file_names[at]], catalogue.stamps[at].item(),
            catalogue.numbers[catalogue.file_rows[at] : catalogue.file_rows[at + 1]].tolist(),
        )
        for at, path in enumerate(catalogue.paths)
    }  # fmt: skip
    rows = [
        (
            number, catalogue.paths[catalogue.files[at]], kinds[catalogue.kinds[at]], words(catalogue.leaves[at]),
            catalogue.numbers[catalogue.owners[at]].item(), catalogue.places[number].item() == at,
            *(getattr(catalogue, name)[at].item() for name in BY_ROW),
        )
        for at, number in enumerate(catalogue.numbers.tolist())
    ]  # fmt: skip
    return files, rows


def test_a_catalogue_that_was_brought_in_step_says_what_a_new_one_says(copy, tmp_path):
    chance = random.Random(0)
    places = list((copy.root / "shop").rglob("*.py"))
    for step in range(8):
        place = chance.choice(places)
        text = place.read_text(encoding="utf-8") if place.exists() else ""
        if step % 4 == 3:
            place.unlink(missing_ok=True)
        elif step % 4 == 2:
            (copy.root / f"later_{step}.md").write_text(
                f"# Step {step}\n\nWhat comes later.\n", encoding="utf-8"
            )
        else:
            place.write_text(
                f"{text}\n\nclass Made{step}:\n    def grow_{step}(self):\n        return 1\n",
                encoding="utf-8",
            )
        copy.index()
        with copy._index.reader() as reader:
            kept = catalogue_of(reader, tmp_path)
            assert told(kept) == told(catalogue_of(reader, None))
            assert told(catalogue_of(reader, tmp_path)) == told(kept)


def test_a_damaged_catalogue_is_made_again(copy, tmp_path):
    with copy._index.reader() as reader:
        before = catalogue_of(reader, tmp_path)
        for damage in (b"", b"rcarray1", (tmp_path / cataloguing.NAME).read_bytes()[:200]):
            (tmp_path / cataloguing.NAME).write_bytes(damage)
            assert catalogue_of(reader, tmp_path).numbers.tolist() == before.numbers.tolist()


def test_an_answer_after_a_change_knows_what_is_new(copy):
    assert not [hit for hit in copy.search("late arrival").hits if hit.name == "late_arrival"]
    (copy.root / "shop" / "late.py").write_text("def late_arrival():\n    return 1\n", encoding="utf-8")
    assert copy.search("late arrival").hits[0].name == "late_arrival"
    (copy.root / "shop" / "late.py").unlink()
    assert not [hit for hit in copy.search("late arrival").hits if hit.name == "late_arrival"]
