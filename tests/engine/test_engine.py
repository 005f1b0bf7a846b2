import pytest

import recollect
from recollect.errors import UsageError


def names(hits):
    return [hit.name for hit in hits.hits]


def test_the_first_search_indexes(shop):
    with recollect.open(shop) as project:
        assert "Client.send" in names(project.search("send an order again"))


def test_a_folder_inside_opens_the_repository_around_it(shop):
    with recollect.open(shop / "shop") as project:
        assert project.root == shop


def test_a_name_finds_its_definition_first_and_says_so(shop):
    with recollect.open(shop) as project:
        hit = project.search("Client.send").hits[0]
    assert (hit.name, hit.path, hit.score, hit.confidence) == ("Client.send", "shop/client.py", 1.0, 1.0)
    assert "defines Client.send" in hit.reasons
    assert hit.text.startswith("    def send(self")
    assert hit.text.endswith("return order")


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("RetryPolicy", "RetryPolicy"),
        ("retrypolicy", "RetryPolicy"),
        ("shop/retry.py", "RetryPolicy"),
        ("shop/retry.py:6", "RetryPolicy.waiting_time"),
        ("waiting_time()", "RetryPolicy.waiting_time"),
        ("Client::send", "Client.send"),
    ],
)
def test_names_and_places_in_every_spelling_lead_to_what_they_mean(shop, query, name):
    with recollect.open(shop) as project:
        best = project.search(query).hits[0]
    assert (best.name, best.score) == (name, 1.0)


def test_prose_is_found(shop):
    with recollect.open(shop) as project:
        assert project.search("exponential backoff").hits[0].path == "README.md"


def test_scores_fall_and_stay_in_the_unit_interval(shop):
    with recollect.open(shop) as project:
        scores = [hit.score for hit in project.search("order attempt policy").hits]
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= score <= 1 for score in scores)


def test_the_same_question_has_the_same_answer(shop):
    with recollect.open(shop) as project:
        assert project.search("retry policy") == project.search("retry policy")


def test_no_two_hits_are_the_same_thing(shop):
    with recollect.open(shop) as project:
        hits = project.search("send order deliver attempt", limit=50).hits
    assert len({hit.id for hit in hits}) == len(hits)
    spans = [
        (hit.path, hit.start_line, hit.end_line)
        for hit in hits
        if hit.kind in {"chunk", "function", "method"}
    ]
    assert len(set(spans)) == len(spans)


def test_filters_hold(shop):
    with recollect.open(shop) as project:
        assert all(
            not hit.path.startswith("tests")
            for hit in project.search("client send", include_tests=False).hits
        )
        assert {hit.kind for hit in project.search("client", kinds="class").hits} == {"class"}
        assert {hit.path for hit in project.search("order", path_prefixes=["shop/"]).hits} <= {
            "shop/client.py",
            "shop/retry.py",
        }
        assert project.search("order", languages=["go"]).hits == ()


def test_an_unknown_option_is_refused_with_the_nearest(shop):
    with recollect.open(shop) as project, pytest.raises(UsageError, match="Did you mean 'languages'"):
        project.search("x", language="go")


@pytest.mark.parametrize("limit", [0, -1, 1001])
def test_a_limit_out_of_range_is_refused(shop, limit):
    with recollect.open(shop) as project, pytest.raises(UsageError, match="between 1 and 1000"):
        project.search("x", limit=limit)


def test_the_limit_holds(shop):
    with recollect.open(shop) as project:
        assert len(project.search("order", limit=2).hits) == 2


def test_a_large_limit_is_honoured(shop):
    lines = (f"def order_{number}():\n    return {number}\n" for number in range(300))
    (shop / "many.py").write_text("\n\n".join(lines), encoding="utf-8")
    with recollect.open(shop) as project:
        assert len(project.search("order", limit=250).hits) == 250


def test_an_edited_index_answers_as_a_fresh_one(shop):
    with recollect.open(shop) as project:
        project.index()
        for path in ("b.py", "a.py", "c.py"):
            (shop / path).write_text("def order():\n    return 1\n", encoding="utf-8")
            project.index()
        edited = project.search("order return", limit=50)
        project.index(full=True)
        assert project.search("order return", limit=50) == edited


def test_an_edit_is_seen_by_the_next_search(shop):
    with recollect.open(shop) as project:
        project.search("order")
        file = shop / "shop" / "retry.py"
        file.write_text(
            file.read_text(encoding="utf-8") + "\n\ndef jitter() -> float:\n    return 0.1\n",
            encoding="utf-8",
        )
        hit = project.search("jitter").hits[0]
    assert (hit.name, hit.stale) == ("jitter", False)
    assert "return 0.1" in hit.text


def test_a_deleted_file_never_appears(shop):
    with recollect.open(shop) as project:
        assert names(project.search("RetryPolicy"))[0] == "RetryPolicy"
        (shop / "shop" / "retry.py").unlink()
        assert all(hit.path != "shop/retry.py" for hit in project.search("RetryPolicy").hits)


def test_files_that_change_after_the_look_are_read_again_and_named(shop, monkeypatch):
    with recollect.open(shop) as project:
        project.index()
        monkeypatch.setattr(type(project), "ready", lambda self: ())
        file = shop / "shop" / "client.py"
        file.write_text("# moved down\n\n\n" + file.read_text(encoding="utf-8"), encoding="utf-8")
        hits = project.search("Client.send")
    assert hits.reread == ("shop/client.py",)
    assert hits.hits[0].text.startswith("    def send(self")


def test_files_that_vanish_after_the_look_are_left_out(shop, monkeypatch):
    with recollect.open(shop) as project:
        project.index()
        monkeypatch.setattr(type(project), "ready", lambda self: ())
        (shop / "shop" / "client.py").unlink()
        assert all(hit.path != "shop/client.py" for hit in project.search("Client.send").hits)


def test_while_another_process_writes_changed_files_are_marked_stale(shop, monkeypatch):
    from recollect.index.project import project_at
    from recollect.store.sqlite.lock import writer_lock

    with recollect.open(shop) as project:
        project.index()
        file = shop / "shop" / "client.py"
        file.write_text("# moved down\n" + file.read_text(encoding="utf-8"), encoding="utf-8")
        with writer_lock(project_at(shop).lock, 1):
            hits = project.search("Client.send")
    assert hits.hits[0].stale
    assert any("Another process" in note for note in hits.degraded)


@pytest.mark.parametrize("query", ["", "   ", "😀", "\0", '"""', "AND OR NOT", "x" * 100_000, "the of and"])
def test_any_query_is_answered_or_says_why_not(shop, query):
    with recollect.open(shop) as project:
        hits = project.search(query)
    assert hits.hits or hits.degraded or query == "x" * 100_000


def test_an_unknown_name_is_said_to_be_unknown(shop):
    with recollect.open(shop) as project:
        hits = project.search("retry_nothing")
    assert any("Nothing is named retry_nothing" in note for note in hits.degraded)


def test_indexing_again_finds_nothing_to_do(shop):
    with recollect.open(shop) as project:
        assert project.index().mode == "full"
        assert project.refresh().mode == "unchanged"
        report = project.index(full=True)
    assert (report.mode, report.parsed) == ("full", 0)


def test_progress_is_told(shop):
    told = []
    with recollect.open(shop) as project:
        project.index(progress=told.append)
    assert told
    assert all(0 <= progress.done <= progress.total for progress in told if progress.total)


def test_status_before_and_after(shop):
    with recollect.open(shop) as project:
        assert not project.status().indexed
        project.index()
        status = project.status()
        assert (status.indexed, status.complete, status.pending) == (True, True, 0)
        assert status.languages["python"] == 3
        assert status.commit == status.indexed_commit != ""
        (shop / "new.py").write_text("x = 1\n", encoding="utf-8")
        assert project.status().pending == 1


def test_status_of_an_unindexed_folder_writes_nothing(shop):
    with recollect.open(shop) as project:
        project.status()
    assert not (shop / ".recollect").exists()


def test_a_damaged_index_is_made_anew(shop):
    with recollect.open(shop) as project:
        project.index()
    for file in (shop / ".recollect").glob("index.db*"):
        file.write_bytes(b"this is not a database" * 500)
    with recollect.open(shop) as project:
        assert names(project.search("Client.send"))[0] == "Client.send"


def test_damage_that_shows_only_while_answering_is_repaired_too(shop):
    import apsw

    with recollect.open(shop) as project:
        project.index()
    connection = apsw.Connection(str(shop / ".recollect" / "index.db"))
    connection.execute("UPDATE segment SET edges = x'00'")
    connection.close()
    with recollect.open(shop) as project:
        assert [one.name for one in project.impact("deliver", depth=1).reached] == ["Client.send"]


def test_doctor_finds_nothing_in_a_sound_project(shop):
    with recollect.open(shop) as project:
        project.index()
        assert project.doctor().to_dict() == {"healthy": True, "findings": (), "repaired": ()}


def test_an_index_that_was_not_finished_is_found_and_repaired(shop):
    from recollect.store.sqlite.store import open_index

    with recollect.open(shop) as project:
        project.index()
    store = open_index(shop / ".recollect" / "index.db")
    with store.writer() as writer:
        writer.set_meta("complete", "0")
    store.close()
    with recollect.open(shop) as project:
        assert not project.doctor().healthy
        repaired = project.doctor(repair=True)
        assert repaired.healthy
        assert repaired.repaired


def test_a_url_of_another_kind_is_refused_with_a_sentence():
    with pytest.raises(UsageError, match="postgresql://"):
        recollect.open("mysql://host/db")


def test_a_missing_folder_is_refused_with_a_sentence(tmp_path):
    with pytest.raises(UsageError, match="no such folder"):
        recollect.open(tmp_path / "nowhere")


def test_settings_come_from_arguments_too(shop):
    with recollect.open(shop, max_file_bytes=10) as project:
        assert project.index().skipped


def test_extra_patterns_leave_files_out_and_take_them_in_again(shop):
    with recollect.open(shop, ignore=["retry.py", "tests/"]) as project:
        assert project.index().files == 2
        assert project.status().pending == 0
    with recollect.open(shop) as project:
        assert project.search("RetryPolicy").hits[0].path == "shop/retry.py"
    with recollect.open(shop / "shop", ignore=["/shop/client.py"]) as project:
        assert all(hit.path != "shop/client.py" for hit in project.search("Client").hits)


def test_watching_tells_each_round_and_ends_with_close(shop):
    told = []
    project = recollect.open(shop)

    def tell(watched):
        told.append(watched.report.mode)
        project.close()

    project.watch(tell)
    assert told == ["full"]
