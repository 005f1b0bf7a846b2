"""A small made-up repository in several languages whose files can be edited in every way that people edit files."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

FUNCTIONS = ("alpha", "beta", "gamma", "delta", "load_config", "save")
CLASSES = ("Base", "Client", "Server", "Store")
FOLDERS = ("", "app", "app/core", "lib", "tests")
STEMS = ("main", "client", "store", "tools", "test_client")
SUFFIXES = (".py", ".ts", ".go", ".java", ".rb", ".md")


@dataclass
class Function:
    name: str
    calls: tuple[str, ...] = ()


@dataclass
class Type:
    name: str
    base: str = ""
    methods: list[Function] = field(default_factory=list)


@dataclass
class Source:
    functions: list[Function] = field(default_factory=list)
    types: list[Type] = field(default_factory=list)
    imports: list[tuple[str, str]] = field(default_factory=list)
    blank_lines: int = 0
    broken: bool = False


Files = dict[str, Source]


def _some(files: Files, index: int) -> Source | None:
    return files[sorted(files)[index % len(files)]] if files else None


def _place(index: int) -> str:
    folder = FOLDERS[index % len(FOLDERS)]
    stem = STEMS[index // len(FOLDERS) % len(STEMS)]
    suffix = SUFFIXES[index // len(FOLDERS) // len(STEMS) % len(SUFFIXES)]
    return f"{folder}/{stem}{suffix}" if folder else f"{stem}{suffix}"


def _add(files: Files, first: int, second: int) -> None:
    name = FUNCTIONS[second % len(FUNCTIONS)]
    files.setdefault(_place(first), Source([Function(name, (FUNCTIONS[first % 6],))]))


def _delete(files: Files, first: int, second: int) -> None:
    if files:
        del files[sorted(files)[first % len(files)]]


def _move(files: Files, first: int, second: int) -> None:
    target = _place(second)
    if files and target not in files:
        files[target] = files.pop(sorted(files)[first % len(files)])


def _add_function(files: Files, first: int, second: int) -> None:
    if source := _some(files, first):
        source.functions.append(Function(FUNCTIONS[second % len(FUNCTIONS)]))


def _rename_function(files: Files, first: int, second: int) -> None:
    source = _some(files, first)
    if source and source.functions:
        chosen = source.functions[second % len(source.functions)]
        chosen.name = FUNCTIONS[second % len(FUNCTIONS)]


def _call(files: Files, first: int, second: int) -> None:
    source = _some(files, first)
    callers = [*source.functions, *(m for t in source.types for m in t.methods)] if source else []
    if callers:
        targets = (*FUNCTIONS, *(f"self.{name}" for name in FUNCTIONS), *CLASSES)
        caller = callers[second % len(callers)]
        caller.calls = (*caller.calls, targets[second % len(targets)])[-4:]


def _add_type(files: Files, first: int, second: int) -> None:
    if source := _some(files, first):
        name = CLASSES[second % len(CLASSES)]
        source.types.append(Type(name, CLASSES[second // 4 % len(CLASSES)] if second % 3 else ""))


def _rebase(files: Files, first: int, second: int) -> None:
    source = _some(files, first)
    if source and source.types:
        source.types[second % len(source.types)].base = ("", *CLASSES)[second % 5]


def _rename_type(files: Files, first: int, second: int) -> None:
    source = _some(files, first)
    if source and source.types:
        source.types[second % len(source.types)].name = CLASSES[second % len(CLASSES)]


def _add_method(files: Files, first: int, second: int) -> None:
    source = _some(files, first)
    if source and source.types:
        called = FUNCTIONS[second // 6 % 6]
        method = Function(FUNCTIONS[second % 6], (f"self.{called}", called))
        source.types[second % len(source.types)].methods.append(method)


def _import(files: Files, first: int, second: int) -> None:
    if source := _some(files, first):
        names = (*FUNCTIONS, *CLASSES, "")
        place = Path(_place(second)).with_suffix("").as_posix()
        source.imports = [*source.imports, (place, names[second % len(names)])][-3:]


def _drop_imports(files: Files, first: int, second: int) -> None:
    if source := _some(files, first):
        source.imports = []


def _break(files: Files, first: int, second: int) -> None:
    if source := _some(files, first):
        source.broken = not source.broken


def _shift(files: Files, first: int, second: int) -> None:
    if source := _some(files, first):
        source.blank_lines = second % 5


EDITS: tuple[Callable[[Files, int, int], None], ...] = (
    _add, _add, _delete, _move, _add_function, _add_function,
    _rename_function, _call, _call, _add_type, _rebase, _rename_type,
    _add_method, _import, _import, _drop_imports, _break, _shift,
)  # fmt: skip


class Village:
    """The model of the repository; every edit is three numbers, taken modulo whatever there is."""

    def __init__(self) -> None:
        self.files: Files = {}

    def edit(self, kind: int, first: int, second: int) -> None:
        EDITS[kind % len(EDITS)](self.files, first, second)

    def write(self, root: Path) -> None:
        """Make the folder equal to the model, touching only what differs."""
        wanted = {path: render(path, source) for path, source in self.files.items()}
        for place in sorted(root.rglob("*")):
            if ".recollect" in place.parts or ".git" in place.parts or not place.is_file():
                continue
            if place.relative_to(root).as_posix() not in wanted:
                place.unlink()
        for path, text in wanted.items():
            place = root / path
            place.parent.mkdir(parents=True, exist_ok=True)
            if not place.exists() or place.read_text(encoding="utf-8") != text:
                place.write_text(text, encoding="utf-8")


def render(path: str, source: Source) -> str:
    """Return the file as text in the language that its name asks for."""
    writers = {
        ".py": _python, ".ts": _typescript, ".go": _go, ".java": _java, ".rb": _ruby, ".md": _markdown,
    }  # fmt: skip
    text = "\n" * source.blank_lines + "\n".join(writers[Path(path).suffix](source))
    return text + ("\n)]} = = (((\n" if source.broken else "\n")


def _python(source: Source) -> list[str]:
    lines = []
    for place, name in source.imports:
        module = place.replace("/", ".")
        lines.append(f"from {module} import {name}" if name else f"import {module}")
    for function in source.functions:
        lines += [f"def {function.name}(value):", '    """Does it."""', "    print(value)"]
        lines += [f"    {call}(value)" for call in function.calls]
    for kind in source.types:
        lines.append(f"class {kind.name}({kind.base}):" if kind.base else f"class {kind.name}:")
        lines.append("    size: int = 0")
        for method in kind.methods:
            lines.append(f"    def {method.name}(self, value):")
            lines += ["        self.size += 1", *(f"        {call}(value)" for call in method.calls)]
    return lines


def _typescript(source: Source) -> list[str]:
    lines = [f'import {{ {name or "all"} }} from "./{place}";' for place, name in source.imports]
    for function in source.functions:
        body = " ".join(f"{call.replace('self', 'this')}(value);" for call in function.calls)
        lines.append(f"export function {function.name}(value: number): number {{ {body} return value; }}")
    for kind in source.types:
        lines.append(f"export class {kind.name}{f' extends {kind.base}' if kind.base else ''} {{")
        for method in kind.methods:
            body = " ".join(f"{call.replace('self', 'this')}(value);" for call in method.calls)
            lines.append(f"  {method.name}(value: number) {{ {body} }}")
        lines.append("}")
    return lines


def _go(source: Source) -> list[str]:
    lines = ["package main"]
    lines += [f'import "example.com/village/{place}"' for place, _ in source.imports]
    for function in source.functions:
        body = "; ".join(f"{call.removeprefix('self.')}(value)" for call in function.calls)
        lines.append(f"func {function.name}(value int) {{ {body} }}")
    for kind in source.types:
        lines.append(f"type {kind.name} struct {{ {kind.base} }}")
        for method in kind.methods:
            body = "; ".join(f"{call.replace('self', 'it')}(value)" for call in method.calls)
            lines.append(f"func (it *{kind.name}) {method.name}(value int) {{ {body} }}")
    return lines


def _java(source: Source) -> list[str]:
    lines = ["package village;"]
    lines += [f"import {place.replace('/', '.')}.{name or '*'};" for place, name in source.imports]
    for kind in source.types:
        lines.append(f"public class {kind.name}{f' extends {kind.base}' if kind.base else ''} {{")
        for method in [*kind.methods, *source.functions]:
            body = " ".join(f"{call.replace('self', 'this')}(value);" for call in method.calls)
            lines.append(f"  public void {method.name}(int value) {{ {body} }}")
        lines.append("}")
    return lines


def _ruby(source: Source) -> list[str]:
    lines = [f'require_relative "{place}"' for place, _ in source.imports]
    for function in source.functions:
        lines += [f"def {function.name}(value)", *(f"  {call}(value)" for call in function.calls), "end"]
    for kind in source.types:
        lines.append(f"class {kind.name}{f' < {kind.base}' if kind.base else ''}")
        for method in kind.methods:
            lines += [
                f"  def {method.name}(value)",
                *(f"    {call}(value)" for call in method.calls),
                "  end",
            ]
        lines.append("end")
    return lines


def _markdown(source: Source) -> list[str]:
    lines = ["# The village"]
    for function in source.functions:
        lines += [f"## About {function.name}", f"It uses `{function.name}` and {', '.join(function.calls)}."]
    for kind in source.types:
        lines.append(f"The type `{kind.name}` builds on `{kind.base or 'nothing'}`.")
    return lines
