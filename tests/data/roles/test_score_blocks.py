"""Score columns of classes that do not occur in the file: predictions must be numpy's argmax over all columns."""

import numpy as np
import pyarrow as pa
import pytest

from data.building.build import build
from data.columns.column import Column
from data.errors import DataError
from data.roles.detect import Detected, Given, detect
from data.roles.score_blocks import find_score_block

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


@pytest.mark.parametrize("percent", [1, 100])
def test_class_beside_an_unlike_neighbour_joins(percent):
    true, scores = scores_without(4, digits=5)
    names = {name: (percent * scores[:, code]).round(3) for code, name in enumerate(NAMES)}
    ids = [str(1000 + row) for row in range(60)]
    table = pa.table({"truth": [NAMES[code] for code in true], "message_number": ids} | names)
    made = build(table, detect(table).settings, name="f.csv", content_sha256="0" * 64)
    assert np.mean(made.y_pred == made.y_true) == np.mean(scores.argmax(axis=1) == true)


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


SCALES = {
    "one-vs-rest": lambda raw: 1 / (1 + np.exp(-raw)),
    "logits": lambda raw: raw,
    "own scale": lambda raw: 3 * (raw - raw.min()) + 1,
    "hard": lambda raw: (raw == raw.max(axis=1, keepdims=True)).astype(int),
    "log-probabilities": lambda raw: raw - np.log(np.exp(raw).sum(axis=1, keepdims=True)),
}
NAMED = ["p_{}", "score_{}", "{}_logit", "pred_{}", "conf_{}", "{}", "P({})", "rf_proba_{}", "class_{}"]


@pytest.mark.parametrize("predicted", [False, True])
@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("pattern", NAMED)
def test_classes_without_true_rows_keep_their_scores(pattern, scale, predicted):
    for missing, classes, names in ((0, 4, NAMES), (3, 4, NAMES), (1, 3, "123"), (0, 3, ("ham", "spam", "phish"))):
        true, raw = scores_without(missing, classes=classes)
        scores = SCALES[scale](raw)
        columns = {pattern.format(names[code]): scores[:, code] for code in range(classes)}
        own = {"prediction": [names[code] for code in scores.argmax(axis=1)]} if predicted else {}
        table = pa.table({"truth": [names[code] for code in true]} | own | columns)
        found = detect(table)
        if len(found.settings.scores) < classes:  # any column of numbers may stand beside bare names
            assert (pattern, scale) == ("{}", "own scale")
            assert "stand beside the score columns" in " ".join(found.warnings)
            continue
        made = build(table, found.settings, name="f.csv", content_sha256="0" * 64)
        assert {label for _, label in found.settings.scores} == set(names[:classes])
        assert [made.labels[code] for code in made.y_pred] == [names[code] for code in scores.argmax(axis=1)]


@pytest.mark.parametrize("pattern", ["p_{}", "score_{}", "pred_{}", "{}", "tree {}"])
@pytest.mark.parametrize("names", [("ham", "spam"), ("0", "1"), ("1", "2", "3"), ("ant", "bee", "cow", "dog")])
@pytest.mark.parametrize("predicted", [False, True])
def test_hard_scores_are_of_the_class_they_name(pattern, names, predicted):
    random = np.random.default_rng(len(names))
    true, chosen = random.integers(0, len(names), (2, 60))
    chosen = np.where(random.random(60) < 0.8, true, chosen)
    own = {"prediction": [names[code] for code in chosen]} if predicted else {}
    columns = {pattern.format(name): (chosen == code).astype(float) for code, name in enumerate(names)}
    table = pa.table({"truth": [names[code] for code in true]} | own | columns)
    found = detect(table)
    made = build(table, found.settings, name="f.csv", content_sha256="0" * 64)
    assert {label: name for name, label in found.settings.scores} == {name: pattern.format(name) for name in names}
    assert [made.labels[code] for code in made.y_pred] == [names[code] for code in chosen]
    (warning,) = (text for text in found.warnings if "only 0 and 1" in text)
    assert warning.endswith("ROC AUC, curves and calibration need the model's probabilities.")
    assert not any("follow" in text for text in found.warnings)


def test_one_hard_score_is_of_its_class():
    truth, score = ["ham", "spam", "spam", "ham"], [1, 0, 1, 1]
    found = detect(pa.table({"truth": truth, "p_ham": score}))
    assert found.settings.scores == (("p_ham", "ham"),) and found.settings.positive == "ham"
    assert found.warnings[0].startswith("'p_ham' holds only 0 and 1, as predictions do.")


def test_one_hot_truth_is_no_score():
    true, _ = scores_without(4)
    truth = [NAMES[code] for code in true]
    hot = {name: [int(label == name) for label in truth] for name in NAMES[:4]}
    found = detect(pa.table({"truth": truth, "prediction": truth[::-1]} | hot))
    assert found.settings.scores == () and "repeat the true labels in every row" in found.warnings[0]


def test_what_stands_beside_bare_classes_is_doubted():
    true, raw = scores_without(4)
    columns = {name: 1 / (1 + np.exp(-raw[:, i])) for i, name in enumerate(NAMES[:4])}
    table = pa.table({"truth": [NAMES[code] for code in true]} | columns | {"confidence": columns["ant"]})
    assert [label for _, label in detect(table).settings.scores] == list(NAMES[:4])
    features = {f"f{i}": columns["ant"] for i in range(4)}
    found = detect(table.drop(["confidence"]).append_column("f", [features["f0"]]))
    assert found.warnings[0].startswith("1 class occurs only as score columns: 'f'.")
    found = detect(pa.table(dict(zip(table.column_names[:5], table.columns[:5], strict=True)) | features))
    assert len(found.settings.scores) == 4 and "'f3' stand beside the score columns" in found.warnings[0]


@pytest.mark.parametrize("pattern", ["p_{}", "{}_score", "{}"])
def test_named_scores_of_a_missing_class_are_taken(pattern):
    true, raw = scores_without(2, classes=4)
    names = [pattern.format(name) for name in NAMES[:4]]
    table = pa.table({"truth": [NAMES[code] for code in true]} | {name: raw[:, i] for i, name in enumerate(names)})
    found = detect(table, given=Given(scores=names))
    assert found.settings.scores == tuple(zip(names, NAMES[:4], strict=True))


def test_columns_of_several_labels_stay_flags():
    random = np.random.default_rng(0)
    hot = {f"{side}_{name}": random.integers(0, 2, 40) for side in ("true", "pred") for name in NAMES[:3]}
    settings = detect(pa.table(hot)).settings
    assert settings.encoding == "multi_hot" and len(settings.pred_columns) == 3 and not settings.scores


def test_scores_of_other_classes_are_no_single_score():
    parts = np.random.default_rng(0).dirichlet(np.ones(3), 30).T
    columns = dict(zip(("low_proba", "medium_proba", "high_proba"), parts, strict=True))
    with pytest.raises(DataError, match="Predictions are missing"):
        detect(pa.table({"outcome": ["paid", "open"] * 15} | columns), given=Given(truth="outcome"))


@pytest.mark.parametrize("labels", ["12", "123", "012"])
@pytest.mark.parametrize("name", ["pred_{}", "prediction {}", "{}_pred"])
def test_models_named_like_labels_predict_labels(labels, name):
    rng = np.random.default_rng(7)
    true = rng.integers(0, len(labels), 80)
    columns = {"truth": [labels[code] for code in true]}
    for model in labels:
        drawn = np.where(rng.random(80) < 0.8, true, rng.integers(0, len(labels), 80))
        columns[name.format(model)] = [labels[code] for code in drawn]
    found = detect(pa.table(columns))
    assert found.settings.pred == name.format(labels[0]) and not found.settings.scores
    assert any("could be, too" in text for text in found.warnings)


@pytest.mark.parametrize("first", [0, 1])
def test_ranks_and_flags_of_classes_stay_scores(first):
    rows = {0: [[1, 0, 1, 1], [0, 1, 0, 0]], 1: [[1, 2, 3, 1], [2, 3, 1, 2], [3, 1, 2, 3]]}[first]
    names = [f"pred_{first + place}" for place in range(len(rows))]
    columns = pa.table(dict(zip(names, rows, strict=True)))
    block = find_score_block([Column(columns, name) for name in names], [name[-1] for name in names])
    assert [name for name, _ in block.pairs] == names


@pytest.mark.parametrize("name", ["churn_{}_PREDICTION", "class_{}_prediction", "fold {} score"])
@pytest.mark.parametrize("labels", [("no", "yes"), ("0", "1", "2")])
def test_labels_between_affixes_are_scores_classes(name, labels):
    scores = np.random.default_rng(0).dirichlet(np.ones(len(labels)), 30)
    columns = {name.format(label): scores[:, code] for code, label in enumerate(labels)}
    found = detect(pa.table({"churn": [*labels] * (30 // len(labels))} | columns), given=Given(truth="churn"))
    assert found.settings.scores == tuple(zip(columns, labels, strict=True))


@pytest.mark.parametrize("name", ["P({})", "model_{}", "xgb {}", "xgb_{}_prob"])
@pytest.mark.parametrize("labels", [("low score", "high score"), ("no_pred", "yes_pred"), ("credit", "score")])
def test_labels_that_end_like_affixes_keep_scores(name, labels):
    scores = np.random.default_rng(0).dirichlet(np.ones(2), 30)
    columns = {name.format(label): scores[:, code] for code, label in enumerate(labels)}
    found = detect(pa.table({"y_true": [*labels] * 15} | columns))
    assert found.settings.scores == tuple(zip(columns, labels, strict=True))
