import threading

from recollect.errors import StoreError
from recollect.index.watch import watch
from recollect.types import IndexReport


def report(mode):
    return IndexReport(mode, 1, 0, 0, 0, 0, 0, 0, 0.0)


def test_edits_are_followed_and_ignored_folders_are_not(tmp_path, opened):
    (tmp_path / "a.py").write_text("def alpha(): pass\n", encoding="utf-8")
    index = opened(tmp_path)
    stop = threading.Event()
    rounds = watch(tmp_path, index.update, stop)
    assert next(rounds).report.mode == "full"
    threading.Timer(
        0.3, lambda: (tmp_path / "b.py").write_text("def beta(): pass\n", encoding="utf-8")
    ).start()
    seen = next(rounds)
    stop.set()
    assert (seen.report.mode, seen.report.files) == ("incremental", 2)
    assert list(rounds) == []


def test_a_failed_update_is_told_and_tried_again(tmp_path):
    answers = iter([StoreError("The disk is full."), report("incremental")])

    def update():
        answer = next(answers)
        if isinstance(answer, Exception):
            raise answer
        return answer

    rounds = watch(tmp_path, update, threading.Event())
    assert next(rounds).error == "The disk is full."
    assert next(rounds).report.mode == "incremental"
    rounds.close()
