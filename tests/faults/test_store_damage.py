"""A damaged index begins afresh with a remark; damaged memories are left alone; a newer database is refused."""

from contextlib import closing

import apsw
import pytest
from tests.contract.samples import chunk, edge, put, symbol

from recollect.errors import CorruptError, NewerSchemaError, StoreError
from recollect.ports import Filters
from recollect.store import open_facts, open_index, open_memory
from recollect.store.sqlite import schema


def header(data):
    data[:100] = b"\x07" * 100


def first_page(data):
    data[100:4000] = b"\xff" * 3900


def cut_short(data):
    del data[len(data) // 2 :]


def cut_inside_a_page(data):
    del data[5000:]


def emptied_of_tables(data):
    del data[:]


def fill(path, opener):
    store = opener(path)
    with store.writer() as writer:
        for at in range(30):
            name = f"{at}.py"
            numbers = put(writer, name, [symbol(name, "run")], [(chunk(name), f"walrus {at} " * 50)])
            writer.put_segment(name, [edge(number, number) for number in numbers.values()], b"")
        writer.publish()
    store.close()


def damage(path, harm):
    data = bytearray(path.read_bytes())
    harm(data)
    path.write_bytes(data)
    return bytes(data)


@pytest.mark.parametrize("harm", [header, first_page, cut_short, cut_inside_a_page])
def test_a_damaged_index_begins_afresh_and_says_so(tmp_path, harm):
    path = tmp_path / "index.db"
    fill(path, open_index)
    damage(path, harm)
    store = open_index(path)
    with store.reader() as reader:
        assert reader.generation() == 0
        assert list(reader.files()) == []
        assert "damaged" in reader.notes()["remarks"][0]
    with store.writer() as writer:
        put(writer, "a.py", [symbol("a.py", "run")])
    store.close()
    store = open_index(path)
    assert store.database.remarks == []
    store.close()


def test_an_empty_file_is_an_empty_index(tmp_path):
    path = tmp_path / "index.db"
    fill(path, open_index)
    damage(path, emptied_of_tables)
    store = open_index(path)
    with store.reader() as reader:
        assert reader.generation() == 0
    store.close()


def in_all_pages_but_the_schema(path):
    with closing(apsw.Connection(str(path))) as connection:
        pages = list(
            connection.execute("SELECT pageno FROM dbstat WHERE name NOT LIKE 'sqlite_schema' AND pageno > 2")
        )

    def harm(data):
        for (page,) in pages:
            data[(page - 1) * 8192 : page * 8192] = b"\x55" * 8192

    return harm


def test_garbage_in_the_middle_is_met_while_reading_and_the_next_opening_begins_afresh(tmp_path):
    path = tmp_path / "index.db"
    fill(path, open_index)
    damage(path, in_all_pages_but_the_schema(path))
    with pytest.raises(CorruptError, match=r"index\.db is damaged"):
        store = open_index(path)
        assert store.database.remarks == []
        with store.reader() as reader:
            list(reader.files())
            list(reader.all_definitions())
            reader.graph()
            reader.search("text_chunk", "walrus", (1, 1), 99, Filters())
    assert store.check()
    store.close()
    store = open_index(path)
    assert "damaged" in store.database.remarks[0]
    assert list(store.check()) == []
    store.close()


def test_a_process_that_has_the_old_file_open_moves_on_to_the_new_one(tmp_path):
    path = tmp_path / "index.db"
    fill(path, open_index)
    first = open_index(path)
    damage(path, header)
    second = open_index(path)
    with second.writer() as writer:
        put(writer, "fresh.py")
        writer.publish()
    with first.reader() as reader:
        assert [record.path for record in reader.files()] == ["fresh.py"]
    first.close()
    second.close()


@pytest.mark.parametrize("harm", [header, first_page, cut_short, cut_inside_a_page])
def test_damaged_memories_are_refused_and_left_as_they_are(tmp_path, harm):
    path = tmp_path / "memory.db"
    fill(path, open_memory)
    before = damage(path, harm)
    with pytest.raises(CorruptError, match="doctor --repair"):
        open_memory(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize("opener", [open_index, open_memory])
def test_a_database_from_a_newer_version_is_refused_and_left_as_it_is(tmp_path, opener):
    path = tmp_path / "some.db"
    fill(path, opener)
    connection = apsw.Connection(str(path))
    connection.pragma("user_version", schema.latest() + 1)
    connection.close()
    before = path.read_bytes()
    with pytest.raises(NewerSchemaError, match="pip install -U"):
        opener(path)
    assert path.read_bytes() == before


def test_a_file_that_is_no_database_is_replaced_for_an_index_only(tmp_path):
    for name in ("index.db", "memory.db"):
        (tmp_path / name).write_text("this is no database at all " * 50, "utf-8")
    open_index(tmp_path / "index.db").close()
    with pytest.raises(CorruptError):
        open_memory(tmp_path / "memory.db")


def test_a_folder_in_the_place_of_the_database_is_named(tmp_path):
    (tmp_path / "index.db").mkdir()
    with pytest.raises(StoreError, match=r"index\.db is a folder"):
        open_index(tmp_path / "index.db")


@pytest.mark.parametrize("harm", [header, cut_short, emptied_of_tables])
def test_damaged_facts_are_forgotten(tmp_path, harm):
    path = tmp_path / "parsed.db"
    facts = open_facts(path, "1")
    facts.put([(bytes([at]) * 32, bytes(range(256)) * 20) for at in range(200)])
    facts.close()
    damage(path, harm)
    facts = open_facts(path, "1")
    facts.put([(b"a" * 32, b"again")])
    assert facts.get(b"a" * 32) == b"again"
    facts.close()


@pytest.mark.parametrize("harm", [header, cut_short, emptied_of_tables])
def test_a_damaged_graph_is_built_again(tmp_path, harm):
    path = tmp_path / "index.db"
    fill(path, open_index)
    store = open_index(path)
    with store.reader() as reader:
        before = len(reader.graph().targets)
    damage(path.with_suffix(".graph"), harm)
    with store.reader() as reader:
        assert len(reader.graph().targets) == before > 0
    store.close()


@pytest.mark.parametrize(
    "harm",
    [
        "UPDATE segment SET edges = x'0badc0de'",
        "UPDATE item SET shape = x'c1c1'",
        "UPDATE item SET kind = 99",
        "UPDATE file SET package = CAST(x'61ff62' AS TEXT)",
    ],
)
def test_values_that_make_no_sense_count_as_damage(tmp_path, harm):
    path = tmp_path / "index.db"
    fill(path, open_index)
    connection = apsw.Connection(str(path))
    connection.execute(harm)
    connection.close()
    store = open_index(path)
    with pytest.raises(CorruptError, match=r"index\.db is damaged"), store.reader() as reader:
        list(reader.files())
        list(reader.all_definitions())
        reader.graph()
    store.close()
    store = open_index(path)
    assert "damaged" in store.database.remarks[0]
    store.close()
