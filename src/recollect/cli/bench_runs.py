"""What the commands of `recollect bench` share: their options, running retrievers, showing runs."""

from __future__ import annotations

import functools
import shlex
import sys
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from recollect.cli.options import print_json
from recollect.errors import RecollectError, UsageError

if TYPE_CHECKING:
    from recollect.bench.runs import Run
    from recollect.bench.values import DataSet

FAILED = 1
EXISTING = click.Path(path_type=Path, exists=True)
ANYWHERE = click.Path(path_type=Path)
MOST_SPLITS = 30
"""More parts than this are not listed one by one."""
RESULTS = Path("bench-results")


def data_set_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Take one data set, as the argument FOLDER or as `--data DIR`, and hand it on as `folder`."""

    @functools.wraps(command)
    def with_folder(*arguments: Any, folder: Path | None, data: Path | None, **others: Any) -> Any:
        given = [place for place in (folder, data) if place is not None]
        if len(given) != 1:
            raise click.UsageError("Give one data set: FOLDER or --data DIR.", click.get_current_context())
        return command(*arguments, folder=given[0], **others)

    option = click.option("--data", type=EXISTING, metavar="DIR", help="The data set; the same as FOLDER.")
    return click.argument("folder", type=EXISTING, required=False)(option(with_folder))


retrievers_option = click.option(
    "--retriever",
    "-r",
    "names",
    multiple=True,
    metavar="NAME",
    help="An alias such as bm25, recollect, recollect:PROFILE or recollect:KEY=VALUE, or module:Class; repeatable.",
)
output_option = click.option(
    "--output",
    "-o",
    type=ANYWHERE,
    default=RESULTS,
    show_default=True,
    metavar="PLACE",
    help="The folder where runs are kept, one file each; or the .json file of one run.",
)
k_option = click.option("--k", type=click.IntRange(1, 1000), help="How many results are asked for.")
compress_option = click.option("--compress", is_flag=True, help="Keep the runs as .json.gz.")
texts_option = click.option(
    "--no-text", is_flag=True, help="Leave the texts of the questions out of the files."
)


class Kept(NamedTuple):
    """Where runs are kept, and how."""

    place: Path
    """A folder, or with one retriever the file itself."""
    compressed: bool

    def file(self, data: str, label: str, of: int) -> Path:
        """Return where the run of a retriever is kept."""
        if self.place.name.endswith((".json", ".json.gz")):
            if of > 1:
                raise UsageError(f"{self.place} is one file, but {of} retrievers are run; give a folder.")
            return self.place
        ending = ".json.gz" if self.compressed else ".json"
        return self.place / f"{data}-{label.replace(':', '-').replace('.', '-')}{ending}"


def run_all(data: DataSet, names: Sequence[str], kept: Kept, **options: Any) -> list[Run]:
    """Run retrievers by name with a progress bar and keep each run."""
    from recollect.bench import retrievers, runner, runs
    from recollect.cli.progress import ProgressBar

    # Every name is resolved before anything runs: a wrong one must not cost the others' time.
    makers = [retrievers.resolve(name) for name in names]
    files = [kept.file(data.name, label, len(makers)) for label, _ in makers]
    made: list[Run] = []
    skipped: list[str] = []
    for (label, make), file in zip(makers, files, strict=True):
        foreign = retrievers.is_foreign(label)
        # What a retriever prints must not stand between our own lines.
        try:
            with ProgressBar() as progress, redirect_stdout(sys.stderr), _named_failures(label, foreign):
                chosen = runner.Options(command=_command(), progress=progress, by_its_name=foreign, **options)
                run = runner.run(label, make, data, chosen)
        except retrievers.NotInstalledError as error:
            if len(makers) == 1:
                raise
            click.echo(f"Skipped {label}: {error}", err=True)
            skipped.append(label)
            continue
        if options.get("keep_texts", True):
            _keep_private(data, file)
        runs.save(run, file)
        click.echo(f"Kept {file}", err=True)
        made.append(run)
    if not made:
        raise UsageError(f"None of {', '.join(skipped)} is installed here, so nothing was run.")
    return made


def _keep_private(data: DataSet, file: Path) -> None:
    """Keep what was asked out of git where git does not see the questions themselves."""
    from recollect.bench.build import IGNORING

    mark = data.folder / ".gitignore"
    if not mark.is_file() or mark.read_bytes() != IGNORING.encode():
        return
    if not file.parent.exists():
        file.parent.mkdir(parents=True)
        file.with_name(".gitignore").write_text(IGNORING, encoding="utf-8")
    elif not _unseen(file):
        click.echo(
            f"{file} holds questions about your memories, and git sees it; --no-text leaves them out.",
            err=True,
        )


def _unseen(file: Path) -> bool:
    from recollect.source.git import run_git

    if run_git(file.parent, "rev-parse", "--is-inside-work-tree") is None:
        return True
    return run_git(file.parent, "check-ignore", str(file.resolve())) is not None


@contextmanager
def _named_failures(label: str, foreign: bool) -> Iterator[None]:
    """Say of a failure inside the user's own retriever that it is theirs, and where."""
    try:
        yield
    except RecollectError:
        raise
    except Exception as error:  # the retriever is the user's own code and may raise anything
        if not foreign:
            raise
        last = traceback.extract_tb(error.__traceback__)[-1]
        raise UsageError(
            f"The retriever {label} failed with {type(error).__name__}: {error} ({last.filename}:{last.lineno}); "
            "correct it and run again."
        ) from error


def show_runs(runs: Sequence[Run], as_json: bool) -> int:
    """Print the tables of runs, or with JSON one object a run without its questions."""
    from recollect.bench import metrics, notes, tables
    from recollect.bench.compare import compare

    if as_json:
        for run in runs:
            print_json({key: value for key, value in run.to_dict().items() if key != "questions"})
        return 0
    click.echo(
        f"{len(runs[0].questions)} questions of {runs[0].data}\n\n{tables.plain(tables.run_table(runs))}\n"
    )
    main = metrics.MAIN[runs[0].kind]
    click.echo(f"{main} by stratum, with 95 % intervals\n{tables.plain(tables.strata_table(runs, main))}")
    if 1 < len(runs[0].splits) <= MOST_SPLITS:
        caption = f"{main} by split, the mean with the interval over splits"
        click.echo(f"\n{caption}\n{tables.plain(tables.splits_table(runs, main))}")
    if len(runs) > 1:
        found = [compare(runs[0], run) for run in runs[1:]]
        click.echo(f"\n{tables.plain(tables.differences_table(found))}")
        for note in dict.fromkeys(note for one in found for note in one.notes):
            click.echo(f"Note: {note}", err=True)
    for run in runs:
        for note in notes.sentences([split.notes for split in run.splits]):
            click.echo(f"Note on {run.retriever}: {note}", err=True)
    return 0


def _command() -> str:
    return shlex.join(["recollect", *sys.argv[1:]])
