"""Shortens real files as far as possible, as usual and strictly, and counts those that parse worse than before.

.venv/bin/python benchmarks/shortening.py CHECKOUTS [--files 60]
"""

import argparse
import random
from collections import Counter, defaultdict
from pathlib import Path

from tree_sitter import Parser

from recollect.parse.grammars import load_wheel, names
from recollect.parse.settings import QUERIES, read_query
from recollect.retrieve.compress.compressor import Parameters, compress
from recollect.retrieve.tokens import exact
from recollect.source.languages import language_of

WAYS = {
    "hardest": (Parameters(target_ratio=0.0, max_prune_ratio=1.0), False),
    "usual": (Parameters(), False),
    "strict": (Parameters(), True),
}
SMALLEST, LARGEST = 200, 60_000


def mistakes(parser, text):
    """Count what a parser could not read, and what it missed."""
    count, waiting = 0, [parser.parse(text.encode()).root_node]
    while waiting:
        node = waiting.pop()
        count += node.is_error or node.is_missing
        waiting.extend(node.children if node.has_error else [])
    return count


def files_by_language(root):
    """Return the files of every language that has a grammar, of a middling size."""
    known, found = set(names()), defaultdict(list)
    for path in sorted(root.rglob("*")):
        if ".git" in path.parts or not path.is_file() or not SMALLEST < path.stat().st_size < LARGEST:
            continue
        language = language_of(str(path.relative_to(root)))
        if language in known:
            found[language].append(path)
    return found


def measured(language, paths):
    """Return how many were shortened, how many parse worse, how many of those say so, and what is left of each way."""
    settings, _ = read_query(QUERIES / f"{language}.scm")
    parser = Parser(load_wheel(settings.grammar, settings.entry))
    counts = Counter()
    for path in paths:
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        before = mistakes(parser, text)
        counts["files"] += 1
        for way, (parameters, strict) in WAYS.items():
            made = compress(text, language, exact, parameters, strict=strict)
            worse = mistakes(parser, made.text) > before
            counts["worse"] += worse
            counts["silent"] += worse and not made.notes
            counts[way] += made.ratio
    return counts


def main():
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkouts", type=Path)
    parser.add_argument("--files", type=int, default=60, help="how many of each language")
    asked = parser.parse_args()
    total = Counter()
    print("| language | files | parse worse | and do not say so | left: hardest | usual | strict |")
    print("|---|---|---|---|---|---|---|")
    for language, paths in sorted(files_by_language(asked.checkouts).items()):
        counts = measured(language, random.Random(7).sample(paths, min(asked.files, len(paths))))
        total.update(counts)
        row(language, counts)
    row("all", total)


def row(name, counts):
    """Print one line of the table."""
    shares = " | ".join(f"{counts[way] / max(1, counts['files']):.2f}" for way in WAYS)
    print(f"| {name} | {counts['files']} | {counts['worse']} | {counts['silent']} | {shares} |", flush=True)


if __name__ == "__main__":
    main()
