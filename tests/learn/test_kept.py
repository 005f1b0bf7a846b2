import time

from recollect.learn import kept
from recollect.ports import Event


def filed(path, *names):
    file = kept.EventFile(path)
    file.add([Event("q1", f"c{'a' * 12}{name}", "used", time.time()) for name in names])
    file.flush()
    file.close()


def test_opening_the_file_does_not_look_like_a_write_to_it(tmp_path, monkeypatch):
    place = tmp_path / "memory.db"
    filed(place, "a", "b")
    reads = []
    read = kept.EventFile._read
    monkeypatch.setattr(kept.EventFile, "_read", lambda *said: reads.append(1) or read(*said))
    file = kept.EventFile(place)
    assert len(file.events()) == len(file.events()) == 2
    assert len(reads) == 1
    file.close()


def test_what_another_process_files_is_seen(tmp_path):
    place = tmp_path / "memory.db"
    filed(place, "a")
    file = kept.EventFile(place)
    assert len(file.events()) == 1
    filed(place, "b")
    assert len(file.events()) == 2
    file.close()
