import pytest

from recollect.errors import UsageError
from recollect.store.postgres.address import has_password, is_address, read


def test_a_url_is_told_from_a_path():
    assert is_address("postgresql://host/db")
    assert is_address("postgres://host/db")
    assert not is_address("/some/where")
    assert not is_address("mysql://host/db")


def test_the_space_is_taken_out_of_what_the_driver_reads():
    address = read("postgres://ann@db:5433/team?space=acme%2Fapp&sslmode=require")
    assert (address.space, address.url) == ("acme/app", "postgresql://ann@db:5433/team?sslmode=require")


def test_several_hosts_are_kept_as_they_are():
    url = "postgresql://ann@one:5432,two:5432/team?target_session_attrs=read-write"
    assert read(url).url == url


def test_a_url_without_a_host_stays_one():
    address = read("postgresql:///team?host=/run/one&space=shop")
    assert address.url == address.shown == "postgresql:///team?host=/run/one"
    assert read("postgresql:///team").url == "postgresql:///team"


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://ann:s3cr%2Ft@db/team",
        "postgresql://ann@db/team?password=s3cr%2Ft",
        "postgresql://ann:s3cr%2Ft@one,two/team",
    ],
)
def test_no_spelling_of_a_password_is_shown(url):
    address = read(url)
    assert has_password(url)
    for text in (address.shown, repr(address), address.hide(f"cannot use {url}, s3cr/t, s3cr%2Ft")):
        assert "s3cr" not in text


@pytest.mark.parametrize(
    "url", ["mysql://ann:s3cret@db", "postgresql://ann:s3cret@[db/team", "postgresql://ann:s3cret@db/x?y"]
)
def test_what_cannot_be_read_is_refused_without_being_repeated(url):
    with pytest.raises(UsageError) as refused:
        read(url)
    assert "s3cret" not in str(refused.value)
    assert refused.value.__cause__ is None
    assert refused.value.__suppress_context__ or refused.value.__context__ is None
