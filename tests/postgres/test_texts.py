"""Texts that a server does not take as they are."""

import pytest

import recollect
from recollect.engine.migrating import migrate
from recollect.errors import UsageError


def test_a_word_that_is_longer_than_a_key_is_kept_found_and_forgotten(shop, store_url):
    import hashlib

    long = "".join(hashlib.sha256(str(number).encode()).hexdigest() for number in range(500)).replace(
        "0", "q"
    )
    with recollect.open(shop, store=store_url) as project:
        kept = project.remember(f"The key is {long} indeed")
        other = project.remember(f"Another one is {long[:-1]}x indeed")
        assert [hit.id for hit in project.recall(long).hits] == [kept.id]
        assert {hit.id for hit in project.recall("indeed").hits} == {kept.id, other.id}
        project.forget(kept.id)
        assert not project.recall(long).hits


@pytest.mark.parametrize("fields", [{}, {"tags": ["a\0b"]}, {"author": "a\0b"}])
def test_a_sign_that_a_server_cannot_keep_is_told_and_nothing_is_changed(shop, store_url, fields):
    text = "With tags" if fields else "With a\0sign"
    with recollect.open(shop, store=store_url) as project:
        with pytest.raises(UsageError, match=r"cannot keep this value .*NUL.*nothing was changed"):
            project.remember(text, **fields)
        assert project.timeline().total == 0


def test_a_file_with_such_a_sign_is_not_moved_by_half(shop, store_url):
    with recollect.open(shop) as project:
        project.remember("Fine")
        project.remember("With a\0sign")
    with pytest.raises(UsageError, match="NUL"):
        migrate(shop, store_url)
    with recollect.open(shop) as project:
        assert project.timeline().total == 2
