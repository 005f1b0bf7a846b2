"""Learning which memories are of use, from what was shown and used."""

import json

import numpy as np

from recollect.learn.relevance import LEAST, Relevance, examples, learned, train


def shown(query, uid, *features):
    return (query, uid, "shown", json.dumps(features))


def used(query, uid, kind="used"):
    return (query, uid, kind, "")


def test_what_was_used_is_an_example_of_use_and_the_rest_of_the_answer_of_none():
    events = [shown("q1", 1, 0.1), shown("q1", 2, 0.2), used("q1", 2), shown("q2", 3, 0.3)]
    features, labels = examples(events)
    assert features.tolist() == [[0.1], [0.2]]
    assert labels.tolist() == [0.0, 1.0]


def test_an_answer_of_which_nothing_was_used_teaches_only_what_was_discarded():
    events = [shown("q1", 1, 0.1), shown("q1", 2, 0.2), used("q1", 1, "discarded")]
    features, labels = examples(events)
    assert (features.tolist(), labels.tolist()) == ([[0.1]], [0.0])


def test_what_was_shown_and_never_judged_teaches_nothing():
    events = [shown(f"q{number}", number, 0.5) for number in range(100)]
    assert learned(events) is None


def many(queries):
    dice = np.random.default_rng(5)
    events = []
    for query in range(queries):
        for uid in range(4):
            features = dice.random(10).round(3)
            events.append(shown(f"q{query}", uid, *features))
            if features[0] > 0.6:
                events.append(used(f"q{query}", uid))
    return events


def test_what_makes_memories_useful_is_found_out():
    layers = learned(many(400))
    high, low = np.full((1, 10), 0.5), np.full((1, 10), 0.5)
    high[0, 0], low[0, 0] = 0.95, 0.05
    assert layers(high)[0] > 0.6
    assert layers(low)[0] < 0.3


def test_with_few_examples_nothing_is_learned():
    assert learned(many(LEAST // 4 - 1)) is None
    assert learned(many(40)) is not None


def test_the_same_examples_give_the_same_weights():
    features, labels = examples(many(50))
    one, two = train(features, labels), train(features, labels)
    assert np.array_equal(one.inner, two.inner)
    assert one.outer_bias == two.outer_bias


def test_it_is_trained_anew_only_when_something_was_judged():
    class Log:
        state, read = 1, 0

        def judgements(self):
            return self.state

        def judged(self, most):
            self.read += 1
            return many(20)

    log, relevance = Log(), Relevance()
    assert relevance.of(log) is relevance.of(log)
    assert log.read == 1
    log.state = 2
    relevance.of(log)
    assert log.read == 2
