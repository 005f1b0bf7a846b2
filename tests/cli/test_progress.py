import io

from recollect.cli import progress, render
from recollect.cli.progress import ProgressBar
from recollect.types import Progress


class Terminal(io.StringIO):
    def isatty(self):
        return True


def shown(monkeypatch, stream, patience):
    monkeypatch.setattr("sys.stderr", stream)
    monkeypatch.setattr(progress, "PATIENCE", patience)
    with ProgressBar() as bar:
        bar(Progress("parse", 1, 10))
        bar(Progress("parse", 5, 10))
    return stream.getvalue()


def test_a_person_who_waits_sees_a_bar(monkeypatch):
    assert "parse" in shown(monkeypatch, Terminal(), 0.0)


def test_quick_work_shows_no_bar(monkeypatch):
    assert shown(monkeypatch, Terminal(), 60.0) == ""


def test_a_pipe_gets_no_bar(monkeypatch):
    assert shown(monkeypatch, io.StringIO(), 0.0) == ""


def test_colour_is_for_terminals_without_no_color(monkeypatch):
    monkeypatch.setattr("sys.stdout", Terminal())
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert render.style("x", bold=True) != "x"
    monkeypatch.setenv("NO_COLOR", "1")
    assert render.style("x", bold=True) == "x"
