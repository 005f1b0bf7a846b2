import pytest

import recollect
from recollect.errors import ConfigError, NotFoundError


@pytest.fixture
def project(shop):
    with recollect.open(shop) as opened:
        yield opened


def test_a_saved_profile_is_listed_and_answers(project):
    project.save_profile("mine", 'extends = "lexical"\nlimit = 3\n')
    assert project.profile("mine")["limit"] == 3
    assert "mine" in {row["name"] for row in project.profiles()}
    assert project.profile_text("mine").startswith("extends")
    assert project.search("retry", profile="mine").profile == "mine"


def test_a_bad_profile_is_a_sentence_and_keeps_the_good_one(project):
    file = project.save_profile("mine", 'extends = "lexical"\n')
    for text, sentence in (
        ("limit = ", "is not valid TOML"),
        ("limits = 3", "there is no key 'limits'"),
        ("limit = 3", "no channel is enabled"),
        ('extends = "mine"', "names the profile itself"),
    ):
        with pytest.raises(ConfigError, match=sentence):
            project.save_profile("mine", text)
    assert file.read_text(encoding="utf-8") == 'extends = "lexical"\n'
    assert [entry.name for entry in file.parent.iterdir()] == ["mine.toml"]


@pytest.mark.parametrize("name", ["", "../mine", "a/b", "A", ".toml", "x" * 64])
def test_a_name_that_is_no_file_name_is_refused(project, name):
    with pytest.raises(ConfigError, match="cannot be called"):
        project.save_profile(name, 'extends = "lexical"\n')


def test_the_text_of_an_unknown_profile_is_not_found(project):
    with pytest.raises(NotFoundError, match="There is no profile 'nothing'"):
        project.profile_text("nothing")
