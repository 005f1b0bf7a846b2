import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.errors import UsageError
from recollect.mcp import offered


def test_a_call_gets_the_defaults_it_did_not_give():
    assert offered.checked("search", {"query": "x"}) == {"query": "x", "limit": 8, "tests": True}


def test_null_is_as_good_as_not_given():
    assert offered.checked("search", {"query": "x", "under": None, "limit": None})["limit"] == 8


@pytest.mark.parametrize(
    ("tool", "arguments", "said"),
    [
        ("serach", {}, "Did you mean 'search'"),
        ("search", {}, "needs the argument 'query'"),
        ("search", {"query": ""}, "needs the argument 'query'"),
        ("search", {"query": 5}, "'query' must be a text"),
        ("search", {"query": "x", "limit": True}, "'limit' must be a whole number"),
        ("search", {"query": "x", "limit": 99}, "between 1 and 50"),
        ("search", {"query": "x", "limits": 3}, "Did you mean 'limit'"),
        ("symbol", {"name": "x", "about": "all"}, "one of definition, callers"),
        ("context", {"files": ["a", 3]}, "a list of texts"),
    ],
)
def test_a_wrong_call_is_answered_with_a_sentence(tool, arguments, said):
    with pytest.raises(UsageError, match=said):
        offered.checked(tool, arguments)


@given(
    st.sampled_from(["context", "search", "symbol", "remember", "recall", "feedback"]),
    st.dictionaries(
        st.sampled_from(["query", "limit", "name", "about", "task", "budget", "files", "used", "text"]),
        st.none()
        | st.booleans()
        | st.integers()
        | st.text(max_size=20)
        | st.lists(st.text(max_size=5) | st.integers(), max_size=3),
        max_size=4,
    ),
)
def test_whatever_is_asked_is_taken_or_refused_with_a_sentence(tool, arguments):
    try:
        values = offered.checked(tool, arguments)
    except UsageError as error:
        assert str(error).endswith(".")
    else:
        assert set(values) <= set(next(t for t in offered.offered()["tools"] if t["name"] == tool)["input"])
