"""LCOV, Cobertura and JSON lines, paths of other machines, and files that are none of these."""

import io
import json
import time
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.evidence.conftest import edges
from tests.evidence.runtime.conftest import ran, steps, write

from recollect.errors import UsageError
from recollect.evidence.runtime.cobertura import Cobertura, XmlError
from recollect.evidence.runtime.lcov import Lcov
from recollect.evidence.runtime.roots import Roots

GO = """package cart

func Total(prices []int) int {
	sum := 0
	for _, price := range prices {
		sum += price
	}
	return sum
}

func Empty() bool { return true }
"""
LCOV = """TN:
SF:/build/agent/cart/cart.go
FN:3,Total
FN:11,Empty
FNDA:4,Total
FNDA:0,Empty
DA:3,4
DA:4,4
DA:5,4
DA:6,12
DA:8,4
DA:11,0
end_of_record
"""
XML = """<?xml version="1.0"?>
<!DOCTYPE coverage SYSTEM "http://cobertura.sourceforge.net/xml/coverage-04.dtd">
<coverage timestamp="{time}">
<sources><source>/build/other</source><source>/build/agent</source></sources>
<packages><package name="cart"><classes><class name="cart" filename="cart/cart.go">
<methods><method name="Total" signature=""><lines><line number="3" hits="1200"/></lines></method></methods>
<lines><line number="4" hits="7"/><line number="11" hits="2"/></lines>
</class></classes></package></packages></coverage>
"""


@pytest.fixture
def told(opened, tmp_path):
    """Observe a file with this text in a repository with these files."""
    root = tmp_path / "repository"

    def tell(text, name, files=None, **options):
        r = opened(write(root, files or {"cart/cart.go": GO}))
        file = tmp_path / name
        file.write_text(text, encoding="utf-8")
        return r, r.observe([file], **options)

    return tell


def test_lcov_counts_calls_not_lines(told):
    r, report = told(LCOV, "lcov.info")
    assert ran(r) == {"Total": 4, "cart/cart.go": 4}
    assert report.notes == ("Paths under /build/agent were taken for files of this folder.",)


def test_lcov_with_a_test_to_each_record_tells_which_test_ran_what(told):
    files = {
        "cart/cart.go": GO,
        "cart/cart_test.go": "package cart\n\nfunc TestTotal(t *testing.T) {\n\tTotal(nil)\n}\n",
    }
    r, _ = told(LCOV.replace("TN:", "TN:TestTotal"), "lcov.info", files)
    assert steps(r, "tests") == {"TestTotal -> Total": 1}


def test_lcov_that_is_cut_short_gives_what_came_before(told):
    r, report = told(LCOV[: LCOV.index("DA:5")] + "DA:x,y\n", "lcov.info")
    assert ran(r)["Total"] == 4
    assert report.notes[:2] == (
        "lcov.info is cut short after 1 files; what was read counts.",
        "1 lines of lcov.info could not be read and were passed over.",
    )


def test_cobertura_counts_methods_and_finds_files_below_its_sources(told):
    r, _ = told(XML.format(time=int(time.time() * 1000)), "coverage.xml")
    assert ran(r) == {"Total": 1200, "Empty": 2, "cart/cart.go": 1200}


def test_cobertura_that_is_cut_short_gives_what_came_before(told):
    text = XML.format(time=int(time.time()))
    r, report = told(text[: text.index("</class>") + 12], "coverage.xml")
    assert ran(r)["Total"] == 1200
    assert report.notes[0].startswith("coverage.xml could be read only in part: unclosed token")


@pytest.mark.parametrize(
    "entities",
    [
        '<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">',
        '<!ENTITY a SYSTEM "file:///etc/passwd">',
        '<!ENTITY % a SYSTEM "http://127.0.0.1/x"> %a;',
    ],
)
def test_entities_are_refused(told, entities):
    body = "<coverage><sources><source>&a;</source></sources></coverage>"
    _, report = told(f'<?xml version="1.0"?><!DOCTYPE coverage [{entities}]>{body}', "bomb.xml")
    assert "it declares an entity, a, which no coverage report needs" in report.notes[0]


def test_a_line_of_json_tells_what_ran_when_and_what_called_it(told):
    lines = [
        {"symbol": "Total", "path": "cart/cart.go", "count": 150, "time": time.time(), "caller": "Empty"},
        {"path": "cart/cart.go", "line": 6, "more": {"is": "passed over"}},
        {"symbol": "cart.Empty", "count": 2, "time": "2999-01-01T00:00:00+00:00"},
    ]
    r, report = told("\n".join(map(json.dumps, lines)) + '\n{"symbol": 3}\nnoise\n{}\n', "runs.jsonl")
    assert ran(r) == {"Total": 151, "Empty": 2, "cart/cart.go": 151}
    assert edges(r)["cart/cart.go:Empty -> cart/cart.go:Total"] == ("runtime", 85)
    assert r.runs().last <= time.time()
    assert "2 lines of runs.jsonl could not be read and were passed over." in report.notes


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            '{"data": [{"traceID": "1"}]}',
            "looks like a Jaeger trace, which is not read; export it as OTLP JSON",
        ),
        ('[{"traceId": "1", "id": "2"}]', "looks like a Zipkin trace"),
        ('{"resourceMetrics": []}', "metrics or logs of OpenTelemetry"),
        ("mode: set\na.go:1.1,2.2 1 1\n", "looks like a Go cover profile"),
        ("hello\n", "is no report that is known"),
        ("", "is no report that is known"),
        ("\x1f\x8b\x08\x00", "is no report that is known"),
    ],
)
def test_what_is_no_report_is_told_with_a_way_out(told, text, sentence):
    with pytest.raises(UsageError, match=sentence):
        told(text, "strange")


def test_a_format_can_be_forced(told):
    with pytest.raises(UsageError, match="There is no format 'xml'"):
        told(LCOV, "lcov.info", format="xml")
    _, report = told(LCOV, "lcov.info", format="cobertura")
    assert "could be read only in part" in report.notes[0]
    assert "holds nothing that could be read as cobertura" in report.notes[1]


def test_a_report_of_another_kind_of_xml_is_told(told):
    _, report = told('<?xml version="1.0"?><report name="jacoco"/>', "jacoco.xml")
    assert "its first element is <report>, where a Cobertura report has <coverage>" in report.notes[0]


FILES = ("src/shop/cart.py", "src/shop/util.py", "tests/util.py", "setup.py", "web/app/util.py")


@pytest.mark.parametrize(
    ("path", "known"),
    [
        ("src/shop/cart.py", "src/shop/cart.py"),
        ("/top/src/shop/cart.py", "src/shop/cart.py"),
        ("/home/ci/build/src/shop/cart.py", "src/shop/cart.py"),
        ("/venv/lib/python3.11/site-packages/shop/cart.py", "src/shop/cart.py"),
        ("shop/cart.py", "src/shop/cart.py"),
        ("./shop/../shop/cart.py", "src/shop/cart.py"),
        ("C:\\build\\src\\shop\\cart.py", "src/shop/cart.py"),
        ("file:///x/src/shop/cart.py", "src/shop/cart.py"),
        ("cart.py", "src/shop/cart.py"),
        ("util.py", None),
        ("/top/shop/cart.py", None),
        ("/usr/lib/python3/dist-packages/other/cart.py", None),
        ("/usr/share/setup.py", None),
        ("shop/order.py", None),
        ("", None),
    ],
)
def test_paths_of_another_machine_are_found_by_their_ends(tmp_path, path, known):
    assert (
        Roots(tmp_path.with_name("top"), FILES).of(path.replace("/top", str(tmp_path.with_name("top"))))
        == known
    )


def test_what_one_path_teaches_helps_with_the_next():
    roots = Roots(Path("/nowhere"), FILES)
    assert roots.of("/ci/web/app/util.py") == "web/app/util.py"
    assert roots.of("/ci/setup.py") == "setup.py"
    assert roots.foreign() == "/ci"


def test_a_path_that_several_files_fit_is_told(told):
    files = {"a/util.py": "def f():\n    return 1\n", "b/util.py": "def f():\n    return 2\n"}
    r, report = told('{"symbol": "f", "path": "util.py"}\n', "runs.jsonl", files)
    assert ran(r) == {}
    assert (
        "1 paths fit several files here and were left out: util.py (a/util.py, b/util.py). "
        "Make the report at the top of the repository." in report.notes
    )


@given(st.binary(max_size=300))
def test_no_bytes_break_the_readers(noise):
    list(Lcov(1.0).files(io.BytesIO(b"SF:a.py\n" + noise)))
    with suppress(XmlError):
        list(Cobertura(1.0).files(io.BytesIO(b"<coverage>" + noise)))
