"""The options of the decision sheet: what they print, and what they refuse."""

import json

import pytest

from cli import main
from data.samples import FOLDER, SAMPLES
from tests.csv_files import write_csv

pytestmark = pytest.mark.usefixtures("module_reads_here")

ROWS = {"truth": ["yes", "no"] * 10, "p_yes": [0.9, 0.1] * 6 + [0.4, 0.6] * 4}


@pytest.fixture
def file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return str(write_csv(tmp_path / "p.csv", ROWS))


def test_score_prints_the_decision_sheet(file, capsys):
    """At 0.4 all ten positives are found, and 4 of 10 negatives flagged: of 1,000 rows 50 and 380."""
    assert main(["score", file, "--prevalence", "0.05", "--rows-a-day", "1000", "--cost-fn", "30", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["decision"]
    assert (found["threshold"], found["rows_a_day"], found["cost_fn"]) == (0.4, 1000, 30)
    assert found["day"]["found"]["value"] == pytest.approx(50)
    assert found["day"]["false_alarms"]["value"] == pytest.approx(380)
    assert main(["score", file, "--call-rows", "letters"]) == 0
    assert "of 20 letters a day" in capsys.readouterr().out


def test_report_holds_the_decision_sheet(file, tmp_path):
    assert main(["report", file, "--least-recall", "0.9"]) == 0
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert '<section id="decision"><h2>Decision sheet</h2>' in page and '<a href="#decision">' in page


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--prevalence", "2"], "--prevalence 2 cannot be used: a share from 0 to 1"),
        (["--most-cost", "-1"], "--most-cost -1 cannot be used: a number that is not negative"),
        (["--cost-fp", "nan"], "--cost-fp nan cannot be used"),
    ],
)
def test_option_out_of_range_is_refused(file, options, said, capsys):
    assert main(["score", file, *options]) != 0
    assert said in capsys.readouterr().err


def test_file_without_scores_has_no_decision_sheet(tmp_path, capsys):
    file = write_csv(tmp_path / "p.csv", {"truth": ["yes", "no"] * 4, "pred": ["yes", "yes", "no", "no"] * 2})
    assert main(["score", str(file), "--prevalence", "0.1"]) != 0
    assert "The decision sheet needs scores of one positive class" in capsys.readouterr().err


def test_table_of_costs_is_read_and_gates(tmp_path, monkeypatch, capsys):
    """Of 200 rows the first run misses 20 a, the second 40 b: costs of 20 and 200 in all."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "costs.csv").write_text(",a,b\na,0,1\nb,5,0\n")
    truth = ["a", "b"] * 100
    old, new = truth.copy(), truth.copy()
    new[1:80:2] = ["a"] * 40
    old[0:40:2] = ["b"] * 20
    ids = [str(row) for row in range(200)]
    files = [str(write_csv(tmp_path / f"{name}.csv", {"id": ids, "truth": truth, "pred": pred}))
             for name, pred in (("old", old), ("new", new))]  # fmt: skip
    assert main(["score", files[0], "--costs", "costs.csv", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["costs"]["total"] == 20
    gate = ["--costs", "costs.csv", "--fail-if", "expected_cost worse"]
    assert main(["compare", *files, *gate]) == 1
    assert "expected_cost worse (old.csv → new.csv: +0.900" in capsys.readouterr().err
    assert main(["compare", *files[::-1], *gate]) == 0
    assert main(["compare", *files, *gate[2:]]) == 2, "undefined without costs"
    assert main(["score", files[0], "--costs", "nothing.csv"]) == 2


def test_rows_are_left_to_people_by_a_risk(file, capsys):
    """Of 20 rows 12 are sure by 0.9 and right: too few to promise 10 %."""
    assert main(["score", file, "--most-risk", "0.1", "--rows-a-day", "500", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["risk_coverage"]["promised"] is None and "decision" not in found
    assert found["risk_coverage"]["coverages"][1]["rows"] == 12
    assert main(["score", file, "--most-risk", "5"]) == 2


def test_prediction_sets_are_asked_for(file, capsys):
    assert main(["score", file, "--prediction-sets", "0.8", "--json"]) == 0
    sets = json.loads(capsys.readouterr().out)["prediction_sets"]
    assert sets["n"] == sets["n_calibrating"] == 20 and sets["coverage"] == 0.8
    assert main(["score", file, "--sets-by-class"]) == 2
    assert "add --prediction-sets" in capsys.readouterr().err
    assert main(["score", file, "--prediction-sets", "0.8", "--calibrate", "nothing=1"]) == 2


def test_other_shares_are_asked_for(capsys):
    digits = ",".join(f"{digit}={share}" for digit, share in enumerate([0.55, *[0.05] * 9]))
    file = str(FOLDER / next(sample for sample in SAMPLES if sample.key == "digits").files[0])
    assert main(["score", file, "--priors", digits, "--json"]) == 0
    priors = json.loads(capsys.readouterr().out)["priors"]
    assert priors["in_use"]["0"] == pytest.approx(0.55) and priors["corrected"]["accuracy"]["value"] > 0.9
    assert main(["score", file, "--trained-priors", digits]) == 2
    assert "add --priors estimate" in capsys.readouterr().err
