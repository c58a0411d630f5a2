"""Test the words of the code: names of tests, openings of docstrings, and one word for one thing for users."""

import ast
import functools
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.test_architecture import ROOMS, ROOT, python_files, room_of

MOST_WORDS = 8
MOST_WORDS_OF_A_SENTENCE = 24
SHORT_DOCUMENTS = (
    *("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "client/README.md"),
    *sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "docs/decisions").glob("*.md")),
    *(f"docs/{name}.md" for name in ("architecture", "deployment", "formats", "guide", "harness")),
    *(f"docs/{name}.md" for name in ("reliability", "samples", "scaling", "statistics")),
)
OPENING = re.compile(r'^\s*[rf]?"""(What|How|Whether|Which|That|Where|Who|Whose|Whom|When|Why)\b', re.MULTILINE)
DOCSTRING = re.compile(r'^[ ]*[rf]?"""(?=[A-Z`])(.*?)"""', re.MULTILINE | re.DOTALL)
COMMENT = re.compile(r"^([ ]*)# .*(?:\n\1# .*)*", re.MULTILINE)
TEST_NAME = re.compile(r"^(?:async )?def test_(\w+)", re.MULTILINE)
# What users read says the word on the right.
WORDS = {
    r"label space": "label list",
    r"labels? set\b": "label list",
    r"unparseable|unreadable answer|readable answer|parse rate": "no label found",
    r"made[ -]up label|labels but none": "not in the label list",
    r"\bone class a row|\bone label a row": "single-label",
    r"several labels a row": "multi-label",
    r"called so\b|taken for each other|asked about\b": "predicted as",
    r"\bfalse alarms?\b|\bflagged by mistake|\bunflagged|\bflagged rows?\b": "false positives, predicted positive",
    r"one class against the rest|one label against the rest": "one-vs-rest",
    r"\btwins\b": "near-duplicates",
    r"push key": "API key",
    r"narrowing rule|reading rule": "trim rule, match rule",
    r"take it along": "Export",
    r"what was understood": "How we read your file",
    r"looks too good|flatters": "expect slightly worse on new data",
    r"keep their word|easy noes": "calibrated, true negatives",
    r"\bscores? (?:>=|&gt;=)": "score ≥: only code and what is typed keep >=",
}
FORBIDDEN = re.compile("|".join(f"(?:{words})" for words in WORDS), re.IGNORECASE)
# Names in files and links, words of files that are read, and words that people search for.
KEPT = {
    "data/answers/parsing.py": {"outside the label space"},
    "data/answers/unread_answers.py": {"unparseable"},
    "data/runs/reading_options.py": {"score >="},  # a help of a typed option
    "ui/learn/glossary_search.py": {"false alarm"},
}


def sentences(tree: ast.Module) -> Iterator[ast.Constant]:
    """Yield the texts of a module that hold a space and are no docstrings."""
    docs = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    texts = (node for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str))
    for node in texts:
        if id(node) not in docs and " " in str(node.value).strip():
            yield node


Lines = list[tuple[int, str]]


@functools.cache
def texts_in_code() -> dict[Path, tuple[Lines, Lines]]:
    """Return, of every file of the app and its scripts, docstrings of functions and other texts, with their lines."""
    texts = {}
    for path in python_files():
        if room_of(path) in {*ROOMS, "scripts"}:
            tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
            functions = (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))
            docstrings = [(node.lineno, ast.get_docstring(node) or "") for node in functions]
            texts[path] = docstrings, [(node.lineno, str(node.value)) for node in sentences(tree)]
    return texts


def document_sentences(text: str) -> Iterator[str]:
    """Yield the sentences of a Markdown text; code is one word, items and cells end a sentence."""
    text = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", re.sub(r"`[^`\n]*`(?:, `[^`\n]*`)*", "`code`", text))
    for block in re.split(r"\n\s*\n|^\s*(?:[-*]|\d+\.)\s|^#.*$|\|", text, flags=re.MULTILINE):
        yield from re.split(r"(?<=[.!?])[\")*_]*\s+", " ".join(block.split()))


def code_sentences(source: str) -> Iterator[str]:
    """Yield the sentences of a module's docstrings and comments; a colon and a semicolon end one, too."""
    texts = [re.sub(r"^[ ]*>>>.*?(?=\n[ ]*\n|\Z)", "", text, flags=re.M | re.S) for text in DOCSTRING.findall(source)]
    texts += [re.sub(r"^[ ]*# ", "", found[0], flags=re.MULTILINE) for found in COMMENT.finditer(source)]
    for text in texts:
        for line in re.split(r"\n[ ]*(?=\w+(?:, \w+)* : )|\n(?=.*\S {3,}\S)", text):  # a parameter, a row of a table
            for sentence in document_sentences(line):
                yield from re.split(r"(?<=[:;])\s+", sentence)


def is_long(sentence: str) -> bool:
    """Return whether a sentence has more words than one may have."""
    return sum(bool(re.search(r"\w", word)) for word in sentence.split()) > MOST_WORDS_OF_A_SENTENCE


def test_names_of_tests_have_eight_words():
    long = [
        f"{path.name}: {name}"
        for path in (ROOT / "tests").rglob("test_*.py")
        for name in TEST_NAME.findall(path.read_text(encoding="utf-8"))
        if len(name.split("_")) > MOST_WORDS
    ]
    assert not long, "test_<thing>_<does what>, at most eight words"


def test_docstrings_begin_with_no_question():
    asking = [
        f"{path}: {found[0].strip()}"
        for path in python_files()
        for found in OPENING.finditer((ROOT / path).read_text(encoding="utf-8"))
    ]
    assert not asking, "begin with a verb, or with the noun that a constant is"


def test_docstrings_of_functions_begin_with_verbs():
    named = [
        f"{path}:{line} {text}"
        for path, (docstrings, _) in texts_in_code().items()
        for line, text in docstrings
        if text.split(" ")[0] in {"A", "An", "The", "Every", "One", "All", "Rows"}
    ]
    assert not named, 'begin with a verb: "Return the …", "Draw the …"'


def test_users_read_one_word_for_one_thing():
    wrong = [
        f"{path}:{line}: {text[:80]}"
        for path, (_, said) in texts_in_code().items()
        if room_of(path) in ROOMS
        for line, text in said
        if (found := FORBIDDEN.search(text)) and not _is_kept(path, found[0])
    ]
    assert not wrong, WORDS


@pytest.mark.parametrize("name", SHORT_DOCUMENTS)
def test_sentences_of_documents_are_short(name):
    long = list(filter(is_long, document_sentences((ROOT / name).read_text(encoding="utf-8"))))
    assert not long, "one thought a sentence, at most 24 words; code counts as one word"


def test_sentences_in_code_are_short():
    long = [
        f"{path}: {text}"
        for path in python_files()
        for text in filter(is_long, code_sentences((ROOT / path).read_text(encoding="utf-8")))
    ]
    assert not long, "one thought a sentence, at most 24 words; code counts as one word"


def _is_kept(path: Path, words: str) -> bool:
    kept = KEPT.get(path.as_posix(), ())
    return any(words.lower() in text for text in kept)
