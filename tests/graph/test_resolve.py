from tests.graph.repositories import mixed, python, resolved
from tests.graph.tree import Tree

from recollect.facts import FileFacts, Reference


def test_a_call_through_a_declared_field_reaches_that_types_method():
    tree = python(
        {
            "a.py": (
                "from b import Client\nclass Job:\n"
                "    client: Client\n    def run(self):\n        self.client.send()\n"
            ),
            "b.py": "class Client:\n    def send(self): ...\nclass Other:\n    def send(self): ...\n",
        }
    )
    assert resolved(tree, "calls") == {("a.py:Job.run", "b.py:Client.send")}


def test_a_call_on_an_unknown_receiver_keeps_every_candidate_as_ambiguous():
    tree = python(
        {"a.py": "class A:\n    def go(self): ...\nclass B:\n    def go(self): ...\ndef f(x):\n    x.go()\n"}
    )
    assert tree.edges("calls") == {
        ("a.py:f", "calls", "a.py:A.go", "ambiguous"),
        ("a.py:f", "calls", "a.py:B.go", "ambiguous"),
    }


def test_more_than_eight_candidates_are_gathered_in_one_name():
    classes = "".join(f"class C{number}:\n    def go(self): ...\n" for number in range(9))
    tree = python({"a.py": f"{classes}def f(x):\n    x.go()\n"})
    assert tree.edges("calls") == {("a.py:f", "calls", "name:python:go", "ambiguous")}


def test_a_single_candidate_by_bare_method_name_is_only_inferred():
    tree = python({"a.py": "class A:\n    def launch(self): ...\ndef f(x):\n    x.launch()\n"})
    assert tree.edges("calls") == {("a.py:f", "calls", "a.py:A.launch", "inferred")}


def test_a_common_method_without_candidates_gives_no_edge():
    assert not python({"a.py": "def f(x):\n    x.append(1)\n    return len(x)\n"}).edges("calls")


def test_a_call_on_an_imported_package_from_outside_gives_no_call_but_a_dependency():
    tree = python(
        {"a.py": "import requests\nclass A:\n    def get(self): ...\ndef f():\n    requests.get('/x')\n"}
    )
    assert not tree.edges("calls")
    assert ("a.py", "depends_on", "package:requests", "syntax") in tree.edges()


def test_a_parameter_hides_a_function_of_the_same_name():
    assert not python({"a.py": "def send(): ...\ndef f(send):\n    send()\n"}).edges("calls")


def test_methods_of_a_parent_are_inherited_through_several_generations():
    tree = python(
        {
            "a.py": (
                "class A:\n    def one(self): ...\nclass B(A):\n"
                "    def two(self): ...\nclass C(B):\n    def two(self): ...\n"
            )
        }
    )
    assert resolved(tree, "inherits") == {("a.py:B", "a.py:A.one"), ("a.py:C", "a.py:A.one")}
    assert resolved(tree, "overrides") == {("a.py:C.two", "a.py:B.two")}


def test_a_name_passed_on_by_a_package_is_found_where_it_is_defined():
    tree = python(
        {
            "pkg/__init__.py": "from .inner import Client\n",
            "pkg/inner.py": "class Client:\n    def send(self): ...\n",
            "main.py": "from pkg import Client\ndef f():\n    Client().send()\n",
        }
    )
    assert ("main.py:f", "pkg/inner.py:Client.send") in resolved(tree, "calls")


def test_lazy_lookups_give_the_same_edges_as_preloaded_ones():
    tree = python(
        {
            "a.py": "from b import make\ndef f():\n    make().send()\n",
            "b.py": "class Client:\n    def send(self): ...\ndef make() -> Client: ...\n",
        }
    )
    assert tree.rows(preload=True) == tree.rows(preload=False)


def test_a_decorator_outside_every_symbol_belongs_to_the_file():
    facts = FileFacts("rust", 1, references=(Reference("decorate", "allow", -1, 1),))
    assert not Tree({"a.rs": facts}).edges("decorates")


def test_the_process_that_runs_in_elixir_is_no_call_of_its_module():
    source = """
defmodule Shop do
  def go(data) do
    send(self(), data)
    __MODULE__.stop(data)
  end
  def stop(x), do: x
end
"""
    tree = mixed({"lib/shop.ex": source})
    assert resolved(tree, "calls") == {("lib/shop.ex:Shop.go", "lib/shop.ex:Shop.stop")}


def test_a_method_in_ruby_does_not_reach_those_of_the_modules_around_its_own():
    source = """
module Shop
  LIMIT = 3
  def self.warden
  end

  module Controllers
    def sign_in
      warden
      check
      LIMIT
    end

    def check
    end
  end
end
"""
    tree = mixed({"lib/shop.rb": source})
    assert resolved(tree, "calls") == {
        ("lib/shop.rb:Shop.Controllers.sign_in", "lib/shop.rb:Shop.Controllers.check")
    }
