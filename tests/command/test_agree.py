"""The command agree reads a column a rater or a line a rating, and says what cannot be known."""

import json
import re

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score

from cli import main
from command import agree as command
from data.samples import FOLDER
from tests.csv_files import write_csv
from tests.reading_here import read_table_here

EACH = ("percent_agreement", "cohen_kappa", "fleiss_kappa", "scott_pi", "brennan_prediger", "gwet_ac1")


@pytest.fixture
def run(run_command, monkeypatch):
    monkeypatch.setattr(command, "read_table_alone", read_table_here)
    return lambda *arguments, **expected: run_command("agree", *arguments, **expected)


@pytest.fixture
def made(tmp_path):
    random = np.random.default_rng(0)
    truth = random.integers(1, 5, 80)
    columns = {"item": [f"u{i}" for i in range(80)]}
    for name in ("ann", "bob", "cleo", "model"):
        own = np.where(random.random(80) < 0.8, truth, random.integers(1, 5, 80)).astype(str)
        own[random.random(80) < 0.1] = ""
        columns[name] = own.tolist()
    return columns


def test_columns_and_lines_give_the_same(run, made, tmp_path):
    wide = write_csv(tmp_path / "wide.csv", made)
    raters = ("ann", "bob", "cleo", "model")
    rows = [(item, name, made[name][i]) for i, item in enumerate(made["item"]) for name in raters if made[name][i]]
    item, who, rating = (list(column) for column in zip(*rows, strict=True))
    long = write_csv(tmp_path / "long.csv", {"item": item, "who": who, "stars": rating})
    one = run(wide, "--raters", ",".join(raters), "--json")
    two = run(long, "--unit", "item", "--rater", "who", "--rating", "stars", "--json")
    assert one["n_raters"] == two["n_raters"] == 4 and one["n_units"] == two["n_units"] == 80
    for name in EACH:
        assert set(one[name]) == {"value", "low", "high", "method"}
        assert one[name]["value"] == pytest.approx(two[name]["value"])
    for kind in ("nominal", "ordinal", "interval"):
        assert one["krippendorff_alpha"][kind]["value"] == pytest.approx(two["krippendorff_alpha"][kind]["value"])
        assert one["krippendorff_alpha"][kind]["low"] < one["krippendorff_alpha"][kind]["high"]
    assert len(one["pairs"]) == 6 and set(one["ceiling"]["raters"]) == set(raters)


def test_a_judge_stands_apart_from_the_ceiling(run, made, tmp_path):
    found = run(write_csv(tmp_path / "p.csv", made), "--raters", "ann,bob,cleo,model", "--judge", "model", "--json")
    assert set(found["ceiling"]["raters"]) == {"ann", "bob", "cleo"}
    assert 0.5 < found["ceiling"]["judge"]["value"] < 1 and 0.5 < found["ceiling"]["mean"] < 1


def test_words_have_an_order_only_if_told(run, tmp_path):
    columns = {"a": ["low", "mid", "high", "low", "high"], "b": ["low", "high", "high", "mid", "high"]}
    file = write_csv(tmp_path / "p.csv", columns)
    before = run(file, "--raters", "a,b", "--json")
    plain = before["krippendorff_alpha"]
    assert plain["ordinal"]["value"] is None and plain["interval"]["value"] is None
    assert before["linear_kappa"]["value"] is None and before["pairs"][0]["quadratic_kappa"]["value"] is None
    after = run(file, "--raters", "a,b", "--order", "low,mid,high", "--json")
    wanted = cohen_kappa_score(columns["a"], columns["b"], labels=["low", "mid", "high"], weights="quadratic")
    assert after["quadratic_kappa"]["value"] == after["pairs"][0]["quadratic_kappa"]["value"] == pytest.approx(wanted)
    text = run(file, "--raters", "a,b", "--order", "low,mid,high")
    assert "Linear weighted kappa " in text and "quadratic weighted kappa" in text
    assert "mean of pairs" not in text and "majority" not in text, "there is one pair"
    ordered = after["krippendorff_alpha"]
    assert ordered["ordinal"]["value"] is not None and ordered["nominal"]["value"] == plain["nominal"]["value"]
    said = run(file, "--raters", "a,b", "--order", "low,high", code=2)
    assert "--order must name every category once; 'mid' lacks." in said


def test_order_may_name_unused_categories(run, tmp_path):
    columns = {"a": ["1", "2", "4", "1"], "b": ["1", "4", "4", "2"]}
    file = write_csv(tmp_path / "p.csv", columns)
    plain = run(file, "--raters", "a,b", "--json")
    ordered = run(file, "--raters", "a,b", "--order", "1,2,3,4", "--json")
    assert ordered["categories"] == ["1", "2", "3", "4"]
    assert ordered["krippendorff_alpha"]["ordinal"]["value"] == plain["krippendorff_alpha"]["ordinal"]["value"]
    agreement = ordered["percent_agreement"]["value"]  # Brennan–Prediger: chance is one of all categories
    assert ordered["brennan_prediger"]["value"] == pytest.approx((agreement - 1 / 4) / (1 - 1 / 4))
    assert plain["brennan_prediger"]["value"] == pytest.approx((agreement - 1 / 3) / (1 - 1 / 3))


def test_categories_are_merged_or_dropped(run, tmp_path):
    raters = {"ann": ["a", "tie", "b", "a"], "judge": ["a", "Tie", "b", "I cannot say"]}
    file = write_csv(tmp_path / "p.csv", raters)
    before = run(file, "--raters", "ann,judge", "--json")
    warning = "Only one rater uses these categories: 'I cannot say' ('judge', 1 unit), 'Tie' ('judge', 1 unit)"
    assert warning in before["warnings"][0] and before["percent_agreement"]["value"] == 0.5
    merged = run(file, "--raters", "ann,judge", "--merge", "Tie=tie", "--merge", "I cannot say=", "--json")
    assert merged["categories"] == ["a", "b", "tie"] and merged["n_units_of_two"] == 3
    assert merged["percent_agreement"]["value"] == 1
    counted = "You counted ratings of 'I cannot say' as missing."
    assert merged["warnings"] == ["Labels merged: 'Tie' into 'tie'.", counted]
    assert "There is no category 'tei' to merge" in run(file, "--raters", "ann,judge", "--merge", "tei=a", code=2)


def test_text_begins_with_agreement_and_explains_prevalence(run, tmp_path):
    a, b = ["ok"] * 100, ["ok"] * 100
    a[:3], b[3:6] = ["bad"] * 3, ["bad"] * 3
    text = run(write_csv(tmp_path / "p.csv", {"a": a, "b": b}), "--raters", "a,b")
    assert text.startswith("100 units, 2 raters, 2 categories")
    assert re.search(r"Percent agreement +94\.0\s% \(", text)
    assert "Two raters agree in 94.0 % of the units, yet kappa is −0.031" in text


def test_repeated_ratings_are_told(run, tmp_path):
    columns = {
        "u": ["1", "1", "1", "2", "2", "3", "3", "1"], "r": ["a", "b", "a", "a", "b", "a", "b", "b"],
        "x": ["y", "y", "y", "n", "n", "y", "n", "n"],
    }  # fmt: skip
    found = run(write_csv(tmp_path / "p.csv", columns), "--unit", "u", "--rater", "r", "--rating", "x", "--json")
    assert found["n_units"] == 3 and found["n_units_of_two"] == 2
    assert "2 ratings repeat a unit and a rater" in found["warnings"][0]


@pytest.mark.parametrize(
    ("columns", "options", "words"),
    [
        ({"a": ["x", ""], "b": ["", "y"]}, ["--raters", "a,b"], "have rated the same unit"),
        ({"a": ["x", "y"], "b": ["x", "y"]}, ["--raters", "a"], "Name two raters at least"),
        ({"a": ["x", "y"], "b": ["x", "y"]}, ["--raters", "a,c"], "no column 'c' of a rater"),
        ({"a": ["x", "y"], "b": ["x", "y"]}, [], "Name the columns with --raters"),
        ({"a": ["x", "y"], "b": ["x", "y"]}, ["--unit", "a", "--rater", "b"], "all of --unit, --rater and --rating"),
        ({"a": ["x", "y"], "b": ["x", "y"]}, ["--raters", "a,b", "--judge", "c"], "is not one of the raters"),
        ({"u": ["1", "2"], "r": ["a", "a"], "x": ["y", "n"]}, ["--unit", "u", "--rater", "r", "--rating", "x"],
         "names 1 rater: two are needed"),
    ],
)  # fmt: skip
def test_bad_input_is_one_sentence(run, tmp_path, columns, options, words):
    assert words in run(write_csv(tmp_path / "p.csv", columns), *options, code=2)


def test_judge_is_corrected_and_pairs_are_told(run):
    raters = "anna,ben,chloe,dmitri,judge_large,judge_large_swapped,judge_small"
    asked = [FOLDER / "answer-ratings.csv", "--raters", raters, "--judge", "judge_large"]
    found = run(*asked, "--models", "judge_large_swapped,judge_small", "--json")
    rate = found["corrected_rate"]["b"]
    wanted = (rate["judged"] + rate["specificity"] - 1) / (rate["sensitivity"] + rate["specificity"] - 1)
    assert rate["value"] == pytest.approx(wanted) and rate["low"] < wanted < rate["high"]
    assert [(one["of"], one["name"]) for one in found["preferences"]][:2] == [("first", "first"), ("longer", "words")]
    assert found["order_swapped"][0]["same"]["value"] > 0.8 and found["ceiling"]["judge"]["n"] == 257
    said = run(*asked)
    assert "True rates, corrected for the judge's errors" in said and "Prefers the longer answer" in said


def test_encoding_of_ratings_can_be_named(capsys, tmp_path):
    path = tmp_path / "ratings.csv"
    path.write_bytes("a,b\nпёс,пёс\nкот,пёс\nкот,кот\n".encode("cp1251"))
    assert main(["agree", str(path), "--raters", "a,b", "--encoding", "Windows-1251", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["categories"] == ["кот", "пёс"]
