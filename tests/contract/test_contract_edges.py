import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.contract.samples import edge, put, symbol

from recollect.errors import UsageError
from recollect.ports import EdgeRow
from recollect.types import EDGE_TYPES, Edge

CALLS, TESTS = EDGE_TYPES.index("calls"), EDGE_TYPES.index("tests")


def three(writer):
    items = [symbol("a.py", name, at) for at, name in enumerate("xyz")]
    numbers = put(writer, "a.py", items)
    return [numbers[item.uid] for item in items]


def test_edges_come_back_from_both_ends_with_all_that_is_known(store):
    with store.writer() as writer:
        x, y, z = three(writer)
        rows = [EdgeRow(x, y, 7, CALLS, 3, 50, 2), EdgeRow(z, y, 9, TESTS, 0, 100)]
        writer.put_segment("a.py", rows, b"")
        writer.publish()
    with store.reader() as reader:
        assert reader.edges(x, incoming=False) == [Edge(x, y, "calls", "ambiguous", 0.5, 7, 2)]
        assert [found.source for found in reader.edges(y, incoming=True)] == [x, z]
        assert [found.source for found in reader.edges(y, incoming=True, types=["tests"])] == [z]
        assert list(reader.edges(y, incoming=False)) == []
        assert list(reader.edges(12345, incoming=False)) == []


def test_a_segment_is_replaced_as_a_whole_and_can_be_removed(store):
    with store.writer() as writer:
        x, y, z = three(writer)
        writer.put_segment("a.py", [edge(x, y), edge(x, z)], b"keys")
        writer.put_segment("b.py", [edge(z, x)], b"")
        writer.put_segment("a.py", [edge(y, z)], b"keyz")
        assert writer.counts()["edges"] == 2
        writer.remove_segment("b.py")
        writer.remove_segment("never there")
    with store.reader() as reader:
        assert [(found.source, found.target) for found in reader.edges(z, incoming=True)] == [(y, z)]
        assert list(reader.edges(x, incoming=True)) == []
        assert reader.dependencies() == (["a.py"], [b"keyz"])
        assert reader.counts()["edges"] == 1


def test_edges_whose_end_is_gone_are_not_shown(store):
    with store.writer() as writer:
        x, y, _ = three(writer)
        other = symbol("b.py", "w")
        (*_, w) = put(writer, "b.py", [other]).values()
        writer.put_segment("a.py", [edge(x, w), edge(x, y)], b"")
        writer.publish()
    with store.writer() as writer:
        writer.remove_file("b.py")
        writer.publish()
    with store.reader() as reader:
        assert [found.target for found in reader.edges(x, incoming=False)] == [y]


def test_an_external_has_one_number_and_shows_while_it_is_used(store):
    with store.writer() as writer:
        x, *_ = three(writer)
        numpy, path = writer.external("package", "numpy"), writer.external("environment", "PATH")
        assert writer.external("package", "numpy") == numpy != path
        assert writer.counts()["externals"] == 0
        writer.put_segment("a.py", [edge(x, numpy), edge(x, path)], b"")
        writer.publish()
    with store.reader() as reader:
        (found,) = reader.items([numpy])
        assert (found.kind, found.name, found.path) == ("package", "numpy", "")
        assert reader.item(found.id) == found
        assert reader.counts()["externals"] == 2
    with store.writer() as writer:
        writer.put_segment("a.py", [edge(x, path)], b"")
        writer.publish()
    with store.reader() as reader:
        assert reader.counts()["externals"] == 1
        assert list(reader.items([numpy])) == []
    with store.writer() as writer:
        assert writer.external("package", "numpy") > numpy
        assert writer.external("environment", "PATH") == path


def test_an_external_that_moves_from_one_segment_to_another_keeps_its_number(store):
    with store.writer() as writer:
        x, *_ = three(writer)
        numpy = writer.external("package", "numpy")
        writer.put_segment("a.py", [edge(x, numpy)], b"")
        writer.publish()
    with store.writer() as writer:
        writer.put_segment("a.py", [], b"")
        assert writer.external("package", "numpy") == numpy
        writer.put_segment("b.py", [edge(x, numpy)], b"")
        writer.publish()
    with store.reader() as reader:
        assert [found.target for found in reader.edges(x, incoming=False)] == [numpy]


def test_a_writer_sees_its_own_edges_before_they_are_committed(store):
    with store.writer() as writer:
        x, y, _ = three(writer)
        writer.put_segment("a.py", [edge(x, y)], b"")
        assert [found.target for found in writer.edges(x, incoming=False)] == [y]
        writer.put_segment("a.py", [edge(y, x)], b"")
        assert [found.target for found in writer.edges(y, incoming=False)] == [x]


def test_the_graph_is_kept_until_edges_or_items_change(store):
    with store.writer() as writer:
        x, y, _ = three(writer)
        writer.put_segment("a.py", [edge(x, y)], b"")
        writer.publish()
    roots = []
    for _ in range(2):
        with store.reader() as reader:
            roots.append(reader.graph().root)
    with store.writer() as writer:
        put(writer, "b.py", [symbol("b.py", "w")])
        writer.publish()
    with store.reader() as reader:
        roots.append(reader.graph().root)
    assert roots[0] == roots[1] != roots[2]


@pytest.mark.parametrize(
    "row", [EdgeRow(-1, 1, 1, 0, 0, 1), EdgeRow(1, 1, 1, 300, 0, 1), EdgeRow(1, 1, 1, 0, 0, 1, 256)]
)
def test_an_edge_that_does_not_fit_is_refused(store, row):
    with pytest.raises(UsageError, match=r"a\.py"), store.writer() as writer:
        writer.put_segment("a.py", [row], b"")


ROWS = st.lists(
    st.tuples(
        st.integers(0, 9),
        st.integers(0, 9),
        st.integers(1, 99),
        st.integers(0, 5),
        st.integers(0, 5),
        st.integers(0, 100),
    ),
    max_size=30,
)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(segments=st.dictionaries(st.sampled_from(["a", "b", "c", "dir:d"]), ROWS, max_size=4))
def test_the_graph_holds_exactly_the_edges_of_all_segments(store, segments):
    with store.writer() as writer:
        items = [symbol("a.py", f"f{at}") for at in range(9)]
        numbers = put(writer, "a.py", items)
        ends = [*(numbers[item.uid] for item in items), 999_999]
        wanted = []
        for unit in ("a", "b", "c", "dir:d"):
            rows = [EdgeRow(ends[row[0]], ends[row[1]], *row[2:]) for row in segments.get(unit, [])]
            writer.put_segment(unit, rows, b"")
            wanted += [row for row in rows if 999_999 not in row[:2]]
        writer.publish()
    with store.reader() as reader:
        graph = reader.graph()
    sources, targets = graph.numbers[graph.sources], graph.numbers[graph.targets]
    columns = (sources, targets, graph.lines, graph.types, graph.provenances, graph.confidences, graph.counts)
    assert sorted(zip(*(column.tolist() for column in columns), strict=True)) == sorted(
        tuple(row) for row in wanted
    )
    nodes = len(graph.numbers)
    assert np.array_equal(np.repeat(np.arange(nodes), np.diff(graph.offsets)), graph.sources)
    assert np.array_equal(
        np.repeat(np.arange(nodes), np.diff(graph.reverse_offsets)), graph.targets[graph.reverse_edges]
    )
    assert np.array_equal(np.sort(graph.reverse_edges), np.arange(len(graph.targets)))
