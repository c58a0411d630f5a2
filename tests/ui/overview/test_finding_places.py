"""Every finding that is about rows leads to as many rows as its sentence says."""

from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest

from data.building.build import build
from data.evaluation import Settings
from data.rows.selection import Which, find_rows
from data.samples import SAMPLES
from metrics.finding import Finding
from metrics.findings.findings import findings as all_findings, tables_of
from ui.overview.finding_places import place_of
from ui.rows.row_choice import only_counted
from ui.view import measurement
from ui.view.cache import class_lists
from ui.view.open_runs import evaluation_of


def rows_behind(evaluation, finding):
    return place_of(evaluation, finding).rows(evaluation, finding)


def found(sample: str):
    evaluation = evaluation_of(sample)
    assert evaluation is not None
    return evaluation, {finding.code: finding for finding in measurement.find_ranked(evaluation)}


@pytest.mark.parametrize("sample", [sample.key for sample in SAMPLES])
def test_finding_leads_to_as_many_rows(sample):
    evaluation, _ = found(sample)
    looked = 0
    for finding in measurement.find_ranked(evaluation):
        which = rows_behind(evaluation, finding)
        if which is not None and "rows" in finding.evidence:
            assert len(find_rows(evaluation, which)) == finding.evidence["rows"], finding.text
            looked += 1
    assert looked or sample not in ("support-intents", "support-intents-llm")


def test_never_predicted_classes_lead_to_their_true_rows():
    evaluation, findings = found("support-intents")
    rows = find_rows(evaluation, rows_behind(evaluation, findings["never_predicted"]))
    predicted = set(evaluation.y_pred.tolist())
    assert rows.tolist() == [i for i, code in enumerate(evaluation.y_true.tolist()) if code not in predicted]


def test_unlisted_labels_lead_to_their_rows():
    evaluation, findings = found("support-intents-llm")
    rows = find_rows(evaluation, rows_behind(evaluation, findings["outside_label_space"]))
    assert rows.tolist() == np.flatnonzero(evaluation.y_pred >= evaluation.n_space).tolist()


def test_rows_without_any_label_are_found():
    evaluation, findings = found("movie-genres")
    rows = find_rows(evaluation, rows_behind(evaluation, findings["empty_label_sets"]))
    assert rows.tolist() == np.flatnonzero(~evaluation.y_true.any(axis=1)).tolist()


def test_answers_without_label_are_found_from_parsing():
    evaluation, findings = found("support-intents-llm")
    assert place_of(evaluation, findings["unparseable"]).page == "parsing"
    assert rows_behind(evaluation, findings["unparseable"]) == Which(only="unparseable")


def test_confident_errors_lead_to_their_rows():
    evaluation, findings = found("support-intents")
    finding = findings["confident_errors"]
    sure = np.array(evaluation.rows.column("confidence").to_pylist(), dtype=float)
    wrong = np.flatnonzero((sure >= 0.9) & (evaluation.y_true != evaluation.y_pred))
    assert find_rows(evaluation, rows_behind(evaluation, finding)).tolist() == wrong.tolist()
    assert finding.evidence["rows"] == len(wrong) > 0


def test_a_class_without_rows_has_none():
    evaluation, findings = found("support-intents-first-400")
    gap = findings["macro_far_below_micro_sample"]
    assert place_of(evaluation, gap).view(gap) == {"list": "absent"} and rows_behind(evaluation, gap) is None


def test_never_true_labels_lead_to_their_rows():
    table = pa.table({"y": ["a", "b", "a", "b"], "y_pred": ["a", "b", "A", "B"]})
    evaluation = build(table, Settings(truth="y", pred="y_pred"), name="d", content_sha256="never true")
    assert [evaluation.labels[code] for code in class_lists(evaluation)["never_true"]] == ["A", "B"]
    assert not len(class_lists(evaluation)["absent"])
    finding = next(f for f in all_findings(tables_of(evaluation)) if f.code == "never_true")
    assert find_rows(evaluation, rows_behind(evaluation, finding)).tolist() == [2, 3]


def test_label_list_score_or_row_lists_a_class():
    scores = {"p_a": [0.9, 0.8, 0.7], "p_e": [0.1, 0.2, 0.3]}
    table = pa.table({"y": ["a", "b", "c"], "y_pred": ["a", "d", None], **scores})
    told = Settings(truth="y", pred="y_pred")
    listed = {
        "nothing": told,
        "set": replace(told, label_set=("a", "b", "c", "d", "x")),
        "score": replace(told, scores=(("p_a", "a"), ("p_e", "e"))),
    }
    made = {how: build(table, s, name="d", content_sha256=how) for how, s in listed.items()}
    names = {how: {one.labels[code] for code in one.listed} for how, one in made.items()}
    assert names["nothing"] == {"a", "b", "c"} and names["set"] == {"a", "b", "c", "d", "x"}
    assert names["score"] == {"a", "b", "c", "e"}


def test_a_column_of_flags_lists_its_label():
    table = pa.table({"t_a": [1, 0], "t_b": [0, 0], "p_a": [1, 1], "p_b": [0, 1], "p_c": [0, 1]})
    settings = Settings(
        encoding="multi_hot", truth_columns=(("t_a", "a"), ("t_b", "b")),
        pred_columns=(("p_a", "a"), ("p_b", "b"), ("p_c", "c")),
    )  # fmt: skip
    evaluation = build(table, settings, name="d", content_sha256="flags")
    assert [evaluation.labels[code] for code in evaluation.listed] == ["a", "b"]
    lists = class_lists(evaluation)
    assert [evaluation.labels[code] for code in lists["never_true"]] == ["c"]
    assert [evaluation.labels[code] for code in lists["absent"]] == ["b"]


@pytest.mark.parametrize(("code", "only"), [("label_missed", "fn"), ("label_false_alarms", "fp")])
def test_label_finding_leads_to_its_rows(code, only):
    evaluation, _ = found("movie-genres")
    finding = Finding(code, "serious", (), labels=(evaluation.labels[3],))
    assert rows_behind(evaluation, finding) == Which((3,), only=only)


def test_unscored_rows_are_left_out():
    whole = pa.table({"y": ["a", "b"], "y_pred": ["a", "a"]})
    holes = pa.table({"y": ["a", "b", "a"], "y_pred": ["a", "a", None]})
    settings = Settings(truth="y", pred="y_pred")
    made = [build(table, settings, name="d", content_sha256=str(i)) for i, table in enumerate((whole, holes))]
    assert [only_counted(one, Which((0,))).only for one in made] == ["all", "scored"]
    assert only_counted(made[1], Which((0,), only="errors")).only == "errors"
