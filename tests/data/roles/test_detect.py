"""Names propose, values decide: which column is the truth, the prediction, the score of which class."""

import itertools
import json

import numpy as np
import pyarrow as pa
import pytest

from data.columns import column
from data.columns.column_names import parse_name
from data.errors import DataError, RolesNeeded
from data.joining.join import join
from data.labels.positive_class import choose_by_convention, choose_positive
from data.parser.parser import STANDARD
from data.roles.detect import Given, detect

CATS = ["cat", "dog", "cat", "dog"]
GUESS = ["cat", "cat", "cat", "dog"]


def table(**columns):
    return pa.table(columns)


def role_of(found, column):
    return next(role.role for role in found.roles if role.column == column)


def answers(n=40):
    return [f"Well, thinking about number {i}, the answer is {'refund' if i % 2 else 'billing'}." for i in range(n)]


# -- truth and hard predictions -------------------------------------------------------------------


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


# -- errors ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("columns", "given", "message"),
    [
        pytest.param(
            {"Y_True": ["a"], "Y_Pred": ["a"]}, {"truth": "y_true"},
            r"no column 'y_true'; the file has 'Y_True', 'Y_Pred'\. Did you mean 'Y_True'\?", id="near miss",
        ),
        pytest.param(
            {"label": ["a"], "guess": ["a"]}, Given(truth="y_true"),
            r"no column 'y_true'; the file has 'label', 'guess'\.", id="other names",
        ),
        pytest.param(
            {"height": [1.5, 2.5], "weight": [3.25, 4.5]}, {},
            r"^No column looks like true labels \(y_true, .*y_pred", id="features alone",
        ),
        pytest.param(
            {"label": CATS, "text": [*"wxyz"]}, {},
            r"True labels found in 'label'\. Predictions are missing: .*y_pred.*'text'", id="no prediction",
        ),
        pytest.param(
            {"label": ["refund", "billing"] * 20, "text": answers()}, {},
            "Predictions are missing", id="texts of questions",
        ),
        pytest.param({"y": CATS}, {"truth": "y", "pred": "y"}, "same column", id="one column twice"),
        pytest.param({"y": pa.array([], pa.string()), "p": pa.array([], pa.string())}, {}, "no rows", id="no rows"),
        pytest.param(
            {"y_true": ['["a"]', '["b"]'], "y_pred": ["a", "a"]}, {},
            r"'y_true' holds lists and 'y_pred' does not", id="lists beside plain labels",
        ),
    ],
)  # fmt: skip
def test_columns_without_their_roles_are_refused(columns, given, message):
    with pytest.raises(DataError, match=message):
        detect(pa.table(columns), given=given)


def test_free_text_truth_is_refused_with_numbers():
    texts = [f"a sentence about thing {i}" for i in range(30)]
    with pytest.raises(DataError, match=r"30 different labels in 30 rows.*free text"):
        detect(table(label=texts, prediction=["a", "b", "c"] * 10))
    assert detect(table(label=texts[:20], prediction=texts[:20])).settings.truth == "label"


def test_many_listed_labels_are_no_free_text():
    names = [f"class {i}" for i in range(25)]
    assert detect(table(label=names, prediction=names), label_set=names).settings.truth == "label"


# -- raw answers ----------------------------------------------------------------------------------


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


def test_words_that_may_be_classes_are_named():
    def warnings(*last, truth=("cat", "dog", "cat", "dog")):
        rows = [*truth] * 5
        return detect(table(target=rows, output=[*rows[: -len(last)], *last])).warnings

    warned = "Some answers in 'output' are words that are no labels of 'target', such as 'bird'"
    assert any(warned in text for text in warnings("bird")) and any(warned in text for text in warnings("n/a", "bird"))
    for told in (["Cat"], ["cat."], ["unknown"], ["I cannot say"], ["bird", "It is a dog."]):
        assert not any("are words" in text for text in warnings(*told)), told
    assert not any("are words" in text for text in warnings("shipping", truth=("refund", "billing")))


def test_many_predicted_classes_are_hard_labels():
    names = [f"intent_{i}" for i in range(60)]
    truth, pred = [names[i % 8] for i in range(400)], [names[i % 60] for i in range(400)]
    for name in ("predicted_label", "prediction", "y_pred"):
        found = detect(pa.table({"true_label": truth, name: pred}))
        assert (found.settings.pred, found.settings.raw) == (name, None)


TEXTS = [f"The parcel number {i} came back twice." for i in range(40)]
SHARES = np.linspace(0.05, 0.95, 40)
FOLLOWING = SHARES / 2 + np.arange(40) % 2 * 0.4


@pytest.mark.parametrize(
    "scores",
    [{"model_score": FOLLOWING}, {"y_hat": FOLLOWING}, {"z_refund": -9 * FOLLOWING, "z_billing": 9 * FOLLOWING}],
)
@pytest.mark.parametrize("name", ["output", "answer", "response"])
def test_texts_without_labels_leave_scores_the_prediction(name, scores):
    file = pa.table({"target": ["refund", "billing"] * 20, name: TEXTS, **scores})
    found = detect(file)
    assert [column for column, _ in found.settings.scores] == [*scores] and found.settings.raw is None
    assert any(f"No label could be read from the texts in '{name}'" in text for text in found.warnings)
    assert detect(file, given={"raw": name}).settings.raw == name
    assert detect(file, given={"parser": STANDARD}).settings.raw == name


@pytest.mark.parametrize(
    ("name", "texts", "scores"),
    [
        pytest.param("output", answers(), {"model_score": FOLLOWING}, id="answers"),
        pytest.param("output", [*TEXTS[1:], "Refund."], {"model_score": FOLLOWING}, id="one answer"),
        pytest.param("output", ["I cannot say that today."] * 40, {"model_score": FOLLOWING}, id="refusals"),
        pytest.param(
            "output", [f"It is a {'billing' if i % 3 else 'refund'}, because of point {i}." for i in range(40)],
            {"model_score": FOLLOWING}, id="mentions of labels",
        ),
        pytest.param(
            "output",
            [
                *(f"Error 429, request {i} failed" for i in range(1_200)),
                *("refund" if i % 3 else f"billing, point {i}." for i in range(1_000)),
            ],
            {"model_score": np.linspace(0.05, 0.55, 2_200) + np.arange(2_200) % 2 * 0.4}, id="after many failures",
        ),
        pytest.param(
            "output",
            ["refund", "billing"] * 20
            + [f"It is hard to tell what number {i} wants from us today." for i in range(20)],
            {}, id="bare answers with some chatter",
        ),
        # A model that fails in every row is no reason to score its answers by their BLEU.
        *(
            pytest.param(name, TEXTS, {score: SHARES}, id=f"{name} beside {score}")
            for score in ("latency_score", "bleu_score", "forecast")
            for name in ("output", "response")
        ),
        *(
            pytest.param(name, TEXTS, {"model_score": FOLLOWING}, id=f"texts under the sure name {name}")
            for name in ("completion", "model_output", "predicted")
        ),
    ],
)  # fmt: skip
def test_texts_stay_answers(name, texts, scores):
    file = pa.table({"target": ["refund", "billing"] * (len(texts) // 2), name: texts, **scores})
    assert detect(file).settings.raw == name


# -- several labels a row -------------------------------------------------------------------------


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


# -- names and the positive class -----------------------------------------------------------------


def test_a_name_is_read_with_its_affix():
    assert ("score", "spam") in {(r.kind, r.stem) for r in parse_name("proba_spam")}
    assert ("plain", "child speech") in {(r.kind, r.stem) for r in parse_name("child speech (labels)")}
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


# -- what hostile files taught --------------------------------------------------------------------


def test_matrix_lines_are_counted():
    lines = table(Actual=["a", "a", "b", "b"], Predicted=["a", "b", "a", "b"], nPredictions=["50", "3", "7", "40"])
    for given in ({}, {"truth": "Actual", "pred": "Predicted"}):
        found = detect(lines, given=given)
        assert (found.settings.truth, found.settings.pred) == ("Actual", "Predicted")
        assert found.settings.counts == "nPredictions" and role_of(found, "nPredictions") == "rows per line"
    assert detect(lines, given={"counts": ""}).settings.counts is None


LINES = {"true": ["a", "a", "b", "b"], "pred": ["a", "b", "a", "b"]}
NAMES_OF_COUNTS = (
    "COUNT(*)", "count(1)", "count_star()", "COUNT_BIG(*)", "count(DISTINCT id)", "sum(n)", "SUM(count)", "Count of id",
    "Sum of Count", "Anzahl", "Anzahl von Fall-Nr.", "Nombre de id", "Recuento de id", "Contagem de id",
    "Conteggio di id", "Häufigkeit", "haeufigkeit", "Fréquence", "cnt", "num_rows", "# rows", "row count", "Freq", "n",
    "0", "f0_", "size", "total", "Number of records", "id_count", "n (labels)",
)  # fmt: skip


@pytest.mark.parametrize(
    ("columns", "counts"),
    [
        *(
            pytest.param(LINES | {name: cells}, counts, id=f"{name}: {' '.join(cells)}")
            for name in NAMES_OF_COUNTS
            for cells, counts in ((["50", "5", "5", "20"], name), (["1", "2", "3", "4"], None))
        ),
        pytest.param({"number": ["2026", "7875", "6591", "7802"]} | LINES, None, id="a vague name in front"),
        pytest.param(LINES | {"number": ["2026", "7875", "6591", "7802"]}, "number", id="a vague name at the end"),
        *(
            pytest.param({"id": [*"qrst"]} | LINES | {name: ["8", "2", "8", "5"]}, counts, id=f"id, {name}")
            for name, counts in (("size", None), ("items", None), ("count", "count"))
        ),
        *(
            pytest.param(LINES | {name: ["0.4", "0.1", "0.2", "0.3"]}, None, id=f"fractions under {name}")
            for name in ("frequency", "Häufigkeit", "effectif", "Anzahl", "sum_of_count")
        ),
    ],
)  # fmt: skip
def test_counts_are_told_by_name_and_values(columns, counts):
    assert detect(pa.table(columns)).settings.counts == counts


@pytest.mark.parametrize(
    ("name", "is_asked"), [("age", True), ("word_count", True), ("id", False), ("score", False), ("weight", False)]
)
def test_whole_numbers_of_each_pair_are_asked_for(name, is_asked):
    lines = table(true=["a", "a", "b", "b"], pred=["a", "b", "a", "b"], **{name: ["50", "7", "5", "20"]})
    found = detect(lines)
    assert found.settings.counts is None
    assert any(f"'{name}' may say how many rows" in text for text in found.warnings) is is_asked


@pytest.mark.parametrize("name", ["count", "n", "0", "size", "freq", "total"])
@pytest.mark.parametrize("classes", ["ab", "abc"])
def test_counts_of_groups_are_counts(name, classes):
    cells = [(*cell, str(1 + 7 * i % 10)) for i, cell in enumerate(itertools.product("xy", classes, classes))]
    lines = dict(zip(("region", "truth", "pred", name), zip(*cells, strict=True), strict=True))
    assert detect(table(**lines)).settings.counts == name
    again = {column: [*texts, texts[0]] for column, texts in lines.items()}
    assert detect(table(**again)).settings.counts is None, "a cell stands twice: the lines are rows"
    numbered = {"subject": [str(i) for i in range(len(cells))], **lines}
    assert detect(table(**numbered)).settings.counts is None, "each line is a group of its own"


@pytest.mark.parametrize("name", ["count", "n", "0", "size"])
@pytest.mark.parametrize("planned", ["truth", "pred"])
def test_classes_planned_for_each_subject_are_rows(name, planned):
    other = {"truth": "pred", "pred": "truth"}[planned]
    lines = table(
        **{
            "subject": [f"s{i // 3}" for i in range(60)],
            planned: list("abc" * 20),
            other: list("abcabaaccbbc" * 5),
            name: [str(1 + 7 * i % 10) for i in range(60)],
        }
    )
    assert detect(lines).settings.counts is None


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
    with pytest.raises(DataError, match="No column looks like true labels"):
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


def test_columns_of_scores_are_not_written_as_texts(monkeypatch):
    """A thousand of them hold millions of numbers, and no label."""
    encoded, distinct = [], column.distinct
    monkeypatch.setattr(column, "distinct", lambda cells: encoded.append(cells.type) or distinct(cells))
    shares = np.random.default_rng(1).dirichlet(np.ones(30), 200)
    rows = pa.table({"label": [f"c{row % 30}" for row in range(200)]} | {f"p_c{k}": shares[:, k] for k in range(30)})
    assert len(detect(rows).settings.scores) == 30
    assert encoded and not any(pa.types.is_floating(kind) for kind in encoded)


@pytest.mark.parametrize(
    ("names", "is_told"),
    [(("label", "class"), True), (("klasse", "label"), True), (("y", "label"), False), (("label", "pred"), False)],
)
def test_names_that_fit_either_way_are_warned_of(names, is_told):
    columns = dict(zip(names, (["a", "b"] * 30, ["a", "b", "b"] * 20), strict=True))
    warnings = [text for text in detect(pa.table(columns)).warnings if "the other way round" in text]
    assert bool(warnings) == is_told
    assert not detect(pa.table(columns), given={"truth": names[0], "pred": names[1]}).warnings


@pytest.mark.parametrize("name", ["n", "count", "size", "x"])
def test_infinite_count_is_a_feature(name):
    labels = {"truth": ["a", "a", "b", "b", "b"], "pred": ["a", "b", "a", "b", "b"]}
    found = detect(table(**labels, **{name: [1, np.inf, 3, 4, 9]}))
    assert found.settings.pred == "pred" and found.settings.counts is None
