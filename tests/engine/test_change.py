import pytest
from tests.evidence.past import Repository

import recollect
from recollect.errors import UsageError

SHOP = {
    "shop/price.py": (
        "import math\n\n\ndef net(amount):\n    return rounded(amount)\n\n\n"
        "def rounded(amount):\n    return math.ceil(amount)\n\n\n"
        "def unrelated():\n    return 1\n"
    ),
    "shop/bill.py": (
        "from shop.price import net\n\n\ndef total(rows):\n    return sum(net(row) for row in rows)\n\n\n"
        "def page(rows):\n    return str(total(rows))\n"
    ),
    "shop/guess.py": "def guess(thing):\n    return thing.net(1)\n",
    "shop/__init__.py": "",
    "tests/test_price.py": "from shop.price import net\n\n\ndef test_net():\n    assert net(1) == 1\n",
}
CHANGED = {
    "shop/price.py": SHOP["shop/price.py"].replace(
        "rounded(amount)\n\n\ndef r", "rounded(amount) + 0\n\n\ndef r"
    )
}


@pytest.fixture
def repository(tmp_path):
    made = Repository(tmp_path / "r")
    made.commit(SHOP)
    return made


def context(repository, files, **how):
    repository.write(files)
    with recollect.open(repository.root) as opened:
        pack = opened.context(base="HEAD", **how)
    return pack, {item.hit.name: item for item in pack.items}


def test_the_changed_symbol_comes_first_with_its_text_and_the_rest_of_its_file_stays_out(repository):
    pack, by_name = context(repository, CHANGED)
    assert pack.profile == "code-change"
    assert pack.items[0].hit.name == "net"
    assert "rounded(amount) + 0" in pack.items[0].hit.text
    assert "unrelated" not in by_name


def test_callers_tests_and_what_is_used_stand_there_with_how_they_are_concerned(repository):
    _, by_name = context(repository, CHANGED)
    reasons = {name: " ".join(item.hit.reasons) for name, item in by_name.items()}
    assert "it calls net" in reasons["total"]
    assert "it calls total, which leads to net" in reasons["page"]
    assert "net uses it" in reasons["rounded"]
    assert "test_net" in by_name
    order = list(by_name)
    assert order.index("net") < order.index("total") < order.index("rounded")


def test_only_possible_callers_come_behind_proven_ones_and_say_so(repository):
    files = {"shop/other.py": "class Cart:\n    def net(self, amount):\n        return 0\n"}
    repository.commit(files)
    pack, by_name = context(repository, {"shop/other.py": files["shop/other.py"].replace("0", "2")})
    assert pack.items[0].hit.name == "Cart.net"
    assert "possibly" in " ".join(by_name["guess"].hit.reasons)


def test_lines_outside_of_symbols_are_shown_around_the_change(repository):
    pack, _ = context(
        repository, {"shop/price.py": SHOP["shop/price.py"].replace("import math", "import math as math")}
    )
    assert any("import math as math" in item.hit.text for item in pack.items)


def test_the_budget_is_kept(repository):
    pack, _ = context(repository, CHANGED, budget=60)
    assert pack.tokens <= 60
    assert pack.items[0].hit.name == "net"


def test_a_change_that_only_removes_files_is_told(repository):
    (repository.root / "shop/guess.py").unlink()
    with recollect.open(repository.root) as opened, pytest.raises(UsageError, match="only removed"):
        opened.context(base="HEAD")


def test_files_that_history_changes_together_are_named(repository):
    bill, guess = SHOP["shop/bill.py"], SHOP["shop/guess.py"]
    for number in (3, 4, 5):
        repository.commit({"shop/bill.py": f"{bill}# {number}\n", "shop/guess.py": f"{guess}# {number}\n"})
    with recollect.open(repository.root) as opened:
        opened.read_history()
    pack, _ = context(repository, {"shop/bill.py": SHOP["shop/bill.py"].replace("str(", "repr(")})
    assert any(
        "commits that changed shop/bill.py changed it too" in " ".join(item.hit.reasons)
        for item in pack.items
    )
