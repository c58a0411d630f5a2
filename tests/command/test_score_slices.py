"""The command score slices, filters and groups rows of binary, multi-class and multi-label files."""

import csv
import re

import numpy as np
import pytest

from data.runs import load
from data.runs.draft import Given
from export.by_slice.slice_results import describe_not_crossed
from export.report.page import html_report
from metrics.catalogue.registry import class_formulas


@pytest.fixture
def made(tmp_path):
    """Ten groups of one region are wrong more often in it."""
    random = np.random.default_rng(0)
    region = random.choice(["eu", "us", ""], 900, p=[0.5, 0.4, 0.1])
    truth = random.random(900) < 0.4
    pred = truth ^ (random.random(900) < np.where(region == "us", 0.3, 0.1))
    path = tmp_path / "p.csv"
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["id", "y_true", "y_pred", "region", "age", "code"])
        rows = zip(np.where(truth, "yes", "no"), np.where(pred, "yes", "no"), region, strict=True)
        writer.writerows([i, *row, 20 + i % 50, f"q{i}"] for i, row in enumerate(rows))
    return path, truth, pred, region


def test_slices_stand_in_the_json(run_score, made):
    path, truth, pred, region = made
    found = run_score(path, "--slice", "region", "--slice", "age", "--json")
    assert found["searched"] == 8 and len(found["slices"]) == 8
    us = next(one for one in found["slices"] if one["slice"] == {"region": "us"})
    assert us["n"] == (region == "us").sum()
    assert us["metrics"]["accuracy"]["value"] == pytest.approx((truth == pred)[region == "us"].mean())
    moved = us["difference_to_rest"]["accuracy"]
    assert moved["high"] < 0 and moved["p"] <= moved["p_adjusted"] < 0.001
    assert {"region": None} in [one["slice"] for one in found["slices"]]
    assert set(us["metrics"]) == {"accuracy", "macro_f1", *class_formulas("binary")}


def test_slices_are_lines_for_a_person(run_score, made):
    text = run_score(made[0], "--slice", "region")
    line = r"region = us +\d+ +\d\d\.\d\s% \(\d.*%\) +−\d+\.\d points \(−"
    assert re.search(rf"largest loss first:\n +slice .*\n +{line}", text)
    n_metrics = len(["accuracy", "macro_f1", *class_formulas("binary")])
    assert f"3 slices compared with the rest in {3 * n_metrics} tests" in text


def test_a_filter_gives_the_numbers_of_its_rows(run_score, made):
    path, truth, pred, region = made
    found = run_score(path, "--filter", "region=us", "--json")
    assert found["accuracy"] == pytest.approx((truth == pred)[region == "us"].mean())
    assert found["n_rows"] == (region == "us").sum()


def test_groups_have_rates_and_gaps(run_score, made):
    path, truth, pred, region = made
    found = run_score(path, "--positive", "yes", "--group", "region", "--json")["fairness"]
    us = next(one for one in found["groups"] if one["group"] == {"region": "us"})
    assert us["tpr"]["value"] == pytest.approx(pred[(region == "us") & truth].mean())
    gap = found["gaps"]["fpr"]
    assert gap["higher"] == {"region": "us"} and gap["verdict"] == "differs" and gap["difference"]["low"] > 0
    assert set(found["gaps"]) == {"selection_rate", "tpr", "fpr", "ppv", "accuracy"}
    assert re.search(
        r"false positive rate +eu +us .* differs", run_score(path, "--positive", "yes", "--group", "region")
    )


def test_left_out_groups_are_named(run_score, made):
    path = made[0]
    lines = path.read_text().splitlines()
    few = [line.replace(",us,", ",mars,") if ",us," in line and n < 40 else line for n, line in enumerate(lines)]
    path.write_text("\n".join(few))
    gaps = run_score(path, "--positive", "yes", "--group", "region", "--json")["fairness"]["gaps"]
    text = run_score(path, "--positive", "yes", "--group", "region")
    assert {"region": "mars"} in gaps["tpr"]["left_out"]
    for line, gap in zip(text.split("too few rows\n")[1].splitlines(), gaps.values(), strict=False):
        assert all((group["region"] or "missing") in line for group in gap["left_out"])


def test_lowest_and_highest_are_those_of_all_groups(run_score, tmp_path):
    path, rates = tmp_path / "p.csv", {"a": (0.5, 12), "b": (0.6, 900), "c": (0.8, 900), "d": (0.85, 30)}
    rows = ["y_true,y_pred,region"]
    for region, (share, n) in rates.items():
        rows += [f"yes,{'yes' if i < share * n else 'no'},{region}" for i in range(n)] + [f"no,no,{region}"] * 12
    path.write_text("\n".join(rows))
    gap = run_score(path, "--positive", "yes", "--group", "region", "--json")["fairness"]["gaps"]["tpr"]
    assert [gap[name]["region"] for name in ("lowest", "lower", "higher", "highest")] == ["a", "b", "c", "d"]
    assert gap["difference"]["value"] == pytest.approx(0.2, abs=0.001)


def test_no_p_is_written_below_a_thousandth(run_score):
    asked = ("data/samples/triage.csv", "--slice", "speaker", "--slice", "template", "--worst-slices", "--since",
             "date=2026-03-15")  # fmt: skip
    text = run_score(*asked)
    written = re.findall(r"(?<=\)  )(?: *)(< \d\.\d+|\d\.\d{3})$", text, re.MULTILINE)
    assert "< 0.001" in written and all(p == "< 0.001" or float(p) >= 0.001 for p in written), written
    assert min(one["difference_to_rest"]["p_adjusted"] for one in run_score(*asked, "--json")["worst_slices"]) < 1e-5


def test_slices_are_listed_by_another_number(run_score):
    asked = ("data/samples/digits.csv", "--slice", "ink", "--slice-metric")
    text = run_score(*asked, "top_2_accuracy", "--quiet")
    listed = [float(value) for value in re.findall(r"ink = .* (0\.\d{3}) \(0\.", text)]
    assert "5 slices by top-2 accuracy, the worst first:" in text and len(listed) == 5 and listed == sorted(listed)
    numbers = run_score(*asked, "top_2_accuracy", "--json")["slices"]
    assert sorted(round(one["metrics"]["top_2_accuracy"]["value"], 3) for one in numbers) == listed
    assert "5 slices by macro F1, the largest loss first" in run_score(*asked, "macro_f1", "--quiet")
    text = run_score(*asked, "npv[3]", "--quiet")
    assert "5 slices by negative predictive value of class 3, the worst first:" in text
    numbers = run_score(*asked, "npv[3]", "--json")["slices"]
    assert {one["metrics"]["npv[3]"]["n"] < one["n"] for one in numbers} == {True}
    refused = run_score(*asked, "ece", code=2)
    assert "no number 'ece'; choose one of these: 'accuracy', 'macro_f1', 'top_5_accuracy'" in refused


def test_slices_of_one_row_are_not_tested(run_score, made):
    path = made[0]
    text = run_score(path, "--slice", "code", "--quiet")
    assert "900 slices with fewer than 10 rows: too few to tell, not tested." in text
    assert "and 870 more slices" in text
    found = run_score(path, "--slice", "code", "--json")
    assert found["searched"] == 0 and len(found["slices"]) == 900
    assert found["slices"][0]["difference_to_rest"]["accuracy"]["p"] is None


def test_other_tasks_are_sliced(run_score):
    names = run_score("data/samples/digits.csv", "--slice", "ink", "--json")
    assert len(names["slices"]) == 5 and set(names["slices"][0]["metrics"]) == {"accuracy", "macro_f1"}


def test_wrong_options_are_one_sentence(run_score, made):
    path = made[0]
    assert "no column 'regions'" in run_score(path, "--slice", "regions", code=2)
    assert "--filter 'region' says no value" in run_score(path, "--filter", "region", code=2)
    assert "No row has 'mars'" in run_score(path, "--filter", "region=mars", code=2)
    assert "Rates of groups need a positive class" in run_score("data/samples/digits.csv", "--group", "ink", code=2)


def test_the_worst_slices_are_searched(run_score, made):
    found = run_score(made[0], "--worst-slices", "--json")
    (worst,) = found["worst_slices"]
    assert worst["slice"] == {"region": "us"} and worst["difference_to_rest"]["high"] < 0
    assert found["worst_searched"] == 3 + 5 + 15 and found["worst_not_searched"] == {"code": "900 different texts"}
    text = run_score(made[0], "--worst-slices")
    assert "23 slices of all columns and pairs were compared" in text
    assert "Not searched: 'code' (900 different texts)" in text
    assert found["worst_not_crossed"] == 0 and "were crossed" not in text
    assert describe_not_crossed(15).startswith("Only the first 25 columns were crossed")


def test_columns_that_findings_left_out_are_named(run_score, tmp_path):
    path, rows = tmp_path / "p.csv", [(i % 3 == 0, i % 5 == 0) for i in range(200)]
    lines = [f"{int(truth)},{int(truth ^ wrong)},{'wrong' if wrong else 'right'}" for truth, wrong in rows]
    path.write_text("\n".join(["label,prediction,outcome", *lines]))
    sentence = "Not searched for worse slices: {} (says where the prediction is right)."
    assert sentence.format("'outcome'") in run_score(path, "--quiet")
    assert run_score(path, "--json")["findings_not_searched"] == {"outcome": "says where the prediction is right"}
    evaluation = load.read_evaluation([path], Given())
    assert sentence.format('<span class="label">outcome</span>') in html_report(evaluation).decode()


def test_times_are_compared(run_score, tmp_path):
    path = tmp_path / "p.csv"
    lines = [f"{i},{'ab'[i % 3 == 0]},{'ab'[i % 4 == 0]},2026-0{1 + i // 100}-1{i % 9}" for i in range(400)]
    lines += [f"{400 + i},b,b,2026-05-11" for i in range(60)]
    path.write_text("id,y_true,y_pred,day\n" + "\n".join(lines))
    found = run_score(path, "--since", "day=2026-05", "--json")["drift"]
    assert found["rows"] == {"before": 400, "after": 60} and found["base_rate"]["after"] in (0, 1)
    assert found["accuracy"]["after"] == 1 and found["moved"][0]["p_adjusted"] < 0.001
    text = run_score(path, "--since", "day=2026-05")
    assert "From '2026-05' on:\n  400 rows before, 60 after." in text
    assert "come from other shares of the true classes" in text
    assert found["clusters_not_counted"] is None and "counts by itself" not in text
    text = run_score(path, "--since", "day=2026-05", "--cluster", "day")
    assert "36 clusters before, 1 after. One cluster on a side tells nothing of chance" in text
    assert "All rows lie on one side" in run_score(path, "--since", "day=2027", code=2)
    assert "The cells of 'y_true' are neither all dates, such as" in run_score(path, "--since", "y_true=5", code=2)
    for column, kind in (("day", "date, a month or a year"), ("id", "number")):
        assert f"'May' is none: name a {kind}" in run_score(path, "--since", f"{column}=May", code=2)


def test_another_file_is_compared(run_score, made, tmp_path):
    found = run_score(made[0], "--against", made[0], "--json")["drift"]
    assert found["rows"] == {"before": 900, "after": 900} and {one["p"] for one in found["moved"]} == {1.0}
    assert found["clusters"] is None and found["base_rate"]["intervals"]["after"]["method"] == "Wilson"
    found = run_score(made[0], "--against", made[0], "--cluster", "region", "--json")["drift"]
    assert (
        found["clusters"] == {"column": "region", "before": 90, "after": 90} and found["clusters_not_counted"] is None
    )
    other = tmp_path / "other.csv"
    other.write_text("id,y_true,y_pred\n1,cat,dog\n2,dog,dog\n")
    assert "have no label in common" in run_score(made[0], "--against", other, code=2)
    other.write_text("id,y_true,y_pred\n" + "1,yes,no\n2,no,no\n" * 20)
    text = run_score(made[0], "--against", other, "--cluster", "region", "--quiet")
    assert "Every row counts by itself here: the earlier file has no 'region'" in text
