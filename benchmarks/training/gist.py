"""Trains the gists (src/recollect/models/weights): vectors of words whose sums tell what a text is about.

    PYTHONPATH=src python benchmarks/training/gist.py --pairs FOLDER --mirrors FOLDER --start FOLDER --into FOLDER

Run it by a Python of your own that has torch, numpy, tokenizers and msgspec; recollect itself never needs torch.
--pairs is what pairs.py wrote, --start a folder with the vectors of wordllama (MIT) as .safetensors, and its tokenizer
as tokenizer.json. A text and the code that it is about are pulled together, apart from what else stands in the same
batch; a quarter of a batch comes from one repository, so that what is wrong is nearly right. One thread and a seed: the
same pairs and the same torch give the same vectors.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812  as everybody calls it

from recollect.models.folder import ModelFolder, tensors
from recollect.models.gist import resolve

MOST = {
    "doc": 3000,
    "comment": 2000,
    "name": 1500,
    "commit": 1500,
    "section": 800,
    "test": 500,
    "head": 500,
    "heading": 600,
}
"""How many pairs of a kind are taken from a repository."""
UNUSED = frozenset({"name", "test"})
"""Their words count for the vocabulary, but training on them too gave less."""
BLOCK = 256
LICENCES = {
    "Apache-2.0": r"Apache License[\s,]*(?:Version|v)? ?2|apache\.org/licenses/LICENSE-2",
    "MIT": r"Permission is hereby granted, free of charge|\bMIT\b",
    "BSL-1.0": r"Boost Software License",
    "BSD": r"Redistribution and use in source and binary|\bBSD\b",
    "ISC": r"Permission to use, copy, modify",
}


class Settings(NamedTuple):
    words: int = 32_000
    width: int = 128
    epochs: int = 3
    batch: int = 1024
    rate: float = 1.5e-3
    hide: float = 0.0
    """How often the words that both sides share are taken out of the code; 0.3 and 0.5 gave no more than 0."""
    untitled: float = 0.25
    """How often the code stands without its path and name."""
    seed: int = 1


class Pairs(NamedTuple):
    texts: list[np.ndarray]
    titles: list[np.ndarray]
    codes: list[np.ndarray]
    same: np.ndarray
    """A mark of the code, the same for pairs about the same code."""


def read(folder: Path, names: Sequence[str], settings: Settings) -> tuple[list[str], list[Pairs]]:
    rng = np.random.default_rng(settings.seed)
    rows, counts = {}, Counter()
    for name in sorted(names):
        by_kind: dict[str, list[str]] = {}
        for line in (folder / f"{name}.tsv").read_text(encoding="utf-8").splitlines():
            by_kind.setdefault(line.partition("\t")[0], []).append(line)
        kept = []
        for kind, lines in sorted(by_kind.items()):
            picked = rng.permutation(len(lines))[: MOST.get(kind, 500)]
            kept += [lines[at].split("\t") for at in sorted(picked)]
        rows[name] = kept
        own = Counter(word for row in kept for word in {w for part in row[1:] for w in part.split()})
        counts.update({word: min(count, 60) + 40 for word, count in own.items() if count >= 2})
    vocabulary = [
        word for word, _ in sorted(counts.items(), key=lambda one: (-one[1], one[0]))[: settings.words]
    ]
    place = {word: at for at, word in enumerate(vocabulary)}
    find = Lookup(place)
    made = []
    for all_kept in rows.values():
        kept = [row for row in all_kept if row[0] not in UNUSED]
        parts = [[find.ids(row[column]) for row in kept] for column in (1, 2, 3)]
        same = np.array([_mark(row[2] + row[3]) for row in kept], np.int64)
        made.append(Pairs(*parts, same))
    return vocabulary, made


def _mark(text: str) -> int:
    return zlib.crc32(text.encode())


class Lookup(dict[str, tuple[int, ...]]):
    """The numbers of a word, remembered."""

    def __init__(self, place: dict[str, int]) -> None:
        super().__init__()
        self.place = place

    def __missing__(self, word: str) -> tuple[int, ...]:
        found = self[word] = resolve(word, self.place)
        return found

    def ids(self, text: str) -> np.ndarray:
        return np.array([number for word in text.split() for number in self[word]], np.int32)


class Bag(NamedTuple):
    ids: torch.Tensor
    times: torch.Tensor
    starts: torch.Tensor


def bag(rows: Sequence[np.ndarray], width: int) -> Bag:
    """Fold equal tokens of each row, and dampen how often they come."""
    lengths = np.array([len(row) for row in rows])
    keys = np.repeat(np.arange(len(rows), dtype=np.int64), lengths) * width + np.concatenate(rows)
    found, counts = np.unique(keys, return_counts=True)
    owner = found // width
    starts = np.searchsorted(owner, np.arange(len(rows)))
    return Bag(
        torch.from_numpy(found % width),
        torch.from_numpy(np.sqrt(counts).astype(np.float32)),
        torch.from_numpy(starts),
    )


class Model(torch.nn.Module):
    def __init__(self, start: np.ndarray, shares: np.ndarray) -> None:
        super().__init__()
        self.table = torch.nn.Parameter(torch.from_numpy(start.astype(np.float32)))
        first = torch.from_numpy(np.log(1e-3 / (1e-3 + shares)).astype(np.float32))
        self.asked = torch.nn.Parameter(first.clone())
        self.told = torch.nn.Parameter(first.clone())
        self.heat = torch.nn.Parameter(torch.tensor(2.7))

    def forward(self, rows: Bag, weights: torch.Tensor) -> torch.Tensor:
        sums = F.embedding_bag(
            rows.ids,
            self.table,
            rows.starts,
            mode="sum",
            per_sample_weights=rows.times * weights[rows.ids].exp(),
        )
        return F.normalize(sums, dim=1)


def batches(
    pairs: Sequence[Pairs], settings: Settings, rng: np.random.Generator
) -> Iterator[list[tuple[int, int]]]:
    """Yield batches of blocks; a block comes from one repository, so that what is wrong is nearly right."""
    blocks = []
    for at, own in enumerate(pairs):
        order = rng.permutation(len(own.texts))
        blocks += [
            [(at, int(one)) for one in order[start : start + BLOCK]] for start in range(0, len(order), BLOCK)
        ]
    order = rng.permutation(len(blocks))
    step = settings.batch // BLOCK
    for start in range(0, len(order) - step + 1, step):
        yield [row for at in order[start : start + step] for row in blocks[at]]


def train(pairs: Sequence[Pairs], start: np.ndarray, settings: Settings) -> Model:
    torch.manual_seed(settings.seed)
    torch.set_num_threads(1)
    rng = np.random.default_rng(settings.seed)
    seen = np.bincount(np.concatenate([np.concatenate(own.codes) for own in pairs]), minlength=len(start))
    model = Model(start, seen / seen.sum())
    scalars = {"params": [model.asked, model.told, model.heat], "lr": settings.rate * 5}
    optimiser = torch.optim.Adam([{"params": [model.table], "lr": settings.rate}, scalars])
    total = settings.epochs * sum(-(-len(own.texts) // BLOCK) for own in pairs) * BLOCK // settings.batch
    step = 0
    for epoch in range(settings.epochs):
        losses = []
        for rows in batches(pairs, settings, rng):
            for group in optimiser.param_groups:
                group["lr"] = group.setdefault("first", group["lr"]) * max(0.03, 1 - step / total)
            loss = loss_of(model, pairs, rows, settings, rng)
            optimiser.zero_grad(set_to_none=True)
            loss.backward()
            optimiser.step()
            losses.append(float(loss.detach()))
            step += 1
        print(f"epoch {epoch}: loss {np.mean(losses):.4f}", flush=True)
    return model


def loss_of(
    model: Model,
    pairs: Sequence[Pairs],
    rows: Sequence[tuple[int, int]],
    settings: Settings,
    rng: np.random.Generator,
) -> torch.Tensor:
    texts, codes, same = [], [], []
    width = len(model.table)
    shared = np.zeros(width, bool)
    for at, one in rows:
        own = pairs[at]
        text, title, code = own.texts[one], own.titles[one], own.codes[one]
        whole = code if rng.random() < settings.untitled else np.concatenate((title, code))
        if rng.random() < settings.hide:
            shared[text] = True
            whole = whole[~shared[whole]]
            shared[text] = False
        if len(text) and len(whole):
            texts.append(text)
            codes.append(whole)
            same.append(own.same[one])
    marks = torch.from_numpy(np.array(same))
    near = model(bag(texts, width), model.asked) @ model(bag(codes, width), model.told).T
    twins = (marks[:, None] == marks[None, :]) & ~torch.eye(len(marks), dtype=torch.bool)
    logits = (near * model.heat.exp()).masked_fill(twins, -1e4)
    target = torch.arange(len(marks))
    return (F.cross_entropy(logits, target) + F.cross_entropy(logits.T, target)) / 2


def start_of(folder: Path, vocabulary: Sequence[str], width: int) -> np.ndarray:
    """Return a first vector for each word: the mean of those of its pieces in a general model, of length 1."""
    model = ModelFolder(folder)
    assert model.weights is not None
    table = next(iter(tensors(model.weights).values())).astype(np.float32)
    read = model.tokenizer().encode_batch_fast(list(vocabulary), add_special_tokens=False)
    start: np.ndarray = np.stack([table[one.ids].mean(0)[:width] for one in read])
    return start / (np.linalg.norm(start, axis=1, keepdims=True) + 1e-6)


def store(into: Path, vocabulary: Sequence[str], model: Model) -> str:
    """Write the vectors as int8 with a factor a word for each side, and return their hash."""
    table = model.table.detach().numpy()
    largest = np.abs(table).max(1)
    sides = [np.exp(side.detach().numpy()) * largest for side in (model.told, model.asked)]
    np.save(into / "gist.npy", np.rint(table / largest[:, None] * 127).astype(np.int8))
    np.save(into / "gist-scales.npy", np.stack(sides).astype(np.float16))
    (into / "gist-words.txt").write_text("\n".join(vocabulary) + "\n", encoding="utf-8")
    digest = blake2b(digest_size=16)
    for name in ("gist.npy", "gist-scales.npy", "gist-words.txt"):
        digest.update((into / name).read_bytes())
    return digest.hexdigest()


def provenance(digest: str, names: Sequence[str], mirrors: Path, count: int, settings: Settings) -> str:
    lines = [
        "# Made by benchmarks/training/gist.py; do not edit.",
        f'digest = "{digest}"',
        'script = "benchmarks/training/pairs.py, then benchmarks/training/gist.py"',
        'start = "wordllama 0.4.0.post1 (MIT), l2_supercat_256, its first dimensions"',
        f'torch = "{torch.__version__}"',
        f"pairs = {count}",
        *(f"{key} = {value}" for key, value in settings._asdict().items()),
        "",
        "[repositories]",
        "# The revision and the licence of what was read; no text of any of them is kept.",
    ]
    for name in names:
        revision = _git(mirrors / name / "repo", "rev-parse", "HEAD").strip()
        licence = licence_of(mirrors / name / "repo")
        lines.append(f'"{name.replace("+", "/")}" = "{revision} {licence}"')
    return "\n".join(lines) + "\n"


def licence_of(repository: Path) -> str:
    named = re.compile(r"(?i)(?:.*/)?(?:licen[sc]e|copying|mit-license)")
    paths = [
        path
        for path in _git(repository, "ls-tree", "-r", "--name-only", "HEAD").splitlines()
        if named.match(path)
    ]
    paths = sorted(paths, key=lambda path: path.count("/"))[:5]
    for path in [*paths, "README.md", "README.txt"]:
        text = _git(repository, "show", f"HEAD:{path}")
        for licence, pattern in LICENCES.items():
            if re.search(pattern, text):
                return licence
    return "unknown"


def _git(repository: Path, *arguments: str) -> str:
    told = subprocess.run(["git", "-C", str(repository), *arguments], capture_output=True, check=False)
    return told.stdout.decode("utf-8", "replace")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    for name in ("--pairs", "--mirrors", "--start", "--into"):
        parser.add_argument(name, type=Path, required=True)
    chosen = parser.parse_args()
    settings = Settings()
    names = sorted(file.stem for file in chosen.pairs.glob("*.tsv"))
    vocabulary, pairs = read(chosen.pairs, names, settings)
    count = sum(len(own.texts) for own in pairs)
    print(f"{count} pairs of {len(names)} repositories, {len(vocabulary)} words", flush=True)
    model = train(pairs, start_of(chosen.start, vocabulary, settings.width), settings)
    digest = store(chosen.into, vocabulary, model)
    text = provenance(digest, names, chosen.mirrors, count, settings)
    (chosen.into / "gist.toml").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
