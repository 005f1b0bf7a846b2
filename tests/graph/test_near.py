import pytest

import recollect


@pytest.mark.parametrize(
    ("asked", "meant"),
    [
        ("Clinet.send", "Client.send"),
        ("Client.sned", "Client.send"),
        ("RetryPolcy", "RetryPolicy"),
        ("delivr", "deliver"),
        ("client.send", "Client.send"),
    ],
)
def test_a_misspelt_symbol_is_refused_with_what_it_may_have_meant(shop, asked, meant):
    with recollect.open(shop) as project:
        try:
            found = project.impact(asked, "callers", 1).starts
            assert meant in [item.name for item in found]
        except recollect.RecollectError as error:
            assert f"Did you mean '{meant}'" in str(error)
        try:
            assert project.why("send orders", asked).name.endswith(meant)
        except recollect.RecollectError as error:
            assert f"Did you mean '{meant}'" in str(error)


def test_what_is_like_nothing_gets_no_suggestion(shop):
    with recollect.open(shop) as project, pytest.raises(recollect.RecollectError, match="may find it"):
        project.impact("Zzyzx.qqq", "callers", 1)
