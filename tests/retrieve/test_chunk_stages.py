import os
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
from tests.retrieve.conftest import write

import recollect
from recollect.decay import DAY
from recollect.learn.detail import Detail, write_detail
from recollect.learn.log import MemoryLog
from recollect.learn.views import Views
from recollect.ports import Event
from recollect.retrieve.ask import ask, profile_for
from recollect.retrieve.explain import why
from recollect.retrieve.query import Request
from recollect.retrieve.signature import signature_of
from recollect.source.lines import Lines

TASK = "keep orders in a file"
NOW = 1_000_000.0


@pytest.fixture
def learning(around, shop_folder):
    views = Views(MemoryLog())
    return replace(around, learned=views, services={"text": Lines(shop_folder).of}), views


def item_named(shop, path, name):
    return next(item for item in shop.items_of(path) if item.name == name)


def chunk_at(shop, path, line):
    return next(i for i in shop.items_of(path) if i.kind == "chunk" and i.start_line <= line <= i.end_line)


def filed(views, item, kind="used", age=0.0, text=TASK):
    detail = write_detail(Detail(item.path, signature=signature_of(text)))
    views._log.add([Event("q", item.id, kind, NOW - age, detail)])


def found_by(answered, channel):
    stage = answered.trace.of(f"channel.{channel}")
    return {row.number: row.score for row in stage.after}


def test_what_was_used_lately_leads_to_its_chunk(learning, answer, shop):
    around, views = learning
    item = item_named(shop, "shop/orders/store.py", "FileOrderStore")
    filed(views, item)
    filed(views, item, "selected", age=7 * DAY)
    filed(views, item, "shown")
    filed(views, item, "discarded")
    found = found_by(answer(TASK, profile="mnemosyne", surroundings=around), "usage")
    assert found == {chunk_at(shop, item.path, item.start_line).number: pytest.approx(1.5)}


def test_the_same_question_is_known_after_it_led_somewhere_three_times(learning, answer, shop):
    around, views = learning
    item = item_named(shop, "shop/orders/store.py", "FileOrderStore")
    for _ in range(2):
        filed(views, item)
    filed(views, item, "shown")
    assert found_by(answer(TASK, profile="mnemosyne", surroundings=around), "prefetch") == {}
    filed(views, item)
    found = found_by(answer("a FILE: keep in orders", profile="mnemosyne", surroundings=around), "prefetch")
    assert found == {chunk_at(shop, item.path, item.start_line).number: 3.0}
    assert found_by(answer("another question", profile="mnemosyne", surroundings=around), "prefetch") == {}


def test_an_answer_files_the_signature_of_its_question(learning, answer):
    around, views = learning
    answer(TASK, profile="mnemosyne", surroundings=around)
    signature = signature_of(TASK)
    assert all(f'"signature":"{signature}"' in event.detail for event in views._log.events())


IMPORTING = {
    "hub.py": "from far import remote_thing\nfrom near import helper\n\ndef quokka_search():\n    return helper(2)\n",
    "near.py": "def helper(x):\n    return x\n",
    "far.py": "def remote_thing():\n    return 1\n",
}  # fmt: skip


def asked(folder, around, text, overrides=None):
    profile = profile_for("task", "mnemosyne", overrides)
    with recollect.open(folder) as opened:
        opened.index()
        with opened._index.reader() as reader:
            around = replace(around, services={"text": Lines(folder).of})
            return ask(reader, text, Request(), profile, around)


def brought(answered):
    rows = answered.trace.of("expand.imports").after
    return {answered.items[row.number].path: row for row in rows if "references" in row.signals}


def test_one_import_alone_brings_no_file_in(tmp_path, around):
    found = asked(write(tmp_path, IMPORTING), around, "quokka_search")
    assert set(brought(found)) == {"near.py"}
    top = max(row.score for row in found.trace.of("expand.imports").before)
    (row,) = brought(found).values()
    assert row.signals["references"] == 2.0
    assert row.score == pytest.approx(0.7 * top)


def test_more_references_bring_a_file_closer_to_the_top(tmp_path, around):
    more = "\n\ndef quokka_other():\n    return helper(3)\n\n\ndef quokka_third():\n    return helper(4)\n"
    files = {**IMPORTING, "hub.py": IMPORTING["hub.py"] + more}
    found = asked(write(tmp_path, files), around, "quokka_search")
    top = max(row.score for row in found.trace.of("expand.imports").before)
    assert brought(found)["near.py"].score == pytest.approx(0.9 * top)


def test_likely_files_score_by_the_third_quartile_and_sure_ones_by_the_top(tmp_path, around):
    text = "from shared import first, second\n\ndef quokka_{n}():\n    {words}\n    return {calls}\n"
    files = {
        "one.py": text.format(n=1, words="quokka = 'quokka quokka'", calls="first(second(1))"),
        "two.py": "def quokka_two(a):\n    quokka = a\n    return quokka, 'padding words here'\n",
        "six.py": "def unlike(a, b):\n    return 'one quokka among many other words of no meaning at all', a, b\n",
        "shared.py": "def first(x):\n    return x\n\n\ndef second(x):\n    return x\n",
    }
    found = asked(write(tmp_path, files), around, "quokka")
    scores = [row.score for row in found.trace.of("expand.imports").before]
    assert len(set(scores)) == 3
    row = brought(found)["shared.py"]
    assert row.signals["references"] >= 3
    assert row.score == pytest.approx(0.9 * max(scores))
    likely = asked(tmp_path, around, "quokka", {"expand.imports.edges": ["calls"]})
    row = brought(likely)["shared.py"]
    assert row.signals["references"] == 2
    assert row.score == pytest.approx(0.7 * np.percentile(scores, 75))
    assert brought(asked(tmp_path, around, "quokka", {"expand.imports.threshold": 4})) == {}


def test_go_files_are_connected_by_their_imports_too(tmp_path, around):
    files = {
        "go.mod": "module shop\n\ngo 1.21\n",
        "main.go": 'package main\n\nimport "shop/store"\n\nfunc QuokkaRun() {\n\tstore.Open()\n\tstore.Close()\n}\n',
        "store/store.go": "package store\n\nfunc Open() {}\n\nfunc Close() {}\n",
    }
    found = asked(write(tmp_path, files), around, "QuokkaRun")
    assert "store/store.go" in brought(found)


def test_only_the_best_files_stay_and_the_rest_is_told_why(tmp_path, around):
    files = {f"part{number}.py": "def basket():\n    return 1\n" + "\n" * number for number in range(6)}
    found = asked(write(tmp_path, files), around, "basket")
    stage = found.trace.of("filter.files")
    assert len(stage.after) == 3
    assert any("came 6th of 6 files, and 3 are kept" in reason for reason in stage.dropped.values())
    for count in (4, 6, 50):
        soft = asked(tmp_path, around, "basket", {"filter.files.soft_qualify": count}).trace.of(
            "filter.files"
        )
        assert len(soft.after) == min(count, 6)
        before = {row.number: row.score for row in soft.before}
        assert all(
            row.score == pytest.approx(0.7 * before[row.number])
            for row in soft.after
            if row.number in soft.notes
        )
    fixed = asked(tmp_path, around, "basket", {"filter.files.max_files": 1})
    assert len(fixed.trace.of("filter.files").after) == 1


def test_equal_texts_are_shown_once(tmp_path, around):
    text = "def basket(items):\n    total = sum(items)\n    return total + len(items)\n"
    found = asked(
        write(tmp_path, {"a.py": text, "b.py": text, "c.py": text + "\n\nx = basket([1])\n"}),
        around,
        "basket",
    )
    stage = found.trace.of("collapse.duplicates")
    assert len(stage.after) == 2
    assert any("says the same" in reason for reason in stage.dropped.values())


def test_a_vocabulary_of_other_rules_is_made_anew_or_says_that_it_is_stale(tmp_path, around):
    from recollect.retrieve.sparse.corpus import Corpus

    folder = write(tmp_path / "shop", {"a.py": "def basket():\n    return 1\n"})
    cache = tmp_path / "cache"
    cache.mkdir()
    Corpus("of other rules").save(cache / "sparse.terms")
    profile = profile_for("task", "mnemosyne", {"channel.sparse.rebuild": False})
    with recollect.open(folder) as opened:
        opened.index()
        with opened._index.reader() as reader:
            around = replace(around, services={"text": Lines(folder).of, "folder": cache})
            stale = ask(reader, "basket", Request(), profile, around)
            fresh = ask(reader, "basket", Request(), profile_for("task", "mnemosyne"), around)
    assert any("made by other rules" in reason for reason in stale.degraded)
    assert found_by(stale, "sparse") == {}
    assert found_by(fresh, "sparse")
    assert not Corpus.load(cache / "sparse.terms").stale


def test_prose_and_tests_count_less_than_named_code(answer, around, shop_folder):
    around = replace(around, services={"text": Lines(shop_folder).of})
    found = answer("retry policy", profile="mnemosyne", surroundings=around)
    details = found.trace.of("rerank.cost").details
    by_path = {found.items[number].path: row for number, row in details.items() if number in found.items}
    assert by_path["README.md"]["boilerplate"] == 0.85
    assert by_path["README.md"]["structured"] == 0.0
    assert by_path["shop/http/retry.py"]["structured"] == 1.0


def test_a_query_that_names_a_class_may_raise_what_defines_it(answer, around, shop_folder):
    around = replace(around, services={"text": Lines(shop_folder).of})
    factors = {"boost.symbol_multiplier.class_factor": 4.0}
    for text, raised in (("RetryPolicy", 1), ("retrypolicy", 0)):
        found = answer(text, profile="mnemosyne", surroundings=around, overrides=factors)
        notes = found.trace.of("boost.symbol_multiplier").notes.values()
        assert sum("times 4" in note for note in notes) == raised
        assert any("times 3" in note for note in notes)


def test_a_symbol_is_explained_by_the_chunk_that_defines_it(answer, around, shop_folder, shop):
    around = replace(around, services={"text": Lines(shop_folder).of})
    found = answer("retry policy", profile="mnemosyne", surroundings=around)
    explained = why(found, shop, "RetryPolicy")
    assert explained.name == "the chunk with RetryPolicy"
    assert explained.packed
    assert explained.path == "shop/http/retry.py"


@pytest.mark.parametrize("profile", ["mnemosyne", "code", "lexical"])
def test_the_answer_is_the_same_in_every_process(shop_folder, profile):
    outs = []
    for seed in ("1", "2"):
        command = [
            sys.executable,
            "-m",
            "recollect",
            "context",
            TASK,
            "--profile",
            profile,
            "--format",
            "xml",
        ]
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        run = subprocess.run(command, cwd=shop_folder, env=environment, capture_output=True, check=True)
        outs.append(run.stdout)
    assert outs[0] == outs[1]
    assert b"shop/orders/store.py" in outs[0]
