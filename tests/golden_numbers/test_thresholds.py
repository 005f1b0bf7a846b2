"""Where a rule begins to hold and where it stops: one step on either side of every threshold."""

from types import SimpleNamespace

import numpy as np
import pytest
from tests.golden_numbers.graphs import graph

from recollect.graph import similar
from recollect.graph.transitions import transitions
from recollect.graph.walk import Walk, restart, walk
from recollect.graph.weights import edge_weights
from recollect.learn.implicit import attributed, pending
from recollect.learn.session import session_boosts
from recollect.ports import Event, Filters, NameRow
from recollect.retrieve import fts
from recollect.retrieve.boost import filename, symbol_multiplier
from recollect.retrieve.boost.feedback import adjustment as feedback
from recollect.retrieve.channels import learned
from recollect.retrieve.concepts import project_languages
from recollect.retrieve.confidence import BY_PROVENANCE
from recollect.retrieve.expand import gap_fill
from recollect.retrieve.expand.seeds import focused
from recollect.retrieve.keywords import bigrams, code_patterns, read_keywords
from recollect.retrieve.names import Caps, tiered
from recollect.retrieve.packing import chars4, node_tokens
from recollect.retrieve.signature import signature_of
from recollect.retrieve.trace import Trace
from recollect.retrieve.values import Candidate, Keywords
from recollect.types import Item


def item(number, path="a/x.py", name="Thing", **more):
    return Item(id=f"c{number}", domain="code", kind="class", name=name, path=path, number=number, **more)


def context(items=(), **more):
    known = {one.number: one for one in items}
    trace = Trace()
    trace.begin("test.stage")
    return SimpleNamespace(
        items=lambda numbers: {n: known[n] for n in numbers if n in known},
        ordered=lambda rows: tuple(sorted(rows, key=lambda row: (-row.score, row.number))),
        trace=trace,
        **more,
    )


def test_a_dotted_path_is_code_from_three_parts_on_or_with_an_underscore():
    assert "alpha.beta.gamma" in code_patterns("see alpha.beta.gamma there")
    assert code_patterns("see alpha.beta there") == ()
    assert "alpha.be_ta" in code_patterns("see alpha.be_ta there")


def test_a_call_is_code_from_two_letters_on():
    assert code_patterns("f(x) of xy(z)") == ("xy",)


def test_a_bigram_needs_three_letters_of_each_word_and_four_of_one():
    assert bigrams(["abc", "wxyz"]) == ("AbcWxyz", "abc_wxyz")
    assert bigrams(["abc", "xyz"]) == ()
    assert bigrams(["ab", "wxyz"]) == ()
    assert bigrams(["find", "wxyz"]) == ()


def test_what_leads_a_task_is_neither_one_letter_nor_an_abbreviation_of_four_capitals():
    assert read_keywords("add JSON parsers").components[:2] == ("parsers", "Parsers")
    assert read_keywords("add HTTPS parsers").components[:2] == ("https", "Https")
    assert read_keywords("add q parsers").components[:2] == ("parsers", "Parsers")
    assert read_keywords("add qq parsers").components[:2] == ("qq", "Qq")


def test_one_letter_is_no_keyword_where_there_are_words():
    assert read_keywords("the a").components == ("the",)


def test_a_phrase_joins_words_of_three_letters():
    assert fts.phrase_terms(("abc", "xyz"), ()) == ('"abc xyz"',)
    assert fts.phrase_terms(("abc", "xy"), ()) == fts.phrase_terms(("ab", "xyz"), ()) == ()


def test_two_of_one_package_are_a_cluster():
    rows = [Candidate(number, 1.0 - number / 100) for number in range(6)]
    items = {number: item(number, f"{name}/x.py") for number, name in enumerate("abcbde")}
    assert [row.number for row in focused(rows, items, 5)] == [1, 3, 0, 2, 4, 5]


def test_feedback_turns_at_one_half():
    assert feedback(13, 12) == pytest.approx(0.25 * 2 * 0.02)
    assert feedback(12, 13) == pytest.approx(-0.05 * 2 * 0.02)


def test_confidence_of_every_provenance():
    assert BY_PROVENANCE == {
        "lsp_resolved": 0.9,
        "scip": 0.9,
        "syntax": 0.7,
        "resolved": 0.7,
        "inferred": 0.7,
    }


def test_a_walk_has_the_numbers_of_the_document_by_itself():
    assert Walk() == Walk(0.2, 20, 0.001, 10, 2, 4)


@pytest.mark.parametrize("rounds", [1, 2, 3])
def test_a_walk_ends_when_its_top_stood_still_for_so_many_rounds(rounds):
    chain = graph(14, [(n, n + 1, "calls") for n in range(13)] + [(0, 5, "imports"), (3, 9, "references")])
    ready, start = transitions(chain, edge_weights(chain)), restart(chain, {0: 1.0})

    def after(steps):
        mass = walk(ready, start, Walk(iterations=steps, tolerance=0.0, stable_rounds=0, depth=14)).mass
        return sorted(np.flatnonzero(mass > 0), key=lambda place: (-round(mass[place], 12), place))[:10]

    tops = [after(steps) for steps in range(1, 60)]
    still = next(n for n in range(rounds, 59) if len({tuple(top) for top in tops[n - rounds : n + 1]}) == 1)
    found = walk(ready, start, Walk(iterations=60, tolerance=0.0, stable_rounds=rounds, depth=14))
    assert (found.iterations, found.reason) == (still + 1, "stable")


def test_a_walk_converges_below_its_tolerance():
    pair = graph(2, [(0, 1, "calls")])
    ready, start = transitions(pair, edge_weights(pair)), restart(pair, {0: 1.0})
    masses = [
        walk(ready, start, Walk(iterations=n, tolerance=0.0, stable_rounds=0)).mass for n in range(1, 40)
    ]
    changes = [float(np.abs(b - a).sum()) for a, b in zip([start, *masses], masses, strict=False)]
    first = next(n for n, change in enumerate(changes, 1) if change < 0.001)
    found = walk(ready, start, Walk(iterations=99, stable_rounds=0))
    assert (found.iterations, found.reason) == (first, "converged")


@pytest.mark.parametrize(("count", "weight"), [(100, 0.8), (101, 0.8 * 50 * 2 / 101)])
def test_members_share_a_weight_from_twice_the_fan_out_on(count, weight):
    net = graph(count + 1, [(0, n, "contains") for n in range(1, count + 1)])
    assert edge_weights(net, fan_out=50)[0] == pytest.approx(weight)


def shown(age, name="thing"):
    return Event("q", name, "shown", 1000.0 - age, '{"session":"s"}')


def test_use_is_credited_for_ten_minutes_and_to_names_of_three_letters():
    assert pending([shown(600.0)], 1000.0)
    assert not pending([shown(600.1)], 1000.0)
    for name, credited in (("abc", 1), ("ab", 0)):
        used = attributed([shown(1.0, "c1")], [item(1, name=name)], f"{name} = 1", 1000.0)
        assert len(used) == credited


def test_a_session_forgets_a_touch_below_one_hundredth():
    kinds = frozenset({"shown"})
    assert session_boosts([shown(180.0 * 6.6)], "s", 1000.0, kinds)
    assert not session_boosts([shown(180.0 * 6.7)], "s", 1000.0, kinds)


def test_a_word_is_learned_from_four_letters_on_unless_it_is_noise():
    assert learned.worth_learning("quay")
    assert not learned.worth_learning("qua")
    assert not learned.worth_learning("items")


@pytest.mark.parametrize(("count", "found"), [(1, 0), (2, 1)])
def test_a_word_counts_from_its_second_use_on(count, found):
    thing = item(7)
    here = context(
        query=SimpleNamespace(
            keywords=SimpleNamespace(all=("quay",)),
            filters=SimpleNamespace(languages=(), kinds=(), path_prefixes=(), include_tests=True),
        ),
        learned=SimpleNamespace(vocabulary=lambda words, root: {"quay": {"c7": count}}),
        reader=SimpleNamespace(item=lambda public: thing, tree=lambda: "t", root=lambda path: ""),
        snapshot=SimpleNamespace(memo=lambda key, make: {}),
        once=lambda key, make: {},
    )
    assert len(learned.run(here, learned.Parameters())) == found


def test_tokens_are_a_quarter_of_the_characters():
    assert [chars4("x" * count) for count in (0, 1, 4, 5, 8)] == [0, 1, 1, 2, 2]
    assert node_tokens(item(1, name="n" * 10, signature="s" * 14)) == (10 + len("class") + 14) // 4


@pytest.mark.parametrize(("of_go", "languages"), [(5, {"python", "go"}), (4, {"python"})])
def test_a_language_is_one_of_the_projects_from_a_twentieth_on(of_go, languages):
    here = SimpleNamespace(
        reader=SimpleNamespace(languages=lambda: {"python": 100 - of_go, "go": of_go}),
        snapshot=SimpleNamespace(memo=lambda key, make: make()),
    )
    assert project_languages(here) == languages


@pytest.mark.parametrize(("score", "factor"), [(0.5, 3.0), (0.49, 1.0)])
def test_a_name_counts_three_times_from_one_half_on(score, factor):
    here = context([item(1)], query=SimpleNamespace(text="thing"))
    (row,) = symbol_multiplier.run(
        here, symbol_multiplier.Parameters(), (Candidate(1, 0.2, "", {"symbol": score}),)
    )
    assert row.score == pytest.approx(0.2 * factor)


@pytest.mark.parametrize(
    ("word", "part", "same"),
    [
        ("abcdezzz", "abcdeyyy", True),  # 5 of 8
        ("abcdezzzz", "abcdeyyyyy", False),  # 5 of 9
        ("abcdefzzzz", "abcdefyyyyy", True),  # 6 of 10, exactly three fifths
        ("abcdzz", "abcdyy", False),  # 4 letters
    ],
)  # fmt: skip
def test_a_common_beginning_has_five_letters_and_three_fifths_of_the_shorter_word(word, part, same):
    assert filename.alike(word, part) is same


@pytest.mark.parametrize(("found", "filled"), [(4, 15), (5, 5)])
def test_gaps_are_filled_below_five_up_to_fifteen(found, filled):
    things = [item(number) for number in range(30)]
    asked = []

    def nearest(text, limit, filters):
        asked.append(limit)
        return [(number, 0.5) for number in range(10, 10 + limit)]

    here = context(
        things, query=SimpleNamespace(text="x", filters=None), services={"nearest": nearest}, reader=None
    )
    rows = tuple(Candidate(number, 1.0) for number in range(found))
    assert len(gap_fill.run(here, gap_fill.Parameters(), rows)) == filled
    assert asked == ([20] if found < 5 else [])


def test_a_signature_is_made_of_words_of_three_letters():
    assert signature_of("ab abc") == signature_of("abc") != signature_of("ab")


@pytest.mark.parametrize(("common", "alike"), [(10, False), (11, True)])
def test_functions_are_similar_above_one_half(common, alike):
    one = list(range(15))
    other = list(range(common)) + [100 + n for n in range(15 - common)]
    assert (_similar([one, other]) == {(0, 1), (1, 0)}) is alike


def test_a_function_is_similar_to_at_most_five_in_folders_of_at_most_five_hundred():
    same = list(range(20))
    assert {
        source: sum(a == source for a, _ in _similar([same] * 8)) for source in range(8)
    } == dict.fromkeys(range(8), 5)
    filler = [[1000 * n + k for k in range(9)] for n in range(1, 499)]
    assert _similar([same, same, *filler])
    assert not _similar([same, same, *filler, [7_000_000 + k for k in range(9)]])


def _similar(shingles):
    symbols = [SimpleNamespace(shingles=row) for row in shingles]
    view = SimpleNamespace(
        path="a.py", numbers=list(range(len(symbols))), facts=SimpleNamespace(symbols=symbols)
    )
    found = []
    similar.add_similar([view], SimpleNamespace(add=lambda a, b, *_: found.append((a, b))))
    return set(found)


class Named:
    """Answers the tiers from made-up symbols: for every word so many of each sort."""

    def __init__(self, exact=0, starting=0, containing=0, lying=0):
        self.counts = {"exact": exact, "starting": starting, "containing": containing, "lying": lying}
        self.asked = []

    def rows(self, sort, word):
        self.asked.append(sort)
        start = 1000 * list(self.counts).index(sort) + 100_000 * len(word)
        return [
            NameRow(start + n, word, word, "function", False, f"{word}/a.py")
            for n in range(self.counts[sort])
        ]

    def named(self, names, filters, limit):
        return [row for name in names for row in self.rows("exact", name)]

    def starting(self, word, filters, limit):
        return self.rows("starting", word)

    def containing(self, word, filters, limit):
        return self.rows("containing", word)

    def files_with(self, word, limit):
        return [(1, f"{word}/a.py")]

    def symbols_in(self, homes, kinds, limit):
        return self.rows("lying", "word")


def tiers(primary=("primary",), components=("components",), **counts):
    reader = Named(**counts)
    found = tiered(reader, Keywords(compounds=primary, components=components), Filters(), Caps())
    return reader.asked, list(found.values())


def test_every_tier_runs_below_its_number_and_fills_up_to_its_cap():
    one, two = ("primary",), ("second", "other")
    # The document names no cap for equal names; two hundred keep a query for a common one short.
    assert len(tiers(one, (), exact=150)[1]) == 150
    assert "starting" in tiers(one, (), exact=14)[0]
    assert "starting" not in tiers(one, (), exact=15)[0]
    assert sum("begins" in why for why in tiers(one, (), exact=14, starting=40)[1]) == 30 - 14
    assert tiers(one, two, exact=4)[0].count("exact") == 1 + len(two)
    assert tiers(one, two, exact=5)[0].count("exact") == 1
    assert "containing" in tiers(one, (), exact=4)[0]
    assert "containing" not in tiers(one, (), exact=5)[0]
    assert sum("contains" in why for why in tiers(one, (), exact=4, containing=40)[1]) == 20 - 4
    assert "containing" in tiers((), ("four",))[0]
    assert "containing" not in tiers((), ("two",))[0]
    assert "lying" in tiers(one, (), exact=29)[0]
    assert "lying" not in tiers(one, (), exact=30)[0]
    assert sum("in its path" in why for why in tiers(one, (), exact=29, lying=90)[1]) == 40 - 29
    assert "lying" in tiers((), ("abc",))[0]
    assert "lying" not in tiers((), ("ab",))[0]


DOMAINS = """
consumer lock serialize validate factory connection cache mock config initialize error template authenticate database
"""


@pytest.mark.parametrize("word", DOMAINS.split())
def test_every_domain_of_the_thesaurus_is_there(word):
    assert fts.thesaurus()[word]
