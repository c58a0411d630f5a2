"""Columns of weights have a role of their own, are never a score or id, and a warning says that they are not used."""

from __future__ import annotations

import json

import pyarrow as pa
import pytest

from cli import main
from data.building.build import build
from data.errors import DataError
from data.evaluation import Settings
from data.roles.detect import detect
from data.runs.draft import Given
from data.runs.draft_changes import correct_settings
from tests.reading_here import reading_here

LABELS = {"y_true": ["a", "b", "a", "b"], "y_pred": ["a", "a", "a", "b"]}
WEIGHTS = [0.5, 2.0, 1.0, 3.5]


def read(columns, **said):
    table = pa.table(columns)
    found = detect(table, given=said)
    evaluation = build(table, found.settings, name="x", content_sha256="0", roles=found.roles, warnings=found.warnings)
    return evaluation, [text for text in evaluation.receipt.warnings if "weights" in text]


@pytest.mark.parametrize(
    "name", ["sample_weight", "case_weights", "Example Weights", "weight", "wt", "Gewicht", "pondération"]
)
def test_column_of_weights_is_warned_of_once(name):
    evaluation, (warning,) = read(LABELS | {name: WEIGHTS})
    assert f"'{name}' is named like weights. They are not used" in warning and "(--weights none)" in warning
    assert {role.column: role.role for role in evaluation.receipt.roles}[name] == "weights, not used"
    assert len(read(LABELS | {name: ["0,5", "2", "1,25", "3,5"]})[1]) == 1, "with decimal commas, too"


@pytest.mark.parametrize("values", [[1.0] * 4, ["heavy", "light", "light", "heavy"], [-1.0, 2.0, 3.0, 4.0]])
def test_equal_weights_and_other_values_need_no_warning(values):
    assert read(LABELS | {"weight": values})[1] == []


def test_weights_are_no_score_and_no_id():
    truth = {"y_true": [1, 0, 1, 0]}
    with pytest.raises(DataError, match="Predictions are missing"):
        read(truth | {"weight": [0.5, 0.25, 0.75, 0.1]})
    evaluation, _ = read(truth | {"weight": [0.5, 0.25, 0.75, 0.1], "score": [0.9, 0.1, 0.8, 0.3]})
    assert [column for column, _ in evaluation.settings.scores] == ["score"]
    assert read(LABELS | {"weights": [1, 2, 3, 4]})[0].settings.id is None
    sets = {"y_true": ["a|b", "b", "a|c", "c"], "y_pred": ["a|b", "b", "a", "c"]}
    assert read(sets | {"weight": WEIGHTS})[0].settings.scores == () and len(read(sets | {"weight": WEIGHTS})[1]) == 1


def test_person_may_give_such_a_column_another_role():
    evaluation, warnings = read({"y_true": [1, 0, 1, 0], "weight": [0.5, 0.25, 0.75, 0.1]}, score="weight")
    assert evaluation.settings.scores == (("weight", "1"),) and warnings == []
    evaluation, warnings = read(LABELS | {"weight": [2, 1, 3, 4]}, counts="weight")
    assert evaluation.n_rows == 10 and warnings == []
    (warning,) = read(LABELS | {"weight": [2, 1, 3, 4]})[1]
    assert "choose it as rows per line (--counts)" in warning


def test_person_confirms_that_no_weights_are_used():
    table = pa.table(LABELS | {"weight": WEIGHTS})
    settings = correct_settings(table, detect(table).settings, {"weights": ""})
    assert Settings.from_json(settings.to_json()) == settings and "weights" not in Settings().to_json()
    assert Given.from_json(Given(weights="").to_json()) == Given(weights="")
    assert build(table, settings, name="x", content_sha256="0").receipt.warnings == ()
    again = correct_settings(table, settings, {"positive": "b"})
    assert build(table, again, name="x", content_sha256="0").receipt.warnings == ()
    # a correction of something else confirms nothing
    other = correct_settings(table, detect(table).settings, {"positive": "b"})
    assert len(build(table, other, name="x", content_sha256="0").receipt.warnings) == 1


def test_every_command_says_it_until_confirmed(tmp_path, capsys):
    path, other, page = tmp_path / "a.csv", tmp_path / "b.csv", tmp_path / "r.html"
    path.write_text("id,y_true,y_pred,sample_weight\n1,a,a,0.5\n2,b,a,2\n3,a,a,1\n4,b,b,1\n")
    other.write_text("id,y_true,y_pred\n1,a,a\n2,b,b\n3,a,b\n4,b,b\n")
    with reading_here():
        for more, said in (((), True), (("--weights", "none"), False)):
            assert bool(print_json(capsys, "score", path, *more)["warnings"]) is said
            warnings = print_json(capsys, "compare", path, other, *more)["warnings"]
            assert any(text.startswith("a.csv: 'sample_weight' is named like weights") for text in warnings) is said
            assert main(["report", str(path), "-o", str(page), *more]) == 0
            assert ("is named like weights" in page.read_text()) is said


def print_json(capsys, *arguments):
    capsys.readouterr()
    assert main([*map(str, arguments), "--json"]) == 0
    return json.loads(capsys.readouterr().out)
