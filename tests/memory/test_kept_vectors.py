"""What the store keeps for models: vectors by memory, links by strength, values beside the text."""

import numpy as np
import pytest

from recollect.errors import ModelError
from recollect.memory.forget import Selection
from recollect.store.ids import content_of, uid_of


def vector(*numbers):
    return np.asarray(numbers, np.float32)


def put(memory, item, *numbers, model="tiny"):
    store, _ = memory.opened._open()
    with store.writer() as writer:
        writer.put_vectors(model, "int8", [(content_of(uid_of(item.id)), vector(*numbers))])


def kept(memory, model="tiny"):
    store, _ = memory.opened._open()
    with store.reader() as reader:
        return reader.vectors_of(model)


def test_a_vector_is_kept_by_memory_and_model(memory):
    one, two = memory.remember("tea"), memory.remember("coffee")
    put(memory, one, 1.0, 0.0)
    put(memory, two, 0.0, 1.0)
    found = kept(memory)
    assert found.matrix.shape == (2, 2)
    store, _ = memory.opened._open()
    with store.reader() as reader:
        (content,) = reader.vectors_of("tiny", [content_of(uid_of(two.id))]).contents
        assert reader.models() == {"tiny": 2}
        assert len(reader.vectors_of("other", [content_of(uid_of(two.id))]).contents) == 0
    assert content.tobytes() == content_of(uid_of(two.id))


def test_a_model_that_gives_other_lengths_is_refused(memory):
    put(memory, memory.remember("tea"), 1.0, 0.0)
    with pytest.raises(ModelError, match="tiny has vectors of 2"):
        put(memory, memory.remember("coffee"), 1.0, 0.0, 0.0)


def test_forgetting_takes_the_vectors_of_every_model(memory):
    one, two = memory.remember("tea"), memory.remember("coffee")
    for model in ("tiny", "other"):
        put(memory, one, 1.0, 0.0, model=model)
        put(memory, two, 0.0, 1.0, model=model)
    memory.opened.forget(Selection(ids=(one.id,)), dry_run=False)
    for model in ("tiny", "other"):
        assert [row.tobytes() for row in kept(memory, model).contents] == [content_of(uid_of(two.id))]


def test_a_dropped_model_leaves_nothing(memory):
    put(memory, memory.remember("tea"), 1.0, 0.0)
    store, _ = memory.opened._open()
    with store.writer() as writer:
        writer.drop_model("tiny")
        assert writer.models() == {}
    assert len(kept(memory).contents) == 0


def test_the_strongest_links_of_each_memory_come_in_both_directions(memory):
    centre = memory.remember("centre")
    others = [memory.remember(f"leaf {at}") for at in range(4)]
    for other in others[:2]:
        memory.opened.link(centre.id, "see_also", other.id)
    for other in others[2:]:
        memory.opened.link(other.id, "see_also", centre.id)
    uid = uid_of(centre.id)
    store, _ = memory.opened._open()
    with store.reader() as reader:
        rows = reader.strongest_links([uid], 3)
        assert len(rows) == 3
        assert {row[0] for row in rows} == {uid}
        assert {row[1] for row in reader.strongest_links([uid], 9)} == {uid_of(one.id) for one in others}
        assert [row[2] for row in rows] == [1.0] * 3


def test_values_beside_a_text_are_found_by_their_key(memory):
    one = memory.remember("tea", metadata={"questions": ["what is drunk?"], "cycle": 7})
    memory.remember("coffee", metadata={"other": 1})
    store, _ = memory.opened._open()
    with store.reader() as reader:
        (row,) = reader.memories([one.number])
        assert reader.values_of("cycle") == [(row.number, 7)]
        assert reader.values_of("questions") == [(row.number, '["what is drunk?"]')]


def test_a_sensitive_memory_says_so_in_its_export_and_comes_back_so(memory):
    memory.remember("the code of the door is 12", sensitive=True)
    (line,) = memory.opened.export()
    assert line["sensitive"] is True
    assert memory.remember("the code of the door is 12").metadata["sensitive"] is True


def test_what_had_a_secret_is_sensitive(memory):
    key = "ghp_" + "x8Kq2Vw9Lm4Zt7Rb" + "N3cY6pHs1JdF5gTeWuQa"
    item = memory.remember(f"the token is {key}", redact=True)
    assert item.metadata["sensitive"] is True
