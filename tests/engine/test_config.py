import pytest

import recollect
from recollect import config
from recollect.config import Settings
from recollect.errors import ConfigError


@pytest.fixture(autouse=True)
def user_folder(tmp_path, monkeypatch):
    place = tmp_path / "user" / "config.toml"
    place.parent.mkdir()
    monkeypatch.setattr(config, "user_file", lambda: place)
    return place


def project(tmp_path, text):
    root = tmp_path / "project"
    (root / ".recollect").mkdir(parents=True)
    (root / ".recollect" / "config.toml").write_text(text, encoding="utf-8")
    return root


def test_nothing_set_gives_the_defaults(tmp_path):
    assert config.load(tmp_path, {}) == Settings()


def test_each_source_wins_over_the_ones_before_it(tmp_path, user_folder):
    user_folder.write_text(
        "workers = 3\nmemory_cap_mb = 300\nmax_file_bytes = 3\nlock_wait_seconds = 3", encoding="utf-8"
    )
    root = project(tmp_path, "memory_cap_mb = 400\nmax_file_bytes = 4\nlock_wait_seconds = 4")
    environment = {"RECOLLECT_MAX_FILE_BYTES": "5", "RECOLLECT_LOCK_WAIT_SECONDS": "5"}
    got = config.load(root, environment, lock_wait_seconds=6)
    assert (got.workers, got.memory_cap_mb, got.max_file_bytes, got.lock_wait_seconds) == (3, 400, 5, 6)


def test_an_unknown_key_names_the_file_and_what_was_meant(tmp_path):
    root = project(tmp_path, "worker = 3")
    with pytest.raises(
        ConfigError, match=r"'worker' in .*config\.toml\. Did you mean 'workers'\? Allowed are: .*workers"
    ):
        config.load(root, {})


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("workers = true", "a whole number"),
        ("workers = 'two'", "a whole number"),
        ("lock_wait_seconds = 'long'", "a number"),
        ("include_vendored = 1", "true or false"),
        ("ignore = 'x'", "a list of strings"),
        ("ignore = [1]", "a list of strings"),
        ("workers = 0", "at least 1"),
        ("workers = [", "not valid TOML"),
    ],
)
def test_a_wrong_value_says_what_is_allowed(tmp_path, line, wanted):
    with pytest.raises(ConfigError, match=wanted):
        config.load(project(tmp_path, line), {})


def test_the_environment_spells_every_type(tmp_path):
    environment = {
        "RECOLLECT_WORKERS": "1",
        "RECOLLECT_LOCK_WAIT_SECONDS": "0.5",
        "RECOLLECT_INCLUDE_VENDORED": "yes",
        "RECOLLECT_IGNORE": "*.min.js",
        "RECOLLECT_DEBUG": "1",
    }
    got = config.load(tmp_path, environment)
    assert got == Settings(workers=1, lock_wait_seconds=0.5, include_vendored=True, ignore=("*.min.js",))


def test_a_wrong_variable_is_named(tmp_path):
    with pytest.raises(ConfigError, match="RECOLLECT_WORKERS must be a whole number"):
        config.load(tmp_path, {"RECOLLECT_WORKERS": "many"})


def test_an_argument_of_none_sets_nothing(tmp_path):
    assert config.load(tmp_path, {}, workers=None) == Settings()


def test_a_file_that_is_not_utf8_is_named(tmp_path):
    root = project(tmp_path, "")
    (root / ".recollect" / "config.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(ConfigError, match="cannot be read"):
        config.load(root, {})


def test_saved_settings_hold_for_the_next_opening(shop):
    with recollect.open(shop) as project:
        assert project.save_settings("workers = 1\n").workers == 1
    with recollect.open(shop) as project:
        assert project.settings.workers == 1


def test_bad_settings_are_a_sentence_and_change_nothing(shop):
    with recollect.open(shop) as project:
        project.save_settings("workers = 1\n")
        for text, sentence in (
            ("workers = 0", "at least 1"),
            ("worker = 1", "workers"),
            ("=", "not valid TOML"),
        ):
            with pytest.raises(ConfigError, match=sentence):
                project.save_settings(text)
    assert config.project_file(shop).read_text(encoding="utf-8") == "workers = 1\n"
