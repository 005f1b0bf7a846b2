"""Whatever changes elsewhere, a file that asked none of the changed keys keeps its edges."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.graph.repositories import mixed

from recollect.graph.resolve import contributions, resolve_file
from recollect.types import EDGE_TYPES

PIECES = {
    "py": [
        "class Base:\n    def send(self): ...\n    def save(self): self.send()\n",
        "class Client(Base):\n    other: Disk\n    def send(self): return self.other.save()\n",
        "class Disk(Client):\n    def save(self) -> Base: ...\n",
        "def make() -> Client: ...\n",
        "def work(x: Disk):\n    make().send()\n    x.save().send()\n    x.other.save()\n    helper(x)\n",
        "def helper(y):\n    y.send()\n    y.missing()\n",
        "box = make()\ndef use():\n    box.save()\n",
    ],
    "go": [
        "type Saver interface { Save() error }\n",
        "type Disk struct { next Saver }\nfunc (d *Disk) Save() error { return d.next.Save() }\n",
        "func Open() *Disk { return &Disk{} }\n",
        "func work() { Open().Save(); helper() }\n",
        "func helper() {}\n",
    ],
    "ts": [
        "export class Base { save() { this.send(); } send() {} }\n",
        "export class Disk extends Base { next: Base; send() { this.next.save(); } }\n",
        "export function open(): Disk { return new Disk(); }\n",
        "export function work(x) { open().save(); x.send(); }\n",
    ],
}
HEADS = {
    "py": [
        "",
        "from pkg import *\n",
        "from pkg.one import Base, Client, Disk, make\n",
        "from .two import *\nfrom . import one\n",
    ],
    "go": ["package one\n", 'package two\nimport "example.com/x/one"\nvar Extra = one.Open().Save()\n'],
    "ts": ["", 'import { Base, Disk, open } from "./one";\n', 'import { Base, Disk, open } from ".";\n'],
}
PATHS = [
    "pkg/__init__.py", "pkg/one.py", "pkg/two.py", "main.py", "one/one.go", "one/more.go", "two/two.go", "web/one.ts",
    "web/index.ts", "web/two.ts",
]  # fmt: skip


@st.composite
def sources(draw, path):
    suffix = path.rpartition(".")[2]
    head = draw(st.sampled_from(HEADS[suffix]))
    return head + "".join(draw(st.lists(st.sampled_from(PIECES[suffix]), max_size=4, unique=True)))


@st.composite
def repositories(draw):
    chosen = draw(st.lists(st.sampled_from(PATHS), min_size=2, max_size=7, unique=True))
    before = {path: draw(sources(path)) for path in chosen}
    after = dict(before)
    for path in draw(st.lists(st.sampled_from(PATHS), min_size=1, max_size=2, unique=True)):
        if path in after and draw(st.booleans()):
            del after[path]
        else:
            after[path] = draw(sources(path))
    return before, after


def answers(files):
    """Return edges by name and the keys asked, of each file."""
    tree = mixed(files)
    scope = tree.scope()
    found = {}
    for path, view in tree.views.items():
        scope.start()
        rows = resolve_file(view, scope)
        named = {
            (tree.names[row.source], EDGE_TYPES[row.type], tree.names[row.target], *row[2:]) for row in rows
        }
        found[path] = (named, set(np.frombuffer(scope.asked(), "<u4").tolist()))
    return found, {path: contributions(path, facts) for path, facts in tree.facts.items()}


@settings(deadline=None, max_examples=150)
@given(repositories())
def test_a_file_that_asked_no_changed_key_keeps_its_edges(pair):
    before, after = pair
    old, offered = answers(before)
    new, offers = answers(after)
    changed = set()
    for path in {*offered, *offers}:
        packed = (np.frombuffer(part.get(path, b""), "<u8") for part in (offered, offers))
        changed |= {int(key) & 0xFFFFFFFF for key in np.setxor1d(*packed)}
    for path in set(old) & set(new):
        if before[path] == after[path] and not old[path][1] & changed:
            assert old[path][0] == new[path][0], path


def test_moving_code_changes_nothing_that_others_see():
    text = "class Client:\n    def send(self, x: int) -> str: ...\n"
    tree, moved = mixed({"a.py": text}), mixed({"a.py": f"\n\n# moved\n{text}"})
    assert tree.exports() == moved.exports()


def test_a_changed_result_type_is_seen_by_others():
    one, other = mixed({"a.py": "def f() -> int: ...\n"}), mixed({"a.py": "def f() -> str: ...\n"})
    assert one.exports() != other.exports()
