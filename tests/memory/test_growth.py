"""What is written is found at once, without reading again what was known before."""

import random
import threading

from recollect.memory.forget import Selection
from recollect.memory.opened import OpenMemory
from recollect.store.postings import COUNTED, Postings
from recollect.store.sqlite.memory_lookup import MemoryLookup

WORDS = ("tea", "milk", "cup", "pot", "lemon", "sugar", "spoon")


def test_the_newest_memories_with_a_word_are_told_by_its_stem(memory):
    memory.remember_many([{"text": f"The boiling of pot {number}."} for number in range(7)])
    memory.remember("Nothing of that kind.")
    store = memory.opened.place.open(10.0)
    found = store.read(lambda reader: reader.newest_with("boiled", "boil", 3).tolist())
    every = store.read(lambda reader: reader.newest_with("boiled", "boil", 30).tolist())
    store.close()
    assert found == sorted(found) == every[-3:]
    assert len(every) == 7


def test_an_answer_is_the_same_whether_memories_were_followed_or_read_anew(memory, clock):
    dice = random.Random(5)
    memory.recall("tea")
    for number in range(60):
        said = {"text": " ".join(dice.choices(WORDS, k=5)) + f" {number}"}
        if dice.random() < 0.7:
            said |= {"session": f"s{dice.randrange(4)}", "author": dice.choice(("Ann", "Ben"))}
        if dice.random() < 0.2:
            said["position"] = dice.randrange(9)
        memory.opened.remember_many([said], None)
        if number % 6 == 0:
            question = " ".join(dice.sample(WORDS, 2))
            again = memory.again()
            again._clock = clock
            fresh = again.recall(question, 10, {}, None)
            again.close()
            assert memory.recall(question).hits == fresh.hits


def test_words_that_are_kept_are_not_read_again_after_a_write(file_memory, monkeypatch):
    file_memory.remember_many([{"text": f"{word} and {word} {at}"} for at, word in enumerate(WORDS * 3)])
    before = file_memory.texts("tea milk cup")
    read = []
    occurrences = MemoryLookup.occurrences
    monkeypatch.setattr(
        MemoryLookup, "occurrences", lambda self, word: read.append(word) or occurrences(self, word)
    )
    file_memory.remember("tea with milk in a cup")
    assert file_memory.texts("tea milk cup")[0] == "tea with milk in a cup"
    assert len(before) == 9
    assert not {"tea", "milk", "cup"} & set(read)


def often(memory, word, stem):
    opened = memory if isinstance(memory, OpenMemory) else memory.opened
    opened.recall("tea", 1, {}, None)
    store, _ = opened._open()
    return store.read(lambda reader: Postings(opened._states[0].shelf).often(word, stem, reader.newest_with))


def test_how_many_memories_hold_a_word_is_exact_up_to_a_limit_and_reckoned_above(file_memory):
    many = 3 * COUNTED
    file_memory.remember_many(
        [{"text": f"note {at} tea" + " boiling" * (at % 3 == 0) + " cup" * (at < 20)} for at in range(many)]
    )
    assert often(file_memory, "cup", "cup") == 20
    assert often(file_memory, "boiled", "boil") == COUNTED
    assert often(file_memory, "tea", "tea") == many
    assert often(file_memory, "nothing", "noth") == 0


def test_questions_and_writes_at_once_in_one_process_lose_nothing(file_memory):
    file_memory.remember_many([{"text": f"tea number {at}", "session": f"s{at % 3}"} for at in range(30)])
    found, wrong = [], []

    def ask():
        try:
            for _ in range(25):
                found.append(len(file_memory.recall("tea", 100).hits))
        except BaseException as error:
            wrong.append(error)
            raise

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for at in range(30):
        file_memory.opened.remember_many([{"text": f"more tea {at}", "session": f"s{at % 5}"}], None)
    for thread in threads:
        thread.join()
    assert wrong == []
    assert min(found) >= 30
    again = file_memory.again()
    assert len(again.recall("tea", 100, {}, None).hits) == len(file_memory.recall("tea", 100).hits) == 60
    again.close()


def test_an_older_snapshot_is_answered_without_reading_all_again(file_memory, monkeypatch):
    file_memory.remember("green tea")
    file_memory.recall("tea")
    store, _ = file_memory.opened._open()
    with store.reader() as older:
        file_memory.remember("black tea")
        assert len(file_memory.recall("tea").hits) == 2
        monkeypatch.setattr(type(older), "shelf", None)
        assert len(file_memory.opened._up_to_date(older).shelf) == 1
    assert len(file_memory.recall("tea").hits) == 2


def test_after_the_newest_is_forgotten_and_its_number_is_used_again_the_new_one_is_found(file_memory):
    file_memory.remember("green tea")
    last = file_memory.remember("black tea")
    assert len(file_memory.recall("tea").hits) == 2
    file_memory.opened.forget(Selection(ids=(last.id,)), dry_run=False)
    assert file_memory.texts("tea") == ["green tea"]
    file_memory.remember("white tea")
    assert sorted(file_memory.texts("tea")) == ["green tea", "white tea"]
