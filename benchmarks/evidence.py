"""Measures what evidence does to ranking, on data whose checkouts gathered it before.

Usage: python benchmarks/evidence.py DATA --repos DIR --enriched DIR

Each repository below --enriched is a checkout of the same revision on which `recollect enrich` or `observe` was run;
its evidence is laid over a fresh index of the data set. Every setting is told as the paired
difference to its profile without evidence.
"""

import argparse
import shutil
import tempfile
from contextlib import ExitStack, closing
from pathlib import Path

from recollect.bench import checkout, datasets, metrics
from recollect.bench.judge import judge
from recollect.bench.shipped import Shipped
from recollect.bench.statistics import compare_paired

K = 20
SETTINGS = (
    ("code", False, {}),
    ("code", True, {}),
    ("code", True, {"channel.symbols.outside": True}),
    ("knowing", False, {}),
    ("knowing", True, {}),
    ("knowing", True, {"rerank.composite.runs": False}),
)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--repos", type=Path, required=True)
    parser.add_argument("--enriched", type=Path, required=True)
    given = parser.parse_args()
    data = datasets.load(given.data)
    splits = [one for one in data.splits if (given.enriched / one / ".recollect" / "evidence.db").is_file()]
    asked = [one for one in data.questions if one.split in splits]
    metric = metrics.MAIN[data.kind]
    found, orders = [], []
    with ExitStack() as stack:
        engines = {laid: _engines(data, given, splits, laid, stack) for laid in (False, True)}
        for profile, laid, overrides in SETTINGS:
            told = {"profile": profile, **overrides}
            rows = [engines[laid][one.split].ask(one.text, K, told) for one in asked]
            orders.append([[(row.path, row.start) for row in one] for one in rows])
            pairs = zip(rows, asked, strict=True)
            found.append([metrics.measure(judge(data.kind, row, one))[metric] for row, one in pairs])
    print(f"{metric} of {len(asked)} questions on {', '.join(splits)}")
    for at, (profile, laid, overrides) in enumerate(SETTINGS):
        base = next(i for i, one in enumerate(SETTINGS) if one[0] == profile)
        name = " ".join(
            [profile, "with evidence" if laid else "", *(f"{k}={v}" for k, v in overrides.items())]
        )
        found_mean = sum(found[at]) / len(asked)
        if at == base:
            print(f"{name:45} {found_mean:.4f}")
        else:
            said = compare_paired(found[base], found[at])
            other = sum(one != two for one, two in zip(orders[base], orders[at], strict=True))
            interval = f"{said.delta:+.4f} [{said.low:+.4f}, {said.high:+.4f}]"
            print(f"{name:45} {found_mean:.4f}  {interval}, {other} other answers")


def _engines(data, given, splits, laid, stack):
    places = checkout.find_checkouts(data, given.repos)
    scratch = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="recollect-evidence-")))
    engines = {}
    for split in splits:
        engine = stack.enter_context(closing(Shipped("")))
        repository = checkout.lay_out(places[split], data.repositories[split], scratch)
        if laid:
            state = repository.folder / ".recollect"
            state.mkdir(exist_ok=True)
            shutil.copy(given.enriched / split / ".recollect" / "evidence.db", state)
        engine.build_index(repository)
        engines[split] = engine
    return engines


if __name__ == "__main__":
    main()
