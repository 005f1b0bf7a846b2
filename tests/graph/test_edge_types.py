import pytest
from tests.graph.repositories import mixed, python, resolved
from tests.graph.tree import Tree

from recollect.facts import FileFacts, Reference, Symbol
from recollect.parse import parse

APP = """
import os, subprocess
from flask import Flask
app = Flask(__name__)

@app.route("/users/<int:id>")
def user(id):
    return os.getenv("TOKEN")

def run():
    subprocess.run("git status")
    if client.is_feature_enabled("new-ui"):
        raise Broken()

class Broken(Exception):
    code = 3
    def text(self) -> "Broken":
        return self.code
"""


@pytest.fixture(scope="module")
def app():
    return python({"app.py": APP}).edges()


@pytest.mark.parametrize(
    "edge",
    [
        ("app.py", "contains", "app.py:Broken", "syntax"),
        ("app.py:Broken.text", "member_of", "app.py:Broken", "syntax"),
        ("app.py:user", "reads_env", "environment:TOKEN", "syntax"),
        ("app.py:user", "handles_route", "route:ANY /users/{}", "convention"),
        ("app.py:run", "executes_process", "process:git", "syntax"),
        ("app.py:run", "gated_by_flag", "flag:new-ui", "syntax"),
        ("app.py:run", "throws", "app.py:Broken", "resolved"),
        ("app.py:Broken.text", "accesses_field", "app.py:Broken.code", "resolved"),
        ("app.py:Broken.text", "type_hint_of", "app.py:Broken", "resolved"),
        ("app.py", "depends_on", "package:flask", "syntax"),
    ],
    ids=lambda edge: edge[1],
)
def test_source_gives_the_edge(app, edge):
    assert edge in app


def test_a_decorated_function_points_to_its_decorator():
    tree = python({"a.py": "def twice(f): ...\n@twice\ndef work(): ...\n"})
    assert resolved(tree, "decorates") == {("a.py:work", "a.py:twice")}


def test_a_function_passed_on_is_referenced():
    tree = python({"a.py": "def work(): ...\ndef f(run):\n    run(work)\n"})
    assert resolved(tree, "references") == {("a.py:f", "a.py:work")}


def test_a_request_meets_the_handler_of_its_route():
    tree = mixed(
        {
            "api.py": (
                "from fastapi import APIRouter\nrouter = APIRouter()\n"
                '@router.get("/users/{user_id}")\ndef user(): ...\n'
            ),
            "web.ts": 'export async function load() {\n  return axios.get("https://x.org/users/5");\n}\n',
        }
    )
    assert {(row[0], row[2]) for row in tree.edges("handles_route", "consumes_endpoint")} == {
        ("api.py:user", "route:GET /users/{}"),
        ("web.ts:load", "route:GET /users/{}"),
    }


def test_a_test_that_calls_a_symbol_tests_it_and_its_subjects_are_tested_together():
    tree = python(
        {
            "shop.py": "def pay(): ...\ndef ship(): ...\n",
            "tests/test_shop.py": "from shop import pay, ship\ndef test_all():\n    pay()\n    ship()\n",
        }
    )
    assert resolved(tree, "tests") == {
        ("tests/test_shop.py:test_all", "shop.py:pay"),
        ("tests/test_shop.py:test_all", "shop.py:ship"),
    }
    assert {row[:3] for row in tree.edges("co_tested_with")} == {
        ("shop.py:pay", "co_tested_with", "shop.py:ship")
    }
    assert ("shop.py:pay", "tested_by", "tests/test_shop.py:test_all", "resolved") in tree.edges()
    assert ("tests/test_shop.py", "tests", "shop.py", "convention") in tree.edges()


def test_a_go_type_implements_an_interface_by_having_its_methods():
    tree = mixed(
        {
            "a/a.go": "package a\ntype Saver interface { Save(key string) error }\n",
            "b/b.go": (
                "package b\ntype Disk struct{}\n"
                "func (d *Disk) Save(key string) error { return nil }\ntype Odd struct{}\nfunc (o Odd) Save() {}\n"
            ),
        }
    )
    assert tree.edges("implements") == {("b/b.go:Disk", "implements", "a/a.go:Saver", "inferred")}
    assert tree.edges("overrides") == {("b/b.go:Disk.Save", "overrides", "a/a.go:Saver.Save", "inferred")}


def test_extends_and_implements_are_told_apart():
    tree = mixed({"a.ts": "interface A {}\nclass B {}\nclass C extends B implements A {}\n"})
    assert resolved(tree, "extends") == {("a.ts:C", "a.ts:B")}
    assert resolved(tree, "implements") == {("a.ts:C", "a.ts:A")}


def test_prose_documents_what_it_names():
    facts = FileFacts(
        "markdown",
        3,
        symbols=(Symbol("Use", "Use", "section", 1, 3, 0, 9),),
        references=(
            Reference("mention", "send", 0, 2, receiver="Client"),
            Reference("mention", "work", 0, 2, literal="word"),
        ),
    )
    tree = Tree(
        {
            "README.md": facts,
            "a.py": parse("a.py", "python", b"class Client:\n    def send(self): ...\ndef work(): ...\n"),
        }
    )
    assert tree.edges("documents") == {("README.md:Use", "documents", "a.py:Client.send", "resolved")}


def test_the_last_matching_rule_owns_a_file():
    owners = FileFacts(
        "codeowners",
        2,
        references=(
            Reference("owns", "@all", -1, 1, literal="*"),
            Reference("owns", "@core", -1, 2, literal="/src/"),
            Reference("owns", "@ann", -1, 2, literal="/src/"),
        ),
    )
    empty = FileFacts("text", 1)
    tree = Tree({".github/CODEOWNERS": owners, "src/a.txt": empty, "b.txt": empty})
    assert {row[::2] for row in tree.edges("owned_by")} == {
        ("src/a.txt", "person:@core"),
        ("src/a.txt", "person:@ann"),
        ("b.txt", "person:@all"),
        (".github/CODEOWNERS", "person:@all"),
    }


def test_manifests_depend_on_packages_and_deploy_what_they_build():
    tree = mixed(
        {
            "pyproject.toml": '[project]\nname = "x"\ndependencies = ["numpy>=1"]\n',
            "compose.yaml": "services:\n  web:\n    build: ./web\n    command: python run.py\n",
            "web/Dockerfile": "FROM alpine\n",
            "run.py": "",
        }
    )
    edges = tree.edges()
    assert ("pyproject.toml", "depends_on", "package:numpy", "manifest") in edges
    assert ("web/Dockerfile", "deployed_by", "compose.yaml", "manifest") in edges
    assert ("run.py", "deployed_by", "compose.yaml", "manifest") in edges
    assert ("web/Dockerfile", "depends_on", "deployment:alpine", "manifest") in edges


def test_a_go_package_from_outside_is_not_taken_for_a_folder_of_the_same_name():
    tree = mixed(
        {
            "go.mod": "module example.com/x\n\nrequire (\n\tgithub.com/pkg/errors v0.9.1\n)\n",
            "errors/errors.go": "package errors\nfunc New() {}\n",
            "main.go": 'package main\nimport "github.com/pkg/errors"\nfunc main() { errors.New() }\n',
            "std.go": 'package main\nimport "errors"\nfunc other() { errors.New() }\n',
            "own.go": 'package main\nimport "example.com/x/errors"\nfunc third() { errors.New() }\n',
        }
    )
    assert {row[::2] for row in tree.edges("calls")} == {("own.go:third", "errors/errors.go:New")}


def test_remote_calls_meet_their_definition():
    proto = FileFacts(
        "proto",
        4,
        symbols=(
            Symbol("Greeter", "Greeter", "service", 1, 3, 0, 9),
            Symbol("SayHello", "Greeter.SayHello", "rpc", 2, 2, 3, 8, parent=0, owner="Greeter"),
        ),
    )
    code = (
        b"class Server(GreeterServicer):\n    def SayHello(self): ...\n"
        b"def call(greeter_stub):\n    greeter_stub.SayHello()\n"
    )
    tree = Tree({"a.proto": proto, "a.py": parse("a.py", "python", code)})
    assert {row[:3] for row in tree.edges("implements_rpc", "consumes_rpc")} == {
        ("a.py:Server.SayHello", "implements_rpc", "a.proto:Greeter.SayHello"),
        ("a.py:call", "consumes_rpc", "a.proto:Greeter.SayHello"),
    }


def test_functions_of_one_folder_with_nearly_the_same_body_are_similar():
    body = "".join(f"    total = total + rows[{number}].price * {number}\n" for number in range(8))
    tree = python(
        {"a.py": f"def one(rows):\n{body}\ndef two(rows):\n{body}\n", "b.py": "def other():\n    return 1\n"}
    )
    assert {row[:3] for row in tree.edges("similar_to")} == {
        ("a.py:one", "similar_to", "a.py:two"),
        ("a.py:two", "similar_to", "a.py:one"),
    }


@pytest.mark.parametrize(
    ("call", "programs"),
    [
        ('subprocess.run(["git", "log"], cwd="/srv", encoding="utf-8")', {"git"}),
        ('subprocess.Popen(("hg", "id"))', {"hg"}),
        ('subprocess.check_output(args=["svn"])', {"svn"}),
        ('subprocess.run("make all", shell=True)', {"make"}),
        ('subprocess.run([sys.executable, "-m", "pip"], errors="replace")', set()),
        ('subprocess.run(command, encoding="utf-8")', set()),
        ('subprocess.Popen(f"{editor} x", shell=True)', set()),
    ],
)
def test_the_program_that_runs_is_the_first_argument_or_the_first_of_its_list(call, programs):
    edges = python({"app.py": f"import subprocess, sys\n\ndef start(command, editor):\n    {call}\n"}).edges()
    assert {edge[2] for edge in edges if edge[1] == "executes_process"} == {
        f"process:{one}" for one in programs
    }
