import pytest

from recollect.index import pruning


@pytest.fixture
def eager(monkeypatch):
    """Prune after every update."""
    monkeypatch.setattr(pruning, "_GROWTH", 0)
    monkeypatch.setattr(pruning, "_SMALL_BYTES", 0)


def test_facts_that_nothing_refers_to_are_dropped(tmp_path, opened, eager):
    place = tmp_path / "a.py"
    index = opened(tmp_path)
    for text in ("x = 1\n", "y = 2\n", "x = 1\n"):
        place.write_text(text, encoding="utf-8")
        report = index.update()
    assert (report.parsed, report.reused) == (1, 0)


def test_facts_are_kept_while_they_are_few(tmp_path, opened):
    place = tmp_path / "a.py"
    index = opened(tmp_path)
    for text in ("x = 1\n", "y = 2\n", "x = 1\n"):
        place.write_text(text, encoding="utf-8")
        report = index.update()
    assert (report.parsed, report.reused) == (0, 1)
