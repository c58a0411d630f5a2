"""Labels of a log are read as the tool's own scorer compares them, and its verdict on every row is checked."""

import json
import string
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, strategies as st

from data.building.rescoring import with_parser
from data.evaluation import Evaluation
from data.parser.parser import Parser, Rule
from data.reading.tool_marks import FORMS, choose_form, read_labels
from data.runs import load
from data.runs.draft import Given
from tests.opened_runs import accuracy

pytestmark = pytest.mark.usefixtures("read_here")


def about_verdicts(e: Evaluation) -> list[str]:
    return [text for text in e.receipt.warnings if "own verdict" in text]


def inspect_log(folder: Path, rows, scorer: str = "match") -> Evaluation:
    samples = [
        {
            "id": i, "epoch": 1, "input": "?", "target": target, "output": {"completion": answer},
            "scores": {scorer: {"value": value, "answer": answer}},
        }
        for i, (target, answer, value) in enumerate(rows)
    ]  # fmt: skip
    log = {"version": 2, "status": "success", "eval": {"task": "t", "model": "m"}, "samples": samples}
    (folder / "log.json").write_text(json.dumps(log))
    return load.read_evaluation([folder / "log.json"], Given())


def plain_match(answer: str, target: str) -> str:
    """Inspect's `match(location="exact")`, written again: spaces, case and punctuation at the ends do not count."""
    around = string.whitespace + string.punctuation
    return "C" if answer.strip().casefold().strip(around) == target.strip().casefold().strip(around) else "I"


def test_targets_with_a_leading_space_score_alike(tmp_path):
    rows = [(f" {t}", a) for t, a in zip(["spam", "ham"] * 5, ["spam", "ham"] * 4 + ["ham", "spam"], strict=True)]
    e = inspect_log(tmp_path, [(t, a, plain_match(a, t)) for t, a in rows])
    assert e.labels == ("ham", "spam") and accuracy(e) == 0.8 and about_verdicts(e) == []
    assert any("without spaces at their ends" in note for file in e.receipt.files for note in file.notes)


def test_case_and_full_stop_follow_the_scorer(tmp_path):
    rows = [("Spam", "spam."), (" ham", "Ham"), ("ham", "SPAM!"), ("Spam", "eggs")]
    e = inspect_log(tmp_path, [(t, a, plain_match(a, t)) for t, a in rows])
    assert accuracy(e) == 0.5 and about_verdicts(e) == []
    assert set(e.labels[: e.n_space]) >= {"Spam", "ham"}


def test_a_scorer_that_minds_spaces_is_followed(tmp_path):
    rows = [(" spam", "spam", "I"), ("ham", "ham", "C"), ("spam", "spam", "C"), (" spam", "ham", "I")]
    e = inspect_log(tmp_path, rows, "pattern")
    assert accuracy(e) == 0.5 and about_verdicts(e) == []


def test_differing_verdict_is_named_with_both_figures(tmp_path):
    rows = [("spam", "spam", "C"), ("ham", "spam", "C"), ("ham", "ham", "C"), ("ham", "spam", "I"), ("ham", "ham", "I")]
    assert about_verdicts(inspect_log(tmp_path, rows, "graded")) == [
        "The log's own verdict in 'value_graded' differs in 2 of 5 rows (first: rows 2, 5). By the log 3 of them are "
        "right (0.600), as read here 3 (0.600)."
    ]


@pytest.mark.parametrize("value", ["P", 0.5, float("nan")])
def test_a_partial_verdict_is_not_compared(tmp_path, value):
    assert about_verdicts(inspect_log(tmp_path, [("spam", "ham", value), ("ham", "ham", "C")])) == []


def lm_eval(folder: Path, rows) -> Evaluation:
    lines = [
        {
            "doc_id": i, "doc": {"text": "?"}, "target": target, "resps": [[answer]], "filtered_resps": [answer],
            "arguments": {"gen_args_0": {"arg_0": "?", "arg_1": {"until": []}}}, "filter": "none",
            "metrics": ["exact_match"], "exact_match": verdict,
        }
        for i, (target, answer, verdict) in enumerate(rows)
    ]  # fmt: skip
    (folder / "samples_t.jsonl").write_text("\n".join(map(json.dumps, lines)))
    return load.read_evaluation([folder / "samples_t.jsonl"], Given())


def test_exact_match_follows_the_options_of_its_task(tmp_path):
    rows = [("yes", "Yes."), ("no", "no"), ("yes", "No"), ("no", "yes")]
    ignoring = [(t, a, float(t == a.lower().rstrip("."))) for t, a in rows]
    plain = [(t, a, float(t == a)) for t, a in rows]
    assert accuracy(lm_eval(tmp_path, ignoring)) == 0.5
    e = lm_eval(tmp_path, plain)
    assert accuracy(e) == 0.25 and about_verdicts(e) == []


def test_promptfoo_and_openai_verdicts_are_compared(tmp_path):
    (tmp_path / "table.csv").write_text(
        "text,expected,[a] p,Status,Score\nWin,spam,spam,PASS,1\nHi,ham,spam,PASS,1\nYo,ham,ham,PASS,1\n"
    )
    e = load.read_evaluation([tmp_path / "table.csv"], Given())
    assert "'Status' differs in 1 of 3 rows (first: row 2)" in about_verdicts(e)[0]
    events = [{"spec": {"eval_name": "s"}}] + [
        {"run_id": "r", "event_id": i, "sample_id": f"s{i}", "type": "match",
         "data": {"correct": verdict, "expected": "ham", "picked": picked}}
        for i, (picked, verdict) in enumerate([("ham", True), ("spam", True), ("spam", False)])
    ]  # fmt: skip
    (tmp_path / "events.jsonl").write_text("\n".join(map(json.dumps, events)))
    e = load.read_evaluation([tmp_path / "events.jsonl"], Given())
    assert "'correct' differs in 1 of 3 rows (first: row 2)" in about_verdicts(e)[0]


def test_another_parser_is_compared_anew(tmp_path):
    rows = [(t, f"I would say that number {i} is {t}.", "C") for i, t in enumerate(["spam", "ham"] * 15)]
    e = inspect_log(tmp_path, rows)
    assert e.settings.raw is not None and "differs in 30 of 30 rows" in about_verdicts(e)[0]
    assert about_verdicts(with_parser(e, Parser("mine", (Rule("only_mentioned"),)))) == []


TEXTS = st.lists(st.text(" aAbB.", min_size=1, max_size=3), min_size=1, max_size=8)


@given(TEXTS, st.data(), st.integers(0, len(FORMS) - 1))
def test_form_of_the_verdicts_agrees_with_them(truth, data, place):
    pred = data.draw(st.lists(st.text(" aAbB.", min_size=1, max_size=3), min_size=len(truth), max_size=len(truth)))
    form, codes = FORMS[place][1], np.arange(len(truth))
    said = np.array([float(form(t) == form(p)) for t, p in zip(truth, pred, strict=True)])
    chosen = FORMS[choose_form(truth, pred, codes, codes, said)][1]
    assert [float(chosen(t) == chosen(p)) for t, p in zip(truth, pred, strict=True)] == said.tolist()


def test_labels_one_form_confuses_stay_apart():
    assert read_labels(["A", "a "], ["a", "A.", "b"], 3) == (["A", "a"], ["a", "A.", "b"])
