"""Packs of all sorts, for the tests of formats and packers."""

from hypothesis import strategies as st

from recollect.types import Hit, Item, Pack, PackItem

TEXTS = st.one_of(
    st.text(max_size=200),
    st.sampled_from(
        [
            "def send(self, request):",
            "a\nb\n",
            "```\ncode\n```",
            "if a < b && c: ]]> x",
            "@ not a header\n@decorator",
            "\x00\x0b\ud800",
            "日本語 😀",
        ]
    ),
)
NAMES = st.one_of(
    st.sampled_from(["Client.send", "  spaced", "src/a.py", "", "a`b``c", 'q"uote\n']), st.text(max_size=20)
)


def hit(path="src/a.py", name="f", text="def f():", **more):
    values = {
        "id": f"{path}#{name}",
        "domain": "code",
        "kind": "function",
        "name": name,
        "path": path,
        "start_line": 1,
        "end_line": 2,
        "text": text,
        "score": 1.0,
        "confidence": 1.0,
        "reasons": ("its name is f",),
        "query_id": "q1",
    }
    return Hit(**(values | more))


def pack(hits, budget=8000, form="signature", **more):
    items = tuple(PackItem(row, row.text, 0, form) for row in hits)
    values = {"query_id": "q1", "profile": "code", "tokens": 0, "channels": (), "degraded": ()}
    return Pack(budget=budget, items=items, **(values | more))


def item_of(row):
    return Item(row.id, row.domain, row.kind, row.name, row.path, row.start_line, row.end_line)


hits = st.builds(
    hit,
    path=NAMES,
    name=NAMES,
    text=TEXTS,
    start_line=st.integers(0, 9999),
    reasons=st.lists(NAMES, max_size=3).map(tuple),
)
packs = st.builds(
    pack,
    st.lists(hits, max_size=8),
    budget=st.one_of(st.integers(0, 400), st.just(10_000_000)),
    form=st.sampled_from(["signature", "body", "compressed"]),
    omitted=st.integers(0, 50),
    notes=st.lists(TEXTS, max_size=2).map(tuple),
    degraded=st.lists(TEXTS, max_size=2).map(tuple),
)
