import gzip
import json
import random
from contextlib import suppress

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.evidence.conftest import edges
from tests.evidence.runtime.conftest import SHOP, code, ran, span, steps, trace, write

from recollect.evidence.protobuf import CutShort
from recollect.evidence.runtime.follow import Follower, Span
from recollect.evidence.runtime.otlp import spans_of_json, spans_of_protobuf
from recollect.evidence.runtime.sums import Frame, Sums

PATH = "/srv/app/shop.py"
TOTAL = code("Cart.total", PATH, 10)
PRICE = code("price", PATH, 20)
SPANS = (span(2, parent=1, **PRICE), span(3, parent=1, **PRICE), span(1, **TOTAL))


@pytest.fixture
def told(opened, shop, tmp_path):
    """Observe a file with this text."""
    r = opened(write(shop, {"app/other.py": "def run():\n    return 1\n"}))

    def tell(text, name="trace.json", **options):
        file = tmp_path / name
        file.write_bytes(text if isinstance(text, bytes) else text.encode())
        return r, r.observe([file], **options)

    return tell


@pytest.mark.parametrize(
    "text",
    [
        trace(*SPANS),
        json.dumps(json.loads(trace(*SPANS)), indent=2),
        "\n".join(trace(one) for one in SPANS) + "\n",
        gzip.compress(trace(*SPANS).encode()),
    ],
    ids=["one line", "many lines", "a message a line", "gzipped"],
)
def test_a_trace_tells_what_ran_and_what_called_it(told, text):
    r, report = told(text)
    assert ran(r) == {"price": 2, "Cart.total": 1, "Cart": 1, "shop.py": 2}
    assert steps(r) == {"Cart.total -> price": 2}
    assert (report.records, report.symbols, report.steps, report.unmatched) == (3, 2, 1, 0)


def test_a_step_becomes_an_edge_as_sure_as_it_was_often(told):
    spans = [span(1, **code("run", "/x/app/other.py"))]
    spans += [span(number, parent=1, **TOTAL) for number in range(2, 13)]
    r, _ = told(trace(*spans))
    assert edges(r)["app/other.py:run -> shop.py:Cart.total"] == ("runtime", 70)


def test_spans_that_name_no_code_are_seen_through(told):
    spans = [span(1, **TOTAL), span(2, parent=1, **{"db.system": "sqlite"}), span(3, parent=2, **PRICE)]
    r, report = told(trace(*spans))
    assert steps(r) == {"Cart.total -> price": 1}
    assert report.notes[-1] == "1 of 3 records do not say which code they are of."


@pytest.mark.parametrize("cut", [200, 600])
def test_a_trace_that_is_cut_short_gives_what_came_before(told, cut):
    text = json.dumps(json.loads(trace(*SPANS, *(span(9, **PRICE) for _ in range(20)))), indent=1)
    r, report = told(text[:-cut])
    assert ran(r)["Cart.total"] == 1
    assert "trace.json is cut short or damaged" in report.notes[0]


def test_a_line_that_is_cut_short_costs_that_line(told):
    r, report = told("\n".join([trace(SPANS[0]), trace(SPANS[1])[:80], trace(SPANS[2])]))
    assert ran(r)["price"] == 1
    assert steps(r) == {"Cart.total -> price": 1}
    assert report.notes[0] == "1 lines of trace.json are cut short or no trace, and were passed over."


def test_code_that_has_moved_since_is_found_by_name_and_told(told):
    gone = span(1, **code("other.run", "/x/app/gone.py", 3))
    r, report = told(trace(span(2, **code("price", PATH, 3)), gone))
    assert ran(r)["price"] == 1
    assert ran(r)["run"] == 1
    assert "1 symbols stand elsewhere now than when they ran and were found by name (price)." in report.notes


def test_an_installed_library_is_not_taken_for_this_code(told):
    r, report = told(trace(span(1, **code("price", "/usr/lib/python3.11/site-packages/money/rates.py", 3))))
    assert (ran(r), report.unmatched) == ({}, 1)


def test_a_name_that_several_symbols_have_is_told(told, shop):
    write(shop, {"a/cart.py": SHOP["shop.py"], "b/cart.py": SHOP["shop.py"]})
    _, report = told(trace(span(1, **code("cart.price"))))
    assert "1 names fit several symbols and were left out (cart.price)." in report.notes


@pytest.mark.parametrize(
    "attributes",
    [
        code("total", PATH, 11),
        code("shop.Cart.total"),
        code("total", space="shop.Cart"),
        code("Cart::total", PATH),
        code("Cart#total", PATH),
        code("shop.(*Cart).total", PATH),
        {"code.function": "total", "code.filepath": PATH, "code.lineno": 11},
        code("<lambda>", "shop.py", 12),
    ],
    ids=str,
)
def test_functions_are_known_however_a_language_writes_them(told, attributes):
    r, _ = told(trace(span(1, **attributes)))
    assert ran(r)["Cart.total"] == 1


def test_attribute_values_are_never_stored(told, shop):
    secret = "4111-1111-1111-1111"
    card = {"card": secret, "db.statement": f"SELECT '{secret}'", "http.url": f"/pay/{secret}"}
    r, _ = told(trace(span(1, **TOTAL, **card), span(2, **code(secret, f"/srv/{secret}/x.py", 1))))
    assert ran(r)["Cart.total"] == 1
    r.close()
    kept = [path for path in (shop / ".recollect").rglob("*") if path.is_file()]
    assert "evidence.db" in {path.name for path in kept}
    assert not [path.name for path in kept if secret.encode() in path.read_bytes()]


CHAIN = [Span(one + 1, one, Frame("f", f"f{one}"), 1.0) for one in range(8)]


@given(st.permutations(CHAIN))
def test_steps_do_not_depend_on_the_order_of_spans(spans):
    sums = Sums()
    follower = Follower(sums)
    for one in spans:
        follower.add(one)
    follower.close()
    named = {(begin.name, end.name): tally.times for (begin, end), tally in sums.steps.items()}
    assert named == {(f"f{one}", f"f{one + 1}"): 1 for one in range(7)}
    assert follower.lost == 0


def test_only_so_many_spans_are_remembered():
    follower = Follower(Sums(), window=100)
    numbers = random.Random(4)
    for one in range(5000):
        follower.add(Span(one, numbers.randrange(1 << 60), Frame("f", "f"), 1.0))
    assert len(follower._seen) <= 100
    assert follower._held <= 100
    assert follower.lost >= 4900 - 100


def test_spans_that_lead_around_in_a_circle_end():
    follower = Follower(Sums())
    for one in (Span(1, 2, None, 1.0), Span(2, 1, None, 1.0), Span(3, 1, Frame("f", "f"), 1.0)):
        follower.add(one)


@given(st.binary(max_size=200))
def test_no_bytes_break_the_readers(noise):
    for read, failing in (
        (spans_of_json, msgspec.MsgspecError),
        (lambda data: spans_of_protobuf(memoryview(data)), CutShort),
    ):
        with suppress(failing):
            list(read(noise))


def test_what_is_older_than_is_kept_is_told(told):
    r, report = told(trace(span(1, ended=1_600_000_000, **TOTAL)))
    assert ran(r) == {}
    assert report.notes[-1].startswith("3 rows of what was last seen more than 90 days ago went;")
