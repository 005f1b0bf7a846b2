"""What belongs to a conversation: nothing is sent twice, and what was used is learned."""

import os
import subprocess
import time

import pytest

import recollect
from recollect.retrieve.delta import SILENCE, Seen

TASK = "send an order again"
CLIENT = "shop/client.py"


def forms(pack):
    return {item.hit.name: item.form for item in pack.items}


def test_a_session_is_sent_a_text_once_and_then_only_what_changed(shop):
    with recollect.open(shop) as project:
        first = project.context(TASK, session="s")
    assert forms(first)[CLIENT] == "body"
    with recollect.open(shop) as project:
        again = project.context(TASK, session="s")
        other = project.context(TASK, session="t")
        nobody = project.context(TASK)
    assert forms(again)[CLIENT] == "unchanged"
    assert forms(other)[CLIENT] == forms(nobody)[CLIENT] == "body"
    assert again.tokens < first.tokens
    file = shop / "shop" / "client.py"
    text = file.read_text(encoding="utf-8").replace("policy.attempts", "policy.tries")
    file.write_text(text, encoding="utf-8")
    with recollect.open(shop) as project:
        changed = project.context(TASK, session="s")
    (client,) = (item for item in changed.items if item.hit.name == CLIENT)
    assert client.form == "delta"
    assert "+        for attempt in range(self.policy.tries):" in client.hit.text


def test_what_one_session_was_spared_is_never_kept_for_others(shop):
    with recollect.open(shop) as project:
        for session in ("s", "s", "", "t", ""):
            pack = project.context(TASK, session=session)
            assert session == "s" or "unchanged" not in forms(pack).values()


def test_a_session_that_was_silent_for_half_an_hour_has_seen_nothing():
    assert SILENCE == 30 * 60
    seen = Seen()
    seen.begin("s", 1000.0)
    seen.mark("s", "c1", "text")
    seen.begin("s", 1000.0 + SILENCE)
    assert seen.before("s", "c1") == "text"
    seen.begin("s", 1001.0 + 2 * SILENCE)
    assert seen.before("s", "c1") is None


def test_damaged_notes_of_what_was_seen_are_no_reason_to_fail(shop):
    with recollect.open(shop) as project:
        project.context(TASK, session="s")
    (shop / ".recollect" / "seen.cache").write_bytes(b"nonsense")
    with recollect.open(shop) as project:
        assert "body" in forms(project.context(TASK, session="s")).values()


def test_what_an_edit_names_was_of_use_once(shop):
    with recollect.open(shop) as project:
        hits = project.search(TASK, profile="knowing", session="s")
        (send,) = (hit for hit in hits.hits if hit.name == "Client.send")
        assert project.used("nothing of it") == ()
        assert project.used("client.send(order)", "another") == ()
        assert project.used("client.send(order)", "s") == (send.id,)
        assert project.used("client.send(order)", "s") == ()
        explained = project.why(TASK, "Client.send", profile="knowing")
    (terms,) = (step.terms for step in explained.steps if step.stage == "rerank.composite")
    assert terms["feedback"] == pytest.approx(0.25)


def test_what_a_session_ignored_counts_against_it_under_its_own_question(shop):
    with recollect.open(shop) as project:
        project.search(TASK, profile="knowing", session="s")
        project.used("client.send(order)", "s")
        project.search("waiting time", profile="knowing", session="s")
        explained = project.why(TASK, "RetryPolicy", profile="knowing")
        elsewhere = project.why("order delivery", "RetryPolicy", profile="knowing")
    (terms,) = (step.terms for step in explained.steps if step.stage == "rerank.composite")
    assert terms["feedback"] == pytest.approx(-0.05)
    (terms,) = (step.terms for step in elsewhere.steps if step.stage == "rerank.composite")
    assert terms["feedback"] == 0.0


def test_words_of_questions_are_learned_from_what_was_used_for_them(shop):
    with recollect.open(shop) as project:
        for word in ("stubborn", "stubborn redelivery"):
            query_id = project.search(word + " RetryPolicy", profile="knowing").query_id
            (policy,) = (hit.id for hit in project.search("RetryPolicy").hits if hit.name == "RetryPolicy")
            project.feedback(query_id, [policy])
    with recollect.open(shop) as project:
        hits = project.search("stubborn", profile="knowing")
    assert hits.hits[0].name == "RetryPolicy"
    assert 'it was used 2 times for "stubborn"' in hits.hits[0].reasons


def test_lines_of_a_fresh_commit_count_a_little_more(shop):
    def git(*arguments, date):
        who = ("-c", "user.name=a", "-c", "user.email=a@b")
        dates = os.environ | {"GIT_COMMITTER_DATE": date, "GIT_AUTHOR_DATE": date}
        subprocess.run(["git", *who, *arguments], cwd=shop, check=True, capture_output=True, env=dates)

    git("commit", "-q", "--amend", "--no-edit", date="2020-01-01T00:00:00")
    with recollect.open(shop) as project:
        project.index()
        project.read_history()
        before = project.why(TASK, "Client.send", profile="knowing")
    file = shop / "shop" / "client.py"
    file.write_text(file.read_text(encoding="utf-8").replace("Send one", "Send an"), encoding="utf-8")
    git("commit", "-qam", "Say it", date=str(int(time.time())))
    with recollect.open(shop) as project:
        project.index()
        project.read_history()
        after = project.why(TASK, "Client.send", profile="knowing")
    (old, new) = (
        {step.stage: step.terms for step in found.steps}["rerank.composite"] for found in (before, after)
    )
    assert new["commit"] == pytest.approx(0.05)
    assert old["commit"] == 0.0
