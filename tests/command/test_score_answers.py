"""`score` reads the labels of raw answers: a label list or a parser says how."""

import json
import re
from pathlib import Path

import pytest
from sklearn import metrics as sk

from cli import main
from command.option_files import label_set
from data.errors import DataError
from tests.command.scored import EVERY_TASK, ONE_LABEL, agree, has_keys
from tests.csv_files import write_csv

pytestmark = pytest.mark.usefixtures("module_reads_here")


TOLD = ["refund", "billing", "login"]
ANSWERS = ["Refund", '"billing".', "I am not able to say.", "**login**", "shipping", "refund"]
TRUTHS = ["refund", "refund", "login", "login", "billing", "refund"]


@pytest.mark.parametrize("how", ["list", "lines", "json", "inline json"])
def test_raw_answers_against_a_label_set(tmp_path, run, how):
    file = tmp_path / "answers.jsonl"
    rows = [{"target": t, "output": a} for t, a in zip(TRUTHS, ANSWERS, strict=True)]
    file.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    labels = tmp_path / "labels.txt"
    texts = {"lines": "\ufeff" + "\n".join([*TOLD, "cancel"]), "json": json.dumps([*TOLD, "cancel"])}
    labels.write_text(texts.get(how, ""), encoding="utf-8")
    told = {"list": "refund,billing, login,cancel", "inline json": json.dumps([*TOLD, "cancel"])}.get(how, labels)
    found = run(file, "--raw", "output", "--truth", "target", "--label-set", told)
    has_keys(found, EVERY_TASK | ONE_LABEL)
    assert found["classes"] == [*TOLD, "cancel"] and found["absent"] == ["cancel"]
    assert found["n_unparsed"] == 1 and found["outside_label_space"] == ["shipping"]
    assert found["accuracy"] == pytest.approx(3 / 6) and found["accuracy_parsed"] == pytest.approx(3 / 5)
    assert found["confusion_matrix"]["unparsed_per_true"] == [0, 0, 1, 0, 0]
    pred = ["refund", "billing", "?", "login", "shipping", "refund"]
    agree(found["macro_f1_supported"], sk.f1_score(TRUTHS, pred, average="macro", labels=TOLD, zero_division=0))
    space = sk.f1_score(TRUTHS, pred, average="macro", labels=[*TOLD, "cancel"], zero_division=0)
    agree(found["macro_f1_label_space"], space)


def test_label_list_may_exceed_a_file_name():
    names = [f"an_intent_with_a_long_name_{i}" for i in range(300)]
    assert label_set(",".join(names)) == tuple(names)


def test_label_sets_that_cannot_be_read_are_named(tmp_path):
    bad = tmp_path / "labels.json"
    for content, says in {
        b"\xff\xfe\x00": "UTF-8",
        b'["a", 1.5]': "list of texts",
        b"a\na\n": "twice",
        b"": "empty",
    }.items():
        bad.write_bytes(content)
        with pytest.raises(DataError, match=says) as error:
            label_set(str(bad))
        assert "labels.json" in str(error.value)
    with pytest.raises(DataError, match="no such file"):
        label_set(str(tmp_path / "lables.json"))


REASONED = [
    "The message says money. So the answer is refund.",
    "billing? login? So the Answer is:\n**login**",
    "I would say the answer is billing or refund.",
    "So the answer is shipping.",
    "refund",
]


def reasoned(path: Path, rules, name: str = "served.json") -> tuple[Path, Path]:
    """A file of reasoned answers, and one of a parser."""
    file, parser = path / "answers.jsonl", path / name
    rows = [{"target": t, "output": a} for t, a in zip(TRUTHS, REASONED, strict=False)]
    file.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    parser.write_text(rules if isinstance(rules, str) else json.dumps(rules), encoding="utf-8")
    return file, parser


def test_parser_file_reads_the_answers(tmp_path, run, capsys):
    rules = [{"rule": "after_last", "values": ["answer is"]}, "normalised"]
    file, parser = reasoned(tmp_path, rules)
    options = (file, "--raw", "output", "--label-set", "refund,billing,login", "--parser", parser)
    found = run(*options)
    assert found["parser"] == {"name": "served", "rules": [rules[0], {"rule": "normalised"}]}
    assert found["outcomes"] == {"normalised": 3, "several labels": 1, "unparseable": 1}
    assert found["n_unparsed"] == 2 and found["accuracy"] == pytest.approx(1 / 5)
    assert found["accuracy_parsed"] == pytest.approx(1 / 3)
    assert any("The parser 'served' read the answers in 'output'" in note for note in found["receipt"]["notes"])
    main(["score", *map(str, options)])
    printed = capsys.readouterr().out
    assert "  Parser: served\n" in printed
    assert "No label was found in 2 of 5 rows: 20.0 % are right, or 33.3 %" in printed
    assert re.findall(r"^    (\S.*?)  +(\d)  +\S+ %  +\d  ", printed, re.MULTILINE) == [
        ("normalised", "3"), ("several labels", "1"), ("no rule matches", "1")
    ]  # fmt: skip


def test_without_a_parser_the_standard_one_is_named(tmp_path, run):
    file, _ = reasoned(tmp_path, [])
    found = run(file, "--raw", "output")
    assert found["parser"]["name"] == "standard" and sum(found["outcomes"].values()) == found["n_scored"]
    hard = run(write_csv(tmp_path / "p.csv", {"y_true": ["a", "b"], "y_pred": ["a", "a"]}))
    assert "parser" not in hard and "outcomes" not in hard


def test_labels_of_a_parser_are_the_label_list(tmp_path, run):
    file, parser = reasoned(tmp_path, {"rules": ["exact"], "labels": ["login", "refund", "billing", "cancel"]})
    assert run(file, "--raw", "output", "--parser", parser)["classes"] == ["login", "refund", "billing", "cancel"]
    found = run(file, "--raw", "output", "--parser", parser, "--label-set", "billing,login,refund")
    assert found["classes"] == ["billing", "login", "refund"]


@pytest.mark.parametrize(
    ("rules", "says"),
    [
        ("[", "served.json: The parser is not JSON"),
        (["exact", {"rule": "regex", "values": ["("]}], "served.json: Rule 2 (regex): the pattern '(' is not valid"),
        (["exact", "\u001b[2J"], "served.json: Rule 2 is "),
        ("[" * 300_000, "served.json: The parser is larger than 256 kB"),
    ],
)
def test_wrong_parser_is_refused_by_its_name(tmp_path, refused, rules, says):
    file, parser = reasoned(tmp_path, rules)
    sentence = refused(file, "--raw", "output", "--parser", parser)
    assert sentence.startswith(says) and "\x1b" not in sentence


def test_unused_or_unreadable_parser_file_is_named(tmp_path, refused):
    file, parser = reasoned(tmp_path, ["exact"])
    assert "missing.json: there is no such file" in refused(file, "--parser", tmp_path / "missing.json")
    assert "could not be read" in refused(file, "--parser", tmp_path)
    parser.write_bytes(b"\xff\xfe")
    assert "served.json: the parser could not be read; a JSON file in UTF-8" in refused(file, "--parser", parser)
    parser.write_text('["exact"]', encoding="utf-8")
    hard = write_csv(tmp_path / "p.csv", {"y_true": ["a", "b"], "y_pred": ["a", "a"]})
    assert "served.json was not used" in refused(hard, "--parser", parser)
