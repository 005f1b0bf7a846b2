import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.errors import ConfigError
from recollect.retrieve.classes import (
    match_classes,
    project_classes,
    read_classes,
    shipped_classes,
    usable_target,
)
from recollect.retrieve.fts import expansions, thesaurus
from recollect.retrieve.words import phrase_tokens

UNIVERSAL = """
ENTRY_POINT CONFIGURATION ERROR_HANDLING LOGGING MIDDLEWARE DATABASE CACHING SERIALIZATION HTTP_SERVER HTTP_CLIENT
AUTHENTICATION TESTING CONCURRENCY INTERFACE_CONTRACT FACTORY EVENT_SYSTEM VALIDATION MIGRATION CLI FILE_IO
AUTHORIZATION ENCRYPTION SECRETS_MANAGEMENT CORS CSRF_PROTECTION INPUT_SANITIZATION METRICS TRACING HEALTH_CHECK
AUDIT_LOGGING
RETRY_LOGIC CIRCUIT_BREAKER RATE_LIMITING TIMEOUT GRACEFUL_SHUTDOWN PAGINATION API_VERSIONING WEBHOOK WEBSOCKET
DATA_TRANSFORMATION QUEUE_PROCESSING SCHEDULING SEARCH TRANSACTION ORM_MODEL CONNECTION_POOL FILE_UPLOAD NOTIFICATION
TEMPLATING CI_CD CONTAINER FEATURE_FLAG DEPENDENCY_INJECTION STATE_MANAGEMENT PLUGIN_SYSTEM ROUTING CONTEXT_PROPAGATION
INTERNATIONALIZATION COMPRESSION HOT_RELOAD PAYMENT ANALYTICS GRAPH_TRAVERSAL
"""


def classes(**rows):
    return read_classes({"classes": rows}, "framework", "test")


def matched(text, rows):
    return {match.matched.concept: match for match in match_classes(phrase_tokens(text), rows)}


def test_the_universal_layer_has_its_concepts_at_their_weight():
    rows = shipped_classes("universal")
    assert {row.concept for row in rows} == set(UNIVERSAL.split())
    assert {row.weight for row in rows} == {0.8}


def test_the_language_layer_has_its_weight_and_scope():
    rows = shipped_classes("language")
    assert {row.weight for row in rows} == {0.8}
    assert all(row.languages for row in rows)
    assert {"python", "typescript", "rust", "java", "csharp"} <= {
        name for row in rows for name in row.languages
    }


def test_the_framework_layer_is_broad_and_strong():
    rows = shipped_classes("framework")
    assert min(row.weight for row in rows) >= 0.9
    assert len({row.concept.partition("_")[0] for row in rows}) >= 25
    assert len({name for row in rows for name in row.languages}) >= 8


def test_every_shipped_class_can_match_and_lead_somewhere():
    for layer in ("universal", "language", "framework"):
        assert [row.concept for row in shipped_classes(layer) if not row.phrases or not row.targets] == []


def test_only_files_of_the_projects_languages_are_read():
    rows = shipped_classes("framework", frozenset({"go"}))
    assert {row.concept.partition("_")[0] for row in rows} == {"GIN", "GORM", "COBRA"}


@pytest.mark.parametrize(
    "target", ["get", "set", "do", "new", "run", "put", "post", "call", "add", "pop", "abc", "Post"]
)
def test_generic_targets_are_left_out(target):
    assert not usable_target(target)


def test_phrases_match_at_word_borders_only():
    rows = classes(ORM={"phrases": "orm", "targets": "Model"}, CLI={"phrases": "cli", "targets": "Command"})
    assert set(matched("validate the form of a client", rows)) == set()
    assert set(matched("the ORM and the cli", rows)) == {"ORM", "CLI"}


def test_a_single_word_is_no_strong_match_and_two_phrases_are():
    rows = classes(COMMAND={"phrases": "command; palette", "targets": "Command"})
    assert not matched("run a command", rows)["COMMAND"].strong
    assert matched("the command palette", rows)["COMMAND"].strong


def test_overlapping_phrases_count_once():
    rows = classes(BLAST={"phrases": "blast radius; find blast radius", "targets": "TransitiveCallers"})
    assert len(matched("find blast radius", rows)["BLAST"].phrases) == 1


def test_heavier_classes_go_first():
    rows = classes(
        A={"phrases": "cache", "targets": "Alpha", "weight": 0.3}, B={"phrases": "cache", "targets": "Beta"}
    )
    assert [match.matched.concept for match in match_classes(("cache",), rows)] == ["B", "A"]


def test_verbs_may_stand_before_every_phrase():
    (row,) = read_classes(
        {"verbs": ["find"], "classes": {"X": {"phrases": ["blast radius"], "targets": ["Impact"]}}},
        "project",
        "test",
    )
    assert ("find", "blast", "radius") in row.phrases


def test_a_projects_own_classes_weigh_one(tmp_path):
    path = tmp_path / "classes.toml"
    assert project_classes(path) == ()
    path.write_text('[classes.PAY]\nphrases = "charge card"\ntargets = "StripeGateway"\n', encoding="utf-8")
    (row,) = project_classes(path)
    assert (row.weight, row.source, row.targets) == (1.0, "project", ("StripeGateway",))


def test_a_bad_class_file_is_refused_with_its_place(tmp_path):
    path = tmp_path / "classes.toml"
    path.write_text('[classes.PAY]\nphrase = "charge card"\n', encoding="utf-8")
    with pytest.raises(ConfigError, match=r"classes\.toml.*phrases"):
        project_classes(path)


def test_the_thesaurus_is_symmetric_and_small_in_each_cluster():
    near = thesaurus()
    assert "subscriber" in near["consumer"]
    assert all(word in near[other] for word, others in near.items() for other in others)


def test_at_most_ten_words_are_added():
    words = ("consumer", "cache", "request", "retry", "error")
    added = expansions(words)
    assert len(added) == 10
    assert not set(added) & set(words)


@given(st.lists(st.sampled_from(["a", "b", "c", "d"]), max_size=12))
def test_matched_phrases_never_overlap(words):
    rows = classes(X={"phrases": ["a", "a b", "b c d", "d a"], "targets": ["Long"]})
    for match in match_classes(tuple(words), rows):
        assert sum(len(phrase) for phrase in match.phrases) <= len(words)
