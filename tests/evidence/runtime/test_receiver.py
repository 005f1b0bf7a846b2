import gzip
import http.client
import json
import socket

import pytest
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from tests.evidence.runtime.conftest import code, ran, span, steps, trace

from recollect.errors import UsageError
from recollect.evidence.runtime.receive import LARGEST, address_of

PATH = "/srv/app/shop.py"
JSON = {"Content-Type": "application/json"}


@pytest.fixture
def listening(opened, shop):
    """Listen for a project that nobody else tells anything."""
    r = opened(shop)
    r.index()
    with r.listen(port=0) as found:
        yield r, found


def post(listening, body, path="/v1/traces", method="POST", **headers):
    connection = http.client.HTTPConnection(listening.address.removeprefix("http://"), timeout=5)
    connection.request(
        method, path, body, JSON | {name.replace("_", "-"): told for name, told in headers.items()}
    )
    answer = connection.getresponse()
    said = answer.read()
    connection.close()
    return answer.status, json.loads(said) if said else {}


@pytest.mark.parametrize("packing", ["none", "gzip"])
def test_a_program_with_opentelemetry_is_heard(listening, packing):
    from opentelemetry.exporter.otlp.proto.http import Compression

    r, heard = listening
    exporter = OTLPSpanExporter(f"{heard.address}/v1/traces", timeout=5, compression=Compression(packing))
    provider = TracerProvider()
    provider.add_span_processor(BatchSpanProcessor(exporter))
    tracer = provider.get_tracer("tests")
    with tracer.start_as_current_span("sum up", attributes=code("Cart.total", PATH, 11)):
        for _ in range(3):
            with tracer.start_as_current_span("one", attributes=code("price", PATH, 24)):
                pass
    provider.shutdown()
    report = heard.keep()
    assert (report.records, report.symbols, report.notes[:1]) == (
        4,
        2,
        ("Paths under /srv/app were taken for files of this folder.",),
    )
    assert (ran(r)["price"], steps(r)) == (3, {"Cart.total -> price": 3})


def test_steps_are_followed_from_one_message_to_the_next(listening):
    r, heard = listening
    assert post(heard, trace(span(2, parent=1, **code("price", PATH)), span(3, **code("unused", PATH)))) == (
        200,
        {},
    )
    heard.keep()
    assert post(heard, trace(span(1, **code("Cart.total", PATH)))) == (200, {})
    heard.keep()
    assert steps(r) == {"Cart.total -> price": 1}


def test_what_came_last_is_kept_when_listening_ends(opened, shop):
    r = opened(shop)
    with r.listen(port=0) as heard:
        post(heard, trace(span(1, **code("Cart.total", PATH)), span(2, **code("price", PATH))))
    assert ran(r)["price"] == 1


def test_spans_of_tomorrow_count_as_of_now(listening):
    r, heard = listening
    post(heard, trace(span(1, ended=9_000_000_000, **code("shop.Cart.total"))))
    heard.keep()
    assert r.runs().last < 9_000_000_000


@pytest.mark.parametrize(
    ("status", "said", "request_"),
    [
        (400, "no trace of OpenTelemetry", {"body": "{"}),
        (400, "no trace of OpenTelemetry", {"body": b"\xff", "Content_Type": "application/x-protobuf"}),
        (400, "no trace of OpenTelemetry", {"body": b"none", "Content_Encoding": "gzip"}),
        (403, "no pages of a browser", {"body": trace(), "Origin": "http://evil.example"}),
        (403, "Only programs of this machine", {"body": trace(), "Host": "evil.example"}),
        (404, "only traces are taken", {"body": "{}", "path": "/v1/metrics"}),
        (405, "POST /v1/traces", {"body": None, "method": "GET"}),
        (413, "more than 64 MB", {"body": gzip.compress(bytes(LARGEST + 1)), "Content_Encoding": "gzip"}),
        (415, "not text/plain", {"body": trace(), "Content_Type": "text/plain"}),
        (415, "packed with br", {"body": trace(), "Content_Encoding": "br"}),
    ],
)
def test_what_is_no_trace_is_refused_with_a_sentence(listening, status, said, request_):
    _, heard = listening
    found, answer = post(heard, request_.pop("body"), **request_)
    assert (found, said in answer["message"]) == (status, True)
    assert heard.keep().records == 0


def test_a_message_may_come_in_chunks(listening):
    _, heard = listening
    body = trace(span(1, **code("shop.Cart.total"))).encode()
    chunks = [body[at : at + 50] for at in range(0, len(body), 50)]
    host = heard.address.removeprefix("http://")
    with socket.create_connection(host.split(":"), timeout=5) as line:
        head = f"POST /v1/traces HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n"
        line.sendall(f"{head}Transfer-Encoding: chunked\r\n\r\n".encode())
        for chunk in chunks:
            line.sendall(f"{len(chunk):x}\r\n".encode() + chunk + b"\r\n")
        line.sendall(b"0\r\n\r\n")
        assert line.recv(100).startswith(b"HTTP/1.1 200")
    assert heard.keep().symbols == 1


def test_a_length_that_is_a_lie_is_refused_before_it_is_read(listening):
    _, heard = listening
    host = heard.address.removeprefix("http://")
    with socket.create_connection(host.split(":"), timeout=5) as line:
        line.sendall(
            f"POST /v1/traces HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n"
            f"Content-Length: {1 << 40}\r\n\r\n".encode()
        )
        assert line.recv(100).startswith(b"HTTP/1.1 413")


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("9999", ("127.0.0.1", 9999)), ("localhost:5", ("127.0.0.1", 5)), ("127.0.0.1", ("127.0.0.1", 4318)),
        ("[::1]:7", ("::1", 7)), ("http://127.0.0.1:8/", ("127.0.0.1", 8)),
    ],
)  # fmt: skip
def test_addresses_are_read_as_people_write_them(text, address):
    assert address_of(text) == address


@pytest.mark.parametrize("text", ["0.0.0.0:4318", "example.org", "192.168.1.4:1", "127.0.0.1:99999", "a b"])
def test_only_this_machine_is_listened_to(text):
    with pytest.raises(UsageError):
        address_of(text)
