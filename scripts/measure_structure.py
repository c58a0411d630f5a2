"""Measure the structure of the code: packages, layers, cycles, names, limits, and the way of a file through it.

`make structure` prints the table for the current tree.
"""

from __future__ import annotations

import ast
import re
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
ROOMS = ("text", "data", "metrics", "charts", "ui", "pages", "export", "harness", "command", "web")
ENTRIES = ("app", "server", "cli")
CODE = {".py", ".js", ".css"}
LIMIT = re.compile(r"^_?(MAX|MIN|LIMIT|LONGEST|MOST|LARGEST)(_|$)|_(LIMIT|SECONDS|BYTES|CHARS|ROWS|MB|MAX|LIMITS)$")
QUESTION = re.compile(r"(What|How|Whether|Which|That|Where|Who|Whose|Why|When|If)\b")


def main() -> int:
    """Print one line a fact."""
    modules = {name_of(path): path for path in python_files()}
    imported = imports_of(modules)
    importers = Counter(target for targets in imported.values() for target in targets)
    for fact, value in (
        (
            "modules in the largest folders",
            ", ".join(f"{folder} {n}" for folder, n in folders_of(modules).most_common(4)),
        ),
        *((f"levels of imports in {room}", levels(room, imported)) for room in ("data", "ui", "metrics")),
        ("import cycles", cycles(imported)),
        ("modules with a single importer", sum(n == 1 for n in importers.values())),
        ("file names that occur more than once", repeated_names(modules)),
        ("constants that are limits, in files", limits(modules)),
        ("public functions called rows", functions_called("rows", modules)),
        ("docstrings that begin with What, How, Which, …", docstrings_that_ask(modules)),
        ("a plain CSV, file to Evaluation: files, functions entered", way_of_a_csv()),
        ("Screening, table to Evaluation: calls between folders", calls_between_folders()),
        ("lines of the application, of the tests", f"{application_lines():,}, {lines_below('tests'):,}"),
    ):
        print(f"{fact:<62}{value}")
    return 0


def python_files() -> list[Path]:
    """Return the application's Python files."""
    return [path for room in ROOMS for path in sorted((ROOT / room).rglob("*.py"))] + [
        ROOT / f"{entry}.py" for entry in ENTRIES
    ]


def name_of(path: Path) -> str:
    """Return the dotted name of a module."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def imports_of(modules: dict[str, Path]) -> dict[str, set[str]]:
    """Return the modules that every module imports, inside functions too, and without those for type checking only."""
    imported: dict[str, set[str]] = {}
    for name, path in modules.items():
        imported[name] = set()
        for node in imports_in(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                imported[name] |= {alias.name for alias in node.names} & modules.keys()
            elif node.module and not node.level:
                for alias in node.names:
                    member = f"{node.module}.{alias.name}"
                    imported[name] |= {member if member in modules else node.module} & modules.keys()
        imported[name].discard(name)
    return imported


def imports_in(node: ast.AST) -> Iterator[ast.Import | ast.ImportFrom]:
    """Yield import statements, those under `if TYPE_CHECKING` left out."""
    if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
        return
    if isinstance(node, ast.Import | ast.ImportFrom):
        yield node
    for child in ast.iter_child_nodes(node):
        yield from imports_in(child)


def folders_of(modules: dict[str, Path]) -> Counter[str]:
    """Return how many modules each folder has."""
    return Counter(
        path.parent.relative_to(ROOT).as_posix()
        for path in modules.values()
        if path.name != "__init__.py" and path.parent != ROOT
    )


def levels(room: str, imported: dict[str, set[str]]) -> int:
    """Return the length of the longest chain of imports between the modules of a room; cycles count once."""
    inside = {m: {t for t in targets if in_room(t, room)} for m, targets in imported.items() if in_room(m, room)}
    depths: dict[str, int] = {}

    def depth(module: str, above: tuple[str, ...]) -> int:
        if module not in depths:
            below = [depth(t, (*above, module)) for t in inside[module] if t not in (*above, module)]
            depths[module] = 1 + max(below, default=0)
        return depths[module]

    return max((depth(module, ()) for module in inside), default=0)


def in_room(module: str, room: str) -> bool:
    """Return whether a module belongs to a room."""
    return module == room or module.startswith(f"{room}.")


def cycles(imported: dict[str, set[str]]) -> int:
    """Return how many groups of modules import one another."""
    order: list[str] = []
    seen: set[str] = set()
    backwards = defaultdict(set)
    for module, targets in imported.items():
        for target in targets:
            backwards[target].add(module)

    def walk(start: str, edges: dict[str, set[str]], found: list[str]) -> None:
        stack = [(start, iter(edges.get(start, ())))]
        seen.add(start)
        while stack:
            _, rest = stack[-1]
            following = next((m for m in rest if m not in seen), None)
            if following is None:
                found.append(stack.pop()[0])
            else:
                seen.add(following)
                stack.append((following, iter(edges.get(following, ()))))

    for module in imported:
        if module not in seen:
            walk(module, imported, order)
    seen.clear()
    groups = []
    for module in reversed(order):
        if module not in seen:
            group: list[str] = []
            walk(module, backwards, group)
            groups.append(group)
    return sum(len(group) > 1 for group in groups)


def repeated_names(modules: dict[str, Path]) -> int:
    """Return how many file names stand in more than one folder."""
    names = Counter(path.name for path in modules.values() if path.name != "__init__.py")
    return sum(n > 1 for n in names.values())


def limits(modules: dict[str, Path]) -> str:
    """Return how many constants are limits by their name, and in how many files they stand."""
    places = [
        path
        for path in modules.values()
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        for target in (node.targets if isinstance(node, ast.Assign) else ())
        if isinstance(target, ast.Name) and LIMIT.search(target.id)
    ]
    return f"{len(places)}, {len(set(places))}"


def functions_called(name: str, modules: dict[str, Path]) -> int:
    """Return how many functions of modules have a name."""
    return sum(
        isinstance(node, ast.FunctionDef) and node.name == name
        for path in modules.values()
        for node in ast.parse(path.read_text(encoding="utf-8")).body
    )


def docstrings_that_ask(modules: dict[str, Path]) -> int:
    """Return how many docstrings begin with a question word and not with a verb."""
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in modules.values()]
    kinds = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
    texts = (ast.get_docstring(node) or "" for tree in trees for node in ast.walk(tree) if isinstance(node, kinds))
    return sum(bool(QUESTION.match(text)) for text in texts)


def way_of_a_csv() -> str:
    """Return how many files and functions of `data` and `text` reading and building a plain CSV enters."""
    entered: set[tuple[str, str]] = set()

    def note(frame: FrameType, event: str, argument: Any) -> None:
        if event == "call" and (where := folder_of(frame)) and not frame.f_code.co_name.startswith("<"):
            entered.add((f"{where}/{Path(frame.f_code.co_filename).name}", frame.f_code.co_qualname))

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "predictions.csv"
        lines = [f"{i},{'spam' if i % 3 else 'ham'},{'spam' if i % 2 else 'ham'}" for i in range(60)]
        path.write_text("\n".join(["id,label,prediction", *lines]) + "\n", encoding="utf-8")
        traced(lambda: evaluation_of(path), note)
    return f"{len({file for file, _ in entered})}, {len(entered)}"


def calls_between_folders() -> int:
    """Return how often a call leaves its folder while the sample Screening becomes an Evaluation."""
    from data.samples import FOLDER

    moves = 0

    def note(frame: FrameType, event: str, argument: Any) -> None:
        nonlocal moves
        if event == "call" and frame.f_back is not None:
            here, there = folder_of(frame.f_back), folder_of(frame)
            moves += bool(here and there and here != there)

    path = FOLDER / "screening.csv"
    table, facts = table_of(path)
    traced(lambda: build_evaluation(table, facts), note)
    return moves


def evaluation_of(path: Path) -> object:
    """Read a file and build its evaluation, both in this process."""
    return build_evaluation(*table_of(path))


def table_of(path: Path) -> tuple[Any, Any]:
    """Read a file in this process, as the child process does."""
    from data.reading.dispatch import read_table

    return read_table(path, path.name)


def build_evaluation(table: Any, facts: Any) -> object:
    """Find the roles of a table and build its evaluation."""
    from data.runs import understanding
    from data.runs.draft import Given

    return understanding.understand([table], [facts], Given()).evaluation


def traced(work: Callable[[], object], note: Callable[[FrameType, str, Any], None]) -> None:
    """Do the work once to import everything, then once more with every call noted."""
    work()
    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(None)


def folder_of(frame: FrameType) -> str:
    """Return the folder, within data or text, of the code that a frame runs; nothing for other code."""
    path = Path(frame.f_code.co_filename)
    if not path.is_relative_to(ROOT):
        return ""
    folder = path.relative_to(ROOT).parent.as_posix()
    return folder if folder.partition("/")[0] in ("data", "text") else ""


def application_lines() -> int:
    """Return the lines of the application's Python, JavaScript and CSS."""
    return sum(lines_below(room) for room in (*ROOMS, "assets")) + sum(
        count_lines(ROOT / f"{entry}.py") for entry in ENTRIES
    )


def lines_below(folder: str) -> int:
    """Return the lines of code below a folder."""
    return sum(count_lines(path) for path in (ROOT / folder).rglob("*") if path.suffix in CODE)


def count_lines(path: Path) -> int:
    """Return the lines of a file."""
    return path.read_text(encoding="utf-8").count("\n")


if __name__ == "__main__":
    sys.exit(main())
