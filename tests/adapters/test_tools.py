import json

import pytest

from recollect import engine
from recollect.adapters.tools import Tools


@pytest.fixture
def tools(shop):
    with engine.open(shop) as project:
        yield Tools(project)


def test_both_forms_carry_the_same_tools(tools):
    openai = [tool["function"] for tool in tools.openai()]
    anthropic = tools.anthropic()
    assert [tool["name"] for tool in openai] == [tool["name"] for tool in anthropic]
    assert [tool["parameters"] for tool in openai] == [tool["input_schema"] for tool in anthropic]
    assert tools.instructions.startswith("recollect knows")


def test_arguments_come_as_values_or_as_the_json_of_a_model(tools):
    given = {"query": "RetryPolicy", "limit": 1}
    assert tools.call("search", given) == tools.call("search", json.dumps(given))
    assert "shop/retry.py" in tools.call("search", given).text


@pytest.mark.parametrize(
    ("name", "arguments", "said"),
    [
        ("serach", {}, "There is no tool 'serach'"),
        ("search", {}, "needs the argument 'query'"),
        ("search", "{", "no JSON"),
        ("search", "[]", "one JSON object"),
        ("symbol", {"name": "NoSuchThingAnywhere"}, "No symbol is called"),
    ],
)
def test_a_failure_is_a_sentence_for_the_model(tools, name, arguments, said):
    result = tools.call(name, arguments)
    assert result.failed
    assert said in result.text


def test_feedback_takes_items_as_they_were_shown(tools):
    tools.call("search", {"query": "RetryPolicy"})
    assert tools.call("feedback", {"used": ["RetryPolicy"]}).text.startswith("1 filed as used.")
