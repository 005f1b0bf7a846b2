"""Measures what each kind of change evidence does to ranking, on data sets whose checkouts have a history.

Usage: python benchmarks/history.py [--repos DIR] [-o FILE] DATA...

Every data set is indexed once and asked under each setting. The best value of each kind is chosen on one half of the
repositories and told for the other, with the interval of the paired difference; nothing after a snapshot can be seen.
"""

import argparse
import json
import sys
from contextlib import ExitStack
from pathlib import Path

from recollect.bench import datasets, metrics, tuning
from recollect.bench.statistics import compare_paired
from recollect.bench.tune import halves

KEY = "rerank.history."
CHOICES = {
    "recency": [{"recency": w, "half_life_days": days} for days in (30, 180) for w in (1.0, 3.0)],
    "churn": [{"churn": w} for w in (1.0, 3.0)],
    "together": [{"together": w} for w in (2.0, 6.0)],
}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", nargs="+", type=Path)
    parser.add_argument("--repos", type=Path)
    parser.add_argument("-o", "--output", type=Path)
    given = parser.parse_args()
    settings = [{}, *(one for rows in CHOICES.values() for one in rows)]
    found, questions, metric = {name(one): {} for one in settings}, [], ""
    for folder in given.data:
        data = datasets.load(folder)
        metric = metrics.MAIN[data.kind]
        with ExitStack() as stack:
            engines = tuning._open(data, "", given.repos, stack, None)
            measure = tuning._measure(data.kind, engines, metric)
            for one in settings:
                values = measure({KEY + key: value for key, value in one.items()}, data.questions)
                found[name(one)].update({f"{folder}/{key}": value for key, value in values.items()})
        questions += [(f"{folder}/{one.id}", one) for one in data.questions]
        print(
            folder,
            len(data.questions),
            *(f"{mean(found[name(one)]):.4f}" for one in settings),
            file=sys.stderr,
        )
    told = report(found, questions, metric)
    if given.output:
        given.output.write_text(
            json.dumps({"metric": metric, **told, "values": found}, indent=1) + "\n", encoding="utf-8"
        )


def report(found, questions, metric):
    """Print a row for each kind, and return them."""
    choosing, _ = halves([question for _, question in questions])
    first = {id(question) for question in choosing}
    mine = [key for key, question in questions if id(question) in first]
    rest = [key for key, question in questions if id(question) not in first]
    print(f"{metric} of {len(questions)} questions: {mean(found['as it is']):.4f} as it is; "
          f"chosen on {len(mine)}, told for the other {len(rest)}")  # fmt: skip
    rows = []
    for kind, choices in CHOICES.items():
        best = max(choices, key=lambda one: mean(found[name(one)], mine))
        for one in choices:
            row = {"kind": kind, "setting": name(one), "chosen": one is best}
            for label, keys in (("choosing", mine), ("other", rest), ("all", None)):
                row[label] = difference(found["as it is"], found[name(one)], keys)
            rows.append(row)
            shown = "  ".join(f"{key} {row[key][0]:+.4f} [{row[key][1]:+.4f}, {row[key][2]:+.4f}]"
                              for key in ("choosing", "other", "all"))  # fmt: skip
            print(f"{'*' if row['chosen'] else ' '} {row['setting']:32} {shown}")
    return {"rows": rows, "questions": len(questions)}


def difference(old, new, keys):
    chosen = keys if keys is not None else list(old)
    found = compare_paired([old[key] for key in chosen], [new[key] for key in chosen])
    return [found.delta, found.low, found.high]


def mean(values, keys=None):
    chosen = [values[key] for key in keys] if keys is not None else list(values.values())
    return sum(chosen) / len(chosen) if chosen else 0.0


def name(setting):
    return " ".join(f"{key}={value}" for key, value in setting.items()) or "as it is"


if __name__ == "__main__":
    main()
