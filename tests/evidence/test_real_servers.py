import shutil

import pytest
from tests.traps import enriched

INDEXERS = {
    "python": ("scip-python", "index", ".", "--project-name", "shop", "--project-version", "1"),
    "typescript": ("scip-typescript", "index", "--infer-tsconfig"),
    "javascript": ("scip-typescript", "index", "--infer-tsconfig"),
}


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.parametrize("language", enriched.LANGUAGES)
def test_real_servers_lose_no_caller_and_prove_none_wrongly(language, real_servers):
    """Slow because a real language server reads a project."""
    real_servers(language)
    before, after, report = enriched.measure_enriched(language)
    assert report.tools[0].failed == 0, report
    assert report.tools[0].resolved == report.tools[0].files > 0
    assert report.tools[0].answered >= 0.75 * report.tools[0].questions
    assert after.proven_precision == before.proven_precision == 1.0
    assert after.proven_recall >= before.proven_recall
    assert after.possible_recall == before.possible_recall == 1.0
    assert after.possible_precision >= before.possible_precision
    assert after.proven_recall >= enriched.stored()[language].after[1] - 0.005


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.usefixtures("real_servers")
@pytest.mark.parametrize("language", INDEXERS)
def test_real_indexes_lose_no_caller_and_prove_none_wrongly(language):
    """Slow because a real indexer reads a project."""
    if shutil.which(INDEXERS[language][0]) is None:
        pytest.skip(f"{INDEXERS[language][0]} is not installed; make servers installs it")
    before, after, report = enriched.measure_enriched(language, INDEXERS[language])
    assert report.tools[0].resolved == report.tools[0].files > 0, report
    assert after.proven_precision == before.proven_precision == 1.0
    assert after.proven_recall >= before.proven_recall
    assert after.possible_recall == before.possible_recall == 1.0
