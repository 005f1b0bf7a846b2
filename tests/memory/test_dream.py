import pytest

from recollect.errors import NotFoundError
from recollect.memory.dream.clusters import clusters
from recollect.memory.dream.gates import NAMES, Cluster, gate
from recollect.memory.dream.nearness import cohesion
from recollect.memory.forget import Selection

DAY = 86_400
RETRIES = [
    "Retry policy: idempotent requests are retried three times with jitter",
    "The retry policy retries idempotent requests with jitter and backoff",
    "Retries of idempotent requests follow the retry policy with backoff",
    "Idempotent requests: the retry policy uses jitter between retries",
]
TEA = [
    "Green tea is brewed at eighty degrees",
    "Lunch on Fridays is at noon",
    "The printer is out of paper again",
]


def fill(memory):
    return [memory.remember(text) for text in (*RETRIES, *TEA)]


def state(memory):
    """Return everything but what a dream may leave in histories and links."""
    return [{key: value for key, value in row.items() if key != "updated"} for row in memory.opened.export()]


def test_what_belongs_together_becomes_a_reflection(memory):
    items = fill(memory)
    done = memory.opened.dream()
    assert (done.looked_at, len(done.reflections)) == (7, 1)
    made = memory.opened.get(done.reflections[0])
    assert sorted(made.metadata["metadata"]["members"]) == sorted(item.id for item in items[:4])
    assert made.metadata["trust"] == 0.4
    assert any("retry" in phrase.lower() for phrase in made.metadata["metadata"]["keyphrases"])
    assert made.text.count("\n- ") == 3
    links = [link for link in made.metadata["links"] if link["type"] == "consolidated_from"]
    assert {link["target"] for link in links} == {item.id for item in items[:4]}


def test_reflections_are_shown_only_when_asked_for(memory):
    fill(memory)
    before = [hit.id for hit in memory.recall("retry policy jitter").hits]
    (made,) = memory.opened.dream().reflections
    assert [hit.id for hit in memory.recall("retry policy jitter").hits] == before
    assert made in [hit.id for hit in memory.recall("retry policy jitter", derived=True).hits]
    assert [hit.id for hit in memory.recall("retry policy jitter", kinds="reflection").hits] == [made]


def test_a_dream_is_taken_back_without_a_trace(memory, clock):
    fill(memory)
    memory.remember("We met Anna Berg", layer="working")
    memory.remember("Anna Berg likes jitter")
    memory.remember("Ask Anna Berg for lunch")
    before = state(memory)
    clock.now += 3600
    done = memory.opened.dream()
    assert done.reflections and done.cards and done.promoted
    assert state(memory) != before
    assert set(memory.opened.undo_dream(done.number)["removed"]) == {*done.reflections, *done.cards}
    assert state(memory) == before
    assert memory.opened.dreams()[0].undone
    assert memory.opened.check() == []
    with pytest.raises(NotFoundError, match="no dream 1"):
        memory.opened.undo_dream(done.number)


def test_a_second_dream_of_the_same_makes_nothing(memory):
    fill(memory)
    first = memory.opened.dream()
    second = memory.opened.dream()
    assert (second.reflections, second.cards, second.known) == (
        (),
        (),
        len(first.reflections) + len(first.cards),
    )


def test_a_reflection_that_grew_takes_the_place_of_the_older_one(memory):
    fill(memory)
    (old,) = memory.opened.dream().reflections
    memory.remember("Requests that are idempotent are retried: the retry policy adds jitter and backoff")
    done = memory.opened.dream()
    (new,) = done.reflections
    assert memory.opened.get(old).metadata["status"] == "superseded"
    memory.opened.undo_dream(done.number)
    assert memory.opened.get(old).metadata["status"] == "active"
    with pytest.raises(NotFoundError):
        memory.opened.get(new)


def test_a_dry_run_writes_nothing(memory):
    fill(memory)
    before = state(memory)
    planned = memory.opened.dream(dry_run=True)
    assert (planned.number, len(planned.reflections)) == (0, 1)
    assert state(memory) == before
    assert memory.opened.dreams() == []


def test_a_dream_is_the_same_whenever_it_is_dreamt(memory):
    fill(memory)
    assert memory.opened.dream(dry_run=True) == memory.opened.dream(dry_run=True)


def test_what_many_memories_name_has_a_card(memory):
    for text in ("We met Anna Berg in Oslo", "Anna Berg owns `Client.send`", "Ask Anna Berg about lunch"):
        memory.remember(text)
    (made,) = memory.opened.dream().cards
    assert memory.opened.get(made).text.startswith("Anna Berg (person): named by 3 memories, 2023-11-14.\n")


def test_forgetting_a_member_forgets_what_was_made_of_it(memory, tmp_path):
    items = fill(memory)
    zebra = memory.remember(
        "Idempotent requests of the zebra service are retried as the retry policy says, with jitter"
    )
    done = memory.opened.dream()
    assert b"zebra" in memory.opened.get(done.reflections[0]).text.encode() or len(done.reflections) == 1
    gone = memory.opened.forget(Selection(ids=(zebra.id,)), dry_run=False)
    assert gone.derived == done.reflections
    assert not any(b"zebra" in file.read_bytes() for file in tmp_path.rglob("*") if file.is_file())
    assert memory.opened.get(items[0].id).metadata.get("links", []) == []


def test_a_memory_that_was_of_use_moves_up(memory, clock):
    from tests.memory.test_life import use

    working = memory.remember("a thought", layer="working")
    event = memory.remember("a story of retries", kind="narrative", importance=0.8)
    use(memory, clock, event, 5)
    clock.now += 1801
    moved = {one["id"]: (one["from"], one["to"]) for one in memory.opened.dream().promoted}
    assert moved == {working.id: ("working", "episodic"), event.id: ("episodic", "semantic")}
    assert memory.opened.history(event.id)[-1] == {
        "time": memory.opened.history(event.id)[-1]["time"], "action": "dreamt", "layer": ["episodic", "semantic"],
        "dream": 1,
    }  # fmt: skip


def test_at_most_one_in_twenty_is_raised(memory, clock):
    from tests.memory.test_life import use

    items = [memory.remember(f"note {at} of the trip", importance=1.0) for at in range(40)]
    for item in items[:4]:
        for _ in range(5):
            memory.remember(item.text)
        use(memory, clock, item, 10)
    done = memory.opened.dream()
    assert len(done.raised) == 2
    assert {memory.opened.get(one).metadata["priority"] for one in done.raised} == {"P1"}
    memory.opened.undo_dream(done.number)
    assert {memory.opened.get(one).metadata["priority"] for one in done.raised} == {"P3"}


def test_near_duplicates_are_linked(memory):
    one = memory.remember("the timeout of the payment service is thirty seconds in production and staging")
    two = memory.remember("the timeout of the payment service is sixty seconds in production and staging")
    for at in range(10):
        memory.remember(f"number {at * 17} is something else entirely about {'abcdefghij'[at] * 5}")
    done = memory.opened.dream()
    assert done.links == 1
    links = memory.opened.get(one.id).metadata["links"]
    assert {(link["type"], *sorted((link["source"], link["target"]))) for link in links} == {
        ("similar_to", *sorted((one.id, two.id)))
    }


def rows_of(memory, texts):
    store, _ = memory.opened._open()
    from recollect.store.ids import uid_of

    with store.reader() as reader:
        return [reader.memory(uid_of(memory.remember(text).id)) for text in texts]


def test_each_gate_keeps_out_what_it_is_for(memory):
    rows = [memory.opened.get(memory.remember(text).id) for text in RETRIES]
    assert len(rows) == 4
    texts = rows_of_all(memory)
    good = Cluster(texts[:4], [frozenset()] * 4, frozenset(), 0.5, ["a", "b"])
    assert gate(good) == ""
    twins = [texts[0]._replace(text="Same words"), texts[1]._replace(text="same  words"), texts[2]]
    people = [row._replace(text="Anna is a gardener") if at < 3 else row for at, row in enumerate(texts[:4])]
    people = [row._replace(text=f"{row.text} {at}") for at, row in enumerate(people)]
    bad = {
        "own": good._replace(rows=[row._replace(kind="reflection") for row in texts[:4]]),
        "duplicates": good._replace(rows=twins, names=[frozenset()] * 3),
        "contradiction": good._replace(contested=frozenset({texts[0].uid})),
        "cohesion": good._replace(cohesion=0.39),
        "persona": good._replace(rows=people),
        "entity": good._replace(names=[frozenset({1})] * 3 + [frozenset()]),
        "phrases": good._replace(phrases=["a"]),
    }
    assert tuple(bad) == NAMES
    assert {name: gate(cluster) for name, cluster in bad.items()} == {name: name for name in NAMES}


def rows_of_all(memory):
    store, _ = memory.opened._open()
    with store.reader() as reader:
        return reader.memories_after(0, 100)


def test_cohesion_is_one_for_the_same_and_nothing_for_strangers():
    assert cohesion([{"a": 1.0}] * 3) == pytest.approx(1)
    assert cohesion([{"a": 1.0}, {"b": 1.0}, {"c": 1.0}]) == 0


def test_clusters_are_the_islands_of_a_graph():
    near = [[(1, 0.9), (2, 0.9)], [(2, 0.9)], [], [(4, 0.5), (5, 0.5)], [(5, 0.5)], [], [(7, 0.9)], []]
    assert clusters(near) == [[0, 1, 2], [3, 4, 5]]


def test_there_is_nothing_to_dream_of_before_anything_is_remembered(file_memory):
    with pytest.raises(NotFoundError):
        file_memory.opened.dream()
    with pytest.raises(NotFoundError):
        file_memory.opened.undo_dream(1)
