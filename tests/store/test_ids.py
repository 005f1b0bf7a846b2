import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.errors import UsageError
from recollect.store.ids import id_of, uid_from, uid_of


@given(uid=st.integers(0, 2**63 - 1), domain=st.sampled_from(["code", "memory"]))
def test_an_id_leads_back_to_its_uid(uid, domain):
    public = id_of(uid, domain)
    assert uid_of(public) == uid
    assert len(public) == 14
    assert public == public.lower()
    assert public[0] == domain[0]
    assert public[1:] == base64.b32encode(uid.to_bytes(8, "big"))[:13].decode().lower()


@pytest.mark.parametrize("text", ["", "c", "x" * 14, "c0189018901890", "caaaaaaaaaaaaaaa", "c" + "é" * 13])
def test_a_text_that_is_no_id_is_refused(text):
    with pytest.raises(UsageError, match="not an id"):
        uid_of(text)


def test_uids_depend_on_every_part_and_on_where_parts_end():
    uids = {uid_from("a", "b"), uid_from("ab"), uid_from("a", "b", ""), uid_from("b", "a")}
    assert len(uids) == 4
    assert all(0 <= uid < 2**63 for uid in uids)
