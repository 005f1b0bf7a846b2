"""A catalogue of another generation brought in step: only files that are not as they were then are read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from recollect.ports import Outline, Reader
from recollect.retrieve.catalogue import Array, Catalogue, build, joined_texts, stamps_of
from recollect.retrieve.distinct import places_among

MOST_CHANGED = 0.3
"""Share of changed files from which on all is read anew."""
MOST_NAMES = 2
"""So many names an item there may be; those of what is gone stay behind until then."""


def amended(old: Catalogue, reader: Reader) -> Catalogue | None:
    """Return the catalogue of the reader's generation, or None where it is better made anew."""
    files = reader.outline(()).files
    stamps = stamps_of(files)
    rising = np.sort(old.stamps)
    changed = [
        file for file, there in zip(files, places_among(stamps, rising)[1].tolist(), strict=True) if not there
    ]
    too_much = len(changed) > MOST_CHANGED * len(files) + 10
    if too_much or len(old.name_starts) > MOST_NAMES * len(old.numbers) + 10_000:
        return None
    rows = reader.outline([file[0] for file in changed])
    part = build(Outline(rows.rows, rows.words, changed))
    return _together(old, places_among(old.stamps, np.sort(stamps))[1], part)


def _together(old: Catalogue, kept: Array, part: Catalogue) -> Catalogue:
    """Return what is kept of the old files, and the part, in one."""
    paths = [path for path, stays in zip(old.paths, kept.tolist(), strict=True) if stays] + part.paths
    by_path = np.array(sorted(range(len(paths)), key=paths.__getitem__), np.int64)
    place = np.empty(len(paths), np.int64)
    place[by_path] = np.arange(len(paths))
    of_old = np.full(len(kept), -1, np.int64)
    of_old[kept] = place[: int(kept.sum())]
    stays = np.flatnonzero(of_old[old.files] >= 0) if len(old.files) else np.zeros(0, np.int64)
    homes = np.concatenate([of_old[old.files[stays]], place[int(kept.sum()) :][part.files]])
    order = np.argsort(homes, kind="stable")
    files, numbers = homes[order], np.concatenate([old.numbers[stays], part.numbers])[order]
    lists = [_united(mine, theirs) for mine, theirs in zip(old.lists[1:], part.lists[1:], strict=True)]
    (words, words_old, words_part), (kinds, kinds_old, kinds_part), (languages, tongues_old, tongues_part) = (
        lists
    )
    names = len(old.name_starts) - 1

    def by_row(name: str) -> Array:
        return np.concatenate([getattr(old, name)[stays], getattr(part, name)])[order]

    def by_file(mine: Array, theirs: Array) -> Array:
        return np.concatenate([mine[kept], theirs])[by_path]

    now = np.empty(len(order), np.int64)
    now[order] = np.arange(len(order))
    before = np.zeros(len(old.numbers), np.int64)
    before[stays] = np.arange(len(stays))
    owners = np.concatenate([before[old.owners[stays]], part.owners.astype(np.int64) + len(stays)])
    texts, text_ends = joined_texts([paths[at] for at in by_path.tolist()], words, kinds, languages)
    return Catalogue(
        numbers=numbers,
        places=_places(numbers),
        order=by_row("order"),
        files=files.astype(np.uint32),
        kinds=np.concatenate([kinds_old[old.kinds[stays]], kinds_part[part.kinds]])[order].astype(np.uint8),
        starts=by_row("starts"),
        ends=by_row("ends"),
        flags=by_row("flags"),
        depths=by_row("depths"),
        owners=now[owners[order]].astype(np.uint32),
        leaves=np.concatenate([old.leaves[stays], part.leaves + np.uint32(names)])[order],
        sizes=by_row("sizes"),
        glances=by_row("glances"),
        path_glances=by_file(old.path_glances, part.path_glances),
        file_rows=np.searchsorted(files, np.arange(len(paths) + 1)).astype(np.uint32),
        languages=by_file(tongues_old[old.languages], tongues_part[part.languages]).astype(np.uint16),
        sites=by_file(old.sites, part.sites),
        file_names=by_file(old.file_names, part.file_names + np.uint32(names)),
        name_starts=np.concatenate([old.name_starts, part.name_starts[1:] + old.name_starts[-1]]),
        name_words=np.concatenate([words_old[old.name_words], words_part[part.name_words]]).astype(np.uint32),
        stamps=by_file(old.stamps, part.stamps),
        texts=texts,
        text_ends=text_ends,
    )


def _united(mine: Sequence[str], theirs: Sequence[str]) -> tuple[list[str], Array, Array]:
    """Return the texts of both, sorted, and where those of each are now."""
    union = sorted({*mine, *theirs})
    now: Mapping[str, int] = {text: at for at, text in enumerate(union)}
    places = [np.array([now[text] for text in texts], np.int64) for texts in (mine, theirs)]
    return union, places[0], places[1]


def _places(numbers: Array) -> Array:
    """Return the row of each number, and for those that are no item one past the last."""
    places = np.full(int(numbers.max(initial=0)) + 2, len(numbers), np.uint32)
    places[numbers] = np.arange(len(numbers), dtype=np.uint32)
    return places
