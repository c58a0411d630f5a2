"""Columns of weights are never a score or id; a warning says that they are not used until a person says so."""

import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from cli import main
from data.building.build import build
from data.building.rescoring import with_settings
from data.columns.weight_columns import add_weights, count_units
from data.comparison.filter_conditions import filter_rows
from data.errors import DataError
from data.evaluation import Settings
from data.roles.detect import detect
from data.runs.draft import Given
from data.runs.draft_changes import correct_settings
from data.runs.own_folders.counting import read_source
from data.sharing.push_fields import Wanted, from_fields, to_fields
from tests.reading_here import reading_here

LABELS = {"y_true": ["a", "b", "a", "b"], "y_pred": ["a", "a", "a", "b"]}
WEIGHTS = [0.5, 2.0, 1.0, 3.5]


def read(columns, **said):
    table = pa.table(columns)
    found = detect(table, given=said)
    evaluation = build(table, found.settings, name="x", content_sha256="0", roles=found.roles, warnings=found.warnings)
    return evaluation, [text for text in evaluation.receipt.warnings if "weights" in text]


@pytest.mark.parametrize(
    "name",
    ["sample_weight", "case_weights", "Example Weights", "wt", "w", "IPW", "fnlwgt", "Gewicht", "pondération"],
)
def test_column_of_weights_is_warned_of_once(name):
    evaluation, (warning,) = read(LABELS | {name: WEIGHTS})
    assert f"'{name}' is named like weights. They are not used" in warning and "(--weights none)" in warning
    assert {role.column: role.role for role in evaluation.receipt.roles}[name] == "unused weights"
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


def weighted(weights=(0.5, 2.0, 1.0, 3.5), columns=LABELS, **settings):
    table = pa.table(columns | {"w": list(weights)})
    given = Settings(truth="y_true", pred="y_pred", weights="w", **settings)
    return build(table, given, name="x", content_sha256="0")


def test_named_weights_count_and_need_no_warning():
    evaluation, warnings = read(LABELS | {"importance": WEIGHTS}, weights="importance")
    assert warnings == [] and evaluation.settings.weights == "importance"
    assert (evaluation.units * evaluation.unit).tolist() == WEIGHTS
    assert {role.column: role.role for role in evaluation.receipt.roles}["importance"] == "weights"
    assert Settings.from_json(evaluation.settings.to_json()) == evaluation.settings
    assert Given.from_json(Given(weights="w").to_json()) == Given(weights="w")


@pytest.mark.parametrize(
    ("weights", "settings", "message"),
    [
        *(
            (("0.5", "2", cell, "1"), {}, f"Column 'w', row 3: {said}.* is no weight")
            for cell, said in (
                ("-1", "'-1'"),
                ("", "an empty cell"),
                ("much", "'much'"),
                ("inf", "'inf'"),
                ("2e100", "'2e100'"),
                (" ", "an empty"),
            )
        ),
        ((0, 0, 0, 0), {}, "No row has a weight above 0 in 'w'"),
        (WEIGHTS, {"scores": (("w", "b"),)}, "'w' is to be the weights of rows and has another role"),
    ],
)
def test_wrong_weights_are_refused(weights, settings, message):
    with pytest.raises(DataError, match=message):
        weighted(weights, **settings)


def test_row_without_truth_needs_no_weight():
    columns = LABELS | {"y_true": ["a", None, "a", "b"]}
    assert weighted((0.5, None, 1.0, 2.0), columns).n_scored == 3


def test_row_of_weight_zero_does_not_count():
    evaluation = weighted((0.5, 2.0, 0.0, 3.5))
    assert evaluation.scored.tolist() == [True, True, False, True] and evaluation.n_scored == 3
    assert evaluation.n_missing_truth == evaluation.n_missing_pred == 0
    assert evaluation.receipt.notes == ("1 row of weight 0 in 'w' does not count.",)
    again = with_settings(evaluation, label_set=("a", "b"))
    assert again.scored.tolist() == evaluation.scored.tolist()


def test_filtered_rows_keep_their_weights():
    evaluation = filter_rows(weighted((0.5, 2.0, 0.0, 3.5)), [("y_true", "b")])
    assert (evaluation.units * evaluation.unit).tolist() == [2.0, 3.5] and evaluation.n_missing_pred == 0
    assert filter_rows(weighted((0.5, 2.0, 0.0, 3.5)), [("y_true", "a")]).n_missing_pred == 0


@pytest.mark.parametrize("weights", [[0.5, 0.25, 3.0], [0.1, 1 / 3, 1e-9], [1e300, 3e299], [5e-324, 1.0], [7.0]])
def test_units_are_weights_to_fifteen_digits(weights):
    given = np.array(weights)
    found = count_units(given, np.ones(len(given), np.int64))
    assert found.units * found.unit == pytest.approx(given, abs=given.sum() * 2**-51)
    assert (found.units > 0).all() and found.units.sum() <= 2**53


def test_total_weight_and_effective_rows():
    found = add_weights(weighted((1.0, 2.0, 0.0, 4.0)))
    deciding = pytest.approx(21**2 / (1 + 16 + 256))
    assert found == ("w", 7.0, 3, pytest.approx(49 / 21), deciding)  # Kish by hand: 7 ** 2 / (1 + 4 + 16)
    counts = weighted((0.5, 2.0, 1.0, 3.0), LABELS | {"n": [4, 1, 2, 0]}, counts="n")
    assert add_weights(counts) == (
        "w", 6.0, 7, pytest.approx(36 / 7), pytest.approx(49 / (4 * 0.0625 + 16 + 2))
    )  # fmt: skip


def test_counted_source_refuses_weights(tmp_path):
    pq.write_table(pa.table(LABELS | {"w": WEIGHTS}), tmp_path / "a.parquet")
    with pytest.raises(DataError, match="Rows that an engine counts cannot be weighted"):
        read_source(tmp_path, Given(weights="w"), engine="duckdb", memory_bytes=1 << 28)


def test_person_chooses_weights_on_change():
    table = pa.table(LABELS | {"weight": WEIGHTS})
    settings = correct_settings(table, detect(table).settings, {"weights": "weight"})
    evaluation = build(table, settings, name="x", content_sha256="0")
    assert evaluation.units is not None and evaluation.receipt.warnings == ()
    again = correct_settings(table, settings, {"positive": "b"})
    assert again.weights == "weight"


def test_push_takes_a_column_of_weights():
    for given in (Given(weights="w"), Given(weights=""), Given()):
        assert from_fields(to_fields(Wanted(given))).given.weights == given.weights
