"""Score columns of classes that do not occur in the file: predictions must be numpy's argmax over all columns."""

import numpy as np
import pyarrow as pa
import pytest

from data.building.build import build
from data.roles.detect import Detected, Given, detect

NAMES = ("ant", "bee", "cow", "dog", "elk")


def scores_without(missing: int, classes: int = 5, digits: int | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Return codes of the truth that lack one class, and logits, or probabilities of so many digits, for all."""
    random = np.random.default_rng(missing)
    true = random.choice([code for code in range(classes) if code != missing], 60)
    scores = random.normal(0, 2, (60, classes))
    if digits is not None:
        scores = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    return true, scores.round(3 if digits is None else digits)


def detected(true: np.ndarray, scores: np.ndarray, prefix: str) -> tuple[pa.Table, Detected]:
    columns = {f"{prefix}{NAMES[code]}": scores[:, code] for code in range(scores.shape[1])}
    table = pa.table({"truth": [NAMES[code] for code in true], **columns})
    return table, detect(table)


@pytest.mark.parametrize("missing", [0, 2, 4])
def test_logits_of_a_missing_class_join_predictions(missing):
    true, scores = scores_without(missing)
    table, found = detected(true, scores, "logit_")
    made = build(table, found.settings, name="f.csv", content_sha256="0" * 64)
    assert np.mean(made.y_pred == made.y_true) == np.mean(scores.argmax(axis=1) == true)
    assert found.warnings[0].startswith(f"1 class occurs only as score columns: '{NAMES[missing]}'.")


@pytest.mark.parametrize(("digits", "prefix"), [(1, "p_"), (2, ""), (2, "score_")])
def test_rounded_probabilities_of_a_missing_class_join(digits, prefix):
    true, scores = scores_without(2, classes=3, digits=digits)
    assert {label for _, label in detected(true, scores, prefix)[1].settings.scores} == set(NAMES[:3])
    assert len(detected(true, 100 * scores, prefix)[1].settings.scores) == 3  # per cent


def test_aggregates_beside_scores_are_no_class():
    true, scores = scores_without(4)
    table = pa.table({"truth": [NAMES[code] for code in true]} | {f"score_{n}": scores[:, i] for i, n in enumerate(
        NAMES[:4])} | {"score_max": scores.max(axis=1), "other": scores[:, 4]})  # fmt: skip
    assert [label for _, label in detect(table).settings.scores] == list(NAMES[:4])


def test_score_columns_keep_line_breaks_of_labels():
    table = pa.table(
        {"truth": ["a\nb", "c", "d"], "p_a\nb": [0.6, 0.3, 0.1], "p_c": [0.2, 0.5, 0.1], "p_d": [0.2, 0.2, 0.8]}
    )
    assert [label for _, label in detect(table).settings.scores] == ["a\nb", "c", "d"]


def test_positive_class_without_use_warns():
    table = pa.table({"truth": ["a", "b", "c"], "pred": ["a", "b", "b"]})
    (said,) = detect(table, given=Given(positive="zzz")).warnings
    assert said.startswith("The positive class 'zzz' is not used: the file has 3 classes.")


def test_y_score_names_no_class():
    table = pa.table({"truth": ["cat"] * 5, "y_score": [0.1, 0.9, 0.4, 0.6, 0.7]})
    found = detect(table, given=Given(positive="cat"))
    assert found.settings.scores == (("y_score", "cat"),) and "'not cat'" in found.warnings[0]
