"""Whatever was edited in whatever order, the store holds what a fresh one would."""

import tempfile
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.contract.samples import chunk, edge, put, symbol

PATHS = ("a.py", "b.py", "dir/c.py")
NAMES = ("run", "Client", "Client.send", "Client.close")
SOURCES = st.lists(
    st.tuples(
        st.sampled_from(NAMES), st.integers(1, 40), st.sampled_from(["", "walrus", "seagull and walrus"])
    ),
    unique_by=(lambda row: row[0], lambda row: row[1]),
    max_size=4,
)
EDITS = st.lists(st.tuples(st.sampled_from(PATHS), st.one_of(st.none(), SOURCES)), max_size=8)


def write(writer, tree, path):
    source = tree[path]
    if source is None:
        writer.remove_file(path)
        return
    symbols = [symbol(path, name, line, doc=doc) for name, line, doc in source]
    put(writer, path, symbols, [(chunk(path, line), f"{name} {doc}") for name, line, doc in source])


def resolve(writer, tree):
    """Give every symbol an edge to all of the same name, and to an external named by its text."""
    for path in PATHS:
        if tree.get(path) is None:
            writer.remove_segment(path)
            continue
        numbers = writer.numbers_of(path)
        rows = []
        for name, line, doc in tree[path]:
            source = numbers[symbol(path, name).uid]
            last = name.rpartition(".")[2]
            rows += [edge(source, found.number, line, confidence=50) for found in writer.definitions(last)]
            if doc:
                rows.append(edge(source, writer.external("flag", doc), line, 30))
        writer.put_segment(path, rows, path.encode())


def dump_of(backend, store):
    with store.reader() as reader:
        return list(backend.dump(reader)), dict(reader.counts())


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(edits=EDITS)
def test_any_sequence_of_edits_ends_as_a_fresh_store(backend, edits):
    with tempfile.TemporaryDirectory() as folder:
        edited, fresh = backend.open(Path(folder) / "edited"), backend.open(Path(folder) / "fresh")
        tree = {}
        for path, source in edits:
            tree[path] = source
            with edited.writer() as writer:
                write(writer, tree, path)
                resolve(writer, tree)
                writer.publish()
        with fresh.writer() as writer:
            for path in sorted(tree):
                write(writer, tree, path)
            resolve(writer, tree)
            writer.publish()
        assert dump_of(backend, edited) == dump_of(backend, fresh)
        assert list(edited.check()) == []
        edited.close()
        fresh.close()


def test_the_dump_tells_stores_apart(backend, tmp_path):
    dumps = []
    for at, doc in enumerate(("walrus", "seagull")):
        store = backend.open(tmp_path / str(at))
        with store.writer() as writer:
            put(writer, "a.py", [symbol("a.py", "run", doc=doc)])
        dumps.append(dump_of(backend, store)[0])
        store.close()
    assert dumps[0] != dumps[1]
    assert sum("walrus" in line for line in dumps[0]) == 2
