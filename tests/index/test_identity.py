from recollect.index.identity import Identity


def test_the_same_name_gets_the_same_number_in_every_run():
    assert Identity("a.py").uid("Client.send", "method") == Identity("a.py").uid("Client.send", "method")


def test_equal_names_in_one_file_are_told_apart_by_their_order():
    identity = Identity("a.py")
    first, second = identity.uid("send", "function"), identity.uid("send", "function")
    again = Identity("a.py")
    assert first != second
    assert [again.uid("send", "function"), again.uid("send", "function")] == [first, second]


def test_a_class_that_becomes_a_struct_stays_the_same_item():
    assert Identity("a.cs").uid("Point", "class") == Identity("a.cs").uid("Point", "struct")


def test_path_domain_and_kind_class_make_a_difference():
    numbers = {
        Identity("a.py").uid("x", "class"),
        Identity("b.py").uid("x", "class"),
        Identity("a.py").uid("x", "function"),
        Identity("a.py", "memory").uid("x", "class"),
    }
    assert len(numbers) == 4


def test_numbers_fit_into_a_signed_64_bit_column():
    assert all(0 < Identity(f"{n}.py").uid("x", "class") < 2**63 for n in range(1000))


def test_a_name_that_is_no_valid_text_still_gets_a_number():
    assert Identity("\udcff.py").uid("x\udcfe", "function")
