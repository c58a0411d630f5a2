"""Instances of the schema Every Eval Ever are read as one label a row, and never as sets."""

import json

import pytest

from tests.opened_runs import keep_text, open_run


def instance(name, references, responses, *extracted):
    about = {"turn_idx": 0, "source": "output.raw", "extraction_method": "regex"}
    values = [about | {"extracted_value": text, "is_terminal": final} for text, final in extracted]
    return {
        "schema_version": "0.2.1", "evaluation_id": "e", "model_id": "o/m", "evaluation_name": "spam",
        "sample_id": name, "interaction_type": "single_turn", "input": {"raw": "text", "reference": references},
        "output": {"raw": responses}, "answer_attribution": values, "evaluation": {"score": 1.0, "is_correct": True},
    }  # fmt: skip


def read(tmp_path, monkeypatch, *instances):
    monkeypatch.setenv("BLINDSPOT_STORE", str(tmp_path / "store"))
    return open_run(keep_text(tmp_path / "e.jsonl", "".join(json.dumps(one) + "\n" for one in instances)))


def test_final_extracted_values_are_the_predictions(tmp_path, monkeypatch):
    evaluation = read(
        tmp_path, monkeypatch,
        instance("1", ["spam"], ["so: spam"], ("ham", False), ("spam", True)),
        instance("2", ["ham"], ["ham"], ("ham", True)),
        instance("3", ["ham"], ["no idea"]),
        instance("4", ["spam", "junk"], ["x", "ham"], ("ham", True)),
    )  # fmt: skip
    assert (evaluation.task, evaluation.labels, evaluation.n_scored) == ("binary", ("ham", "spam"), 4)
    assert (evaluation.y_true == evaluation.y_pred).tolist() == [True, True, False, False]
    said = " ".join(evaluation.receipt.warnings)
    assert "1 row: nothing was extracted" in said and "1 row: several references" in said
    assert "1 row: several responses" in said


def test_responses_are_parsed_without_extracted_values(tmp_path, monkeypatch):
    texts = [("spam", "spam."), ("ham", "ham"), ("ham", "**Spam**")]
    rows = [instance(str(place), [true], [text]) for place, (true, text) in enumerate(texts)]
    evaluation = read(tmp_path, monkeypatch, *rows)
    assert evaluation.answers is not None and evaluation.answers.column == "output"
    assert (evaluation.y_true == evaluation.y_pred).mean() == pytest.approx(2 / 3)
