"""Imports by the name of a module, a workspace, a crate or an alias reach the files that they stand for."""

from tests.graph.repositories import mixed, resolved


def calls(files):
    return resolved(mixed(files), "calls")


def test_go_imports_are_resolved_by_the_path_of_their_module():
    found = calls(
        {
            "go.mod": "module example.com/shop\n",
            "main.go": 'package main\nimport "example.com/shop/cart"\nfunc main() { cart.Add() }\n',
            "cart/cart.go": "package cart\nfunc Add() {}\n",
            "other/cart/cart.go": "package cart\nfunc Add() {}\n",
        }
    )
    assert found == {("main.go:main", "cart/cart.go:Add")}


def test_go_modules_of_one_repository_reach_each_other_and_not_what_only_ends_alike():
    found = calls(
        {
            "api/go.mod": "module example.com/api\n",
            "api/cart/cart.go": "package cart\nfunc Add() {}\n",
            "web/go.mod": "module example.com/web\n",
            "web/main.go": (
                'package main\nimport "example.com/api/cart"\nimport "other.org/cart/lib"\n'
                "func main() { cart.Add(); lib.Add() }\n"
            ),
            "lib/lib.go": "package lib\nfunc Add() {}\n",
        }
    )
    assert found == {("web/main.go:main", "api/cart/cart.go:Add")}


def test_packages_of_the_standard_library_of_go_are_found_below_its_own_module():
    found = calls(
        {
            "src/go.mod": "module std\n",
            "src/fmt/print.go": "package fmt\nfunc Println() {}\n",
            "src/os/file.go": 'package os\nimport "fmt"\nfunc Open() { fmt.Println() }\n',
        }
    )
    assert found == {("src/os/file.go:Open", "src/fmt/print.go:Println")}


def test_packages_of_a_workspace_are_imported_by_name():
    found = calls(
        {
            "packages/cart/package.json": '{"name": "@shop/cart", "main": "source/index.ts"}',
            "packages/cart/source/index.ts": 'export { add } from "./add";\n',
            "packages/cart/source/add.ts": "export function add() {}\n",
            "packages/price/package.json": '{"name": "price"}',
            "packages/price/src/index.ts": "export function total() {}\n",
            "packages/price/src/tax.ts": "export function tax() {}\n",
            "app/main.ts": (
                'import { add } from "@shop/cart";\nimport { total } from "price";\n'
                'import { tax } from "price/tax";\nfunction main() { add(); total(); tax(); }\n'
            ),
            "app/add.ts": "export function add() {}\nexport function total() {}\n",
        }
    )
    assert found == {
        ("app/main.ts:main", "packages/cart/source/add.ts:add"),
        ("app/main.ts:main", "packages/price/src/index.ts:total"),
        ("app/main.ts:main", "packages/price/src/tax.ts:tax"),
    }


def test_aliases_and_the_base_of_the_nearest_compiler_settings_are_followed():
    found = calls(
        {
            "tsconfig.json": '{"compilerOptions": {"paths": {"@lib/*": ["./wrong/*"]}}}',
            "web/tsconfig.json": (
                '{"compilerOptions": {"baseUrl": "src", "paths": {"@lib/*": ["shared/*"]}}, /* so */}'
            ),
            "web/src/shared/money.ts": "export function round() {}\n",
            "web/src/views/list.ts": "export function show() {}\n",
            "web/src/main.ts": (
                'import { round } from "@lib/money";\nimport { show } from "views/list";\n'
                "function main() { round(); show(); }\n"
            ),
            "wrong/money.ts": "export function round() {}\n",
        }
    )
    assert found == {
        ("web/src/main.ts:main", "web/src/shared/money.ts:round"),
        ("web/src/main.ts:main", "web/src/views/list.ts:show"),
    }


def test_crates_of_a_workspace_are_found_by_the_name_in_their_manifest():
    found = calls(
        {
            "Cargo.toml": '[workspace]\nmembers = ["crates/*"]\n',
            "crates/one/Cargo.toml": '[package]\nname = "shop-cart"\n',
            "crates/one/src/lib.rs": "pub mod basket;\npub fn open() {}\n",
            "crates/one/src/basket.rs": "pub fn add() {}\n",
            "crates/two/Cargo.toml": '[package]\nname = "shop-app"\n',
            "crates/two/src/main.rs": (
                "use shop_cart::basket::add;\nuse shop_cart::open;\nfn main() { add(); open(); }\n"
            ),
            "crates/three/src/basket.rs": "pub fn add() {}\n",
        }
    )
    assert found == {
        ("crates/two/src/main.rs:main", "crates/one/src/basket.rs:add"),
        ("crates/two/src/main.rs:main", "crates/one/src/lib.rs:open"),
    }


def test_python_packages_are_found_under_source_roots_and_beside_their_manifest():
    found = calls(
        {
            "src/shop/__init__.py": "def sell(): ...\n",
            "src/shop/cart.py": "def add(): ...\n",
            "tests/test_cart.py": (
                "import shop\nfrom shop.cart import add\ndef test_it():\n    shop.sell()\n    add()\n"
            ),
            "services/price/pyproject.toml": '[project]\nname = "price"\n',
            "services/price/price/__init__.py": "def total(): ...\n",
            "services/web/app.py": "import price\ndef page():\n    price.total()\n",
            "services/old/price.py": "def total(): ...\n",
        }
    )
    assert found == {
        ("tests/test_cart.py:test_it", "src/shop/__init__.py:sell"),
        ("tests/test_cart.py:test_it", "src/shop/cart.py:add"),
        ("services/web/app.py:page", "services/price/price/__init__.py:total"),
    }


def test_java_and_kotlin_reach_each_other_by_package_wherever_their_source_roots_are():
    found = calls(
        {
            "core/src/main/java/shop/cart/Cart.java": (
                "package shop.cart;\npublic class Cart { public static void add() {} }\n"
            ),
            "app/src/main/kotlin/shop/App.kt": (
                "package shop\nimport shop.cart.Cart\nfun main() { Cart.add() }\n"
            ),
            "app/src/main/java/shop/Page.java": (
                "package shop;\nimport shop.cart.Cart;\nclass Page { void show() { Cart.add(); } }\n"
            ),
            "old/src/Cart.java": "package old;\npublic class Cart { public static void add() {} }\n",
        }
    )
    cart = "core/src/main/java/shop/cart/Cart.java:Cart.add"
    assert found == {
        ("app/src/main/kotlin/shop/App.kt:main", cart),
        ("app/src/main/java/shop/Page.java:Page.show", cart),
    }
