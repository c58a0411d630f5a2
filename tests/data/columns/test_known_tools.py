"""The tables of other tools, from the text they write: recognised by their columns, and never against the values."""

import json

import numpy as np
import pyarrow as pa
import pytest
from sklearn.metrics import roc_auc_score

from data.building.build import build
from data.building.rescoring import with_parser
from data.columns.known_tools import FORMATS, recognise
from data.errors import ChoiceNeeded, DataError
from data.evaluation import Settings
from data.parser.parser import Parser, Rule
from data.process.limits import Limits
from data.reading.list_columns import split_lists
from data.roles.detect import detect
from data.runs import load
from data.runs.load import Given
from tests.opened_runs import accuracy

pytestmark = pytest.mark.usefixtures("read_here")


@pytest.fixture
def read(tmp_path):
    """An evaluation of the text of one file, or of two."""

    def evaluate(*texts: str, names: tuple[str, ...] = ("preds.csv", "labels.csv"), **given):
        paths = [tmp_path / name for name, _ in zip(names, texts, strict=False)]
        for path, text in zip(paths, texts, strict=True):
            path.write_text(text, encoding="utf-8")
        return load.read_evaluation(paths, Given(**given))

    return evaluate


def why(e, column: str) -> str:
    return next(role.why for role in e.receipt.roles if role.column == column)


def role(e, column: str) -> str:
    return next(role.role for role in e.receipt.roles if role.column == column)


def scores_of(e, label: str) -> list[float]:
    return e.y_score[:, e.score_codes.index(e.labels.index(label))].round(9).tolist()


MLR3 = """row_ids,truth,response,prob.setosa,prob.versicolor,prob.virginica
1,setosa,setosa,0.98,0.01,0.01
2,versicolor,virginica,0.0,0.4,0.6
3,virginica,virginica,0.0,0.1,0.9
"""
PARSNIP = """.pred_class,.pred_Very Fine,.pred_F,.pred_M,obs
Very Fine,0.9,0.05,0.05,Very Fine
F,0.2,0.7,0.1,M
M,0.2,0.1,0.7,M
"""
WEKA = """inst#,actual,predicted,error,prediction
1,1:I,1:I,,0.879
2,1:I,2:S,+,0.638
3,2:S,1:I,+,0.507
4,2:S,2:S,,0.507
5,1:?,1:I,,0.52
"""
KNIME = """row ID,age,Income,P (Income=<=50K),P (Income=>50K),Prediction (Income)
Row1,39,<=50K,0.9,0.1,<=50K
Row2,50,>50K,0.6,0.4,<=50K
Row3,38,>50K,0.2,0.8,>50K
"""
RAPIDMINER = """row no.,churn,prediction(churn),confidence(no),confidence(yes)
1,no,no,0.9,0.1
2,yes,yes,0.6,0.4
3,yes,no,0.8,0.2
"""
VERTEX = """age,adopted_by,adopted_by_a_friend_scores,adopted_by_nobody_scores
3,a_friend,0.8,0.2
5,nobody,0.4,0.6
9,nobody,0.7,0.3
"""
H2O = """CAPSULE,predict,p0,p1
0,0,0.8,0.2
1,1,0.3,0.7
1,0,0.6,0.4
"""
PYCARET = """StoreID,PriceCH,Purchase,prediction_label,prediction_score
1,1.75,CH,CH,0.93
2,1.86,MM,MM,0.71
3,1.86,MM,CH,0.64
4,1.99,CH,MM,0.55
"""
AUTOPILOT = """target,predicted_label,probability,probabilities,labels
yes,yes,0.9,"[0.9, 0.1]","['yes', 'no']"
no,yes,0.6,"[0.6, 0.4]","['yes', 'no']"
no,no,0.8,"[0.8, 0.2]","['no', 'yes']"
"""
FIFTYONE = """filepath,ground_truth.label,predictions.label,predictions.confidence
a.png,cat,cat,0.9
b.png,dog,cat,0.6
c.png,dog,dog,0.8
"""
CLEANLAB = """is_label_issue,label_quality,given_label,predicted_label
False,0.9,0,0
True,0.1,1,0
False,0.8,1,1
"""
MLFLOW = """feature,target,prediction,prediction_proba
1.0,0,0,0.2
2.0,1,1,0.7
3.0,1,0,0.4
"""
WIT = """hours,income,predictions__probabilities
40,0,"[0.8, 0.2]"
20,1,"[0.3, 0.7]"
30,1,"[0.6, 0.4]"
"""
INSPECT = """id,epoch,input,target,score_match,score_match_answer,score_match_explanation,total_tokens,error
1,1,Win money,spam,C,spam,spam,12,
2,1,Hi Bob,ham,I,spam,spam,12,
3,1,See you,ham,C,ham,ham,13,
"""
PROMPTFOO = """text,expected,[openai:gpt-4o-mini] Classify: {{text}},Status,Score,Named Scores,Grader Reason,Comment
Win money,spam,spam,PASS,1.00,,All assertions passed,
Hi Bob,ham,spam,FAIL,0.00,,Expected ham,
See you,ham,ham,PASS,1.00,,All assertions passed,
"""
PHOENIX = """example_id,repetition_number,input,reference_output,output,error,latency_ms
RXhh,1,"{""text"": ""Win""}","{""label"": ""spam""}",spam,,120.5
RXhi,1,"{""text"": ""Hi""}","{""label"": ""ham""}",spam,,98.1
RXhj,1,"{""text"": ""Yo""}","{""label"": ""ham""}",ham,,98.1
"""
BIGQUERY = "\n".join(
    json.dumps({"churned": true, "predicted_churned": pred, "predicted_churned_probs": probs})
    for true, pred, probs in (
        ("yes", "yes", [{"label": "yes", "prob": 0.9}, {"label": "no", "prob": 0.1}]),
        ("no", "yes", [{"label": "yes", "prob": 0.6}, {"label": "no", "prob": 0.4}]),
        ("no", "no", [{"label": "no", "prob": 0.8}, {"label": "yes", "prob": 0.2}]),
    )
)
SPARK = """label,rawPrediction,probability,prediction
0.0,"[1.2,-1.2]","[0.77,0.23]",0.0
1.0,"[-2.0,2.0]","[0.12,0.88]",1.0
1.0,"[0.4,-0.4]","[0.6,0.4]",0.0
"""


@pytest.mark.parametrize(
    ("text", "tool", "truth", "pred", "label", "scores"),
    [
        (MLR3, "mlr3", "truth", "response", "virginica", [0.01, 0.6, 0.9]),
        (PARSNIP, "parsnip", "obs", ".pred_class", "Very Fine", [0.9, 0.2, 0.2]),
        (KNIME, "KNIME", "Income", "Prediction (Income)", "<=50K", [0.9, 0.6, 0.2]),
        (RAPIDMINER, "RapidMiner", "churn", "prediction(churn)", "yes", [0.1, 0.4, 0.2]),
        (VERTEX, "Vertex AI", "adopted_by", None, "a_friend", [0.8, 0.4, 0.7]),
        (H2O, "H2O", "CAPSULE", "predict", "1", [0.2, 0.7, 0.4]),
        (AUTOPILOT, "SageMaker Autopilot", "target", "predicted_label", "yes", [0.9, 0.6, 0.2]),
        (FIFTYONE, "FiftyOne", "ground_truth.label", "predictions.label", "cat", [0.9, 0.6, 0.2]),
        (CLEANLAB, "cleanlab", "given_label", "predicted_label", None, None),
        (MLFLOW, "MLflow", "target", "prediction", "1", [0.2, 0.7, 0.4]),
        (WIT, "What-If Tool", "income", None, "1", [0.2, 0.7, 0.4]),
        (INSPECT, "Inspect", "target", "score_match_answer", None, None),
        (PROMPTFOO, "promptfoo", "expected", "[openai:gpt-4o-mini] Classify: {{text}}", None, None),
        (PHOENIX, "Phoenix", "reference_output", "output", None, None),
        (SPARK, "Spark ML", "label", "prediction", "1.0", [0.23, 0.88, 0.4]),
    ],
    ids=lambda value: value if isinstance(value, str) and len(value) < 30 else "",
)
def test_known_table_gives_two_of_three_right(read, text, tool, truth, pred, label, scores):
    e = read(text)
    assert (e.settings.truth, e.settings.pred, e.receipt.files[0].source) == (truth, pred, tool)
    assert (e.n_scored, round(accuracy(e), 3)) == (3, 0.667)
    assert any(f"those that {tool} writes" in note for note in e.receipt.notes)
    assert pred is None or why(e, pred) == f"as {tool} writes it"
    if label is None:
        assert e.y_score is None
    else:
        assert scores_of(e, label) == scores


@pytest.mark.parametrize("template", ["prediction({})", "Prediction ({})"])
def test_further_targets_of_a_format_are_warned_of(read, template):
    names = ["churn", template.format("churn"), "upsell", template.format("upsell")]
    lines = ",".join(names) + "\nno,no,a,b\nyes,yes,b,b\nyes,no,b,b\n"
    e = read(lines)
    assert (e.settings.truth, e.settings.pred) == (names[0], names[1])
    assert any("Predictions of 'churn', 'upsell' are in this file" in text for text in e.receipt.warnings)
    other = read(lines, truth="upsell")
    assert (other.settings.truth, other.settings.pred) == (names[2], names[3])
    assert not any("are in this file" in text for text in other.receipt.warnings)


def test_truth_is_found_by_its_prediction(read):
    e = read("flag,other,churn,pred_churn\n1,0,1,1\n0,0,0,1\n1,1,0,0\n0,0,1,1\n")
    assert e.settings.truth == "churn" and e.settings.pred == "pred_churn" and not e.receipt.warnings


def test_every_format_is_recognised_by_its_columns():
    for row in FORMATS:
        names = [part.split("|")[0] for part in row.needs]
        names = [n.replace("{target}", "t").replace("{label}", "x").replace("{any}", "y") for n in names] + ["t"]
        found = recognise(names)
        assert found is not None and found.tool == row.tool, row.tool


@pytest.mark.parametrize(
    "names", [["y_true", "y_pred"], ["pred_class", "truth"], ["actual", "predicted"], ["output", "label"], []]
)
def test_unknown_table_is_not_recognised(names):
    assert recognise(names) is None


# -- Weka -------------------------------------------------------------------------------------------


def test_weka_numbers_are_removed(read):
    e = read(WEKA)
    assert e.labels == ("I", "S") and e.n_missing_truth == 1 and e.n_scored == 4 and accuracy(e) == 0.5
    assert role(e, "error") == "other" and "marks the rows that are wrong" in why(e, "error")
    notes = " ".join(e.receipt.files[0].notes)
    assert "(1:label) were taken off" in notes and "1 label written as ?" in notes


def test_weka_distribution_is_several_columns(read):
    header = "inst#,actual,predicted,error,distribution\n"
    evaluation = read(header + "1,1:I,1:I,,*0.9,0.1\n2,1:I,2:S,+,0.3,*0.7\n3,2:S,2:S,,0.4,*0.6\n")
    assert (evaluation.settings.truth, evaluation.settings.pred) == ("actual", "predicted")
    assert evaluation.labels == ("I", "S") and (evaluation.y_true == evaluation.y_pred).tolist() == [True, False, True]


def test_labels_that_only_look_numbered_stay(read):
    text = "inst#,actual,predicted,error,prediction\n1,1:a,1:a,,0.9\n2,1:b,1:a,+,0.8\n3,2:a,2:a,,0.7\n"
    e = read(text)
    assert set(e.labels) == {"1:a", "1:b", "2:a"} and not any("taken off" in n for n in e.receipt.files[0].notes)


# -- the score of whichever label was predicted --------------------------------------------------------


@pytest.mark.parametrize("text", [WEKA, PYCARET], ids=["Weka", "PyCaret"])
def test_confidence_gives_the_positive_score(read, text):
    e = read(text)
    table = e.rows.to_pydict()
    pred, score = (table["predicted"], table["prediction"]) if "predicted" in table else (
        table["prediction_label"], table["prediction_score"]
    )  # fmt: skip
    positive = e.labels[e.positive]
    expected = [s if p == positive else 1 - s for p, s in zip(pred, map(float, score), strict=True)]
    assert np.allclose(e.y_score[:, 0], expected)
    known = e.scored
    assert 0 <= roc_auc_score(e.y_true[known] == e.positive, e.y_score[known, 0]) <= 1
    assert any("is the score of whichever label was predicted" in note for note in e.receipt.notes)


def test_three_class_confidence_stays_with_the_rows(read):
    text = "truth,prediction_label,prediction_score\na,a,0.5\nb,b,0.9\nc,a,0.4\n"
    e = read(text)
    assert e.y_score is None and role(e, "prediction_score") == "confidence"


def test_values_decide_whose_probability_it_is(read):
    """Autopilot writes the positive class's probability in one of its modes, the predicted label's in the other."""
    of_one = read("y,predicted_label,probability\n1,1,0.9\n0,1,0.6\n0,0,0.2\n")
    assert of_one.settings.scale == "probability" and scores_of(of_one, "1") == [0.9, 0.6, 0.2]
    of_any = read("y,predicted_label,probability\n1,1,0.9\n0,1,0.6\n0,0,0.8\n")
    assert of_any.settings.scale == "confidence" and scores_of(of_any, "1") == [0.9, 0.6, 0.2]


def test_confidence_without_prediction_is_no_score(read):
    e = read("y,predicted_label,probability\n1,1,0.9\n0,1,0.6\n0,0,0.8\n0,,0.7\n")
    assert np.isnan(e.y_score[3, 0]) and e.n_scored == 3


def test_another_parser_turns_a_confidence_anew():
    table = pa.table({"y": ["ham", "spam"], "output": ["It is ham.", "spam"], "p": [0.75, 0.9]})
    wanted = Settings(truth="y", raw="output", scores=(("p", "spam"),), positive="spam", scale="confidence")
    before = build(table, wanted, name="t", content_sha256="0")
    after = with_parser(before, Parser("mine", (Rule("only_mentioned"),)))
    assert np.isnan(before.y_score[0, 0]) and after.y_score[:, 0].tolist() == [0.25, 0.9]


@pytest.mark.parametrize("settings", [{"raw": None}, {"scores": (("p", "b"), ("q", "a"))}])
def test_confidence_without_predictions_is_refused(settings):
    table = pa.table({"y": ["a", "b"], "output": ["a", "b"], "p": [0.75, 0.9], "q": [0.25, 0.1]})
    wanted = {"truth": "y", "raw": "output", "scores": (("p", "b"),), "positive": "b", "scale": "confidence"}
    with pytest.raises(DataError, match="A confidence is one column beside predicted labels"):
        build(table, Settings(**(wanted | settings)), name="t", content_sha256="0")


def test_signature_does_not_override_values():
    fractions = pa.table({"target": ["0", "1"], "prediction": [0.2, 0.7], "prediction_proba": [0.2, 0.7]})
    found = detect(fractions)
    assert found.settings.pred is None and found.settings.scores


# -- scores in one cell ---------------------------------------------------------------------------------


def test_bigquery_lists_go_to_their_labels(read):
    e = read(BIGQUERY, names=("preds.jsonl",))
    assert accuracy(e) == pytest.approx(2 / 3) and scores_of(e, "yes") == [0.9, 0.6, 0.2]
    assert e.settings.truth == "churned" and why(e, "churned").startswith("by a prediction that is named after it")


def test_bigquery_lists_as_python_prints_them(read):
    """A data frame of BigQuery holds arrays of dictionaries, and saves them as text: no comma between them."""
    rows = [json.loads(line) for line in BIGQUERY.splitlines()]
    cells = [str(row["predicted_churned_probs"]).replace("}, {", "} {") for row in rows]
    lines = [f'{r["churned"]},{r["predicted_churned"]},"{c}"' for r, c in zip(rows, cells, strict=True)]
    e = read("churned,predicted_churned,predicted_churned_probs\n" + "\n".join(lines))
    assert e.receipt.files[0].source == "BigQuery ML" and scores_of(e, "yes") == [0.9, 0.6, 0.2]
    assert why(e, "predicted_churned_probs_yes") == "as BigQuery ML writes it"


@pytest.mark.parametrize(
    "cells",
    [
        ["DenseVector([0.77, 0.23])", "DenseVector([0.12, 0.88])", "DenseVector([0.6, 0.4])"],
        ["(2,[0,1],[0.77,0.23])", "[0.12,0.88]", "[0.6,0.4]"],
        ["SparseVector(2, {0: 0.77, 1: 0.23})", "DenseVector([0.12, 0.88])", "SparseVector(2, {0: 0.6, 1: 0.4})"],
    ],
    ids=["dense", "sparse", "Python"],
)
def test_spark_vectors_are_read_however_they_are_printed(read, cells):
    rows = zip(("0.0", "1.0", "1.0"), cells, ("0.0", "1.0", "0.0"), strict=True)
    e = read("label,probability,prediction\n" + "".join(f'{y},"{p}",{pred}\n' for y, p, pred in rows))
    assert scores_of(e, "1.0") == [0.23, 0.88, 0.4] and accuracy(e) == pytest.approx(2 / 3)


def test_python_texts_with_quotation_marks_of_their_own():
    lists = [[{"label": "it's", "prob": 0.25}, {"label": 'say "a"', "prob": 0.75}]] * 2
    found = split_lists(pa.table({"probs": [str(lists[0]), str(np.array(lists[1]))]}), Limits())[0]
    assert found.column_names == ["probs_it's", 'probs_say "a"'] and found.to_pydict()["probs_it's"] == [0.25, 0.25]


@pytest.mark.parametrize(
    "cell",
    ['[{"label": "a", "prob": 0.5}, {"label": "c", "prob": 0.5}]', '[{"label": "a", "prob": "x"}]', "[{", "[" * 5000],
)
def test_other_lists_stay_text(cell):
    good = '[{"label": "a", "prob": 0.5}, {"label": "b", "prob": 0.5}]'
    table = pa.table({"y": ["a", "b"], "probs": [good, cell]})
    assert split_lists(table, Limits())[0].equals(table)


def test_a_sparse_vector_of_any_length_stays_text():
    for cell in ("(9999999,[0],[0.5])", "(5000,[5000],[0.5])", "(3,[0,1],[0.5])", "(3,[-1],[0.5])"):
        table = pa.table({"probability": [cell] * 3})
        assert split_lists(table, Limits())[0].equals(table)
    many = pa.table({"probability": pa.array(["(5000,[0],[0.5])"] * 20_000)})  # 100 million numbers in 340 kB
    assert split_lists(many, Limits())[0].equals(many)


# -- promptfoo, Phoenix -----------------------------------------------------------------------------------


def test_promptfoo_verdict_is_no_score(read):
    e = read(PROMPTFOO.replace("spam,", "'=spam,").replace("ham,", "'-,"))
    assert set(e.labels) == {"=spam", "-"} and accuracy(e) == pytest.approx(2 / 3)
    assert any("apostrophe" in note for note in e.receipt.files[0].notes)
    assert role(e, "Score") == "other" and "what the tool itself thought" in why(e, "Score")


def test_an_apostrophe_in_front_of_anything_else_stays(read):
    e = read(PROMPTFOO.replace("spam,", "'spam,"))
    assert "'spam" in e.labels


def test_free_text_answers_of_promptfoo_are_parsed(read):
    e = read(
        PROMPTFOO.replace(",spam,PASS", ",**Spam**,PASS").replace("See you,ham,ham", "See you,ham,I would say ham.")
    )
    assert e.settings.raw == "[openai:gpt-4o-mini] Classify: {{text}}" and e.settings.pred is None


def test_mlflow_metrics_are_no_class_scores(read):
    header = "inputs,ground_truth,outputs,toxicity/v1/score,flesch/v1/score,toxicity/v1/justification\n"
    evaluation = read(header + "x,a,a,0.01,12.5,fine\ny,b,a,0.02,7.25,fine\nz,b,b,0.01,3.5,fine\n")
    assert (evaluation.settings.truth, evaluation.settings.pred) == ("ground_truth", "outputs")
    assert not evaluation.settings.scores


def test_several_prompts_are_asked_about(read):
    text = (
        "text,expected,[a] Classify,Status,Score,[b] Classify,Status,Score\n"
        "Win,spam,spam,PASS,1,spam,PASS,1\nHi,ham,spam,FAIL,0,ham,PASS,1\nYo,ham,ham,PASS,1,ham,PASS,1\n"
    )
    with pytest.raises(ChoiceNeeded, match="answers of 2 prompts") as asked:
        read(text)
    assert asked.value.column == "" and asked.value.values == ("[a] Classify", "[b] Classify")
    assert accuracy(read(text, raw="[a] Classify")) == pytest.approx(2 / 3)
    assert accuracy(read(text, raw="[b] Classify")) == 1


def test_phoenix_json_references_are_opened(read):
    assert any("'label' was taken" in n for n in read(PHOENIX).receipt.files[0].notes)
    again = PHOENIX + PHOENIX.split("\n", 1)[1].replace(",1,", ",2,")
    with pytest.raises(ChoiceNeeded) as asked:
        read(again)
    assert (asked.value.column, asked.value.values) == ("repetition_number", ("1", "2"))


# -- two files ------------------------------------------------------------------------------------------


def test_hugging_face_results_join_by_index_or_row(read):
    results = "index\tprediction\n0\tpositive\n1\tnegative\n2\tpositive\n"
    for labels in ("index,label\n2,negative\n0,positive\n1,negative\n", "label\npositive\nnegative\nnegative\n"):
        e = read(results, labels, names=("predict_results.txt", "labels.csv"))
        assert accuracy(e) == pytest.approx(2 / 3) and e.n_scored == 3
    with pytest.raises(DataError, match="True labels are missing: upload them"):
        read(results, names=("predict_results.txt",))


def test_hugging_face_python_lists_are_sets_of_labels(read):
    results = "index\tprediction\n0\t['joy', 'love']\n1\t['anger']\n2\t[]\n"
    labels = "index,labels\n0,\"['joy', 'love']\"\n1,\"['joy']\"\n2,[]\n"
    e = read(results, labels, names=("predict_results.txt", "labels.csv"))
    assert e.task == "multilabel" and e.labels == ("anger", "joy", "love")
    assert (e.y_true == e.y_pred).all(axis=1).tolist() == [True, False, True]


@pytest.mark.parametrize(
    "submission", ["id,target\n1,a\n2,b\n3,b\n", "id,a,b,c\n1,0.7,0.2,0.1\n2,0.3,0.6,0.1\n3,0.2,0.5,0.3\n"]
)
def test_a_kaggle_submission_beside_its_answers(read, submission):
    e = read(submission, "id,target\n3,c\n1,a\n2,b\n")
    assert accuracy(e) == pytest.approx(2 / 3) and e.n_scored == 3 and set(e.labels) == {"a", "b", "c"}


# -- counts ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("header", ["Actual,Predicted,nPredictions", "Ground Truth,Prediction,Count"])
def test_a_confusion_matrix_in_lines_is_counted(read, header):
    e = read(f"{header}\ncat,cat,40\ncat,dog,10\ndog,cat,5\ndog,dog,45\n")
    assert e.n_rows == 100 and e.settings.counts == header.rsplit(",", 1)[1]
    assert float(e.weights[e.y_true == e.y_pred].sum()) / e.n_rows == 0.85
