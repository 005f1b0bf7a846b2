from hypothesis import given
from hypothesis import strategies as st

from recollect.mcp import written
from recollect.types import Hit, Hits


def memory(text, *reasons):
    return Hit("m_1", "memory", "fact", "a note", "", 0, 0, text, 1.0, 1.0, reasons, "q_1")


@given(st.text(), st.text())
def test_no_line_of_a_memory_can_pass_for_ours(text, reason):
    lines = written.memories_text(Hits("q_1", "memory", (), (), (memory(text, reason),))).splitlines()
    assert lines[0] == written.QUOTED
    assert lines[2].startswith("[m_1]")
    assert all(line.startswith("> ") for line in lines[3:])


@given(st.text())
def test_what_is_shown_can_be_written_and_steers_no_terminal(text):
    shown = written.memory_block(memory(text))
    shown.encode("utf-8")
    assert all(char.isprintable() or char in "\n\t" for char in shown)


def test_a_long_hit_is_cut_and_says_so():
    hit = Hit("c_1", "code", "function", "f", "a.py", 1, 99, "x\n" * 98, 1.0, 1.0, ("a",), "q_1")
    assert written.hit_block(hit, 3).splitlines()[-1] == "… 95 more lines"
