import json

import pytest
from tests.golden.project import FOLDER, languages, read, sample

from recollect.parse import languages as grammars


@pytest.mark.parametrize("language", languages())
def test_a_fixture_is_read_as_was_reviewed(language):
    expected = json.loads((FOLDER / language / "expected.json").read_text(encoding="utf-8"))
    assert {stem: read(language, stem) for stem in expected} == expected


@pytest.mark.parametrize("language", languages())
def test_a_broken_file_still_yields_symbols(language):
    facts = read(language, "broken")
    if facts is not None:
        assert facts["errors"] > 0
        assert facts["symbols"]


@pytest.mark.parametrize("language", sorted(grammars()))
def test_every_grammar_has_a_fixture(language):
    assert sample(language, "sample") is not None
    assert sample(language, "broken") is not None
