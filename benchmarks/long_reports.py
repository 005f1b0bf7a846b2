"""Writes reports of runs of any length about a small project, and measures what observing them costs.

Usage: python benchmarks/long_reports.py FOLDER [--sizes 16,1000] [--formats otlp,lcov,...]

For each format and size (in MB) a report is written below FOLDER, `recollect observe` is run over it as a process of
its own, and its CPU time and largest resident set are printed; the report is removed again.
"""

import argparse
import json
import os
import random
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path

FILES, FUNCTIONS, LINES, TESTS = 100, 20, 6, 500
LIBRARY = 2_000
"""Functions of libraries that traces name as well."""
BEGUN = int(time.time()) - 3600
CALLED = 8
"""Functions that each function calls; what runs is as dense as code is, however long it runs."""


def write_project(root: Path) -> None:
    """Write the code that the reports are of."""
    for number in range(FILES):
        text = "".join(
            f"def work_{number}_{one}(value):\n"
            + "    value = value + 1\n" * (LINES - 2)
            + "    return value\n"
            for one in range(FUNCTIONS)
        )
        (root / f"part_{number}.py").write_text(text, encoding="utf-8")
    tests = "".join(f"def test_{number}():\n    assert True\n\n\n" for number in range(TESTS))
    (root / "test_all.py").write_text(tests, encoding="utf-8")


def _spans(chance: random.Random) -> Iterator[dict[str, object]]:
    """Yield spans for ever: calls a few deep, some of libraries, with values that nobody may keep."""
    for trace in count(1):
        parent = 0
        work = chance.randrange(FILES * FUNCTIONS)
        for deep in range(chance.randint(1, 8)):
            span = trace * 16 + deep
            work = (work * 7 + chance.randrange(CALLED)) % (FILES * FUNCTIONS)
            number, one = divmod(work, FUNCTIONS)
            named = {
                "code.function.name": f"part_{number}.work_{number}_{one}",
                "code.file.path": f"/srv/app/part_{number}.py",
            }
            if not chance.randrange(4):
                named = {"code.function.name": f"library.call_{work % LIBRARY}"}
            named["db.statement"] = f"SELECT {chance.random()} FROM secrets"
            yield {
                "traceId": f"{trace:032x}", "spanId": f"{span:016x}",
                "parentSpanId": f"{parent:016x}" if parent else "", "name": "work",
                "endTimeUnixNano": str(BEGUN * 10**9 + trace),
                "attributes": [{"key": key, "value": {"stringValue": value}} for key, value in named.items()],
            }  # fmt: skip
            parent = span


def _batch(chance: random.Random, spans: Iterator[dict[str, object]]) -> list[dict[str, object]]:
    return [next(spans) for _ in range(chance.randint(50, 500))]


def _otlp(file, size, chance):
    spans = _spans(chance)
    while file.tell() < size:
        message = {"resourceSpans": [{"scopeSpans": [{"spans": _batch(chance, spans)}]}]}
        file.write(json.dumps(message).encode() + b"\n")


def _otlp_document(file, size, chance):
    spans = _spans(chance)
    file.write(b'{"resourceSpans": [{"scopeSpans": [{"spans": [')
    file.write(json.dumps(next(spans)).encode())
    while file.tell() < size:
        file.write(b", " + b", ".join(json.dumps(one).encode() for one in _batch(chance, spans)))
    file.write(b"]}]}]}")


def _otlp_protobuf(file, size, chance):
    spans = _spans(chance)
    while file.tell() < size:
        inner = b"".join(_field(2, _binary(one)) for one in _batch(chance, spans))
        file.write(_field(1, _field(2, inner)))


def _binary(one):
    rows = [
        _field(2, bytes.fromhex(one["spanId"])),
        _field(8, int(one["endTimeUnixNano"]).to_bytes(8, "little"), 1),
    ]
    if one["parentSpanId"]:
        rows.append(_field(4, bytes.fromhex(one["parentSpanId"])))
    for row in one["attributes"]:
        value = _field(1, row["value"]["stringValue"].encode())
        rows.append(_field(9, _field(1, row["key"].encode()) + _field(2, value)))
    return b"".join(rows)


def _field(number, data, wire=2):
    return _number(number << 3 | wire) + (_number(len(data)) if wire == 2 else b"") + data


def _number(value):
    found = bytearray()
    while value > 0x7F:
        found.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes(found + bytes([value]))


def _lines(test: int, turn: int) -> tuple[int, list[int]]:
    """Return one of the three files that a test runs, and its lines that ran, always the same ones."""
    number = (test * (3, 7, 11)[turn % 3] + turn % 3) % FILES
    ran = range(test % 3, FUNCTIONS, 3)
    return number, [one * LINES + row for one in ran for row in range(2, LINES + 1)]


def _lcov(file, size, chance):
    while file.tell() < size:
        test = chance.randrange(TESTS)
        number, lines = _lines(test, chance.randrange(3))
        strange = not chance.randrange(10)
        path = f"/ci/other/lib_{number}.py" if strange else f"/ci/build/part_{number}.py"
        rows = "".join(f"DA:{line},{chance.randint(1, 9)}\n" for line in lines)
        file.write(f"TN:test_{test}\nSF:{path}\n{rows}end_of_record\n".encode())


def _cobertura(file, size, chance):
    file.write(
        b'<?xml version="1.0" ?>\n<coverage timestamp="%d"><sources><source>/ci/build</source></sources>'
        % BEGUN
    )
    file.write(b"<packages><package><classes>\n")
    while file.tell() < size:
        number, lines = _lines(chance.randrange(TESTS), 0)
        rows = "".join(f'<line number="{line}" hits="{chance.randint(1, 9)}"/>' for line in lines)
        file.write(f'<class filename="part_{number}.py"><lines>{rows}</lines></class>\n'.encode())
    file.write(b"</classes></package></packages></coverage>")


def _coverage_json(file, size, _):
    file.write(b'{"meta": {"version": "7", "timestamp": "2025-10-09T00:00:00"}, "files": {')
    for turn in count():
        _, lines = _lines(turn, 0)
        tests = {str(line): [f"test_{(turn * 5 + one) % TESTS}" for one in range(20)] for line in lines}
        told = json.dumps({"executed_lines": lines, "contexts": tests})
        # A report names each file once; long ones are long because they name many that are not of this code.
        path = f"part_{turn}.py" if turn < FILES else f"venv/lib/other_{turn}.py"
        file.write(f'{", " if turn else ""}"{path}": {told}'.encode())
        if file.tell() >= size:
            break
    file.write(b"}}")


def _jsonl(file, size, chance):
    while file.tell() < size:
        number, one = chance.randrange(FILES), chance.randrange(FUNCTIONS)
        row = {
            "symbol": f"work_{number}_{one}",
            "path": f"part_{number}.py",
            "count": 1,
            "test": f"test_{number * 5}",
        }
        file.write(b"".join([json.dumps(row).encode() + b"\n"] * chance.randint(1, 50)))


def _coverage(path, size):
    """Write a database as coverage.py does: for each test the lines of each file."""
    data = sqlite3.connect(path, isolation_level=None)
    data.executescript(
        "PRAGMA journal_mode=off; PRAGMA synchronous=off; CREATE TABLE file (id integer primary key, path text);"
        "CREATE TABLE context (id integer primary key, context text); CREATE TABLE line_bits (file_id integer, "
        "context_id integer, numbits blob, UNIQUE (file_id, context_id)); CREATE TABLE arc (file_id integer, "
        "context_id integer, fromno integer, tono integer, UNIQUE (file_id, context_id, fromno, tono));"
    )
    done = 0
    tests = max(TESTS, size // 3000)
    data.executemany(
        "INSERT INTO context VALUES (?, ?)", [(n, f"test_all.test_{n % TESTS}[{n}]") for n in range(tests)]
    )
    for context in range(tests):
        rows = []
        for turn in range(3):
            file, lines = _lines(context % TESTS, turn)
            bits = sum(1 << line for line in lines)
            rows.append(
                (file, context, bits.to_bytes(bits.bit_length() // 8 + 1, "little").ljust(1200, b"\0"))
            )
        data.executemany("INSERT OR IGNORE INTO line_bits VALUES (?, ?, ?)", rows)
        done += 3 * 1250
        if done >= size:
            break
    data.executemany("INSERT INTO file VALUES (?, ?)", [(n, f"/ci/build/part_{n}.py") for n in range(FILES)])
    data.close()


WRITERS = {
    "otlp": _otlp, "otlp-document": _otlp_document, "otlp-protobuf": _otlp_protobuf, "lcov": _lcov,
    "cobertura": _cobertura, "coverage-json": _coverage_json, "jsonl": _jsonl,
}  # fmt: skip
FORMATS = (*WRITERS, "coverage")


def write_report(form: str, path: Path, size: int) -> None:
    """Write a report of about so many bytes."""
    if form == "coverage":
        _coverage(path, size)
        return
    with path.open("wb") as file:
        WRITERS[form](file, size, random.Random(7))


def observe(root: Path, path: Path, form: str) -> tuple[float, int, str]:
    """Run `recollect observe` over a report; return seconds of CPU, bytes of memory and what it said."""
    forced = ("--format", "otlp-protobuf") if form == "otlp-protobuf" else ()
    command = [sys.executable, "-m", "recollect", "observe", "--path", str(root), str(path), *forced]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    said = child.stdout.read()
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise SystemExit(f"{' '.join(command)} ended with {child.returncode}: {said}")
    return used.ru_utime + used.ru_stime, used.ru_maxrss << 10, said


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--sizes", default="16,1000")
    parser.add_argument("--formats", default=",".join(FORMATS))
    parser.add_argument("--verbose", action="store_true")
    given = parser.parse_args()
    sizes = [int(one) for one in given.sizes.split(",")]
    columns = [f"{size:,} MB: memory, CPU" for size in sizes]
    print("| report |", " | ".join(columns), "|\n|---|" + "---:|" * len(sizes), flush=True)
    for form in given.formats.split(","):
        cells = []
        for size in sizes:
            root = given.folder / "project"
            shutil.rmtree(root, ignore_errors=True)
            root.mkdir(parents=True)
            write_project(root)
            path = given.folder / f"report.{form}"
            path.unlink(missing_ok=True)
            write_report(form, path, size * 10**6)
            seconds, memory, said = observe(root, path, form)
            cells.append(f"{memory / 1e6:.0f} MB, {seconds:.0f} s")
            if given.verbose:
                print(path.stat().st_size, said, file=sys.stderr)
            path.unlink()
        print(f"| {form} |", " | ".join(cells), "|", flush=True)


if __name__ == "__main__":
    main()
