import contextlib

import pytest

from recollect.config import Settings
from recollect.index.opened import OpenIndex
from recollect.index.project import project_at


@pytest.fixture
def opened():
    """Open indexes that are closed when the test ends."""
    with contextlib.ExitStack() as stack:

        def open_at(root, **settings):
            index = OpenIndex(project_at(root), Settings(**settings))
            stack.callback(index.close)
            return index

        yield open_at
