import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.golden_numbers.graphs import graph

from recollect.graph.hits import iterate
from recollect.graph.transitions import transitions
from recollect.graph.walk import Walk, restart, walk
from recollect.graph.weights import edge_weights, standard_weights
from recollect.types import EDGE_TYPES, PROVENANCES

LONG = Walk(iterations=1000, tolerance=1e-13, stable_rounds=0)

WEIGHTS = {
    "calls": 1.0, "implements": 0.8, "implements_rpc": 0.8, "overrides": 0.8, "contains": 0.8, "handles_route": 0.7,
    "extends": 0.7, "tests": 0.6, "consumes_rpc": 0.6, "accesses_field": 0.6, "member_of": 0.6, "imports": 0.5,
    "depends_on": 0.5, "consumes_endpoint": 0.5, "tested_by": 0.5, "co_tested_with": 0.5, "type_hint_of": 0.5,
    "executes_process": 0.5, "references": 0.4, "throws": 0.4, "deployed_by": 0.4, "reads_env": 0.4,
    "gated_by_flag": 0.3, "decorates": 0.3, "inherits": 0.3, "documents": 0.2, "similar_to": 0.15,
    "owned_by": 0.0, "authored_by": 0.0, "mentions": 0.3,
}  # fmt: skip


def walked(net, seeds, rule=LONG, **how):
    return walk(transitions(net, edge_weights(net, **how)), restart(net, seeds), rule)


@pytest.mark.parametrize(("kind", "weight"), WEIGHTS.items())
def test_every_edge_type_has_its_weight(kind, weight):
    assert edge_weights(graph(2, [(0, 1, kind)])).tolist() == [weight]


def test_what_a_language_server_found_is_attenuated():
    assert standard_weights()["provenances"] == {"lsp_resolved": 0.3, "scip": 0.3}
    assert edge_weights(graph(2, [(0, 1, "calls", "lsp_resolved")])).tolist() == [pytest.approx(0.3)]


def test_a_path_of_three_settles_where_it_was_computed_by_hand():
    result = walked(graph(3, [(0, 1, "calls"), (1, 2, "calls")]), {0: 1.0})
    assert result.mass == pytest.approx([0.377778, 0.444444, 0.177778], abs=1e-6)
    assert result.scores == pytest.approx([0.85, 1.0, 0.4], abs=1e-6)


def test_flow_is_in_proportion_to_weight():
    result = walked(graph(3, [(0, 1, "calls"), (0, 2, "imports")]), {0: 1.0})
    assert result.mass[1] == pytest.approx(2 * result.mass[2])


def test_attenuation_comes_before_normalising_so_that_it_shows_among_mixed_edges():
    result = walked(graph(3, [(0, 1, "calls"), (0, 2, "calls", "lsp_resolved")]), {0: 1.0})
    assert result.mass[2] == pytest.approx(0.3 * result.mass[1])


def test_mass_stays_whole_when_all_edges_are_attenuated():
    result = walked(graph(3, [(0, 1, "calls", "lsp_resolved"), (1, 2, "calls", "lsp_resolved")]), {0: 1.0})
    assert result.mass == pytest.approx([0.377778, 0.444444, 0.177778], abs=1e-6)


def test_a_node_with_worthless_edges_sends_its_mass_back_to_the_seeds():
    result = walked(graph(3, [(0, 1, "calls"), (1, 2, "owned_by")]), {0: 1.0})
    assert result.mass[2] == 0.0
    lonely = walked(graph(2, [(0, 1, "owned_by")]), {0: 1.0})
    assert lonely.mass.tolist() == [1.0, 0.0]


def test_the_walker_goes_at_most_four_steps():
    chain = graph(7, [(n, n + 1, "calls") for n in range(6)])
    assert np.flatnonzero(walked(chain, {0: 1.0}).mass).tolist() == [0, 1, 2, 3, 4]


def test_it_stops_when_the_order_of_the_top_is_stable():
    star = graph(30, [(0, n, "calls") for n in range(1, 30)])
    result = walk(transitions(star, edge_weights(star)), restart(star, {0: 1.0}))
    assert result.reason in {"stable", "converged"}
    assert result.iterations < 20


def test_parallel_edges_add_their_weights():
    twice = walked(graph(3, [(0, 1, "calls"), (1, 0, "calls"), (0, 2, "calls")]), {0: 1.0})
    assert twice.mass[1] == pytest.approx(2 * twice.mass[2])


def test_a_type_with_many_members_shares_the_weight_of_a_few():
    net = graph(101, [(0, n, "contains") for n in range(1, 101)])
    weights = edge_weights(net, fan_out=5)
    assert weights.sum() == pytest.approx(0.8 * 10)
    assert edge_weights(graph(3, [(0, 1, "contains"), (0, 2, "contains")]), fan_out=5).tolist() == [0.8, 0.8]


def test_structure_can_be_switched_off():
    off = {"contains": 0.0, "member_of": 0.0}
    assert edge_weights(graph(2, [(0, 1, "contains"), (1, 0, "member_of")]), types=off).tolist() == [0.0, 0.0]


def test_seeds_outside_the_graph_are_left_out():
    net = graph(2, [(0, 1, "calls")])
    assert restart(net, {99: 1.0}).tolist() == [0.0, 0.0]
    assert walked(net, {99: 1.0}).mass.tolist() == [0.0, 0.0]


edges = st.lists(
    st.tuples(
        st.integers(0, 11), st.integers(0, 11), st.sampled_from(EDGE_TYPES), st.sampled_from(PROVENANCES)
    ),
    max_size=40,
)
seeds = st.dictionaries(st.integers(0, 11), st.floats(0.1, 1), min_size=1, max_size=5)
rules = st.builds(Walk, depth=st.integers(1, 5), iterations=st.integers(1, 25))


@given(edges, seeds, rules, st.integers(0, 3))
def test_mass_is_never_lost_or_made(rows, starts, rule, fan_out):
    mass = walked(graph(12, rows), starts, rule, fan_out=fan_out).mass
    assert mass.sum() == pytest.approx(1.0, abs=1e-9)
    assert (mass >= 0).all()


@given(edges, seeds)
def test_a_walk_equals_the_plain_matrix_iteration(rows, starts):
    net = graph(12, rows)
    rule = Walk(depth=20, iterations=15, tolerance=0, stable_rounds=0)
    matrix = np.zeros((12, 12))
    for a, b, weight in zip(net.sources, net.targets, edge_weights(net), strict=True):
        matrix[a, b] += weight
        if a != b:
            matrix[b, a] += weight
    totals = matrix.sum(axis=1)
    start = restart(net, starts)
    mass = start.copy()
    for _ in range(15):
        rows_of = np.where(
            totals[:, None] > 0, matrix / np.where(totals > 0, totals, 1)[:, None], start[None, :]
        )
        mass = 0.8 * mass @ rows_of + 0.2 * start
    assert walked(net, starts, rule).mass == pytest.approx(mass, abs=1e-12)


def test_hubs_point_and_authorities_are_pointed_at():
    sources, targets = np.array([0, 1, 0]), np.array([2, 2, 3])
    hubs, authorities = iterate(sources, targets, 4)
    assert np.linalg.norm(hubs) == pytest.approx(1.0)
    assert np.linalg.norm(authorities) == pytest.approx(1.0)
    golden = (1 + 5**0.5) / 2
    assert authorities[2] / authorities[3] == pytest.approx(golden, abs=1e-3)
    assert hubs[0] / hubs[1] == pytest.approx(golden, abs=1e-3)
    assert authorities[0] == hubs[2] == 0.0
