"""Test that what intake did to the scores is said beside what is wrong with them, and nothing is said twice."""

from unittest.mock import patch

import numpy as np
import pandas as pd
import pytest

from metrics.findings.tables import count_scores
from tests.opened_runs import keep_file, open_run
from ui.thresholds import score_checks

pytestmark = pytest.mark.usefixtures("own_store")
N = 400
P, CHANCE = np.random.default_rng(0).random((2, N))
Y = np.where(CHANCE < P, "spam", "ham")


def said(tmp_path, **columns) -> list[tuple[str, str]]:
    """Severity and sentence of every remark on a file, in order."""
    path = tmp_path / "preds.csv"
    pd.DataFrame(columns).to_csv(path, index=False)
    evaluation = open_run(keep_file(path))
    code = evaluation.score_codes[0]
    scores = count_scores(evaluation, code)
    assert scores is not None
    remarks = []
    with (
        patch.object(score_checks, "remark", lambda text, kind: remarks.append((kind, text))),
        patch.object(score_checks, "go_to"),
    ):
        score_checks.show(evaluation, code, scores)
    return remarks


def test_nothing_is_said_of_plain_probabilities(tmp_path):
    assert said(tmp_path, label=Y, p_spam=P) == []


def test_per_cent_is_said_to_have_been_divided(tmp_path):
    assert said(tmp_path, label=Y, p_spam=P * 100) == [("info", "The scores are per cent: they were divided by 100.")]


def test_logits_are_left_to_the_axis(tmp_path):
    assert said(tmp_path, label=Y, logit_spam=np.log(P / (1 - P))) == []


def test_points_are_said_once_and_warned_about(tmp_path):
    [(kind, text)] = said(tmp_path, label=Y, logit=(P * 1000).round())
    assert kind == "warning" and "taken as logits, but" in text


def test_own_scale_is_said_once(tmp_path):
    [(kind, text)] = said(tmp_path, label=Y, score=(P * 1000).round())
    assert kind == "info" and text.startswith("The scores are on a scale of their own (")


def test_softmax_of_logit_columns_is_said(tmp_path, rng):
    columns = {f"logit_{name}": rng.normal(0, 3, N) for name in ("a", "b", "c")}
    remarks = said(tmp_path, label=rng.choice(["a", "b", "c"], N), prediction=rng.choice(["a", "b", "c"], N), **columns)
    assert ("info", "Softmax made probabilities of the 3 logit columns.") in remarks


def test_unnormalised_rows_are_said_once(tmp_path, rng):
    columns = {f"p_{name}": rng.random(N) for name in ("a", "b", "c")}
    truth = rng.choice(["a", "b", "c"], N)
    remarks = [text for _, text in said(tmp_path, label=truth, prediction=truth, **columns)]
    off = int((np.abs(sum(columns.values()) - 1) > 0.01).sum())
    assert [text for text in remarks if "add up" in text] == [remarks[0]]
    assert remarks[0].startswith(f"The scores of {off} rows of {N} do not add up to 1")


def test_reversed_score_is_serious(tmp_path):
    remarks = said(tmp_path, label=Y, p_spam=1 - P)
    assert remarks[0][0] == "serious" and "Is the positive class the other one" in remarks[0][1]
    assert len(remarks) == 1


def test_predicted_labels_score_is_said_to_be_turned(tmp_path):
    pred = np.where(P > 0.5, "spam", "ham")
    remarks = said(tmp_path, label=Y, prediction=pred, confidence=np.maximum(P, 1 - P))
    assert any("1 minus that score elsewhere" in text for _, text in remarks)
