"""A column of scores says its class by its name, or by its values: what is found, and what is refused."""

import numpy as np
import pyarrow as pa
import pytest

from data.building.build import build
from data.errors import DataError
from data.roles.detect import detect
from tests.data.roles.test_detect import role_of, table


def class_scores(names, n=40, seed=0):
    raw = np.random.default_rng(seed).dirichlet(np.ones(len(names)), n)
    return {name: raw[:, i] for i, name in enumerate(names)}


SPAM = ["ham", "spam", "ham", "spam"]


@pytest.mark.parametrize(
    "name", ["p_spam", "prob.spam", "proba_spam", ".pred_spam", "score_spam", "spam_score", "P (y=spam)"]
)
def test_a_score_says_its_class_by_its_name(name):
    found = detect(pa.table({"truth": SPAM, name: [0.1, 0.7, 0.2, 0.9]}))
    assert found.settings.scores == ((name, "spam"),) and found.settings.positive == "spam"
    ham = detect(pa.table({"truth": SPAM, name.replace("spam", "ham"): [0.1, 0.7, 0.2, 0.9]}))
    assert ham.settings.positive == "ham"
    assert any("lower on the rows of 'ham'" in text for text in ham.warnings)


@pytest.mark.parametrize(
    ("labels", "positive"),
    [("01", "1"), (("no", "yes"), "yes"), (("False", "True"), "True"), (("negative", "positive"), "positive")],
)
def test_unnamed_score_is_of_the_second_label(labels, positive):
    truth = [labels[0], labels[1], labels[0], labels[0]]
    for name in ("score", "prob", "y_score", "prediction", "confidence", "prediction_proba"):
        found = detect(pa.table({"target": truth, name: [0.3, 0.9, 0.2, 0.4]}))
        assert found.settings.scores == ((name, positive),) and found.settings.pred is None
        assert any(f"positive class is '{positive}'" in text for text in found.notes)


@pytest.mark.parametrize(("name", "is_doubted"), [("overlap", True), ("y_score", False), ("p_yes", False)])
def test_score_found_by_values_only_is_doubted(name, is_doubted):
    columns = table(label=["no", "yes"] * 10, **{name: [0.2, 0.9, 0.4, 0.7] * 5})
    doubts = [text for text in detect(columns).warnings if "by its values only" in text]
    assert [f"'{name}'" in text for text in doubts] == [True] * is_doubted
    assert not any("only" in text for text in detect(columns, given={"score": name}).warnings)


@pytest.mark.parametrize(
    ("columns", "scores", "positive", "place", "words"),
    [
        pytest.param(
            {"target": ["0", "1", "0", "1"], "score": [0.9, 0.1, 0.8, 0.2]}, (("score", "1"),),
            "1", "warnings", "is lower on the rows of '1'", id="against the convention",
        ),
        pytest.param(
            {"truth": ["alpha", "beta"] * 2, "score": [0.9, 0.1, 0.8, 0.2]}, (("score", "alpha"),),
            "alpha", "notes", "'alpha': the class whose rows have the higher mean score", id="higher mean",
        ),
        pytest.param(
            {"truth": ["0", "1", "0"], "score_a": [0.1, 0.9, 0.2], "score_b": [0.0, 0.0, 0.0]}, (("score_a", "1"),),
            "1", "warnings", "'score_b' may hold scores, too", id="first of several",
        ),
        pytest.param(
            {"truth": ["no", "spam", "no"], "p_spam": [0.1, 0.9, 0.2], "p_spam_other_model": [0.0, 0.1, 0.0]},
            (("p_spam", "spam"),),
            "spam", "warnings", "'p_spam_other_model' may hold scores, too", id="second of a class",
        ),
        pytest.param(
            {"target": ["yes", "no"] * 20, **class_scores(["proba_0", "proba_1"])},
            (("proba_0", "no"), ("proba_1", "yes")),
            "yes", "warnings", "in label order", id="numbered in label order",
        ),
        pytest.param(
            {"truth": [*"abc"] * 13 + ["a"], **class_scores(["prob_1", "prob_2", "prob_3"])},
            (("prob_1", "a"), ("prob_2", "b"), ("prob_3", "c")),
            None, "warnings", "numbered", id="numbered from 1",
        ),
    ],
)  # fmt: skip
def test_scores_of_a_doubtful_class_are_explained(columns, scores, positive, place, words):
    found = detect(pa.table(columns))
    assert (found.settings.scores, found.settings.positive) == (scores, positive)
    assert any(words in text for text in getattr(found, place))


def test_person_names_positive_class_and_score():
    columns = table(truth=["0", "1", "0"], first=[0.1, 0.2, 0.3], second=[0.3, 0.9, 0.1])
    found = detect(columns, given={"score": "second", "positive": "0"})
    assert found.settings.scores == (("second", "0"),) and found.settings.positive == "0"
    with pytest.raises(DataError, match="positive class 'yes' is not one of '0', '1'"):
        detect(columns, given={"score": "second", "positive": "yes"})


def test_number_named_like_a_score_is_none():
    found = detect(table(y_true=["no", "yes"], y_pred=["no", "yes"], pred_time=[12.5, 80.25], p_index=[3, 4]))
    assert not found.settings.scores and role_of(found, "pred_time") == "other"


def test_confidence_is_no_class_score():
    columns = table(truth=["a", "b", "a", "b"], pred=["a", "b", "b", "a"], confidence=[0.9, 0.95, 0.6, 0.7])
    found = detect(columns)
    assert found.settings.scale == "confidence" and role_of(found, "confidence") == "confidence"
    assert found.settings.scores == (("confidence", "a"),)


@pytest.mark.parametrize(("name", "role"), [("threshold", "other"), ("alpha", "other"), ("confidence", "confidence")])
def test_one_number_in_all_rows_scores_no_class(name, role):
    columns = table(truth=list("0101") * 5, pred=list("0111") * 5, **{name: [0.5] * 20})
    assert role_of(detect(columns), name) == role


@pytest.mark.parametrize(
    ("pred", "share"),
    [("0011", None), ("0111", None), ("0000", None), ("1100", None), ("0101", "75.0 %"), ("1001", "75.0 %")],
)
def test_prediction_without_a_threshold_is_warned_of(pred, share):
    columns = table(truth=list("0101") * 5, v1_prediction=list(pred) * 5, probability=[0.1, 0.4, 0.6, 0.8] * 5)
    doubts = [text for text in detect(columns).warnings if "No threshold on 'probability'" in text]
    assert [f"agrees in {share} of the rows" in text for text in doubts] == [True] * bool(share)
    named = detect(columns, given={"truth": "truth", "pred": "v1_prediction"})
    assert not any("No threshold" in text for text in named.warnings)


def test_one_score_of_three_classes_is_confidence():
    found = detect(table(truth=["a", "b", "c"], pred=["a", "b", "b"], confidence=[0.9, 0.5, 0.4]))
    assert not found.settings.scores and role_of(found, "confidence") == "confidence"
    assert any("one score, but there are several classes" in text for text in found.notes)


def test_score_text_is_refused_with_its_place():
    for bad in ("high", "85%", "0;5", "~0.5"):
        with pytest.raises(DataError, match=rf"'p', row 2: '{bad}' is not a finite number"):
            detect(table(y_true=["a", "b"], y_pred=["a", "b"], p=["0.5", bad]))


def test_unneeded_unreadable_score_is_a_warning():
    found = detect(table(y_true=["a"] * 2, y_pred=["a"] * 2, p=["0.5", "50%"]))
    assert any("'p' was not used" in text and "row 2" in text and "'50%'" in text for text in found.warnings)
    assert not detect(table(y_true=["a"], y_pred=["a"], p=["C"])).warnings
    found = detect(table(y_true=["a", "b"], y_pred=["a", "b"], conf_a=["60,001", "6,992"], conf_b=["39,999", "93,008"]))
    assert sum("was not used" in text for text in found.warnings) == 2  # a comma before three digits means either


@pytest.mark.parametrize(
    "pattern",
    [
        "{}",
        "prob.{}",
        "proba_{}",
        "prob_{}",
        "p_{}",
        ".pred_{}",
        "score_{}",
        "prediction_score_{}",
        "{}_score",
        "P (kind={})",
    ],
)
def test_score_columns_are_matched_with_labels(pattern):
    labels = ["red", "light green", "blue"]
    columns = class_scores([pattern.format(label) for label in labels])
    found = detect(pa.table({"truth": [labels[i % 3] for i in range(40)], "size": np.arange(40), **columns}))
    assert found.settings.scores == tuple((pattern.format(label), label) for label in labels)
    assert found.settings.scale == "probability" and found.settings.pred is None
    assert any("only scores" in text for text in found.notes)


def test_absent_classes_join_a_block_adding_up():
    truth = ["a", "b"] * 20
    found = detect(
        pa.table({"truth": truth, "p_value": np.linspace(3, 4, 40), **class_scores(["prob_a", "prob_b", "prob_c"])})
    )
    assert [label for _, label in found.settings.scores] == ["a", "b", "c"]
    assert found.settings.positive is None


@pytest.mark.parametrize("name", ["POSITIVE_CLASS", "positive class", "pos_label"])
def test_a_column_names_the_positive_class(name):
    shares = [0.2, 0.7] * 10
    columns = {"y": ["bad", "good"] * 10, "y_bad_PREDICTION": [1 - share for share in shares]}
    columns |= {"y_good_PREDICTION": shares, "y_PREDICTION": ["bad", "good"] * 10}
    found = detect(pa.table(columns | {name: ["good"] * 20}))
    assert found.settings.positive == "good"
    assert any(f"'good': it stands in every row of '{name}'" in note for note in found.notes)
    for cells in (["fair"] * 20, ["good", "bad"] * 10, ["good", None] * 10):
        assert detect(pa.table(columns | {name: cells})).settings.positive == "bad"


def test_first_of_two_class_scores_is_positive():
    rng = np.random.default_rng(1).random(20)
    truth = ["Class1", "Class2", "Class2", "Class1", "Class2"] * 4
    found = detect(pa.table({"truth": truth, "Class1": rng, "Class2": 1 - rng, "predicted": truth[::-1]}))
    assert found.settings.positive == "Class1" and found.settings.pred == "predicted"
    assert found.settings.scores == (("Class1", "Class1"), ("Class2", "Class2"))


def test_given_scores_are_matched_or_refused():
    columns = pa.table({"truth": ["a", "b"] * 20, **class_scores(["first", "second"])})
    named = detect(columns, given={"scores": [("second", "a"), ("first", "b")]})
    assert named.settings.scores == (("second", "a"), ("first", "b"))
    with pytest.raises(DataError, match="'first', 'second' name no label of"):
        detect(columns, given={"scores": ["first", "second"]})


def test_logits_are_recognised_by_name_or_both_signs():
    logits = np.random.default_rng(0).normal(0, 3, (40, 3))
    columns = {f"logit_{name}": logits[:, i] for i, name in enumerate("abc")}
    found = detect(pa.table({"truth": [("abc")[i % 3] for i in range(40)], **columns}))
    assert found.settings.scale == "logit" and any("the name says so" in text for text in found.notes)
    single = detect(table(truth=["0", "1"], p=[-2.0, 1.5]))
    assert single.settings.scale == "logit" and any("named like a probability" in text for text in single.warnings)


def test_per_cent_scores_are_probabilities():
    for name in ("score_pct", "percent_score", "probability"):
        found = detect(table(truth=["0", "1", "0"], **{name: [3.0, 85.5, 40.0]}))
        assert found.settings.scale == "probability"
    assert detect(table(truth=["0", "1", "0"], score=[3.0, 85.5, 40.0])).settings.scale == "score"


@pytest.mark.parametrize(
    "pattern",
    ["class_{}", "prob_class_{}", "Class {}", "softmax_{}", "LABEL_{}", "proba[{}]", "P({})", "p{}", "p_class{}"],
)
@pytest.mark.parametrize("labels", [["0", "1", "2"], ["setosa", "versi color", "virginica"]])
def test_common_prefix_needs_rows_adding_up(pattern, labels):
    scores = class_scores([pattern.format(label) for label in labels])
    found = detect(pa.table({"y_true": labels * 13 + labels[:1], "y_pred": labels[::-1] * 13 + labels[:1], **scores}))
    assert found.settings.scores == tuple((pattern.format(label), label) for label in labels)


SHARES = np.linspace(0.05, 0.95, 20)
CUT = np.where(SHARES >= 0.5, "b", "a")


@pytest.mark.parametrize(
    ("columns", "scores"),
    [
        pytest.param(
            {"y_true": ["0", "1", "2", "1"] * 10, "y_pred": ["1", "2", "1", "0"] * 10}
            | {f"f_{i}": np.linspace(0, 1, 40) for i in range(3)},
            (), id="features of one prefix",
        ),
        pytest.param(
            {"target": CUT, "pred_1": CUT, "pred_2": CUT[::-1], "prob_1": 1 - SHARES, "prob_2": SHARES},
            (("prob_1", "a"), ("prob_2", "b")), id="two that add up",
        ),
        pytest.param(
            {"target": [float(i % 3) for i in range(40)], **class_scores(["p0", "p1", "p2"])},
            (("p0", "0.0"), ("p1", "1.0"), ("p2", "2.0")), id="numbers of labels",
        ),
    ],
)  # fmt: skip
def test_numbered_columns_are_scores_where_they_add_up(columns, scores):
    assert detect(pa.table(columns)).settings.scores == scores


@pytest.mark.parametrize(
    ("cells", "values", "how"),
    [
        (["25%", "75%"], [0.25, 0.75], "per cent signs: read as numbers, divided by 100"),
        (["0,25", "0,75"], [0.25, 0.75], "decimal commas"),
        (["0,25", "0.75"], [0.25, 0.75], "decimal commas and points"),
        (["2,5E-01", "7,5E-01"], [0.25, 0.75], "decimal commas"),
        (["25\u00a0%", "75,0\u202f%"], [0.25, 0.75], "per cent signs and decimal commas"),
    ],
)
def test_per_cent_and_comma_scores_are_read(cells, values, how):
    columns = table(y_true=["0", "1"], y_pred=["1", "1"], y_score=cells)
    found = detect(columns)
    built = build(columns, found.settings, name="x", content_sha256="0")
    assert built.y_score[:, 0].tolist() == values
    assert any("'y_score'" in text and how in text for text in built.receipt.warnings)


def test_typographic_minus_is_a_minus():
    columns = table(y_true=["0", "1", "0"], y_pred=["0", "1", "1"], y_score=["\u22121.5", "2.5", "0.5"])
    built = build(columns, detect(columns).settings, name="x", content_sha256="0")
    assert built.y_score[:, 0].tolist() == [-1.5, 2.5, 0.5]


SURE = [0.91, 0.75, 0.66, 0.58, 0.83, 0.97]
HAM_OR_SPAM = {"truth": ["a", "b", "a", "b", "b", "a"], "pred": ["a", "b", "b", "a", "b", "a"]}


@pytest.mark.parametrize("name", ["confidence", "conf", "Konfidenz", "probability"])
def test_confidence_in_per_cent_is_one(name):
    columns = table(**HAM_OR_SPAM, **{name: [100 * sure for sure in SURE]})
    found = detect(columns)
    built = build(columns, found.settings, name="x", content_sha256="0")
    of_a = [sure if label == "a" else 1 - sure for sure, label in zip(SURE, HAM_OR_SPAM["pred"], strict=True)]
    assert found.settings.scale == "confidence"
    assert built.y_score[:, 0].tolist() == pytest.approx(of_a)


def test_points_of_an_exam_are_no_confidence():
    found = detect(table(**HAM_OR_SPAM, score=[100 * sure for sure in SURE]))
    assert found.settings.scale == "score"


@pytest.mark.parametrize("name", ["confidence", "Konfidenz", "y_score", "p_b"])
def test_decimal_commas_have_the_role_of_points(name):
    labels = {"y_true": ["a", "b", "b", "a"], "y_pred": ["a", "b", "a", "b"]}
    points = [0.91, 0.75, 0.66, 0.58]
    commas = [str(number).replace(".", ",") for number in points]
    plain, written = (detect(pa.table(labels | {name: cells})).settings for cells in (points, commas))
    assert written == plain and plain.scores


@pytest.mark.parametrize("cells", [["0,5", "1.000"], ["1,000", "2.500"], ["50%", "0.5"]])
def test_ambiguous_numbers_are_refused_with_their_row(cells):
    columns = table(y_true=["0", "1"], y_pred=["1", "1"], y_score=cells)
    no_number = r"'y_score'.* row \d: '.*not a finite number|not a finite number \(row 1: '"
    with pytest.raises(DataError, match=rf"{no_number}|'1,000' may be 1\.000 or 1000, and no cell says which"):
        build(columns, detect(columns).settings, name="x", content_sha256="0")


@pytest.mark.parametrize("labels", [("no", "yes"), ("False", "True"), ("spam", "ham")])
@pytest.mark.parametrize("ending", ["_id", "_code", "_idx"])
def test_codes_of_labels_are_no_second_label(labels, ending):
    truth, pred = [0, 1, 1, 0, 1, 0], [0, 1, 0, 0, 1, 1]
    columns = {"true_label": [labels[code] for code in truth], "pred_label": [labels[code] for code in pred]}
    found = detect(table(**columns, **{f"true_label{ending}": truth, f"pred_label{ending}": pred})).settings
    assert (found.truth, found.pred, found.scores, found.task) == ("true_label", "pred_label", (), None)


def test_flags_of_one_spelling_stay_labels():
    found = detect(table(true_a=[0, 1, 0], true_b=[0, 1, 0], pred_a=[1, 1, 0], pred_b=[0, 1, 1])).settings
    assert found.truth_columns == (("true_a", "a"), ("true_b", "b"))


@pytest.mark.parametrize(
    ("name", "slope", "others_right", "words"),
    [
        ("f_{}", 1, 1.0, "Their highest is the predicted label"),
        ("f_{}", 1, 0.7, "Their highest is often not the label in 'v1_prediction'"),
        ("f_{}", -1, 0.7, None),  # they fit neither
        ("output_{}", -1, 0.7, "Their highest is often not the label in 'v1_prediction'"),
    ],
)
def test_unused_columns_named_after_labels_are_doubted(name, slope, others_right, words):
    random = np.random.default_rng(4)
    truth = random.integers(0, 3, 300)
    raw = {name.format(k): slope * ((truth == k) + 0.1 * random.normal(size=300)) for k in range(3)}
    prediction = np.where(random.random(300) < others_right, truth, (truth + 1) % 3)
    found = detect(pa.table({"label": truth, **raw, "v1_prediction": prediction}))
    said = [text for text in found.warnings if "were not used" in text]
    assert found.settings.scores == () and len(said) == (words is not None)
    assert words is None or words in said[0]


@pytest.mark.parametrize("name", ["score", "confidence", "probabilities", "p_spam"])
@pytest.mark.parametrize(
    "written",
    ["1.{:03d},5", "0,{:03d} €", "0.{:03d} (high)", '{{"spam": 0.{:03d}, "ham": 0.1}}', "~0.{:03d}", "{}/1000"],
)
def test_scores_written_otherwise_are_named_as_unused(name, written):
    cells = [written.format(number) for number in (100, 700, 200, 900)]
    warnings = detect(pa.table({"truth": SPAM, "prediction": SPAM, name: cells})).warnings
    assert any(text.startswith(f"'{name}' was not used.") and "such as 0.85" in text for text in warnings)


def test_words_named_like_a_score_give_no_warning():
    cells = ["low", "high (0.7)", "low", "see note 3"]
    assert not any(
        "was not used" in text
        for text in detect(pa.table({"truth": SPAM, "prediction": SPAM, "score": cells})).warnings
    )


@pytest.mark.parametrize("words", [("stayed", "churned"), ("0", "1"), ("False", "True")])
@pytest.mark.parametrize(
    ("pred", "score"), [("pred_{}", "score_{}"), ("{}_pred", "{}_prob"), ("y_pred_{}", "y_prob_{}")]
)
@pytest.mark.parametrize("first", [1, 2])
def test_scores_of_numbered_models_are_no_classes(words, pred, score, first):
    rng = np.random.default_rng(5)
    true = rng.integers(0, 2, 60)
    columns = {"target": [words[code] for code in true]}
    for model in (first, 3 - first):
        values = np.where(rng.random(60) < 0.9, true, 1 - true) * 0.5 + rng.random(60) * 0.5
        columns[pred.format(model)] = [words[int(value >= 0.5)] for value in values]
        columns[score.format(model)] = values
    found = detect(pa.table(columns)).settings
    [(taken, label)] = found.scores
    assert taken == score.format(found.pred.strip("y_pred")) and label == words[1]


@pytest.mark.parametrize("labels", ["01", "12", "012", "123", "0123"])
def test_scores_beside_flags_of_classes_are_of_classes(labels):
    """Sigmoid scores and their 0/1 predictions, one of each class, are not those of models."""
    rng = np.random.default_rng(len(labels))
    true = rng.integers(0, len(labels), 60)
    columns = {"label": [labels[code] for code in true]}
    for code, label in enumerate(labels):
        columns[f"score_{label}"] = np.where(true == code, 0.4, 0.1) + rng.random(60) * 0.5
        columns[f"pred_{label}"] = (columns[f"score_{label}"] >= 0.5).astype(int)
    found = detect(pa.table(columns)).settings
    assert found.scores == tuple((f"score_{label}", label) for label in labels)


@pytest.mark.parametrize("corrected", [False, True])
@pytest.mark.parametrize("given", [{}, {"pred": "decision"}, {"threshold": 0.4}])
@pytest.mark.parametrize("name", ["output", "prediction", "y_hat"])
def test_score_of_corrected_predictions_stays(name, given, corrected):
    """People correct a fifth of the predictions, or each row has a threshold of its own."""
    rng = np.random.default_rng(3)
    score = rng.random(200).round(3)
    cut = 0.5 if corrected else rng.choice([0.2, 0.5, 0.8], 200)
    decided = (score >= cut) ^ (corrected & (np.arange(200) % 5 == 0))
    columns = {"label": (score + rng.normal(0, 0.3, 200) >= 0.5).astype(int), "decision": decided.astype(int)}
    assert detect(pa.table(columns | {name: score}), given=given).settings.scores == ((name, "1"),)


def test_unused_numbers_may_be_infinite():
    score = np.linspace(0.01, 0.99, 60)
    columns = {"label": np.roll(score, 3) >= 0.5, "y_pred": score >= 0.5, "y_score": score}
    forecast = np.append(np.linspace(3, 40, 59), np.inf)
    assert detect(pa.table(columns | {"forecast": forecast})).settings.scores[0][0] == "y_score"


@pytest.mark.parametrize("name", ["forecast", "output", "estimate", "prediction"])
@pytest.mark.parametrize("cells", [np.linspace(3, 40, 60), np.linspace(-4, 9, 60), np.linspace(0.01, 0.99, 60)])
@pytest.mark.parametrize("pred", ["gpt4", "y_pred"])
def test_numbers_no_threshold_cuts_are_no_score(name, cells, pred):
    true = ["ham", "spam", "spam"] * 20
    guessed = [*true[:50], *true[::-1][:10]]
    columns = {"label": true, pred: guessed, name: cells}
    found = detect(pa.table(columns))
    assert (found.settings.pred, found.settings.scores) == (pred, ())
    assert any(f"'{name}' was not used: it says nothing of '{pred}'" in text for text in found.warnings)
    assert detect(pa.table(columns), given={"score": name}).settings.scores == ((name, "spam"),)
    cut = np.where(cells >= np.median(cells), "spam", "ham")
    assert detect(pa.table(columns | {pred: cut})).settings.scores == ((name, "spam"),)
