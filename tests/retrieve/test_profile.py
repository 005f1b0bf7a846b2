import pytest

from recollect.errors import ConfigError, NotFoundError
from recollect.retrieve.compare import diff_profiles, list_profiles, show_profile
from recollect.retrieve.profile import load_profile, read_override

GOOD = """
description = "mine"
[[channel]]
use = "bm25"
[[fuse]]
use = "rrf"
"""


def written(folder, text, name="mine"):
    (folder / f"{name}.toml").write_text(text, encoding="utf-8")
    return name, (folder,)


def load(folder, text, overrides=None):
    name, folders = written(folder, text)
    return load_profile(name, overrides, folders)


def test_a_project_may_have_its_own_profile(tmp_path):
    assert load(tmp_path, GOOD).description == "mine"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (GOOD + "limits = 3\n", ["[[fuse]] rrf", "'limits'", "absent"]),
        ("typo = 1\n" + GOOD, ["'typo'", "budget"]),
        (GOOD + 'k = "many"\n', ["[[fuse]] rrf", "int", "str", "$.k"]),
        ("budget = true\n" + GOOD, ["'budget'", "int"]),
        (GOOD.replace("bm25", "bm26"), ["'bm26'", "tiered"]),
        ('[[channel]]\nuse = "bm25"\n', ["fuse stage is missing", "rrf"]),
        ('[[fuse]]\nuse = "rrf"\n', ["no channel"]),
        (GOOD + '[[channel]]\nuse = "bm25"\n', ["channel.bm25 stands twice"]),
        (GOOD + '[[fuse]]\nuse = "linear"\n', ["several fuse"]),
        ("channel = 3\n", ["'channel'", "[[channel]]"]),
        ("[[channel]]\nweight = 1.0\n", ["no use"]),
        (GOOD.replace("[[fuse]]", "[[fuze]]"), ["'fuze'"]),
        ("nonsense", ["not valid TOML"]),
        (GOOD + "weight = 2.0\n", ["'weight'"]),
    ],
)
def test_a_bad_profile_is_refused_with_file_key_and_what_is_allowed(tmp_path, text, said):
    with pytest.raises(ConfigError) as caught:
        load(tmp_path, text)
    message = str(caught.value)
    assert "mine.toml" in message
    assert [word for word in said if word not in message] == []


def test_an_unknown_profile_names_the_known_ones():
    with pytest.raises(NotFoundError, match="knowing"):
        load_profile("nothing-like-it")


def test_any_key_can_be_overridden():
    overrides = {
        "rerank.composite.blast": 0.4,
        "expand__walk__alpha": 0.5,
        "expand.walk.types.calls": 0.1,
        "channel.vector.weight": 1.0,
        "rerank.vectors.enabled": True,
        "budget": 12,
    }
    shown = show_profile(load_profile("knowing", overrides))
    assert shown["rerank.composite.blast"] == 0.4
    assert shown["expand.walk.alpha"] == 0.5
    assert shown["expand.walk.types.calls"] == 0.1
    assert shown["channel.vector.weight"] == 1.0
    assert shown["rerank.vectors.enabled"] is True
    assert shown["budget"] == 12


@pytest.mark.parametrize(
    ("key", "said"),
    [
        ("rerank.composite.blats", "blast"),
        ("rerank.compost.blast", "composite"),
        ("rank.composite.blast", "rerank"),
        ("rerank.composite", "phase.stage.key"),
        ("budgets", "budget"),
    ],
)
def test_an_override_of_nothing_names_what_there_is(key, said):
    with pytest.raises(ConfigError, match=said):
        load_profile("knowing", {key: 1.0})


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("expand.walk.alpha", "high", r"walk: Expected `float`, got `str`.*alpha"),
        ("channel.bm25.enabled", "no", r"bm25: Expected `bool`"),
        ("tokens", "guess", "tokens is 'guess'"),
    ],
)
def test_a_wrong_override_is_not_blamed_on_the_file(key, value, said):
    with pytest.raises(ConfigError, match=f"^In an override of the profile 'knowing'.*{said}"):
        load_profile("knowing", {key: value})


def test_a_wrong_file_is_blamed_although_something_is_overridden(tmp_path):
    with pytest.raises(ConfigError, match=r"mine\.toml.*'limits'"):
        load(tmp_path, GOOD + "limits = 3\n", {"channel.bm25.limit": 3})


def test_an_override_changes_the_digest():
    assert load_profile("knowing").digest == load_profile("knowing").digest
    assert load_profile("knowing").digest != load_profile("knowing", {"expand.walk.alpha": 0.3}).digest


def test_a_profile_may_extend_another(tmp_path):
    text = 'extends = "knowing"\ndescription = "other"\n[override]\n"expand.walk.alpha" = 0.4\n'
    shown = show_profile(load(tmp_path, text))
    assert (shown["description"], shown["expand.walk.alpha"], shown["fuse.rrf.limit"]) == ("other", 0.4, 40)


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("a.b.c=0.4", ("a.b.c", 0.4)),
        ("a.b.c = true", ("a.b.c", True)),
        ("a.b.c=plain words", ("a.b.c", "plain words")),
        ('a.b.c=["x"]', ("a.b.c", ["x"])),
    ],
)
def test_overrides_are_typed_as_they_look(text, read):
    assert read_override(text) == read


def test_an_override_without_a_value_is_refused():
    with pytest.raises(ConfigError, match="key=value"):
        read_override("a.b.c")


def test_listing_names_every_profile_with_its_stages():
    rows = {row["name"]: row for row in list_profiles()}
    assert {"knowing", "knowing-files", "knowing-change", "lexical"} <= set(rows)
    assert "expand.walk" in rows["knowing"]["stages"]
    assert "expand.gap_fill" not in rows["knowing"]["stages"]


def test_a_difference_names_the_key_and_both_values():
    changed = load_profile("knowing", {"expand.walk.alpha": 0.5})
    rows = diff_profiles(load_profile("knowing"), load_profile("knowing-change"))
    assert {"key": "expand.seeds.all", "knowing": False, "knowing-change": True} in rows
    assert diff_profiles(changed, changed) == []


def test_a_profile_names_how_tokens_are_counted(tmp_path):
    assert load_profile("knowing").tokens == "cl100k"
    assert load_profile("knowing", {"tokens": "chars/4"}).tokens == "chars/4"
    with pytest.raises(ConfigError, match="cl100k, chars/4, words"):
        load_profile("knowing", {"tokens": "guess"})
