"""From a table to an Evaluation: encoded labels, checked scores, nothing left out without a count."""

import dataclasses
import json
import sys

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, strategies as st

from data.building.build import build, describe_roles
from data.building.rescoring import with_threshold
from data.errors import DataError
from data.evaluation import MISSING, UNPARSEABLE, Settings
from data.joining.join import join
from data.parser.parser import STANDARD, Parser, Rule
from data.roles.detect import detect
from text.quoting import MESSAGE_CHARS


def evaluate(table, settings=None, *, label_set=None, report=None, **given):
    found = detect(table, label_set=label_set, given=given) if settings is None else None
    return build(
        table, settings or found.settings, name="test", content_sha256="abc",
        roles=found.roles if found else (), notes=found.notes if found else (),
        warnings=found.warnings if found else (), join=report,
    )  # fmt: skip


def names(evaluation, codes):
    special = {MISSING: None, UNPARSEABLE: "?"}
    return [special.get(code, evaluation.labels[code]) for code in codes.tolist()]


def said(evaluation):
    return " ".join((*evaluation.receipt.notes, *evaluation.receipt.warnings))


def slow_accuracy(true, pred):
    """By a plain loop over the cells, missing ones left out."""
    rows = [(t, p) for t, p in zip(true, pred, strict=True) if t and p]
    return sum(t == p for t, p in rows) / len(rows)


labels = st.sampled_from(["a", "b", "c", "NA", "null", None, ""])


@given(st.lists(st.tuples(labels, labels), min_size=1, max_size=30))
def test_codes_equal_a_plain_loop_over_the_cells(rows):
    true, pred = ([row[i] for row in rows] for i in (0, 1))
    table = pa.table({"y_true": pa.array(true, pa.string()), "y_pred": pa.array(pred, pa.string())})
    settings = Settings(truth="y_true", pred="y_pred")
    if not any(true):
        with pytest.raises(DataError):
            evaluate(table, settings)
        return
    found = evaluate(table, settings)
    assert names(found, found.y_true) == [t or None for t in true]
    assert names(found, found.y_pred) == [p or None for p in pred]
    assert found.labels == tuple(sorted({*filter(None, true), *filter(None, pred)}))
    assert (found.n_missing_truth, found.n_missing_pred) == (sum(not t for t in true), sum(not p for p in pred))
    assert found.scored.tolist() == [bool(t and p) for t, p in rows]
    overlap = {t for t in true if t} & {p for p in pred if p}
    warned = any("every row counts as wrong" in text for text in found.receipt.warnings)
    assert warned == (any(pred) and not overlap)
    if found.n_scored:
        right = (found.y_true == found.y_pred)[found.scored].mean()
        assert right == pytest.approx(slow_accuracy(true, pred))


def test_words_for_nothing_survive_as_class_names():
    words = ["NA", "EU", "null", "None", "nan"]
    found = evaluate(pa.table({"y_true": words, "y_pred": ["NA", "NA", "null", "None", "nan"]}))
    assert found.labels == ("EU", "NA", "None", "nan", "null") and found.n_scored == 5


def test_missing_cells_are_named_by_column_and_row():
    found = evaluate(pa.table({"y_true": ["a", None, "b", " "], "y_pred": ["a", "b", None, "a"]}))
    assert (found.n_missing_truth, found.n_missing_pred, found.n_scored) == (2, 1, 1)
    assert any("2 rows (first row 2) have no true label: 'y_true' is empty" in text for text in found.receipt.warnings)
    assert any("1 row (row 3) has no predicted label" in text for text in found.receipt.warnings)


def test_rows_and_columns_are_kept_in_order():
    table = pa.table({"id": ["x", "y"], "y_true": ["a", "b"], "y_pred": ["a", "a"], "text": ["one", "two"]})
    found = evaluate(table)
    assert found.rows.to_pydict() == table.to_pydict() and found.rows.column_names == table.column_names
    assert [role.column for role in found.receipt.roles] == table.column_names


def test_integers_and_floats_are_one_vocabulary():
    found = evaluate(pa.table({"y_true": [1, 0, 1], "y_pred": [1.0, 0.0, float("nan")]}))
    assert found.labels == ("0", "1") and names(found, found.y_pred) == ["1", "0", None]
    assert "reconciled" in said(found) and found.task == "binary" and found.positive == 1


def test_leading_zeros_stay_classes():
    found = evaluate(pa.table({"y_true": ["001", "1", "01"], "y_pred": ["001", "1", "1"]}))
    assert set(found.labels) == {"001", "1", "01"} and (found.y_true == found.y_pred).sum() == 2


# -- label space ------------------------------------------------------------------------------------

THREE = pa.table({"y_true": ["a", "b", "a"], "y_pred": ["a", "x", "b"]})


def test_label_space_is_seen_truth_or_given():
    seen = evaluate(THREE, Settings(truth="y_true", pred="y_pred"))
    assert (seen.labels, seen.n_space, seen.task) == (("a", "b", "x"), 3, "multiclass")
    truth = evaluate(THREE, Settings(truth="y_true", pred="y_pred", label_space="truth"))
    assert (truth.labels, truth.n_space, truth.task) == (("a", "b", "x"), 2, "binary")
    assert any("'x'" in text and "not in the list of" in text for text in truth.receipt.warnings)
    given_set = evaluate(THREE, label_set=["z", "b", "a"])
    assert (given_set.labels, given_set.n_space) == (("z", "b", "a", "x"), 3)


def test_absent_classes_of_a_list_are_classes():
    table = pa.table({"true_label": ["c1"] * 3 + ["c2"], "predicted_label": ["c1", "c5", "c1", "c2"]})
    found = evaluate(table, label_set=[f"c{i}" for i in range(10)])
    assert found.n_space == len(found.labels) == 10 and not found.receipt.warnings


def test_model_may_be_always_wrong():
    found = evaluate(pa.table({"y_true": ["cat", "dog", "cat"], "y_pred": ["bird", "bird", "fish"]}))
    assert found.n_scored == 3 and not (found.y_true == found.y_pred).any()
    said = "No label predicted in 'y_pred' ('bird', 'fish') occurs in 'y_true' ('cat', 'dog'), so"
    assert any(text.startswith(said) and "every row counts as wrong" in text for text in found.receipt.warnings)


def test_label_sets_may_be_always_wrong():
    sets = pa.table({"labels": ["a|b", "b", "a", "a|b", ""], "predictions": ["c", "c|d", "d", "d", "c"]})
    found = evaluate(sets, truth="labels", pred="predictions")
    assert not (found.y_true & found.y_pred).any() and "No predicted label ('c', 'd') is ever true" in said(found)
    numbers = sets.set_column(0, "labels", pa.array(["1|2", "2", "1", "1|2", ""]))
    with pytest.raises(DataError, match=r"numbers and words.*--merge"):
        evaluate(numbers, truth="labels", pred="predictions")


def test_numbers_beside_words_need_a_mapping():
    table = pa.table({"y_true": ["0", "1"], "y_pred": ["cat", "dog"]})
    with pytest.raises(DataError, match=r"'y_pred' \('cat', 'dog'\).*'y_true' \('0', '1'\).*'0=cat' \(--class-names\)"):
        evaluate(table)
    named = evaluate(table, Settings(truth="y_true", pred="y_pred", class_names=(("0", "cat"), ("1", "dog"))))
    assert named.labels == ("cat", "dog") and (named.y_true == named.y_pred).all()
    merged = evaluate(table, Settings(truth="y_true", pred="y_pred", merge=(("cat", "0"), ("dog", "1"))))
    assert (merged.y_true == merged.y_pred).all()
    assert evaluate(table, label_set=["0", "1"]).n_scored == 2


def test_labels_outside_the_list_are_refused():
    with pytest.raises(DataError, match=r"No true label in 'y_true'.*is in the label list"):
        evaluate(pa.table({"y_true": ["a", "b"], "y_pred": ["a", "b"]}), label_set=["x", "y"])
    wrong = evaluate(pa.table({"y_true": ["a", "a"], "y_pred": ["b", "b"]}), label_set=["a", "b"])
    assert wrong.n_scored == 2


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (Settings(truth="y_true", pred="y_true"), "same column"),
        (Settings(truth="Y_true", pred="y_pred"), "Did you mean 'y_true'"),
        (Settings(pred="y_pred"), "No true label is chosen"),
        (Settings(truth="y_true"), "There is no prediction"),
        (Settings(truth="y_true", pred="y_pred", positive="q"), "positive class 'q' is not one of"),
        (Settings(truth="y_true", pred="y_pred", threshold=0.5), "A threshold needs scores"),
        (
            Settings(truth="y_true", scores=(("y_pred", "a"),), positive="a"),
            r"'y_pred': 2 cells are not a finite number \(row 1: 'a', row 2: 'b'\)",
        ),
    ],
)
def test_settings_that_make_no_evaluation_are_one_sentence(settings, message):
    with pytest.raises(DataError, match=message) as error:
        evaluate(pa.table({"y_true": ["a", "b"], "y_pred": ["a", "b"]}), settings)
    assert "\n" not in str(error.value) and len(str(error.value)) <= MESSAGE_CHARS


def test_errors_stay_short_with_long_names():
    long = [f"{i}{'x' * 200}" for i in range(9)]
    table = pa.table({"t" * 200: long, "p" * 200: [f"{row}{7:0200}" for row in range(9)]})
    for settings in (
        Settings(truth="t" * 200, pred="p" * 200),
        Settings(truth="t" * 200, pred="t" * 200),
        Settings(truth="t" * 199, pred="p" * 200),
        Settings(truth="t" * 200, pred="p" * 200, label_set=tuple("abcdef")),
        Settings(truth="t" * 200, pred="t" * 200, positive="y" * 300),
        Settings(truth="t" * 200, scores=(("p" * 200, "a"),)),
    ):
        with pytest.raises(DataError) as error:
            evaluate(table, settings)
        assert len(str(error.value)) <= MESSAGE_CHARS and str(error.value).count("x") <= 200


@pytest.mark.parametrize(
    ("columns", "settings", "message"),
    [
        pytest.param(
            {"t": ["a", "b"], "s": [0.1, 0.9]},
            Settings(truth="t", scores=(("s", "zzz"),), label_set=("a", "b")),
            "The score is of none of the labels 'a', 'b'",
            id="score of no label",
        ),
        pytest.param(
            {"text": [f"t{i}" for i in range(30)], "y": ["a"] * 30},
            Settings(truth="text", pred="y"),
            "30 different labels in 30 rows",
            id="free text",
        ),
        pytest.param(
            {"y_true": [*"0011"], "y_pred": ["nein", "nein", "ja", "nein"]},
            None,
            r"such as '0=nein'",
            id="the frequent pair of a number and a word",
        ),
        pytest.param(
            {"y_true": ["0", None], "y_pred": [None, "ja"]},
            None,
            r"such as '0=ja'",
            id="a number and a word of no row",
        ),
        pytest.param(
            {"t": ["1", "maybe"], "p": ["1", "0"]},
            Settings(encoding="multi_hot", truth_columns=(("t", "a"),), pred_columns=(("p", "a"),)),
            r"'t', row 2: 'maybe' is neither 0 nor 1",
            id="cell of no flag",
        ),
        pytest.param(
            {"t": ['["a"]', "a"], "p": ['["a"]', "[]"]},
            Settings(truth="t", pred="p", encoding="json"),
            r"'t', row 2: 'a' is not a list of labels",
            id="cell of no list",
        ),
    ],
)
def test_columns_that_make_no_evaluation_are_refused(columns, settings, message):
    with pytest.raises(DataError, match=message):
        evaluate(pa.table(columns), settings)


def test_a_positive_class_spelled_plainly_meets_floats():
    table = pa.table({"t": [1.0, 0.0], "s": [0.9, 0.1]})
    found = evaluate(table, Settings(truth="t", scores=(("s", "1"),), positive="1"))
    assert found.labels == ("0", "1") and found.positive == 1


def test_failed_parses_are_unparseable_and_no_class():
    found = evaluate(pa.table({"target": ["a", "b", "a"], "prediction": ["a", "[invalid]", "[invalid]"]}))
    assert found.labels == ("a", "b") and names(found, found.y_pred) == ["a", "?", "?"]
    assert found.n_unparsed == 2 and "They count as rows without a label" in said(found)


# -- raw answers ------------------------------------------------------------------------------------


def test_raw_answers_are_parsed_against_the_truth():
    truth = ["refund", "billing", "refund", "billing", "refund", "refund"]
    output = ["**Refund**", "billing", "I am not sure what you mean here.", "shipping", "", None]
    found = evaluate(pa.table({"target": truth, "output": output}))
    assert found.settings.raw == "output"
    assert names(found, found.y_pred) == ["refund", "billing", "?", "shipping", "?", "?"]
    assert (found.n_space, found.labels) == (2, ("billing", "refund", "shipping"))
    assert (found.n_scored, found.n_unparsed, found.n_missing_pred) == (6, 3, 0)
    assert "exact 1, normalised 1, not in the label list 1, refused 1, empty 2" in said(found)
    assert "1 empty answer (null)" in said(found)


def test_unread_answers_name_the_rule_that_reads():
    truth = ["refund", "billing", "other"] * 4
    mentioned = [*truth[1:], "refund"]
    file = pa.table({"target": truth, "output": [f"I would say {label}" for label in mentioned]})
    found = evaluate(file)
    assert found.n_unparsed == 12
    advice = "3 of 3 different answers mention one label only. Add the rule 'The only label mentioned'"
    assert any(advice in text for text in found.receipt.warnings)
    with_rule = Parser("mine", (*STANDARD.rules, Rule("only_mentioned")))
    read = build(file, dataclasses.replace(found.settings, parser=with_rule), name="x", content_sha256="0")
    assert names(read, read.y_pred) == mentioned and not read.receipt.warnings


def test_unreadable_answers_are_unparseable_with_a_warning():
    truth = ["valid", "invalid"] * 15
    output = [f"Let us think about case {i}. It is hard to tell which of the two fits." for i in range(30)]
    found = evaluate(pa.table({"target": truth, "output": output}))
    assert found.n_unparsed == found.n_scored == 30
    assert any("No label could be read from any answer" in text for text in found.receipt.warnings)
    assert any("Choose another parser on the page Parsing" in text for text in found.receipt.warnings)
    output = ["The answer is valid."] * 27 + ["The answer is not enough info."] * 2 + ["N/A"] * 3
    found = evaluate(pa.table({"target": [*truth, "valid", "valid"], "output": output}))
    (warning,) = found.receipt.warnings
    assert warning.startswith("2 rows of 'output' hold 'The answer is not enough info.'"), "N/A says that there is none"


def test_answers_that_are_never_labels_are_wrong():
    found = evaluate(pa.table({"target": ["a1", "b2"], "output": ["xx", "yy"]}), raw="output")
    assert not (found.y_true == found.y_pred).any()
    assert any("No label predicted in 'output' ('xx', 'yy')" in text for text in found.receipt.warnings)


# -- one score --------------------------------------------------------------------------------------


def test_scores_alone_predict_at_one_half():
    found = evaluate(pa.table({"target": ["0", "1", "1"], "score": [0.2, 0.5, 0.4]}))
    assert found.threshold == 0.5 and names(found, found.y_pred) == ["0", "1", "0"]
    assert found.y_score.shape == (3, 1) and found.score_codes == (1,) and found.positive == 1


def test_logits_predict_at_zero_and_stay_logits():
    found = evaluate(pa.table({"target": ["0", "1", "1"], "logit": [-3.0, 0.0, 2.5]}))
    assert (found.scale, found.threshold) == ("logit", 0.0) and names(found, found.y_pred) == ["0", "1", "1"]
    assert found.y_score[:, 0].tolist() == [-3.0, 0.0, 2.5]


def test_per_cent_scores_and_threshold_are_divided():
    table = pa.table({"target": ["0", "1", "1"], "score_pct": [20.0, 50.0, 75.0]})
    found = evaluate(table)
    assert found.y_score[:, 0].tolist() == [0.2, 0.5, 0.75] and "per cent" in said(found)
    assert names(found, found.y_pred) == ["0", "1", "1"]
    assert names(evaluate(table, threshold=60.0), evaluate(table, threshold=60.0).y_pred) == ["0", "0", "1"]


def test_score_of_the_other_class_is_reversed():
    table = pa.table({"truth": ["ham", "spam", "spam"], "p_ham": [0.9, 0.25, 0.5]})
    found = evaluate(table, positive="spam")
    assert found.y_score[:, 0].tolist() == [1 - 0.9, 0.75, 0.5]
    assert found.labels[found.positive] == "spam" and "1 minus that score" in said(found)


def test_probabilities_outside_range_are_refused_unless_logits():
    table = pa.table({"t": ["0", "1"], "s": [0.5, 1.5]})
    with pytest.raises(DataError, match=r"'s', row 2: 1.5 is not a probability"):
        evaluate(table, Settings(truth="t", scores=(("s", "1"),), positive="1"))
    logit = evaluate(table, Settings(truth="t", scores=(("s", "1"),), positive="1", scale="logit"))
    assert logit.scale == "logit"


def test_rows_without_a_score_have_no_prediction():
    found = evaluate(pa.table({"target": ["0", "1", "1"], "score": [0.2, None, 0.9]}))
    assert np.isnan(found.y_score[1, 0]) and names(found, found.y_pred) == ["0", None, "1"]
    assert found.n_missing_pred == 1 and any("no score" in text for text in found.receipt.warnings)


def test_own_predictions_stay_until_a_threshold_is_set():
    table = pa.table({"y_true": ["0", "1", "1"], "y_pred": ["1", "1", "0"], "score": [0.1, 0.6, 0.3]})
    own = evaluate(table)
    assert names(own, own.y_pred) == ["1", "1", "0"] and own.threshold is None
    cut = evaluate(table, threshold=0.3)
    assert names(cut, cut.y_pred) == ["0", "1", "1"] and cut.threshold == 0.3


# -- a score per class ------------------------------------------------------------------------------


def test_prediction_is_the_first_highest_score():
    table = pa.table(
        {
            "truth": ["a", "b", "c", "a"],
            "p_a": [0.5, 0.2, 0.1, 0.4],
            "p_b": [0.3, 0.4, 0.1, 0.4],
            "p_c": [0.2, 0.4, 0.8, 0.2],
        }
    )
    found = evaluate(table)
    assert found.task == "multiclass" and names(found, found.y_pred) == ["a", "b", "c", "a"]
    assert found.y_score.flags.f_contiguous and found.score_codes == (0, 1, 2) and found.threshold is None


def test_softmax_makes_probabilities_of_logits():
    logits = np.array([[2.0, -1.0, 0.5], [900.0, 901.0, -5.0], [np.nan, 0.0, 1.0]])
    table = pa.table({"truth": ["a", "b", "c"], **{f"logit_{c}": logits[:, i] for i, c in enumerate("abc")}})
    found = evaluate(table)
    for row in range(2):
        powers = [np.exp(v - max(logits[row])) for v in logits[row]]
        assert found.y_score[row].tolist() == pytest.approx([p / sum(powers) for p in powers])
    assert np.isnan(found.y_score[2]).all() and names(found, found.y_pred) == ["a", "b", None]
    assert found.scale == "probability" and "Softmax" in said(found)


def test_two_class_columns_leave_the_positive_one():
    table = pa.table(
        {
            "truth": ["Class1", "Class2", "Class1", "Class2"],
            "Class1": [0.9, 0.2, 0.4, 0.3],
            "Class2": [0.1, 0.8, 0.6, 0.7],
            "predicted": ["Class1", "Class2", "Class2", "Class2"],
        }
    )
    found = evaluate(table)
    assert found.positive == 0 and found.score_codes == (0,) and found.y_score[:, 0].tolist() == [0.9, 0.2, 0.4, 0.3]
    other = evaluate(table, dataclasses.replace(found.settings, positive="Class2"))
    assert other.positive == 1 and other.y_score[:, 0].tolist() == [0.1, 0.8, 0.6, 0.7]


def test_numeric_labels_meet_their_score_columns():
    table = pa.table(
        {"target": [1.0, 0.0, 2.0], "prob_0": [0.1, 0.8, 0.1], "prob_1": [0.8, 0.1, 0.1], "prob_2": [0.1, 0.1, 0.8]}
    )
    found = evaluate(table)
    assert len(found.labels) == 3 and (found.y_true == found.y_pred).all()


# -- several labels a row ---------------------------------------------------------------------------

SETS_TRUE = [["a", "b"], [], ["c"], ["b", "c"], ["a"]]
SETS_PRED = [["a"], ["c"], ["c"], ["b", "a"], []]


def as_sets(evaluation, array):
    return [{evaluation.labels[i] for i in np.flatnonzero(row)} for row in array]


@pytest.mark.parametrize("kind", ["json", "python", "|", ";", "multi_hot"])
def test_label_sets_are_equal_in_every_encoding(kind):
    if kind == "multi_hot":
        columns = {
            f"{side}_{c}": [str(int(c in s)) for s in sets]
            for side, sets in (("true", SETS_TRUE), ("pred", SETS_PRED))
            for c in "abc"
        }
    else:
        write = {"json": json.dumps, "python": str}.get(kind, lambda s: kind.join(s) or None)
        columns = {"labels": [write(s) for s in SETS_TRUE], "predicted": [write(s) for s in SETS_PRED]}
    found = evaluate(pa.table(columns))
    assert found.task == "multilabel" and found.labels == ("a", "b", "c") and found.y_true.dtype == bool
    assert as_sets(found, found.y_true) == [set(s) for s in SETS_TRUE]
    assert as_sets(found, found.y_pred) == [set(s) for s in SETS_PRED]
    assert found.n_scored == 5 and found.n_missing_truth == 0


def test_empty_delimited_cell_is_an_empty_set():
    found = evaluate(pa.table({"labels": ["a|b", None, "b|c", "c|a"], "predicted": ["a|b", "a", None, "c"]}))
    assert found.n_scored == 4 and "1 empty cell in 'labels': taken as rows without any label" in said(found)


def test_empty_json_or_binary_cell_is_missing_truth():
    found = evaluate(pa.table({"labels": ['["a"]', None, "[]"], "predicted": ['["a"]', '["b"]', '["a"]']}))
    assert found.scored.tolist() == [True, False, True] and found.n_missing_truth == 1
    hot = evaluate(pa.table({"true_a": ["1", None], "true_b": ["0", "1"], "pred_a": ["1", "1"], "pred_b": ["0", "0"]}))
    assert hot.scored.tolist() == [True, False] and not hot.y_true[1].any()


def test_multi_label_scores_predict_at_the_threshold():
    table = pa.table(
        {"rain": ["1", "0", "1"], "snow": ["0", "0", "1"], "p_rain": [0.5, 0.1, 0.9], "p_snow": [0.4, None, 0.7]}
    )
    found = evaluate(table)
    assert found.y_pred.tolist() == [[True, False], [False, False], [True, True]] and found.threshold == 0.5
    assert any("no score" in text for text in found.receipt.warnings)
    assert with_threshold(found, 0.4).y_pred.tolist() == [[True, True], [False, False], [True, True]]


def test_wide_joined_files_give_logits_at_zero():
    scores = pa.table({"file": ["a", "b", "c"], "rain": [3.0, -2.0, 0.0], "snow": [-50.0, 4.0, -1.0]})
    truth = pa.table({"file": ["c", "b", "a"], "rain": ["1", "0", "1"], "snow": ["0", "1", "1"]})
    table, report = join(scores, truth)
    found = evaluate(table, report=report)
    assert found.labels == ("rain", "snow") and (found.scale, found.threshold) == ("logit", 0.0)
    assert found.y_true.tolist() == [[True, True], [False, True], [True, False]]
    assert found.y_pred.tolist() == [[True, False], [False, True], [True, False]]
    assert "Joined on 'file': 3 rows matched" in said(found)


# -- joined files -----------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["single", "delimited", "raw"])
def test_rows_of_one_file_only_are_missing(kind):
    cells = {"single": ["x", "y", "x"], "delimited": ["x|y", "y", "y|x|z"], "raw": ["X.", "y", "I do not know."]}[kind]
    truth = {"single": ["x", "y", "x"], "delimited": ["x|y", "y|z", "y"], "raw": ["x", "y", "x"]}[kind]
    predictions = pa.table({"id": ["1", "2", "8"], "output" if kind == "raw" else "predicted": cells})
    table, report = join(predictions, pa.table({"id": ["1", "2", "9"], "target": truth}))
    found = evaluate(table, report=report)
    assert found.scored.tolist() == [True, True, False, False]
    assert (found.n_missing_truth, found.n_missing_pred) == (1, 1)
    assert any(
        "1 only in the predictions" in text and "1 only in the labels" in text for text in found.receipt.warnings
    )


def test_repeated_id_is_named_in_a_warning():
    found = evaluate(pa.table({"id": ["7", "8", "7"], "y_true": ["a", "b", "a"], "y_pred": ["a", "b", "b"]}))
    assert any("'id'" in text and "'7' occurs 2 times (again in row 3)" in text for text in found.receipt.warnings)
    clean = evaluate(pa.table({"id": ["7", "8", "9"], "y_true": ["a", "b", "a"], "y_pred": ["a", "b", "b"]}))
    assert not clean.receipt.warnings


# -- thresholds and fingerprints --------------------------------------------------------------------


@given(st.floats(0, 1), st.lists(st.tuples(st.booleans(), st.floats(0, 1)), min_size=2, max_size=20))
def test_threshold_equals_a_plain_comparison(threshold, rows):
    rows = [(True, 0.1), (False, 0.9), *rows]
    table = pa.table({"target": [str(int(t)) for t, _ in rows], "score": [s for _, s in rows]})
    settings = Settings(truth="target", scores=(("score", "1"),), positive="1")
    base = evaluate(table, settings)
    moved = with_threshold(base, threshold)
    assert moved.y_pred.tolist() == [int(s >= threshold) for _, s in rows]
    built = evaluate(table, dataclasses.replace(settings, threshold=threshold))
    assert moved.fingerprint == built.fingerprint != base.fingerprint
    assert (moved.y_pred == built.y_pred).all() and moved.threshold == built.threshold == threshold


def test_threshold_needs_scores_and_few_classes():
    hard = evaluate(pa.table({"y_true": ["a", "b"], "y_pred": ["a", "a"]}))
    with pytest.raises(DataError, match="needs scores"):
        with_threshold(hard, 0.5)
    table = pa.table({"truth": ["a", "b", "c"], "p_a": [0.5, 0.2, 0.1], "p_b": [0.3, 0.4, 0.1], "p_c": [0.2, 0.4, 0.8]})
    with pytest.raises(DataError, match="multiclass"):
        with_threshold(evaluate(table), 0.5)
    with pytest.raises(DataError, match="multiclass"):
        evaluate(table, threshold=0.5)


def test_a_threshold_keeps_missing_truths_missing():
    table = pa.table(
        {"rain": ["1", None, "0"], "snow": ["0", "1", "0"], "p_rain": [0.5, 0.1, None], "p_snow": [0.4, 0.2, None]}
    )
    settings = Settings(
        encoding="multi_hot",
        truth_columns=(("rain", "rain"), ("snow", "snow")),
        scores=(("p_rain", "rain"), ("p_snow", "snow")),
    )
    found = with_threshold(evaluate(table, settings), 0.2)
    assert found.scored.tolist() == [True, False, False] and found.n_missing_pred == 1


def test_the_fingerprint_changes_with_content_and_settings():
    table = pa.table({"y_true": ["a", "b"], "y_pred": ["a", "a"], "other": ["b", "b"]})
    one = build(table, Settings(truth="y_true", pred="y_pred"), name="n", content_sha256="1")
    assert one.fingerprint == build(table, one.settings, name="m", content_sha256="1").fingerprint
    assert one.fingerprint != build(table, one.settings, name="n", content_sha256="2").fingerprint
    assert (
        one.fingerprint
        != build(table, Settings(truth="y_true", pred="other"), name="n", content_sha256="1").fingerprint
    )


def test_roles_are_told_from_corrected_settings():
    table = pa.table({"a": ["x"], "b": ["x"], "c": [0.5], "d": ["1"]})
    roles = describe_roles(table, Settings(truth="a", pred="b", scores=(("c", "x"),)), "chosen by you")
    assert [(role.role, role.why) for role in roles[:3]] == [
        (r, "chosen by you") for r in ("truth", "prediction", "score of x")
    ]
    assert roles[3].role == "other"


def test_million_rows_are_built_from_distinct_values():
    """Python work must not grow with the rows: ten times the rows, the same calls on the same few values."""
    rng = np.random.default_rng(0)
    names_77 = pa.array([f"class_{i:02}" for i in range(77)])

    def table(n):
        codes = [pa.array(rng.integers(0, 77, n).astype(np.int32)) for _ in range(2)]
        true, pred = (pa.DictionaryArray.from_arrays(c, names_77) for c in codes)
        return pa.table({"y_true": true, "y_pred": pred})

    def calls(n):
        counter = 0

        def count(*_):
            nonlocal counter
            counter += 1

        data = table(n)
        sys.setprofile(count)
        try:
            found = evaluate(data)
        finally:
            sys.setprofile(None)
        assert found.n_scored == n
        return counter

    assert calls(1_000_000) < 1.2 * calls(100_000)


@pytest.mark.parametrize(("truth", "pred"), [(["Spam", "Ham"], ["spam", "ham"]), (["01", "002"], ["1", "2"])])
def test_spellings_are_wrong_until_merged(truth, pred):
    table, settings = pa.table({"y": truth, "p": pred}), Settings(truth="y", pred="p")
    built = build(table, settings, name="x", content_sha256="0")
    assert not (built.y_true == built.y_pred).any()
    assert any("every row counts as wrong until you merge them" in text for text in built.receipt.warnings)
    settings = dataclasses.replace(settings, merge=tuple(zip(pred, truth, strict=True)))
    built = build(table, settings, name="x", content_sha256="0")
    assert (built.y_true == built.y_pred).all() and built.n_space == 2
    assert not any("until you merge them" in text for text in built.receipt.warnings)


def test_reconciled_predictions_are_a_warning():
    table = pa.table({"y": ["0", "1"], "p": ["0.0", "1.0"]})
    built = build(table, Settings(truth="y", pred="p"), name="x", content_sha256="0")
    assert any("reconciled" in text for text in built.receipt.warnings)


def test_threshold_replacing_predictions_says_so():
    table = pa.table({"y": ["0", "1", "1"], "y_pred": ["0", "1", "0"], "p": [0.2, 0.9, 0.4]})
    settings = Settings(truth="y", pred="y_pred", scores=(("p", "1"),), positive="1", threshold=0.3)
    found = build(table, settings, name="x", content_sha256="0")
    assert found.y_pred.tolist() == [0, 1, 1]
    assert any("score ≥ 0.3" in text and "'y_pred' are not used" in text for text in found.receipt.warnings)
    own = build(table, dataclasses.replace(settings, threshold=None), name="x", content_sha256="0")
    assert own.y_pred.tolist() == [0, 1, 0] and not any("not used" in text for text in own.receipt.warnings)


@pytest.mark.parametrize(
    ("truth", "pred", "said"),
    [
        ("123123", "012010", "With 1 added to the predictions, 83.3 % would"),
        ("010101", "121212", "With 1 added to the true labels, 100.0 % would"),
        ("112233", "112230", ""),  # most agree as they are
        ("123123", "123120", ""),
        ("012012", "012012", ""),
    ],
)
def test_labels_numbered_otherwise_are_warned_of(truth, pred, said):
    table = pa.table({"y_true": [*truth], "y_pred": [*pred]})
    found = build(table, Settings(truth="y_true", pred="y_pred"), name="x", content_sha256="0")
    warned = [text for text in found.receipt.warnings if "numbers labels from" in text]
    assert len(warned) == bool(said) and all(said in text for text in warned)


@pytest.mark.parametrize(("names", "warned"), [("012", True), ("123", False), ("234", False), ("0123", False)])
def test_scores_numbered_otherwise_are_warned_of(names, warned):
    scores = {f"p_{name}": [1 / len(names)] * 6 for name in names}
    settings = Settings(truth="y", scores=tuple((f"p_{name}", name) for name in names))
    found = build(pa.table({"y": [*"123123"], **scores}), settings, name="x", content_sha256="0")
    assert any("number classes from 0, 'y' from 1" in text for text in found.receipt.warnings) == warned
