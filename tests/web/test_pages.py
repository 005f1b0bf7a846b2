"""What each page shows, asked in this process."""

import re
from html.parser import HTMLParser

import pytest
from tests.web.conftest import HOSTILE

from recollect.web.shown import plain
from recollect.web.tray import Tray

ALIKE = (
    "Retry policy: idempotent requests are retried three times with jitter",
    "The retry policy retries idempotent requests with jitter and backoff",
    "Retries of idempotent requests follow the retry policy with backoff",
    "Idempotent requests: the retry policy uses jitter between retries",
    "Green tea is brewed at eighty degrees",
    "Lunch on Fridays is at noon",
    "The printer is out of paper again",
)


class Read(HTMLParser):
    """What a browser would make of a page: its elements with their attributes, and its text."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.texts = [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data):
        self.texts.append(data)


def inner(text):
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", text))


def test_search_shows_hits_with_their_source_and_reasons(visitor):
    text = visitor.see("/", q="retry policy")
    assert "shop/retry.py" in text
    assert "RetryPolicy" in text
    assert "words match" in text
    assert 'class="score"' in text


def test_search_without_a_question_shows_the_project(visitor):
    text = inner(visitor.see("/"))
    assert "What do you need to know?" in text
    assert re.search(r"\d+ files", text)


def test_nothing_found_is_said(visitor):
    assert "Nothing was found" in visitor.see("/", q="zzzzqqqq")


def test_search_finds_memories_too(visitor):
    visitor.served.project().remember("We retry idempotent calls only", kind="decision")
    assert "We retry idempotent calls only" in visitor.see("/", q="which calls may we retry")


def test_the_waterfall_is_drawn_from_the_explanation(visitor):
    query = "retry policy"
    project = visitor.served.project()
    hit = project.search(query).hits[0]
    found = project.why(query, hit.id)
    text = visitor.see("/why", q=query, id=hit.id)
    assert found.verdict in inner(text)
    for step in found.steps:
        assert step.stage.partition(".")[2].replace("_", " ") in text
        if step.score is not None and not step.stage.startswith("channel."):
            assert f"{step.score:.3f}" in text


def test_htmx_gets_the_waterfall_alone(visitor):
    hit = visitor.served.project().search("retry policy").hits[0]
    part = visitor.client.get(
        "/why", params={"q": "retry policy", "id": hit.id}, headers={"hx-request": "true"}
    )
    assert part.status_code == 200
    assert "<html" not in part.text
    assert 'class="waterfall"' in part.text


def test_feedback_is_filed(visitor):
    hit = visitor.served.project().search("retry policy").hits[0]
    answer = visitor.send("/feedback", query_id=hit.query_id, id=hit.id, useful="yes")
    assert "Noted" in answer.text
    assert visitor.send("/feedback", query_id="q0", id=hit.id, useful="yes").status_code == 404


def test_the_graph_leads_from_symbol_to_symbol(visitor):
    text = visitor.see("/graph", symbol="Client.send")
    assert "deliver" in text
    for place in set(re.findall(r'href="(/graph\?symbol=[^"&]+)"', text)):
        assert visitor.client.get(place.replace("&amp;", "&")).status_code == 200


def test_a_symbol_that_is_not_there_gets_suggestions(visitor):
    answer = visitor.client.get("/graph", params={"symbol": "RetryPolice"})
    assert answer.status_code == 404
    assert "No symbol is called" in answer.text


def test_what_a_change_may_concern_is_listed(visitor):
    text = visitor.see("/graph/impact", symbol="deliver", direction="callers")
    assert "Client.send" in text
    assert "2 steps away" in inner(text)
    assert (
        visitor.client.get("/graph/impact", params={"symbol": "deliver", "direction": "up"}).status_code
        == 400
    )


def test_a_memory_is_written_read_replaced_linked_pinned_and_put_away(visitor):
    first = visitor.send(
        "/memories/remember", text="We retry three times", tags="http, retry", kind="decision"
    )
    own = first.url.path.rpartition("/")[2]
    assert "We retry three times" in first.text
    second = visitor.send("/memories/remember", text="We retry five times", supersedes=own)
    newer = second.url.path.rpartition("/")[2]
    assert "supersedes" in second.text
    old = visitor.see(f"/memories/{own}")
    assert "superseded by" in old
    assert visitor.send(f"/memories/{newer}/link", type="see_also", other=own).status_code == 200
    links = visitor.served.project().memories.of("project").links(newer)
    assert {link["type"] for link in links} == {"supersedes", "see_also"}
    visitor.send(f"/memories/{own}/link", type="see_also", other=newer, remove="yes", incoming="yes")
    links = visitor.served.project().memories.of("project").links(newer)
    assert {link["type"] for link in links} == {"supersedes"}
    assert "pinned" in visitor.send(f"/memories/{newer}/pin", pinned="yes").text
    assert "No longer pinned" in visitor.send(f"/memories/{newer}/pin", pinned="no").text
    visitor.send(f"/memories/{newer}/archive", archived="yes")
    assert "We retry five times" not in visitor.see("/memories", status="active")
    assert "We retry five times" in visitor.see("/memories", archived="yes")
    visitor.send(f"/memories/{newer}/archive", archived="no")
    assert "We retry five times" in visitor.see("/memories", status="active")


def test_memories_can_be_asked_and_narrowed(visitor):
    project = visitor.served.project()
    project.remember("Orders wait with backoff", tags=["http"])
    project.remember("Tea is sold in bags", kind="fact")
    assert "Orders wait" in visitor.see("/memories", q="how do orders wait")
    only = visitor.see("/memories", tag="http")
    assert "Orders wait" in only
    assert "Tea is sold" not in only


def test_a_memory_that_holds_a_secret_is_refused_with_a_sentence(visitor):
    text = "the token is ghp_" + "x8Kq2Vw9Lm4Zt7Rb" + "N3cY6pHs1JdF5gTeWuQa"
    answer = visitor.send("/memories/remember", text=text, tags="login")
    assert answer.status_code == 422
    assert "looks like it holds a secret" in answer.text
    assert text in answer.text, "what was typed is not lost"
    assert visitor.served.project().timeline().total == 0


def test_forgetting_shows_first_what_would_go(visitor):
    project = visitor.served.project()
    gone = project.remember("Forget the blue teapot", tags=["tea"])
    kept = project.remember("Keep the green teapot", tags=["tea"])
    shown = visitor.see("/memories/forget", tag="tea")
    assert "2 memories would go" in shown
    assert project.timeline().total == 2
    answer = visitor.send("/memories/forget", id=gone.id)
    assert "Forgotten from every file: 1 memory" in answer.text
    assert [item.id for item in project.timeline().items] == [kept.id]
    assert visitor.send("/memories/forget").status_code == 400


def test_what_was_forgotten_can_be_brought_back_whole_and_lies_in_no_file_meanwhile(visitor):
    project = visitor.served.project()
    gone = project.remember("The blue teapot leaks", kind="negative", tags=["tea"], created="2026-05-01")
    newer = project.remember("The blue teapot was mended", links={"supersedes": [gone.id]})
    before = {row["id"]: row for row in project.memories.of("project").export()}
    visitor.send("/memories/forget", id=gone.id)
    files = [file for file in (visitor.served.root / ".recollect").rglob("*") if file.is_file()]
    assert not [file for file in files if b"teapot leaks" in file.read_bytes()]
    assert "1 memory forgotten" in inner(visitor.see("/memories"))
    assert "Brought back: 1 memory" in visitor.send("/memories/forget/undo").text
    assert {row["id"]: row for row in project.memories.of("project").export()} == before
    assert newer.id in visitor.see(f"/memories/{gone.id}")
    assert "Undo" not in visitor.see("/memories")
    assert visitor.send("/memories/forget/undo").status_code == 404


def test_after_a_while_nothing_is_left_to_bring_back(visitor):
    project = visitor.served.project()
    gone = project.remember("The blue teapot leaks")
    tray = Tray(seconds=0.01)
    tray.forget(project, [gone.id])
    tray._clock.join(10)
    assert tray.count == 0


def test_what_has_faded_is_shown_before_it_is_put_away(visitor):
    project = visitor.served.project()
    project.remember("An offer that has ended", expires="2026-01-01", created="2025-12-01")
    assert "An offer that has ended" in visitor.see("/memories/hygiene")
    assert "Put away: 1 memory" in visitor.send("/memories/hygiene").text


def test_a_dream_is_seen_before_it_is_dreamt_told_of_and_taken_back(visitor):
    project = visitor.served.project()
    for text in ALIKE:
        project.remember(text)
    assert "would do this" in visitor.see("/dreams", **{"try": "yes"})
    assert project.dreams() == []
    assert "Dream 1 is over" in visitor.send("/dreams").text
    (done,) = project.dreams()
    assert done.reflections
    text = inner(visitor.see("/dreams"))
    assert f"{done.looked_at} looked at" in text
    assert f"{len(done.reflections)} reflections" in text
    for made in (*done.reflections, *done.cards):
        assert made in visitor.see("/dreams")
        assert visitor.see(f"/memories/{made}")
    assert visitor.see("/memories")
    assert "was taken back" in visitor.send("/dreams/undo", number="1").text
    assert project.dreams()[0].undone
    assert visitor.send("/dreams/undo", number="1").status_code == 404
    assert visitor.send("/dreams/undo", number="x").status_code == 400


def test_the_index_page_tells_how_fresh_it_is_and_looks_again(visitor):
    assert "Every file as it was indexed" in visitor.see("/index/live")
    (visitor.served.project().root / "shop" / "new.py").write_text("def brand_new(): ...\n", encoding="utf-8")
    assert visitor.send("/index/run").status_code == 200
    assert visitor.served.wait(20)
    assert "brand_new" in visitor.see("/", q="brand_new")


def test_a_profile_is_saved_once_it_is_good(visitor):
    bad = visitor.send("/settings/profile", name="mine", text="limits = 3", base="code")
    assert bad.status_code == 422
    assert "there is no key &#39;limits&#39;" in bad.text
    assert "limits = 3" in bad.text
    good = visitor.send("/settings/profile", name="mine", text='extends = "code"\nlimit = 3\n', base="code")
    assert "Saved" in good.text
    assert "mine" in visitor.see("/", q="retry")
    assert visitor.see("/", q="retry", profile="mine")


def test_what_is_being_typed_is_checked(visitor):
    assert "Good as it stands" in visitor.send("/settings/check", name="mine", text='extends = "code"').text
    assert "not valid TOML" in visitor.send("/settings/check", name="mine", text="=").text
    assert "at least 1" in visitor.send("/settings/check", text="workers = 0").text


def test_settings_are_saved_where_the_engine_reads_them(visitor):
    assert "must be at least 1" in visitor.send("/settings/project", text="workers = 0").text
    assert "Saved" in visitor.send("/settings/project", text="workers = 1\n").text
    root = visitor.served.project().root
    assert (root / ".recollect" / "config.toml").read_text(encoding="utf-8") == "workers = 1\n"


@pytest.mark.parametrize("text", HOSTILE)
def test_whatever_a_memory_says_stays_text(visitor, text):
    project = visitor.served.project()
    item = project.remember(text, tags=[text], author=text, source=text, session=text, metadata={text: text})
    other = project.remember(f"Another {text}", links={"contests": [item.id]})
    pages = ("/memories", f"/memories/{item.id}", f"/memories/{other.id}", f"/memories/forget?id={item.id}")
    for page in (*pages, "/memories?q=another", "/?q=another", "/memories/hygiene"):
        shown = visitor.see(page)
        read = Read(shown)
        scripts = [given for tag, given in read.elements if tag == "script"]
        assert all(given["src"].startswith("/static/") for given in scripts), page
        assert not {"img", "iframe", "object", "embed", "base", "style"} & {tag for tag, _ in read.elements}
        for tag, given in read.elements:
            assert not [name for name in given if name.startswith("on") or name == "style"], (
                page,
                tag,
                given,
            )
            for name in ("href", "src", "action", "hx-get", "hx-post"):
                assert given.get(name, "/")[:1] in ("/", "#", ""), (page, tag, given)
        visible = re.sub(r"<textarea.*?</textarea>", "", shown, flags=re.DOTALL)
        assert not re.search("[\x00-\x08\x0b-\x1f\x7f\u202a-\u202e\u2066-\u2069]", visible), page


def test_the_words_of_a_hostile_memory_are_all_there_to_be_read(visitor):
    for text in HOSTILE:
        item = visitor.served.project().remember(text)
        shown = "".join(Read(visitor.see(f"/memories/{item.id}")).texts)
        assert plain(text) in shown


def test_a_question_and_a_symbol_stay_text(visitor):
    attack = '"><script>alert(1)</script>'
    for path, name in (
        ("/", "q"),
        ("/memories", "q"),
        ("/graph", "symbol"),
        ("/settings", "profile"),
        ("/bench", "run"),
    ):
        shown = visitor.client.get(path, params={name: attack}).text
        assert "<script>alert" not in shown, path
    assert "<script>" not in visitor.client.get("/memories", params={"notice": attack}).text


def test_source_text_stays_text(visitor):
    root = visitor.served.project().root
    (root / "shop" / "bad.py").write_text(
        'PAGE = "<script>alert(1)</script><img onerror=x>"\n', encoding="utf-8"
    )
    shown = visitor.see("/", q="PAGE")
    assert "bad.py" in shown
    assert "<script>alert" not in shown
    assert "<img" not in shown


def test_a_page_that_is_not_there_and_an_item_that_is_not_there_are_sentences(visitor):
    assert "There is no such page" in visitor.client.get("/nothing").text
    answer = visitor.client.get("/memories/mmmmmmmmmmmmmm")
    assert answer.status_code == 404
    assert "There is no memory" in answer.text


def test_no_page_asks_anything_of_another_host(visitor):
    for path in (
        "/",
        "/?q=retry",
        "/graph?symbol=Client",
        "/memories",
        "/dreams",
        "/index",
        "/bench",
        "/settings",
    ):
        shown = visitor.see(path)
        assert not re.search(r"""(?:src|href|action|hx-\w+)=["'](?:https?:)?//""", shown), path
        assert "style=" not in shown, path
