"""Every format that docs/formats.md names has a sample there, and the sample is read as the page says."""

import contextlib
import dataclasses
import json
import re
from pathlib import Path
from typing import NamedTuple

import pytest

from data.answers.parsing import parse_answers
from data.answers.vocabulary import _MARKS
from data.errors import ChoiceNeeded, DataError
from data.limits import (
    MAX_PARSER_LABELS,
    MAX_PARSER_NAME_CHARS,
    MAX_PATTERN_CHARS,
    MAX_RULE_PAIRS,
    MAX_RULE_VALUES,
    MAX_RULES,
)
from data.parser.parser import STANDARD, Rule, parser_from_text
from data.parser.rule_kinds import DECORATIONS, HELP, MARKERS, MATCH_RULES, THINKING_TAGS, TRIM_RULES
from data.reading.dispatch import read_table
from data.runs import load
from data.runs.load import Given
from tests.measured_numbers import numbers_of

PAGE = (Path(__file__).resolve().parents[1] / "docs" / "formats.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"^```(\w+) (\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
READ = re.compile(r"^Read as(?: \(`(?P<only>[^`]+)`\))?: (?P<what>.*)accuracy (?P<accuracy>\d\.\d+)\.$", re.MULTILINE)
ASKED = re.compile(r"^Asked: `([^`]+)` \((.+)\)\.$", re.MULTILINE)


class Section(NamedTuple):
    title: str
    text: str

    @property
    def samples(self) -> list[tuple[str, str, str]]:
        """(language, file name, content) of every sample."""
        return BLOCK.findall(self.text)


def sections() -> list[Section]:
    parts = re.split(r"^#{2,3} (.+)$", PAGE, flags=re.MULTILINE)[1:]
    return [Section(title, text) for title, text in zip(parts[::2], parts[1::2], strict=True) if BLOCK.search(text)]


SECTIONS = {section.title: section for section in sections()}


def anchor(title: str) -> str:
    """The link to a heading, as GitHub makes it."""
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


def test_every_format_has_a_sample():
    named = re.findall(r"\[([^\]]+)\]\(#([^)]+)\)", PAGE)
    assert len(named) > 40 and all(anchor(title) == link for title, link in named)
    assert {title for title, _ in named} == set(SECTIONS)


@pytest.fixture(autouse=True)
def _in_a_folder(read_here, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)


def files(section: Section) -> list[Path]:
    """The section's sample files, written as it says."""
    for language, name, content in section.samples:
        if language == "python":
            exec(content, {})
        else:
            Path(name).write_text(content, encoding="utf-8")
    return [Path(name) for _, name, _ in section.samples]


def named(what: str, role: str) -> tuple[str, ...] | None:
    """The columns that the page gives a role."""
    part = re.search(rf"{role} ((?:`[^`]+`(?:, )?)+)", what)
    return tuple(re.findall(r"`([^`]+)`", part[1])) if part else None


@pytest.mark.parametrize("title", SECTIONS)
def test_a_sample_is_read_as_the_page_says(title):
    section = SECTIONS[title]
    paths, said, asked = files(section), READ.search(section.text), ASKED.search(section.text)
    assert said is not None
    given = Given(only=tuple(said["only"].split("=", 1)) if said["only"] else None)
    if asked:
        with pytest.raises(ChoiceNeeded) as question:
            load.read_evaluation(paths, Given())
        assert (question.value.column, question.value.values) == (asked[1], tuple(re.findall(r"`([^`]+)`", asked[2])))
    e = load.read_evaluation(paths, given)
    settings, numbers = e.settings, numbers_of(e)
    truth, pred = named(said["what"], "truth"), named(said["what"], "prediction")
    if settings.encoding == "multi_hot":
        found = tuple(c for c, _ in settings.truth_columns), tuple(c for c, _ in settings.pred_columns)
    else:
        found = (settings.truth,), None if settings.pred is None else (settings.pred,)
    if said["what"]:
        assert (found[0], found[1]) == (truth, pred)
        assert tuple(column for column, _ in settings.scores) == (named(said["what"], "scores") or ())
        assert ((settings.raw,) if pred is None and settings.raw else None) == named(said["what"], "answers")
    measured = numbers["subset_accuracy"] if e.task == "multilabel" else numbers["accuracy"]
    assert f"{measured:.3f}" == said["accuracy"]


PARSER = PAGE.partition("## The parser's JSON")[2].partition("\n## ")[0]
RULES = {part.partition("`")[0]: part for part in PARSER.split("\n#### `")[1:]}
EXAMPLE = re.compile(r"^\| `(\[.*\])` \| `(\".*\")` \| `?([^`|]+?)`? \|$", re.MULTILINE)
LABELS = ["spam", "ham", "card_arrival"]


def test_every_rule_of_the_code_has_its_chapter():
    assert set(RULES) == {*TRIM_RULES, *MATCH_RULES} == set(HELP)
    assert all(EXAMPLE.search(text) and f'"{name}"' in EXAMPLE.search(text)[1] for name, text in RULES.items())
    used = {key for rules, _, _ in EXAMPLE.findall(PARSER) for rule in json.loads(rules) for key in _keys(rule)}
    assert used == {field.name for field in dataclasses.fields(Rule)} - {"kind"} | {"rule"}
    for name, defaults in (("strip_thinking", THINKING_TAGS), ("after_last", MARKERS), ("strip", DECORATIONS)):
        assert all(f"`{value}`" in " ".join(RULES[name].split()) for value in defaults)
    for limit in (
        MAX_RULES,
        MAX_RULE_PAIRS,
        MAX_PARSER_LABELS,
        MAX_RULE_VALUES,
        MAX_PARSER_NAME_CHARS,
        MAX_PATTERN_CHARS,
    ):
        assert re.search(rf"\b{limit:,}\b", PARSER)
    assert all(f"`{character}`" in PARSER for character in _MARKS if character.strip(" \t\r\n`"))


def _keys(rule):
    return rule if isinstance(rule, dict) else ()


def test_the_example_of_a_parser_is_one():
    (text,) = re.findall(r"^```json\n(.*?)^```$", PARSER, re.MULTILINE | re.DOTALL)
    parser = parser_from_text(text)
    assert parser.name == "served" and len(parser.rules) == 6 and list(parser.labels) == LABELS
    standard = PARSER.partition("the standard one reads: ")[2].partition(".")[0]
    assert re.findall(r"`(\w+)`", standard) == [rule.kind for rule in STANDARD.rules]


@pytest.mark.parametrize(("rules", "answer", "read"), EXAMPLE.findall(PARSER))
def test_a_parser_example_reads_as_the_page_says(rules, answer, read):
    found = parse_answers([json.loads(answer)], LABELS, parser_from_text(rules))
    (code,), (outcome,) = found.codes.tolist(), found.names()
    assert (LABELS[code] if 0 <= code < len(LABELS) else outcome) == read


REFUSED = re.findall(r"`(\.\w+)`(?=[^|\n]*\|[^|\n]*\|[^|\n]*\|)", PAGE.split("## What is not opened")[1])


@pytest.mark.parametrize("ending", REFUSED)
def test_refused_formats_give_advice(ending):
    path = Path("preds" + ending)
    path.write_bytes(b"y_true,y_pred\na,a\n")
    with contextlib.suppress(UnicodeDecodeError), pytest.raises(DataError) as refused:
        read_table(path, path.name)
    assert re.search(r"Save|Load|Export|Unpack", str(refused.value)) and ending in str(refused.value)
