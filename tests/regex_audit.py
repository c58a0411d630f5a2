"""Find the regular expressions that can take time quadratic, or worse, in a text somebody uploads."""

import ast
import importlib
import pkgutil
import re
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from re import _constants as op, _parser  # type: ignore[attr-defined]
from types import ModuleType

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = sorted(found.parent.name for found in ROOT.glob("*/__init__.py") if found.parent.name != "tests")
_FUNCTIONS = {"compile", "findall", "finditer", "fullmatch", "match", "search", "split", "sub", "subn"}
_ALPHABET = frozenset(map(chr, range(128))) | {"é"}
_LEFT_OUT = {"data.process.worker"} | (set() if find_spec("torch") else {"harness.backends.transformers_models"})
_UNBOUNDED = 1_000
"""Repeats that go further than this count as having no bound."""


def patterns() -> Iterator[tuple[str, re.Pattern]]:
    """(file, pattern) of every regular expression of the project: those kept in modules and those written in a call."""
    for package in PACKAGES:
        root = importlib.import_module(package)
        for found in pkgutil.walk_packages(root.__path__, f"{package}."):
            if found.name not in _LEFT_OUT:
                module = importlib.import_module(found.name)
                yield from ((found.name, pattern) for pattern in _kept(module))
                yield from ((found.name, pattern) for pattern in _written(module))


def _kept(module: ModuleType) -> Iterator[re.Pattern]:
    waiting = [value for name, value in vars(module).items() if not name.startswith("__")]
    while waiting:
        value = waiting.pop()
        if isinstance(value, re.Pattern):
            yield value
        elif isinstance(value, tuple | list | frozenset):
            waiting += value
        elif isinstance(value, dict):
            waiting += value.values()
        elif hasattr(value, "cache_info") and "re.Pattern" in str(value.__annotations__.get("return")):
            waiting.append(value())  # compiled at the first use


def _written(module: ModuleType) -> Iterator[re.Pattern]:
    tree = ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8"))
    for call in ast.walk(tree):
        if isinstance(call, ast.Call) and ast.unparse(call.func).removeprefix("re.") in _FUNCTIONS:
            text = call.args[0].value if call.args and isinstance(call.args[0], ast.Constant) else None
            if ast.unparse(call.func).startswith("re.") and isinstance(text, str | bytes):
                yield re.compile(text)


def ambiguous(pattern: re.Pattern) -> bool:
    """Return whether two repeats without a bound can share a stretch of text in many ways.

    >>> ambiguous(re.compile(r"(a+)(=.+)")), ambiguous(re.compile(r".+?=.+x")), ambiguous(re.compile(r"(a|b+)*"))
    (False, True, True)
    """
    text = pattern.pattern if isinstance(pattern.pattern, str) else pattern.pattern.decode("latin-1")
    return _ambiguous(list(_flat(_parser.parse(text, pattern.flags & ~re.UNICODE))))


def _flat(sequence) -> Iterator[tuple]:
    """The items of a sequence with the groups in it taken apart."""
    for code, value in sequence:
        if code is op.SUBPATTERN:
            yield from _flat(value[3])
        else:
            yield code, value


def _ambiguous(items: list[tuple]) -> bool:
    for code, value in items:
        if code is op.BRANCH and any(_ambiguous(list(_flat(way))) for way in value[1]):
            return True
        if code in (op.MAX_REPEAT, op.MIN_REPEAT):
            inner = list(_flat(value[2]))
            if _ambiguous(inner) or (_is_endless((code, value)) and any(map(_is_endless, inner))):
                return True
    return any(_share(items, first) for first, item in enumerate(items) if _is_endless(item))


def _is_endless(item: tuple) -> bool:
    """Return whether an item repeats without a bound, or one of its ways does, and gives back what it took."""
    code, value = item
    if code is op.BRANCH:
        return any(_is_endless(one) for way in value[1] for one in _flat(way))
    return code in (op.MAX_REPEAT, op.MIN_REPEAT) and value[1] > _UNBOUNDED


def _share(items: list[tuple], first: int) -> bool:
    """Return whether a later endless repeat takes what this one takes, and nothing between them keeps them apart."""
    own = _characters([items[first]])
    for item in items[first + 1 :]:
        taken = _characters([item])
        if _is_endless(item) and own & taken:
            return True
        if not _may_be_empty(item) and not own & taken:
            return False
    return False


def _may_be_empty(item: tuple) -> bool:
    code, value = item
    if code in (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT):
        return value[0] == 0
    return code in (op.AT, op.ASSERT, op.ASSERT_NOT)


def _characters(sequence) -> frozenset[str]:
    """The characters of a small alphabet that a sequence may take."""
    taken: frozenset[str] = frozenset()
    for code, value in _flat(sequence):
        if code is op.BRANCH:
            taken = taken.union(*(_characters(way) for way in value[1]))
        elif code in (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT):
            taken |= _characters(value[2])
        elif code is op.ATOMIC_GROUP:
            taken |= _characters(value)
        elif code not in (op.AT, op.ASSERT, op.ASSERT_NOT):
            taken |= _matching(code, value)
    return taken


def _matching(code, value) -> frozenset[str]:
    """The characters that one item takes, asked of `re` itself."""
    tree = _parser.SubPattern(_parser.State(), [(code, value)])
    one = re._compiler.compile(tree)  # type: ignore[attr-defined]
    return frozenset(character for character in _ALPHABET if one.fullmatch(character))
