import pytest
from tests.contract.samples import chunk, put, symbol

from recollect.errors import UsageError
from recollect.ports import Filters

EVEN = (1, 1, 1, 1, 1, 1)


def found(reader, table, match, weights=None, limit=9, filters=None):
    weights = weights or ((1, 1) if table == "text_chunk" else EVEN)
    hits = reader.search(table, match, weights, limit, filters or Filters())
    return [item.path for item in reader.items([hit.number for hit in hits])]


def test_words_are_found_in_any_inflection_in_chunks_only(store):
    with store.writer() as writer:
        put(writer, "a.py", [symbol("a.py", "retries")], [(chunk("a.py"), "it retries the connection")])
    with store.reader() as reader:
        assert found(reader, "text_chunk", "retry AND connections") == ["a.py"]
        assert found(reader, "text_symbol", "retry") == []


def test_identifiers_with_underscores_are_one_word_of_a_symbol(store):
    with store.writer() as writer:
        put(writer, "a.py", [symbol("a.py", "load_all_rows")])
    with store.reader() as reader:
        assert found(reader, "text_symbol", "name: load_all_rows") == ["a.py"]
        assert found(reader, "text_symbol", "name: rows") == []
        assert found(reader, "text_symbol", "concepts: rows") == ["a.py"]
        assert found(reader, "text_symbol", "load_*") == ["a.py"]


def test_weights_decide_which_column_counts(store):
    with store.writer() as writer:
        put(writer, "a.py", [symbol("a.py", "wing", doc="a bird")])
        put(writer, "b.py", [symbol("b.py", "bird", doc="a wing")])
    with store.reader() as reader:
        assert found(reader, "text_symbol", "wing", (9, 0, 0, 0, 0, 1)) == ["a.py", "b.py"]
        assert found(reader, "text_symbol", "wing", (0, 0, 0, 0, 0, 1))[0] == "b.py"


def test_scores_fall_and_are_positive(store):
    with store.writer() as writer:
        for at in range(6):
            put(writer, f"{at}.py", [], [(chunk(f"{at}.py"), "walrus " * at + "filler words " * 9)])
        put(writer, "other.py", [], [(chunk("other.py"), "nothing of the sort")])
    with store.reader() as reader:
        hits = reader.search("text_chunk", "walrus", (1, 1), 9, Filters())
    scores = [hit.score for hit in hits]
    assert len(scores) == 5
    assert scores == sorted(scores, reverse=True)
    assert min(scores) > 0


def test_equal_scores_go_by_path_whatever_the_order_of_writing(store):
    with store.writer() as writer:
        for name in "dbeac":
            put(writer, f"{name}.py", [], [(chunk(f"{name}.py"), "walrus")])
    with store.reader() as reader:
        assert found(reader, "text_chunk", "body: walrus", limit=3) == ["a.py", "b.py", "c.py"]


def test_filters_apply_before_the_limit(store):
    with store.writer() as writer:
        for at in range(20):
            put(writer, f"test/{at}.py", [], [(chunk(f"test/{at}.py"), "walrus")], test=True)
        put(writer, "z.go", [], [(chunk("z.go"), "walrus and a good many other words too")])
    with store.reader() as reader:
        assert found(reader, "text_chunk", "walrus", limit=1, filters=Filters(include_tests=False)) == [
            "z.go"
        ]
        assert found(
            reader, "text_chunk", "walrus", limit=1, filters=Filters(languages=frozenset({"go"}))
        ) == ["z.go"]
        assert found(reader, "text_chunk", "walrus", limit=0) == []


def test_replaced_and_removed_texts_are_not_found(store):
    part, other = chunk("a.py"), chunk("a.py", 20)
    with store.writer() as writer:
        put(writer, "a.py", [], [(part, "walrus"), (other, "penguin")])
        put(writer, "a.py", [], [(part, "seagull"), (other, "penguin")])
    with store.reader() as reader:
        assert found(reader, "text_chunk", "walrus") == []
        assert found(reader, "text_chunk", "seagull") == ["a.py"]
        assert found(reader, "text_chunk", "penguin") == ["a.py"]
    with store.writer() as writer:
        put(writer, "a.py", [], [(part, "seagull")])
    with store.reader() as reader:
        assert found(reader, "text_chunk", "penguin") == []


def test_a_text_may_come_and_go_while_its_item_stays(store):
    run = symbol("a.py", "run")
    with store.writer() as writer:
        put(writer, "a.py", [run])
        file = writer.file("a.py")
        writer.put_file(file, [run], {}, b"")
        assert found(writer, "text_symbol", "run") == []
        put(writer, "a.py", [run])
        assert found(writer, "text_symbol", "run") == ["a.py"]


def test_scores_after_edits_equal_those_of_a_fresh_store(backend, tmp_path):
    texts = {f"{at}.py": "walrus " * at + "water" for at in range(1, 9)}

    def scores(store):
        with store.reader() as reader:
            hits = reader.search("text_chunk", "walrus OR water", (1, 1), 9, Filters())
            return [(reader.items([hit.number])[0].path, hit.score) for hit in hits]

    edited, fresh = backend.open(tmp_path / "edited"), backend.open(tmp_path / "fresh")
    for path in texts:
        with edited.writer() as writer:
            put(writer, path, [], [(chunk(path), "walrus and a very long text that goes " * 3)])
    with edited.writer() as writer:
        put(writer, "gone.py", [], [(chunk("gone.py"), "walrus")])
        writer.remove_file("gone.py")
    for store, order in ((edited, reversed(texts)), (fresh, texts)):
        for path in order:
            with store.writer() as writer:
                put(writer, path, [], [(chunk(path), texts[path])])
    assert scores(edited) == scores(fresh)
    edited.close()
    fresh.close()


@pytest.mark.parametrize("match", ['"', "a AND", "nocolumn: a", "(", "a NEAR(", "", "*"])
def test_an_expression_that_cannot_be_read_is_a_usage_error(store, match):
    with store.writer() as writer:
        put(writer, "a.py", [symbol("a.py", "run")])
    with store.reader() as reader:
        with pytest.raises(UsageError):
            reader.search("text_symbol", match, EVEN, 5, Filters())
        assert found(reader, "text_symbol", "run") == ["a.py"]


def test_an_unknown_table_and_a_wrong_number_of_weights_are_usage_errors(store):
    with store.reader() as reader:
        with pytest.raises(UsageError, match="text_symbol"):
            reader.search("text_poem", "a", (1,), 5, Filters())
        with pytest.raises(UsageError, match="2 weights"):
            reader.search("text_chunk", "a", (1,), 5, Filters())
