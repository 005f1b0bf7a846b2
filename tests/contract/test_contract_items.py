import msgspec
import pytest
from tests.contract.samples import chunk, put, record, symbol

from recollect.errors import UsageError
from recollect.ports import Filters
from recollect.store.ids import id_of

EVERYTHING = Filters()


def names(items):
    return [item.name for item in items]


def test_an_item_comes_back_as_it_was_put(store):
    client = symbol("a.py", "Client", kind="class", doc="Talks.", visibility="private", test=True, tokens=7)
    send = symbol("a.py", "Client.send", 4, "method", parent_uid=client.uid)
    with store.writer() as writer:
        numbers = put(writer, "a.py", [client, send])
    with store.reader() as reader:
        found, inner = reader.items([numbers[client.uid], numbers[send.uid]])
        assert reader.item(found.id) == found
    assert (found.name, found.kind, found.path, found.language) == ("Client", "class", "a.py", "python")
    assert (found.start_line, found.end_line, found.start_byte, found.end_byte) == (1, 3, 10, 35)
    assert (found.doc, found.signature, found.visibility, found.tokens) == (
        "Talks.",
        "def Client()",
        "private",
        7,
    )
    assert found.test
    assert found.domain == "code"
    assert found.id == id_of(client.uid, "code")
    assert (inner.name, inner.owner, inner.metadata) == ("Client.send", "Client", {"parent": found.id})


def test_a_qualified_name_need_not_end_in_the_name(store):
    odd = symbol("a.py", "run")._replace(qualified="Outer::run!", owner="Elsewhere")
    with store.writer() as writer:
        put(writer, "a.py", [odd])
    with store.reader() as reader:
        (found,) = reader.definitions("run")
        assert (found.qualified, found.owner) == ("Outer::run!", "Elsewhere")


def test_ids_that_mean_nothing_give_nothing(store):
    with store.reader() as reader:
        assert [
            reader.item(bad)
            for bad in ("", "c", "x" * 14, "c0000000000000", "maaaaaaaaaaaaa", "caaaaaaaaaaaaa")
        ] == [None] * 6
        assert list(reader.items([1, 99])) == []


def test_items_come_in_the_order_that_was_asked(store):
    with store.writer() as writer:
        numbers = list(put(writer, "a.py", [symbol("a.py", f"f{at}", at) for at in range(600)]).values())
    with store.reader() as reader:
        asked = [*reversed(numbers), numbers[3]]
        assert [item.number for item in reader.items(asked)] == asked


def test_numbers_stay_while_the_item_exists_and_are_never_given_twice(store):
    keep, drop, fresh = (symbol("a.py", name) for name in ("keep", "drop", "fresh"))
    with store.writer() as writer:
        first = put(writer, "a.py", [drop, keep])
    with store.writer() as writer:
        second = put(writer, "a.py", [keep._replace(start_line=40, end_line=50), fresh])
    assert second[keep.uid] == first[keep.uid]
    assert second[fresh.uid] > max(first.values())
    with store.writer() as writer:
        writer.remove_file("a.py")
    with store.writer() as writer:
        assert min(put(writer, "a.py", [keep]).values()) > max(second.values())


def test_a_changed_item_shows_its_new_values(store):
    before = symbol("a.py", "run")
    after = before._replace(kind="method", start_line=9, end_line=12, doc="new", shape=b"", test=True)
    with store.writer() as writer:
        put(writer, "a.py", [before])
        numbers = put(writer, "a.py", [after])
        counts = writer.counts()
    with store.reader() as reader:
        (found,) = reader.items([numbers[before.uid]])
    assert (found.kind, found.start_line, found.doc, found.test) == ("method", 9, "new", True)
    assert (counts["kind:method"], counts.get("kind:function"), counts["symbols"]) == (1, None, 1)


def test_two_items_with_one_uid_are_refused(store):
    with pytest.raises(UsageError, match="same uid"), store.writer() as writer:
        put(writer, "a.py", [symbol("a.py", "run"), symbol("a.py", "run")])
    with store.reader() as reader:
        assert reader.file("a.py") is None


def test_definitions_hold_what_a_resolver_needs_and_no_places(store):
    shape = msgspec.msgpack.encode(("Reply", ("extends Base",), (("url", "str", True),), 2))
    sent = symbol("b.go", "Client.send", kind="method", shape=shape)
    with store.writer() as writer:
        put(writer, "b.go", [sent], package="http")
        put(writer, "a.go", [symbol("a.go", "Send"), symbol("a.go", "send")], [(chunk("a.go"), "send")])
    with store.reader() as reader:
        first, second = reader.definitions("send")
        assert (first.path, first.qualified, first.parameters, first.bases) == ("a.go", "send", -1, ())
        assert second[1:9] == ("send", "Client.send", "method", "b.go", "go", "Client", "http", "public")
        assert second[9:] == (False, "Reply", ("extends Base",), (("url", "str", True),), 2)
        assert [found.qualified for found in reader.definitions("Send")] == ["Send"]
        assert len(list(reader.all_definitions())) == 3
        assert reader.definitions("a.go") == []


def test_members_are_found_by_the_last_name_of_their_owner(store):
    with store.writer() as writer:
        put(
            writer,
            "a.py",
            [symbol("a.py", "Outer.Client.send"), symbol("a.py", "Client.close"), symbol("a.py", "send")],
        )
    with store.reader() as reader:
        assert [found.qualified for found in reader.members("Client")] == [
            "Client.close",
            "Outer.Client.send",
        ]
        assert reader.members("Outer.Client") == []
        assert reader.members("") == []


def test_find_puts_the_exact_name_first_then_case_then_last_parts_then_beginnings(store):
    qualified = ["send", "Send", "Client.send", "sender", "resend"]
    with store.writer() as writer:
        put(writer, "a.py", [symbol("a.py", name, at) for at, name in enumerate(qualified)])
    with store.reader() as reader:
        assert names(reader.find("send", EVERYTHING, 9)) == ["send", "Client.send", "Send"]
        assert names(reader.find("send", EVERYTHING, 9, prefix=True)) == [
            "send",
            "Client.send",
            "Send",
            "sender",
        ]
        assert names(reader.find("send", EVERYTHING, 1)) == ["send"]


@pytest.mark.parametrize(
    "asked", ["http.Client.send", "Client.send", "Client::send", "client.SEND", "Client#send"]
)
def test_find_matches_the_last_parts_of_a_qualified_name(store, asked):
    with store.writer() as writer:
        put(
            writer,
            "a.py",
            [symbol("a.py", "http.Client.send"), symbol("a.py", "Server.send"), symbol("a.py", "send")],
        )
    with store.reader() as reader:
        assert names(reader.find(asked, EVERYTHING, 9)) == ["http.Client.send"]


def test_find_knows_packages_and_files(store):
    with store.writer() as writer:
        put(writer, "net/client.go", [symbol("net/client.go", "Client.Send")], package="net")
    with store.reader() as reader:
        assert names(reader.find("net.Client.Send", EVERYTHING, 9)) == ["Client.Send"]
        assert names(reader.find("net/client.go", EVERYTHING, 9)) == ["net/client.go"]
        assert names(reader.find("client.go", EVERYTHING, 9)) == ["net/client.go"]
        assert reader.find("  ", EVERYTHING, 9) == []


@pytest.mark.parametrize(
    ("filters", "paths"),
    [
        (Filters(languages=frozenset({"go"})), ["b/x.go"]),
        (Filters(kinds=frozenset({"class"})), ["a/y.py"]),
        (Filters(kinds=frozenset({"nonsense"})), []),
        (Filters(path_prefixes=("a/", "zz")), ["a/x.py", "a/y.py"]),
        (Filters(include_tests=False), ["a/x.py", "a/y.py", "b/x.go"]),
    ],
)
def test_find_filters_before_its_limit(store, filters, paths):
    with store.writer() as writer:
        put(writer, "a/x.py", [symbol("a/x.py", "run")])
        put(writer, "a/y.py", [symbol("a/y.py", "run", kind="class")])
        put(writer, "b/x.go", [symbol("b/x.go", "run")])
        put(writer, "t/x.rb", [symbol("t/x.rb", "run")], test=True)
    with store.reader() as reader:
        assert [item.path for item in reader.find("run", filters, 9)] == paths


def test_a_filter_that_the_store_cannot_apply_is_refused(store):
    with store.reader() as reader, pytest.raises(UsageError, match="colour"):
        reader.find("run", Filters(metadata={"colour": "red"}), 9)


def test_numbers_of_a_file_are_given_by_uid(store):
    with store.writer() as writer:
        numbers = writer.put_file(record("a.py"), [symbol("a.py", "run")], {}, b"")
    with store.reader() as reader:
        assert reader.numbers_of("a.py") == numbers


def test_an_outline_has_every_item_in_bare_rows(store):
    client = symbol("a.py", "Client", kind="class", doc="Talks.", visibility="private", test=True)
    send = symbol("a.py", "Client.send", 4, "method", parent_uid=client.uid)
    with store.writer() as writer:
        numbers = put(writer, "a.py", [client, send])
    with store.reader() as reader:
        outline = reader.outline()
        home = reader.file("a.py").number
        found = {row[0]: tuple(row) for row in outline.rows}
        items = {item.number: item for item in reader.items(list(numbers.values()))}
        assert sorted(reader.outline([home]).rows) == sorted(outline.rows)
        assert reader.outline(()) == outline._replace(rows=[])
        content = reader.file("a.py").content
    assert set(found) == set(items)
    assert [tuple(file) for file in outline.files] == [(home, "a.py", "python", False, content)]
    for number, item in items.items():
        _, uid, file, kind, name, container, start, more, first, size, visibility, test, *texts = found[
            number
        ]
        assert (id_of(uid), file, outline.words[kind]) == (item.id, home, item.kind)
        assert (start, start + more, first, first + size) == (
            item.start_line, item.end_line, item.start_byte, item.end_byte,
        )  # fmt: skip
        assert (outline.words[visibility], bool(test), bool(texts[0]), texts[1]) == (
            item.visibility, item.test, bool(item.doc), item.signature,
        )  # fmt: skip
        assert (name, container) == {"Client.send": ("send", "Client")}.get(item.name, (item.name, None))
