"""This machine only, and nobody without the key."""

import pytest
from starlette.testclient import TestClient
from tests.web.conftest import PORT

from recollect.errors import UsageError
from recollect.web.app import build
from recollect.web.door import Door
from recollect.web.serve import loopback


@pytest.fixture
def stranger(visitor):
    return TestClient(
        build(visitor.served, visitor.door), base_url=visitor.door.address, follow_redirects=False
    )


@pytest.mark.parametrize("path", ["/", "/memories", "/settings", "/index/live", "/bench/report", "/nothing"])
def test_without_the_key_nothing_is_shown(stranger, path):
    answer = stranger.get(path)
    assert answer.status_code == 401
    assert "recollect serve printed" in answer.text
    assert "shop" not in answer.text


def test_a_wrong_key_is_refused_and_sets_no_cookie(stranger):
    answer = stranger.get("/?token=wrong")
    assert answer.status_code == 403
    assert "set-cookie" not in answer.headers


def test_the_key_is_exchanged_for_a_cookie_that_scripts_and_other_sites_never_get(stranger, visitor):
    answer = stranger.get(f"/memories?token={visitor.door.token}")
    assert (answer.status_code, answer.headers["location"]) == (303, "/memories")
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert visitor.door.token.lower() not in cookie
    assert stranger.get("/memories").status_code == 200


def test_the_way_in_never_leads_to_another_host(stranger, visitor):
    answer = stranger.get(f"//evil.example.com/?token={visitor.door.token}")
    assert not answer.headers.get("location", "/").startswith("//")


@pytest.mark.parametrize(
    "host",
    ["evil.example.com", f"evil.example.com:{PORT}", "127.0.0.1", "127.0.0.1:1", "", "127.0.0.1.nip.io"],
)
def test_another_name_for_this_machine_is_refused_even_with_the_cookie(visitor, host):
    answer = visitor.client.get("/", headers={"host": host})
    assert answer.status_code == 421
    assert "127.0.0.1" in answer.text


def test_localhost_is_a_name_of_this_machine(visitor):
    cookie = f"{visitor.door.cookie}={visitor.door.session}"
    answer = visitor.client.get("/", headers={"host": f"localhost:{PORT}", "cookie": cookie})
    assert answer.status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://evil.example.com"},
        {"origin": "null"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
    ],
)
def test_a_form_of_another_site_changes_nothing(visitor, headers):
    fields = {"csrf": visitor.door.form_token, "text": "Written by a stranger"}
    answer = visitor.client.post("/memories/remember", data=fields, headers=headers)
    assert answer.status_code == 403
    assert "Written by a stranger" not in visitor.see("/memories")


@pytest.mark.parametrize("token", [None, "", "wrong"])
def test_a_form_without_its_token_changes_nothing(visitor, token):
    fields = {"text": "Written without a token"} | ({} if token is None else {"csrf": token})
    assert visitor.client.post("/memories/remember", data=fields).status_code == 403
    assert "Written without a token" not in visitor.see("/memories")


def test_every_form_that_changes_something_carries_the_token(visitor):
    item = visitor.served.project().remember("One to look at")
    other = visitor.served.project().remember("Another", links={"supersedes": [item.id]})
    pages = ["/", "/?q=retry", "/memories", f"/memories/{other.id}", "/memories/forget?query=one", "/index"]
    for path in (*pages, "/settings", "/bench", "/memories/hygiene"):
        text = visitor.see(path)
        forms = text.split("<form")[1:]
        assert forms or path == "/memories/hygiene", path
        for form in forms:
            body = form.partition("</form>")[0]
            assert ('method="post"' in body) == (visitor.door.form_token in body), body[:200]


def test_a_form_that_is_too_large_is_refused_with_a_sentence(visitor):
    answer = visitor.client.post("/memories/remember", headers={"content-length": "999999999"}, content=b"")
    assert answer.status_code == 413
    assert "larger than this page takes" in answer.text


def test_every_answer_forbids_what_the_page_does_not_need(visitor):
    for path in ("/", "/memories", "/static/recollect.css", "/nothing", "/index/live"):
        headers = visitor.client.get(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert "script-src 'self';" in policy
        assert "frame-ancestors 'none'" in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "same-origin", "with less, browsers send forms as from nowhere"
        assert not [name for name in headers if name.startswith("access-control-")]
    assert visitor.client.get("/memories").headers["cache-control"] == "no-store"


def test_a_question_whether_other_sites_may_ask_is_refused(visitor):
    answer = visitor.client.options(
        "/", headers={"origin": "http://evil", "access-control-request-method": "GET"}
    )
    assert answer.status_code == 403
    assert not [name for name in answer.headers if name.startswith("access-control-")]


def test_two_servers_do_not_know_each_others_cookies():
    first, second = Door(1), Door(2)
    assert first.knows(f"{first.cookie}={first.session}")
    assert not second.knows(f"{first.cookie}={first.session}; {second.cookie}={first.session}")


@pytest.mark.parametrize("host", ["0.0.0.0", "192.168.1.5", "example.com", "::", ""])
def test_an_address_that_others_can_reach_is_refused_with_a_sentence(host):
    with pytest.raises(UsageError, match="this machine only"):
        loopback(host)


@pytest.mark.parametrize(
    ("host", "own"), [("127.0.0.1", "127.0.0.1"), ("::1", "::1"), ("localhost", "127.0.0.1")]
)
def test_addresses_of_this_machine_are_taken(host, own):
    assert loopback(host) == own
