import pytest
from tests.retrieve.conftest import names, write

import recollect
from recollect.errors import ConfigError
from recollect.retrieve.desk import Desk, Means, Question
from recollect.retrieve.query import Request


@pytest.fixture
def desk(tmp_path):
    return Desk(Means(tmp_path))


def test_caches_live_as_long_as_the_generation(tmp_path):
    folder = write(tmp_path, {"a.py": "def pay():\n    return 1\n"})
    with recollect.open(folder) as opened:
        opened.index()
        desk = Desk(Means(folder / ".recollect"))
        with opened._index.reader() as reader:
            first = desk.around(reader).snapshot
            assert desk.around(reader).snapshot is first
            assert names(desk.answer(reader, Question("pay", Request(), "knowing"))) == ["pay"]
        (folder / "a.py").write_text("def charge():\n    return 1\n", encoding="utf-8")
        opened.index()
        with opened._index.reader() as reader:
            assert desk.around(reader).snapshot is not first
            assert names(desk.answer(reader, Question("charge", Request(), "knowing"))) == ["charge"]
            assert names(desk.answer(reader, Question("pay", Request(), "knowing"))) == []


def test_files_without_a_text_are_answered_by_the_profile_for_files(desk, shop):
    assert (
        desk.answer(shop, Question("", Request(files=("shop/http/retry.py",)), "knowing")).profile.name
        == "knowing-files"
    )
    assert (
        desk.answer(shop, Question("retry", Request(files=("shop/http/retry.py",)), "knowing")).profile.name
        == "knowing"
    )


def test_a_project_brings_its_own_profiles_and_classes(desk, shop, tmp_path):
    (tmp_path / "profiles").mkdir()
    (tmp_path / "profiles" / "mine.toml").write_text('extends = "knowing"\nbudget = 77\n', encoding="utf-8")
    (tmp_path / "classes.toml").write_text(
        '[classes.AGAIN]\nphrases = "once more"\ntargets = "backoff_delay"\n', encoding="utf-8"
    )
    found = desk.answer(shop, Question("once more", Request(), "mine"))
    assert found.packed.budget == 77
    best = found.trace.of("channel.equivalence").after[0]
    assert found.items[best.number].name == "backoff_delay"


def test_a_broken_class_file_is_named(desk, shop, tmp_path):
    (tmp_path / "classes.toml").write_text("nonsense", encoding="utf-8")
    with pytest.raises(ConfigError, match=r"classes\.toml"):
        desk.answer(shop, Question("retry", Request(), "knowing"))
