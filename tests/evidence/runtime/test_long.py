import importlib.util
import tracemalloc
from functools import partial
from pathlib import Path

import pytest

import recollect
from recollect.evidence.runtime import read
from recollect.evidence.runtime.follow import Follower

SPEC = importlib.util.spec_from_file_location(
    "long_reports", Path(__file__).resolve().parents[3] / "benchmarks" / "long_reports.py"
)
long_reports = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(long_reports)
long_reports.FILES, long_reports.TESTS, long_reports.LIBRARY, long_reports.CALLED = 10, 20, 50, 2
SMALL, LARGE = 400_000, 2_000_000


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """Index the code that long reports are of."""
    root = tmp_path_factory.mktemp("long")
    long_reports.write_project(root)
    with recollect.open(root) as opened:
        opened.index()
        yield opened


@pytest.mark.slow
@pytest.mark.timeout(240)
@pytest.mark.parametrize("form", long_reports.FORMATS)
def test_memory_grows_with_the_code_and_not_with_the_report(project, tmp_path, monkeypatch, form):
    """Slow because every allocation is traced."""
    # What is remembered of a stream has a fixed size, which a test would never fill.
    monkeypatch.setattr(read, "Follower", partial(Follower, window=500))
    monkeypatch.setattr(read, "_LONGEST_FIRST", 1 << 16)
    peaks = []
    for size in (SMALL, SMALL, LARGE):
        path = tmp_path / f"{form}.{len(peaks)}"
        long_reports.write_report(form, path, size)
        tracemalloc.start()
        project.observe([path], form, again=True)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[2] < 1.5 * peaks[1] + 300_000, peaks
