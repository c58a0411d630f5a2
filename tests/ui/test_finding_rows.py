"""Every finding that is about rows leads to as many rows as its sentence says."""

import numpy as np
import pyarrow as pa
import pytest

from data.build import build
from data.evaluation import Settings
from data.rows import Which, rows_of
from data.samples import SAMPLES
from ui import cache
from ui.finding_rows import counted, rows_behind
from ui.state import evaluation_of


def found(sample: str):
    evaluation = evaluation_of(sample)
    assert evaluation is not None
    return evaluation, {finding.code: finding for finding in cache.found(evaluation)}


@pytest.mark.parametrize("sample", [sample.key for sample in SAMPLES])
def test_a_finding_that_counts_rows_leads_to_so_many(sample):
    evaluation, _ = found(sample)
    looked = 0
    for finding in cache.found(evaluation):
        which = rows_behind(evaluation, finding)
        if which is not None and "rows" in finding.evidence:
            assert len(rows_of(evaluation, which)) == finding.evidence["rows"], finding.text
            looked += 1
    assert looked or sample not in ("support-intents", "support-intents-llm")


def test_never_predicted_classes_lead_to_their_true_rows():
    evaluation, findings = found("support-intents")
    rows = rows_of(evaluation, rows_behind(evaluation, findings["never_predicted"]))
    predicted = set(evaluation.y_pred.tolist())
    assert rows.tolist() == [i for i, code in enumerate(evaluation.y_true.tolist()) if code not in predicted]


def test_made_up_labels_lead_to_the_rows_that_got_them():
    evaluation, findings = found("support-intents-llm")
    rows = rows_of(evaluation, rows_behind(evaluation, findings["outside_label_space"]))
    assert rows.tolist() == np.flatnonzero(evaluation.y_pred >= evaluation.n_space).tolist()


def test_rows_without_any_label_are_found():
    evaluation, findings = found("movie-genres")
    rows = rows_of(evaluation, rows_behind(evaluation, findings["empty_label_sets"]))
    assert rows.tolist() == np.flatnonzero(~evaluation.y_true.any(axis=1)).tolist()


def test_unparseable_answers_are_found_although_their_finding_leads_to_the_page_parsing():
    evaluation, findings = found("support-intents-llm")
    assert findings["unparseable"].page == "parsing"
    assert rows_behind(evaluation, findings["unparseable"]) == Which(only="unparseable")


def test_a_class_without_rows_has_none():
    evaluation, findings = found("support-intents-first-400")
    assert "absent" in findings and rows_behind(evaluation, findings["absent"]) is None


def test_rows_that_no_metric_counts_are_left_out_where_there_are_some():
    whole = pa.table({"y": ["a", "b"], "y_pred": ["a", "a"]})
    holes = pa.table({"y": ["a", "b", "a"], "y_pred": ["a", "a", None]})
    settings = Settings(truth="y", pred="y_pred")
    made = [build(table, settings, name="d", content_sha256=str(i)) for i, table in enumerate((whole, holes))]
    assert [counted(one, Which((0,))).only for one in made] == ["all", "scored"]
    assert counted(made[1], Which((0,), only="errors")).only == "errors"
