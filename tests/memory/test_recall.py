import pytest

import recollect
from recollect.errors import NotFoundError, UsageError

DAY = 86_400


def talk(session, *lines):
    return [{"text": text, "session": session, "author": author} for author, text in lines]


def test_the_best_words_come_first(memory):
    memory.remember_many(["We retry idempotent calls only", "The database port is 5432", "Calls are logged"])
    assert memory.texts("which calls may be retried?")[0] == "We retry idempotent calls only"


def test_an_answer_is_found_by_what_was_said_before_it(memory):
    memory.remember_many(
        [
            *talk(
                "a",
                ("Anna", "Where did you go camping?"),
                ("Ben", "To the lake behind the mill."),
                ("Anna", "Nice."),
            ),
            *talk("b", ("Anna", "I bought a lamp."), ("Ben", "What colour?"), ("Anna", "Green.")),
        ]
    )
    assert "To the lake behind the mill." in memory.texts("Where did Ben go camping?", limit=2)


def test_the_answer_to_a_question_goes_before_what_else_was_said_around_it(memory):
    memory.remember_many(
        talk(
            "a",
            ("Anna", "Which kind of dances do you teach?"),
            ("Ben", "All of them, the slow ones most."),
            ("Anna", "I never danced at all."),
        )
    )
    assert memory.texts("What kind of dances does Ben teach?")[0] == "All of them, the slow ones most."


def test_what_was_written_at_the_time_that_is_asked_for_comes_first(memory):
    for day in ("2023-05-08", "2023-06-19", "2024-06-20"):
        memory.remember(f"We went camping, notes of {day[5:]}", created=day)
    assert memory.texts("Where did we go camping on 19 June 2023?")[0].endswith("06-19")
    assert memory.texts("Where did we go camping in May?")[0].endswith("05-08")
    assert {text[-5:] for text in memory.texts("Where did we go camping in June?", limit=2)} == {
        "06-19",
        "06-20",
    }
    assert memory.texts("Where did we go camping in June 2024?")[0].endswith("06-20")


def test_what_tells_of_the_time_that_is_asked_for_comes_before_what_does_not(memory):
    memory.remember("I painted a lake last month", created="2023-02-10")
    memory.remember("I painted a mill last month", created="2023-05-10")
    memory.remember("I painted a bridge last month", created="2022-05-10")
    assert memory.texts("What did I paint in April 2023?")[0] == "I painted a mill last month"


def test_a_question_that_names_only_a_time_finds_what_is_of_it(memory):
    memory.remember("Tea is green", created="2023-05-08")
    memory.remember("Coffee is black", created="2023-06-08")
    answer = memory.recall("What happened in May 2023?")
    assert [hit.text for hit in answer.hits] == ["Tea is green"]
    assert answer.degraded == ()


def test_who_is_named_counts(memory):
    memory.remember_many(
        talk(
            "a", ("Anna", "My favourite tea is green"), ("Ben", "My favourite tea is black"), ("Anna", "Fine")
        )
    )
    assert memory.texts("What is Ben's favourite tea?")[0] == "My favourite tea is black"
    assert memory.texts("What is Anna's favourite tea?")[0] == "My favourite tea is green"


def test_a_role_is_an_ordinary_word(memory):
    memory.remember_many(
        [*talk("a", ("user", "Hello there")), {"text": "The user table has a column for names"}]
    )
    assert memory.texts("user table")[0] == "The user table has a column for names"


def test_a_question_of_question_words_is_searched_all_the_same(memory):
    memory.remember("To be or not to be")
    assert memory.texts("what is to be?") == ["To be or not to be"]


def test_a_question_that_names_only_an_author_finds_what_they_said(memory):
    memory.remember_many(talk("a", ("Anna", "Hello"), ("Ben", "Good day")))
    assert memory.texts("What did Ben say?") == ["Good day"]


def test_nothing_relevant_is_said_plainly(memory):
    assert "no memories here yet" in memory.recall("anything").degraded[0]
    memory.remember("We retry idempotent calls")
    answer = memory.recall("zebra crossing")
    assert answer.hits == ()
    assert answer.degraded[0].startswith("Nothing relevant")


def test_a_doubtful_answer_says_so(memory):
    memory.remember_many(f"note {at} about tea" for at in range(20))
    answer = memory.recall("which zebra crossing has tea and a purple elephant")
    assert answer.hits
    assert answer.hits[0].confidence < 0.3
    assert answer.degraded[0].startswith("Probably nothing relevant")


@pytest.mark.parametrize(
    "query", ['"', "AND OR NOT", "a* (b", "tea:", "'; DROP TABLE memory", "日本", "-", "\x00", "👩‍👩‍👧"]
)
def test_no_question_is_a_syntax_error(memory, query):
    memory.remember("tea and coffee")
    memory.recall(query)


def test_an_empty_question_is_refused(memory):
    with pytest.raises(UsageError):
        memory.recall("  ")


@pytest.mark.parametrize("limit", [0, -1, 1001])
def test_a_limit_that_makes_no_sense_is_refused(memory, limit):
    with pytest.raises(UsageError):
        memory.recall("tea", limit=limit)


def test_a_question_as_long_as_a_book_is_answered(memory):
    memory.remember("tea and cake")
    assert memory.texts("tea " + " ".join(f"word{at}" for at in range(50_000))) == ["tea and cake"]


def test_an_unknown_option_is_refused_with_a_hint(memory):
    with pytest.raises(UsageError, match="itme"):
        memory.recall("tea", itme=2.0)


def test_filters_apply_before_the_limit(memory):
    memory.remember_many({"text": f"tea number {at} is hot", "tags": ["many"]} for at in range(1500))
    item = memory.remember(
        "cold tea", tags=["few"], metadata={"shop": "corner"}, kind="decision", source="chat"
    )
    assert memory.texts("hot tea number", limit=1, tags=["few"]) == ["cold tea"]
    assert memory.texts("hot tea number", limit=1, metadata={"shop": "corner"}) == ["cold tea"]
    assert memory.texts("hot tea number", limit=1, kinds=["decision"]) == ["cold tea"]
    assert memory.texts("hot tea number", limit=1, sources=["chat"]) == ["cold tea"]
    assert memory.texts("hot tea number", limit=1, tags=["few", "many"]) == []
    assert memory.texts("hot tea number", limit=1, sessions=["none"]) == []
    assert memory.recall("tea", tags=["few"]).hits[0].id == item.id


def test_what_has_expired_is_never_shown(memory, clock):
    memory.remember("The code of the door is blue", expires=clock.now + 10)
    assert memory.texts("door code")
    clock.now += 11
    assert memory.texts("door code") == []


def test_what_is_superseded_stands_behind_its_successor(memory):
    old = memory.remember("The limit for uploads is ten megabytes, uploads beyond the limit fail")
    new = memory.remember("The limit is twenty now", links={"supersedes": [old.id]})
    hits = memory.recall("limit for uploads").hits
    assert [hit.id for hit in hits] == [new.id, old.id]
    assert f"superseded by {new.id}" in hits[1].reasons
    assert hits[0].score >= hits[1].score


def test_a_successor_is_shown_even_where_only_the_old_words_match(memory):
    old = memory.remember("Deployments happen on Fridays")
    new = memory.remember("We ship each Monday instead", links={"supersedes": [old.id]})
    assert [hit.id for hit in memory.recall("deployments Fridays").hits] == [new.id, old.id]


def test_a_chain_of_successors_begins_with_the_newest(memory):
    first = memory.remember("The port is 1")
    second = memory.remember("The port is 2", links={"supersedes": [first.id]})
    third = memory.remember("The port is 3", links={"supersedes": [second.id]})
    assert [hit.id for hit in memory.recall("port").hits] == [third.id, second.id, first.id]


def test_as_of_answers_with_what_was_known_and_true_then(memory, clock):
    start = clock.now
    old = memory.remember("The limit is ten", created=start)
    clock.now = start + 10 * DAY
    memory.remember("The limit is twenty", links={"supersedes": [old.id]})
    memory.remember("The limit was five in the beta", valid_until=start + 5 * DAY, created=start)
    then = memory.recall("limit", as_of=start + 6 * DAY)
    assert [hit.text for hit in then.hits] == ["The limit is ten"]
    early = memory.texts("limit", as_of=start + 1 * DAY)
    assert set(early) == {"The limit is ten", "The limit was five in the beta"}
    assert memory.texts("limit")[0] == "The limit is twenty"
    assert memory.texts("limit", as_of=start - 1) == []


def test_what_is_no_longer_valid_stands_behind_what_is(memory, clock):
    memory.remember("Anna leads the team", valid_until=clock.now - DAY, created=clock.now - 9 * DAY)
    memory.remember("Ben leads the team", created=clock.now - 9 * DAY)
    hits = memory.recall("leads the team").hits
    assert [hit.text for hit in hits] == ["Ben leads the team", "Anna leads the team"]
    assert any(reason.startswith("was valid until") for reason in hits[1].reasons)


def test_of_equals_the_newer_the_more_important_and_the_trusted_come_first(memory, clock):
    memory.remember("apples are on the shelf one", created=clock.now - 300 * DAY)
    memory.remember("apples are on the shelf two", created=clock.now)
    assert memory.texts("apples shelf")[0].endswith("two")
    memory.remember("pears are on the shelf one", importance=0.9)
    memory.remember("pears are on the shelf two", importance=0.1)
    assert memory.texts("pears shelf")[0].endswith("one")
    memory.remember("plums are on the shelf one", trust=0.2)
    memory.remember("plums are on the shelf two", trust=1.0)
    assert memory.texts("plums shelf")[0].endswith("two")


def test_texts_that_say_the_same_are_shown_once(memory):
    memory.remember_many(talk("a", *[(name, "See you at the station!") for name in ("Anna", "Ben", "Cleo")]))
    hits = memory.recall("station").hits
    assert len(hits) == 1
    assert "2 more that say the same" in hits[0].reasons


def test_archived_memories_are_shown_only_when_asked_for(memory):
    item = memory.remember("The old tea house")
    memory.opened.set_status(item.id, "archived")
    assert memory.texts("tea house") == []
    assert memory.texts("tea house", archived=True) == ["The old tea house"]


def test_scores_fall_lie_between_zero_and_one_and_are_the_same_each_time(memory):
    memory.remember_many(
        {"text": f"tea {at} with milk and {at % 7} cups", "session": f"s{at % 9}"} for at in range(200)
    )
    first = memory.recall("tea with milk in cups 3", limit=50)
    scores = [hit.score for hit in first.hits]
    assert scores == sorted(scores, reverse=True)
    assert all(0 < score <= 1 for score in scores)
    assert memory.recall("tea with milk in cups 3", limit=50) == first
    assert memory.recall("tea with milk in cups 3", limit=5).hits == tuple(
        type(hit)(**{**hit.to_dict(), "reasons": hit.reasons, "query_id": now.query_id})
        for hit, now in zip(
            first.hits[:5], memory.recall("tea with milk in cups 3", limit=5).hits, strict=True
        )
    )


def test_what_another_opening_writes_is_seen(memory, tmp_path):
    memory.remember("tea one")
    assert len(memory.texts("tea")) == 1
    other = memory.again()
    item = other.remember("tea two", {"session": "s"}, None)
    assert set(memory.texts("tea")) == {"tea one", "tea two"}
    other.remember("tea three", {"links": {"supersedes": [item.id]}}, None)
    assert memory.texts("tea two")[0] == "tea three"
    from recollect.memory.forget import Selection

    other.forget(Selection(ids=(item.id,)), dry_run=False)
    assert "tea two" not in memory.texts("tea")
    other.close()


def test_every_hit_says_why_and_where_it_comes_from(memory):
    memory.remember(
        "We retry idempotent calls", kind="decision", author="Anna", source="chat", created="2026-05-08"
    )
    (hit,) = memory.recall("retried calls").hits
    assert hit.reasons == ("says retried, calls", "decision of 2026-05-08 by Anna from chat")
    assert (hit.domain, hit.kind, hit.path) == ("memory", "decision", "chat")


def test_the_default_is_a_profile_whose_keys_can_be_changed_by_short_and_by_dotted_name(memory):
    memory.remember("We drink tea", importance=1.0)
    memory.remember("We drink tea here", importance=0.0)
    by_short = memory.recall("drink", importance=0.0)
    by_dots = memory.recall("drink", boost__standing__importance=0.0)
    assert by_short == by_dots
    assert by_short.query_id != memory.recall("drink").query_id
    assert memory.recall("drink").profile == "memory"


def test_an_unknown_profile_names_those_that_there_are(memory):
    memory.remember("tea")
    with pytest.raises(NotFoundError, match="memory"):
        memory.recall("tea", profile="none")


def test_a_profile_for_memories_says_that_it_cannot_rank_code(tmp_path):
    (tmp_path / "tea.py").write_text("def tea(): ...\n", "utf-8")
    with recollect.open(tmp_path) as project, pytest.raises(UsageError, match="cannot rank code"):
        project.search("tea", profile="engrava")
