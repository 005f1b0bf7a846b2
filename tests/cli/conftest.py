from typing import NamedTuple

import pytest

from recollect.cli.app import main


class Done(NamedTuple):
    code: int
    out: str
    err: str


@pytest.fixture
def run(capsys):
    """Run the program in this process."""

    def run(*arguments: str) -> Done:
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            main(arguments)
        captured = capsys.readouterr()
        return Done(ended.value.code, captured.out, captured.err)

    return run
