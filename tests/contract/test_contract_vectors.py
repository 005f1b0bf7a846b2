import numpy as np
import pytest

from recollect.errors import ModelError, UsageError


def random_vectors(count, dimensions=8):
    generator = np.random.default_rng(7)
    return [(bytes([at]) * 32, generator.normal(size=dimensions).astype(np.float32)) for at in range(count)]


@pytest.mark.parametrize(("type_name", "error"), [("float16", 2e-3), ("int8", 2e-2)])
def test_vectors_come_back_nearly_as_they_were_put(store, type_name, error):
    given = random_vectors(5)
    with store.writer() as writer:
        writer.put_vectors("tiny", type_name, reversed(given))
    for _ in range(2):
        with store.reader() as reader:
            found = reader.vectors("tiny")
            assert [row.tobytes() for row in found.contents] == [content for content, _ in given]
            whole = found.matrix.astype(np.float32) * found.scales[:, None]
            assert np.allclose(whole, [vector for _, vector in given], atol=error)


def test_a_content_is_embedded_once_for_each_model(store):
    (first, *_), second = random_vectors(2), bytes(32)[:31] + b"x"
    with store.writer() as writer:
        writer.put_vectors("tiny", "float16", [first])
        writer.put_vectors("tiny", "float16", [(first[0], -first[1])])
    with store.reader() as reader:
        assert reader.missing_vectors("tiny", [first[0], second]) == {second}
        assert reader.missing_vectors("other", [first[0]]) == {first[0]}
        assert np.allclose(reader.vectors("tiny").matrix[0], first[1], atol=2e-3)


def test_more_vectors_show_up_after_the_matrix_was_read(store):
    given = random_vectors(3)
    for count, vector in enumerate(given, 1):
        with store.writer() as writer:
            writer.put_vectors("tiny", "float16", [vector])
        with store.reader() as reader:
            assert len(reader.vectors("tiny").matrix) == count


def test_models_are_never_mixed(store):
    with store.writer() as writer:
        writer.put_vectors("tiny", "float16", random_vectors(1))
        with pytest.raises(ModelError, match="8 float16"):
            writer.put_vectors("tiny", "float16", random_vectors(1, 9))
        with pytest.raises(ModelError, match="8 int8"):
            writer.put_vectors("tiny", "int8", random_vectors(1))
        with pytest.raises(ModelError, match="different lengths"):
            writer.put_vectors("tiny", "float16", [*random_vectors(1), *random_vectors(1, 9)])
        with pytest.raises(UsageError, match="float16 or int8"):
            writer.put_vectors("tiny", "float64", random_vectors(1))
    with store.reader() as reader, pytest.raises(ModelError, match="of tiny, not of huge"):
        reader.vectors("huge")


def test_a_vector_of_zeros_can_be_kept_as_bytes(store):
    with store.writer() as writer:
        writer.put_vectors("tiny", "int8", [(b"z" * 32, np.zeros(4, dtype=np.float32))])
    with store.reader() as reader:
        assert reader.vectors("tiny").matrix.tolist() == [[0, 0, 0, 0]]
