from recollect.retrieve.plain.collapse import shown_symbols
from recollect.types import Item


def item(number, kind, start, end, path="a.py"):
    return Item(f"i{number}", "code", kind, f"n{number}", path, start, end, number=number)


def test_a_chunk_of_the_same_lines_is_the_symbol():
    assert shown_symbols([item(1, "chunk", 1, 10), item(2, "function", 2, 10)]) == {1: 2}


def test_a_part_of_a_long_function_is_the_function():
    assert shown_symbols([item(1, "chunk", 50, 60), item(2, "function", 1, 300)]) == {1: 2}


def test_a_part_of_a_long_class_is_not_the_class():
    assert shown_symbols([item(1, "chunk", 50, 60), item(2, "class", 1, 300)]) == {}


def test_of_several_symbols_the_closest_is_taken():
    items = [item(1, "chunk", 1, 10), item(2, "class", 1, 14), item(3, "method", 2, 10)]
    assert shown_symbols(items) == {1: 3}


def test_lines_of_another_file_are_other_lines():
    assert shown_symbols([item(1, "chunk", 1, 10), item(2, "function", 1, 10, "b.py")]) == {}
