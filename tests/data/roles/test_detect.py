"""Names propose, values decide: which column is the truth, the prediction, the score of which class."""

import json

import numpy as np
import pyarrow as pa
import pytest

from data.building.build import build
from data.columns.column_names import parse_name
from data.errors import DataError, RolesNeeded
from data.joining.join import join
from data.labels.positive_class import choose_by_convention, choose_positive
from data.roles.detect import Given, detect

CATS = ["cat", "dog", "cat", "dog"]
GUESS = ["cat", "cat", "cat", "dog"]


def table(**columns):
    return pa.table(columns)


def role_of(found, column):
    return next(role.role for role in found.roles if role.column == column)


# -- truth and hard predictions ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("truth", "pred"),
    [
        ("y_true", "y_pred"), ("target", "prediction"), ("Actual", "Predicted"), ("Ground Truth", "Prediction"),
        ("truth", ".pred_class"), ("obs", "pred"), ("truth", "response"), ("label", "predicted_label"),
        ("given_label", "predicted_label"), ("gold", "answer"), ("expected", "output"), ("label", "output"),
        ("reference_output", "output"), ("class", "predicted_class"), ("intent_true", "intent_pred"),
        ("trueLabel", "predLabel"), ("species", "prediction_label"), ("target", "label"), ("true_label", "pred_label"),
        ("answer", "prediction"), ("Y_TRUE", "Y-PRED"),
    ],
)  # fmt: skip
def test_truth_and_prediction_are_found_in_either_order(truth, pred):
    for names in ((truth, pred), (pred, truth)):
        columns = {
            "id": ["1", "2", "3", "4"],
            **{n: CATS if n == truth else GUESS for n in names},
            "text": list("wxyz"),
        }
        found = detect(pa.table(columns))
        assert (found.settings.truth, found.settings.pred) == (truth, pred)
        assert found.settings.encoding == "single" and not found.settings.scores
        assert found.settings.id == "id" and role_of(found, "text") == "other"


def test_roles_found_by_values_alone_are_a_warning():
    found = detect(table(a=CATS, b=["u", "v", "w", "x"], c=GUESS))
    assert (found.settings.truth, found.settings.pred) == ("a", "c")
    assert any("by their values only: 'a' was taken as the truth" in text for text in found.warnings)


def test_every_column_has_a_role_and_a_reason():
    found = detect(table(id=list("abcd"), y_true=CATS, y_pred=GUESS, age=[1, 2, 3, 4]))
    assert [(role.column, role.role) for role in found.roles] == [
        ("id", "id"), ("y_true", "truth"), ("y_pred", "prediction"), ("age", "other"),
    ]  # fmt: skip
    assert all(role.why for role in found.roles)


@pytest.mark.parametrize("kind", ["plain", "large", "dictionary", "int", "bool", "float"])
def test_any_column_type_holds_labels(kind):
    true, pred = [1, 0, 1, 0], [1, 0, 0, 0]
    make = {
        "plain": lambda v: pa.array([str(x) for x in v]),
        "large": lambda v: pa.array([str(x) for x in v], pa.large_string()),
        "dictionary": lambda v: pa.array([str(x) for x in v]).dictionary_encode(),
        "int": lambda v: pa.array(v, pa.int8()),
        "bool": lambda v: pa.array([bool(x) for x in v]),
        "float": lambda v: pa.array([float(x) for x in v]),
    }[kind]
    found = detect(table(y_true=make(true), y_pred=make(pred)))
    assert (found.settings.truth, found.settings.pred) == ("y_true", "y_pred")
    assert found.settings.positive == {"bool": "true", "float": "1.0"}.get(kind, "1")


def test_given_columns_win_over_names():
    columns = table(y_true=CATS, other=CATS, y_pred=GUESS, second=GUESS)
    found = detect(columns, given={"truth": "other", "pred": "second"})
    assert (found.settings.truth, found.settings.pred) == ("other", "second")
    assert role_of(found, "y_true") == "other"


def test_two_joined_files_are_told_apart():
    predictions = table(id=["a", "b", "c", "d"], label=GUESS)
    labels = table(id=["d", "c", "b", "a"], label=["dog", "cat", "dog", "cat"])
    found = detect(join(predictions, labels)[0])
    assert (found.settings.truth, found.settings.pred) == ("label (labels)", "label (predictions)")
    labels = table(id=["d", "c", "b", "a"], kind=["dog", "cat", "dog", "cat"])
    found = detect(join(predictions, labels)[0])
    assert (found.settings.truth, found.settings.pred) == ("kind", "label")


def test_the_column_a_join_adds_is_nobodys_label():
    predictions = table(id=["a", "b", "z"], label=["x", "y", "x"])
    found = detect(join(predictions, table(id=["a", "b", "q"], gold=["x", "y", "y"]))[0])
    assert role_of(found, "found in") == "join"


# -- errors -----------------------------------------------------------------------------------------


def test_missing_named_column_has_a_near_miss():
    with pytest.raises(
        DataError, match=r"no column 'y_true'; the file has 'Y_True', 'Y_Pred'\. Did you mean 'Y_True'\?"
    ):
        detect(table(Y_True=["a"], Y_Pred=["a"]), given={"truth": "y_true"})
    with pytest.raises(DataError, match=r"no column 'y_true'; the file has 'label', 'guess'\."):
        detect(table(label=["a"], guess=["a"]), given=Given(truth="y_true"))


def test_missing_columns_are_listed_with_names_tried():
    with pytest.raises(DataError, match=r"'height', 'weight'; looked for .*y_true"):
        detect(table(height=[1.5, 2.5], weight=[3.25, 4.5]))
    with pytest.raises(DataError, match=r"True labels found in 'label'\. Predictions are missing: .*y_pred.*'text'"):
        detect(table(label=CATS, text=list("wxyz")))


def test_free_text_truth_is_refused_with_numbers():
    texts = [f"a sentence about thing {i}" for i in range(30)]
    with pytest.raises(DataError, match=r"30 different labels in 30 rows.*free text"):
        detect(table(label=texts, prediction=["a", "b", "c"] * 10))
    assert detect(table(label=texts[:20], prediction=texts[:20])).settings.truth == "label"


def test_many_listed_labels_are_no_free_text():
    names = [f"class {i}" for i in range(25)]
    assert detect(table(label=names, prediction=names), label_set=names).settings.truth == "label"


def test_same_column_twice_and_no_rows_are_refused():
    with pytest.raises(DataError, match="same column"):
        detect(table(y=CATS), given={"truth": "y", "pred": "y"})
    with pytest.raises(DataError, match="no rows"):
        detect(pa.table({"y": pa.array([], pa.string()), "p": pa.array([], pa.string())}))


def test_lists_beside_plain_labels_are_refused():
    with pytest.raises(DataError, match=r"'y_true' holds lists and 'y_pred' does not"):
        detect(table(y_true=['["a"]', '["b"]'], y_pred=["a", "a"]))


# -- one score --------------------------------------------------------------------------------------

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


def test_score_against_the_convention_warns():
    found = detect(table(target=["0", "1", "0", "1"], score=[0.9, 0.1, 0.8, 0.2]))
    assert found.settings.positive == "1" and any("is lower on the rows of '1'" in text for text in found.warnings)


def test_unnamed_score_belongs_to_the_higher_mean():
    found = detect(table(truth=["alpha", "beta"] * 2, score=[0.9, 0.1, 0.8, 0.2]))
    assert found.settings.scores == (("score", "alpha"),)
    assert any("'alpha': the class whose rows have the higher mean score" in text for text in found.notes)


def test_person_names_positive_class_and_score():
    columns = table(truth=["0", "1", "0"], first=[0.1, 0.2, 0.3], second=[0.3, 0.9, 0.1])
    found = detect(columns, given={"score": "second", "positive": "0"})
    assert found.settings.scores == (("second", "0"),) and found.settings.positive == "0"
    with pytest.raises(DataError, match="positive class 'yes' is not one of '0', '1'"):
        detect(columns, given={"score": "second", "positive": "yes"})


def test_first_of_several_scores_is_taken():
    found = detect(table(truth=["0", "1", "0"], score_a=[0.1, 0.9, 0.2], score_b=[0.0, 0.0, 0.0]))
    assert found.settings.scores == (("score_a", "1"),)
    assert any("'score_b' may hold scores, too" in text for text in found.notes)


def test_second_score_of_a_class_is_pointed_out():
    found = detect(table(truth=["no", "spam", "no"], p_spam=[0.1, 0.9, 0.2], p_spam_other_model=[0.0, 0.1, 0.0]))
    assert found.settings.scores == (("p_spam", "spam"),)
    assert any("'p_spam_other_model' may hold scores, too" in text for text in found.notes)


def test_number_named_like_a_score_is_none():
    found = detect(table(y_true=["no", "yes"], y_pred=["no", "yes"], pred_time=[12.5, 80.25], p_index=[3, 4]))
    assert not found.settings.scores and role_of(found, "pred_time") == "other"


def test_confidence_is_no_class_score():
    columns = table(truth=["a", "b", "a", "b"], pred=["a", "b", "b", "a"], confidence=[0.9, 0.95, 0.6, 0.7])
    found = detect(columns)
    assert found.settings.scale == "confidence" and role_of(found, "confidence") == "confidence"
    assert found.settings.scores == (("confidence", "a"),)


def test_one_score_of_three_classes_is_confidence():
    found = detect(table(truth=["a", "b", "c"], pred=["a", "b", "b"], confidence=[0.9, 0.5, 0.4]))
    assert not found.settings.scores and role_of(found, "confidence") == "confidence"
    assert any("one score, but there are several classes" in text for text in found.notes)


def test_score_text_is_refused_with_its_place():
    for bad in ("high", "85%", "0,5", "−0.5"):
        with pytest.raises(DataError, match=rf"'p', row 2: '{bad}' is not a finite number"):
            detect(table(y_true=["a", "b"], y_pred=["a", "b"], p=["0.5", bad]))


def test_unneeded_unreadable_score_is_a_warning():
    found = detect(table(y_true=["a"] * 2, y_pred=["a"] * 2, p=["0.5", "0,5"]))
    assert any("'p' was not used" in text and "row 2" in text and "'0,5'" in text for text in found.warnings)
    assert not detect(table(y_true=["a"], y_pred=["a"], p=["C"])).warnings


# -- a score per class ------------------------------------------------------------------------------


def class_scores(names, n=40, seed=0):
    raw = np.random.default_rng(seed).dirichlet(np.ones(len(names)), n)
    return {name: raw[:, i] for i, name in enumerate(names)}


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


def test_number_labels_match_numbered_scores():
    truth = [float(i % 3) for i in range(40)]
    found = detect(pa.table({"target": truth, **class_scores(["p0", "p1", "p2"])}))
    assert [label for _, label in found.settings.scores] == ["0.0", "1.0", "2.0"]


def test_numbered_scores_follow_label_order():
    truth = ["yes", "no"] * 20
    found = detect(pa.table({"target": truth, **class_scores(["proba_0", "proba_1"])}))
    assert found.settings.scores == (("proba_0", "no"), ("proba_1", "yes"))
    assert any("in label order" in text for text in found.warnings)


def test_absent_classes_join_a_block_adding_up():
    truth = ["a", "b"] * 20
    found = detect(
        pa.table({"truth": truth, "p_value": np.linspace(3, 4, 40), **class_scores(["prob_a", "prob_b", "prob_c"])})
    )
    assert [label for _, label in found.settings.scores] == ["a", "b", "c"]
    assert found.settings.positive is None


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
    with pytest.raises(DataError, match="could not be matched"):
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


# -- raw answers ------------------------------------------------------------------------------------


def answers(n=40):
    return [f"Well, thinking about number {i}, the answer is {'refund' if i % 2 else 'billing'}." for i in range(n)]


@pytest.mark.parametrize(
    "name", ["output", "completion", "response", "raw_output", "model_output", "prediction", "generation"]
)
def test_varied_texts_beside_a_truth_are_raw_answers(name):
    found = detect(
        pa.table({"question": [f"q {i}" for i in range(40)], "target": ["refund", "billing"] * 20, name: answers()})
    )
    assert (found.settings.raw, found.settings.pred) == (name, None)


def test_output_column_is_labels_or_raw():
    truth = ["refund", "billing", "refund", "billing"]
    assert detect(table(target=truth, output=truth[::-1])).settings.pred == "output"
    assert detect(table(target=truth, output=["refund", "billing", "refund", "shipping"])).settings.pred == "output"
    assert detect(table(target=truth, output=["Refund.", "billing", "refund", "I cannot say"])).settings.raw == "output"
    assert detect(table(target=truth, y_pred=["Refund", "billing", "refund", "Billing"])).settings.pred == "y_pred"


def test_many_predicted_classes_are_hard_labels():
    names = [f"intent_{i}" for i in range(60)]
    truth, pred = [names[i % 8] for i in range(400)], [names[i % 60] for i in range(400)]
    for name in ("predicted_label", "prediction", "y_pred"):
        found = detect(pa.table({"true_label": truth, name: pred}))
        assert (found.settings.pred, found.settings.raw) == (name, None)


def test_bare_answers_with_some_chatter_are_raw():
    truth = ["refund", "billing"] * 30
    output = truth[:40] + [f"It is hard to tell what number {i} wants from us today." for i in range(20)]
    assert detect(table(target=truth, output=output)).settings.raw == "output"


def test_question_text_is_no_answer():
    with pytest.raises(DataError, match="Predictions are missing"):
        detect(table(label=["refund", "billing"] * 20, text=answers()))


# -- several labels a row ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("join_with", "encoding"),
    [("|", "delimited"), (";", "delimited"), (", ", "delimited"), ("json", "json"), ("python", "json")],
)
def test_sets_in_a_cell_are_recognised(join_with, encoding):
    truth = [["a", "b"], ["b"], ["c", "a"], ["b", "c"]]
    pred = [["a"], ["b"], ["c", "a"], ["a", "b"]]
    write = {"json": json.dumps, "python": str}.get(join_with, join_with.join)
    found = detect(pa.table({"labels": [write(s) for s in truth], "predicted": [write(s) for s in pred]}))
    assert (found.settings.truth, found.settings.pred, found.settings.encoding) == ("labels", "predicted", encoding)
    assert found.settings.delimiter == (join_with.strip() if encoding == "delimited" else None)
    assert found.settings.positive is None


def test_sets_with_a_score_per_label():
    columns = table(
        tags=["a|b", "b", "c|a", "b|c"], target=["a|b", "b", "c|a", "b|c"],
        score_a=[0.9, 0.1, 0.8, 0.4], score_b=[0.9, 0.9, 0.1, 0.9], score_c=[0.0, 0.1, 0.9, 0.8],
    )  # fmt: skip
    found = detect(columns)
    assert found.settings.truth == "target" and found.settings.encoding == "delimited"
    assert [label for _, label in found.settings.scores] == ["a", "b", "c"]


FLAGS = {"rain": ["1", "0", "1", "0"], "snow": ["0", "0", "1", "1"]}


@pytest.mark.parametrize(
    ("truth", "pred"),
    [
        ("true_{}", "pred_{}"),
        ("truth_{}", "pred_{}"),
        ("y_true_{}", "y_pred_{}"),
        ("{}_true", "{}_pred"),
        ("label_{}", "predicted_{}"),
        ("{}", "pred_{}"),
    ],
)
def test_pairs_of_0_1_columns_are_multi_hot(truth, pred):
    columns = {truth.format(k): v for k, v in FLAGS.items()} | {pred.format(k): v[::-1] for k, v in FLAGS.items()}
    found = detect(pa.table({"id": list("abcd"), **columns}))
    assert found.settings.encoding == "multi_hot"
    assert found.settings.truth_columns == tuple((truth.format(k), k) for k in FLAGS)
    assert found.settings.pred_columns == tuple((pred.format(k), k) for k in FLAGS)


@pytest.mark.parametrize("score", ["p_{}", "score_{}", "prob_{}", "{}_score", "pred_{}"])
def test_0_1_columns_beside_scores_are_multi_hot(score):
    columns = dict(FLAGS) | {score.format(k): [0.1, 0.9, 0.3, 0.2] for k in FLAGS}
    found = detect(pa.table(columns))
    assert found.settings.truth_columns == (("rain", "rain"), ("snow", "snow"))
    assert found.settings.scores == tuple((score.format(k), k) for k in FLAGS) and not found.settings.pred_columns


def test_equal_wide_files_are_truth_and_scores():
    labels = pa.table({"file": list("abcd"), **{k: [int(x) for x in v] for k, v in FLAGS.items()}})
    scores = pa.table({"file": list("dcba"), "rain": [3.5, -2.0, 0.1, 9.0], "snow": [-120.0, 4.0, 2.0, 1.0]})
    found = detect(join(scores, labels)[0])
    assert found.settings.truth_columns == (("rain (labels)", "rain"), ("snow (labels)", "snow"))
    assert found.settings.scores == (("rain (predictions)", "rain"), ("snow (predictions)", "snow"))
    assert found.settings.scale == "logit" and not found.warnings


def test_pair_of_0_1_columns_is_binary():
    found = detect(table(y_true=["0", "1"], y_pred=["1", "1"], flag=["0", "1"]))
    assert found.settings.encoding == "single" and found.settings.pred == "y_pred"


# -- names and the positive class -------------------------------------------------------------------


def test_a_name_is_read_with_its_affix():
    assert ("score", "spam") in {(r.kind, r.stem) for r in parse_name("proba_spam")}
    assert ("truth", "child speech") in {(r.kind, r.stem) for r in parse_name("child speech (labels)")}
    assert ("score", "1") in {(r.kind, r.stem) for r in parse_name("p1")}


@pytest.mark.parametrize("prefix", ["p_", "proba-", "score "])
def test_a_label_may_begin_with_a_separator(prefix):
    scores = {f"{prefix}-1": [0.9, 0.2, 0.4], f"{prefix}1": [0.1, 0.8, 0.6]}
    found = detect(table(y_true=["-1", "1", "1"], y_pred=["-1", "1", "-1"], **scores))
    assert set(found.settings.scores) == {(f"{prefix}-1", "-1"), (f"{prefix}1", "1")}


@pytest.mark.parametrize(
    ("labels", "positive"),
    [
        (("0", "1"), "1"), (("0.0", "1.0"), "1.0"), (("-1", "1"), "1"), (("ham", "spam"), "spam"), (("N", "Y"), "Y"),
        (("benign", "malignant"), "malignant"), (("not_toxic", "toxic"), "toxic"), (("invalid", "valid"), "valid"),
        (("Class1", "Class2"), None), (("cat", "dog"), None), (("1", "2"), None), (("a", "b", "c"), None),
    ],
)  # fmt: skip
def test_the_positive_class_by_convention(labels, positive):
    assert choose_by_convention(labels) == positive and choose_by_convention(labels[::-1]) == positive


def test_positive_class_is_rare_or_scored_or_first():
    assert choose_positive(["a", "b"], {"a": 10, "b": 90})[0] == "a"
    assert choose_positive(["a", "b"], {"a": 90, "b": 10}, ["a", "b"])[0] == "b"
    assert choose_positive(["a", "b"], {"a": 50, "b": 50}, ["b", "a"])[0] == "b"
    assert choose_positive(["a", "b"], {"a": 55, "b": 45})[0] == "a"


# -- what hostile files taught ----------------------------------------------------------------------


@pytest.mark.parametrize(
    "pattern",
    ["class_{}", "prob_class_{}", "Class {}", "softmax_{}", "LABEL_{}", "proba[{}]", "P({})", "p{}", "p_class{}"],
)
@pytest.mark.parametrize("labels", [["0", "1", "2"], ["setosa", "versi color", "virginica"]])
def test_common_prefix_needs_rows_adding_up(pattern, labels):
    scores = class_scores([pattern.format(label) for label in labels])
    found = detect(pa.table({"y_true": labels * 13 + labels[:1], "y_pred": labels[::-1] * 13 + labels[:1], **scores}))
    assert found.settings.scores == tuple((pattern.format(label), label) for label in labels)


def test_a_prefix_alone_makes_no_scores_of_features():
    features = {f"f_{i}": np.linspace(0, 1, 40) for i in range(3)}
    truth = ["0", "1", "2", "1"] * 10
    found = detect(pa.table({"y_true": truth, "y_pred": truth[::-1], **features}))
    assert found.settings.scores == ()


def test_numbered_scores_may_begin_with_1():
    scores = class_scores(["prob_1", "prob_2", "prob_3"])
    found = detect(pa.table({"truth": [("abc")[i % 3] for i in range(40)], **scores}))
    assert found.settings.scores == (("prob_1", "a"), ("prob_2", "b"), ("prob_3", "c"))
    assert any("numbered" in text for text in found.warnings)


def test_matrix_lines_are_counted():
    lines = table(Actual=["a", "a", "b", "b"], Predicted=["a", "b", "a", "b"], nPredictions=["50", "3", "7", "40"])
    for given in ({}, {"truth": "Actual", "pred": "Predicted"}):
        found = detect(lines, given=given)
        assert (found.settings.truth, found.settings.pred) == ("Actual", "Predicted")
        assert found.settings.counts == "nPredictions" and role_of(found, "nPredictions") == "rows per line"
    assert detect(lines, given={"counts": ""}).settings.counts is None


def test_counts_beside_a_slice_are_asked_for():
    lines = table(
        y_true=["a", "b", "a", "b", "a"],
        y_pred=["a", "b", "b", "a", "a"],
        region=["n", "n", "s", "s", "s"],
        count=["50", "30", "20", "5", "11"],
    )
    asked = detect(lines)
    assert asked.settings.counts is None and any("'count' may say how many rows" in text for text in asked.warnings)
    named = detect(lines, given={"counts": "count"})
    assert named.settings.counts == "count" and role_of(named, "count") == "rows per line"
    assert not any("may say" in text for text in [*named.warnings, *detect(lines, given={"counts": ""}).warnings])


def test_a_feature_called_count_is_no_confusion_matrix():
    columns = table(y_true=["a", "a", "b", "a"], y_pred=["a", "b", "a", "a"], count=["5", "3", "7", "4"])
    assert detect(columns).settings.pred == "y_pred"


def test_an_empty_prediction_column_is_named():
    nothing = pa.array([None, None], pa.string())
    scored = detect(table(y_true=["0", "1"], y_pred=nothing, p=[0.2, 0.7]))
    assert scored.settings.pred is None and any("'y_pred' is empty" in text for text in scored.warnings)
    with pytest.raises(DataError, match="'y_pred' is empty in every row"):
        detect(table(y_true=["0", "1"], y_pred=nothing))


@pytest.mark.parametrize(
    ("cells", "values", "how"),
    [
        (["25%", "75%"], [0.25, 0.75], "per cent signs: read as numbers, divided by 100"),
        (["0,25", "0,75"], [0.25, 0.75], "decimal commas"),
    ],
)
def test_per_cent_and_comma_scores_are_read(cells, values, how):
    columns = table(y_true=["0", "1"], y_pred=["1", "1"], y_score=cells)
    found = detect(columns)
    built = build(columns, found.settings, name="x", content_sha256="0")
    assert built.y_score[:, 0].tolist() == values
    assert any("'y_score'" in text and how in text for text in built.receipt.warnings)


@pytest.mark.parametrize("cells", [["0.5", "0,5"], ["1,000", "2,500"], ["50%", "0.5"]])
def test_ambiguous_numbers_are_refused_with_their_row(cells):
    columns = table(y_true=["0", "1"], y_pred=["1", "1"], y_score=cells)
    with pytest.raises(DataError, match=r"'y_score'.* row \d: '.*not a finite number|not a finite number \(row 1: '"):
        build(columns, detect(columns).settings, name="x", content_sha256="0")


def test_positive_class_accepts_other_spellings():
    columns = table(y_true=["0.0", "1.0"], y_pred=["1.0", "1.0"])
    assert detect(columns, given={"positive": "1"}).settings.positive == "1.0"


def test_small_file_shows_two_labels_a_cell():
    found = detect(table(y_true=["a|b", "b", "c"], y_pred=["a", "a|b", "c"]))
    assert found.settings.encoding == "delimited" and found.settings.delimiter == "|"
    assert detect(table(y_true=["film|tv", "music"], y_pred=["film|tv", "film|tv"])).settings.encoding == "single"


def test_numbered_columns_are_many_labels():
    flags, scores = [["0", "1", "1"], ["1", "1", "0"]], [[0.1, 0.8, 0.7], [0.9, 0.6, 0.2]]
    columns = {f"labels_{i}": flags[i] for i in range(2)} | {f"probs_{i}": scores[i] for i in range(2)}
    found = detect(pa.table(columns)).settings
    assert found.encoding == "multi_hot" and found.scores == (("probs_0", "0"), ("probs_1", "1"))


def test_one_binary_column_is_no_side_by_values():
    flags = {name: [str((i * step) % 7 % 2) for i in range(30)] for step, name in enumerate(["a", "b", "c"], 1)}
    with pytest.raises(DataError, match="No usable truth"):
        detect(table(**flags))
    with pytest.raises(DataError, match="Predictions are missing"):
        detect(table(y_true=["0", "1"] * 15, **flags))
    assert detect(table(y_true=flags["a"], a=["1", *flags["a"][1:]])).settings.pred == "a"


def test_strangers_found_by_values_are_asked_for():
    random = np.random.default_rng(5)
    machine, minutes = random.integers(1, 6, 200), random.integers(1, 40, 200)
    with pytest.raises(RolesNeeded, match=r"agree in \d+\.\d % of the rows, hardly more than by chance") as asked:
        detect(table(machine=machine.astype(str), minutes=minutes.astype(str)))
    assert asked.value.guess[:2] == ("machine", "minutes")
    apart = {"ann": ["a", "b"] * 25 + [None] * 50, "bob": [None] * 50 + ["a", "b"] * 25}
    with pytest.raises(RolesNeeded, match="never both filled in one row, so no agreement can be known"):
        detect(pa.table(apart))
    truth = [str(one) if row < 60 else None for row, one in enumerate(machine)]
    right = np.where(np.random.default_rng(6).random(200) < 0.9, machine, 1 + machine % 5).astype(str)
    assert detect(pa.table({"a": truth, "b": right})).settings.pred is not None  # labelled in part
    with pytest.raises(RolesNeeded, match=r"of the 60 rows that have both, hardly"):
        detect(pa.table({"a": truth, "b": (1 + np.arange(200) % 5).astype(str)}))
    near = np.where(random.random(200) < 0.3, machine, minutes)
    with pytest.raises(RolesNeeded, match="share only 5 of 37 labels"):
        detect(table(machine=machine.astype(str), minutes=near.astype(str)))
    with pytest.raises(RolesNeeded, match="No column is named like the predictions"):
        detect(table(label=machine.astype(str), other=random.permutation(machine).astype(str)))
    close = np.where(random.random(200) < 0.5, machine, random.permutation(machine))
    assert detect(table(one=machine.astype(str), two=close.astype(str))).settings.pred == "two"


def test_a_failed_parse_is_no_third_class():
    columns = {"y_true": ["ham", "spam"] * 4, "y_pred": ["ham", "spam"] * 3 + ["ham", "[invalid]"]}
    found = detect(table(**columns, p_spam=np.linspace(0.1, 0.8, 8)), given={"positive": "ham"})
    assert found.settings.positive == "ham" and [column for column, _ in found.settings.scores] == ["p_spam"]


def test_counts_of_label_sets_are_no_slice():
    lines = table(y_true=["a;b", "a", "b;c"], y_pred=["a;b", "b", "b"], n_rows=[3, 1, 2], region=["eu", "us", "eu"])
    assert role_of(detect(lines, given={"counts": "n_rows"}), "n_rows") == "rows per line"
    assert role_of(detect(lines.drop(["region"])), "n_rows") == "rows per line"


def test_counts_are_never_ignored():
    hot = table(true_a=[1, 0], true_b=[0, 1], pred_a=[1, 1], pred_b=[0, 1], n_rows=[5, 2])
    assert detect(hot, given={"counts": "n_rows"}).settings.counts == "n_rows"
    assert "may say how many rows" in detect(hot).warnings[-1]
    scores = table(truth=["1", "0"], score=[0.7, 0.2], n=[5, 2])
    assert detect(scores, given={"counts": "n"}).settings.counts == "n", "building refuses it, an engine counts it"
