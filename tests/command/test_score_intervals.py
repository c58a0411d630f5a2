"""The command score gives every metric its interval, for every task, with clusters and epochs."""

import math

import numpy as np
import pytest
from scipy.stats import binomtest

import cli
from metrics.catalogue.registry import ROWS
from tests.csv_files import write_csv

pytestmark = pytest.mark.usefixtures("module_reads_here")

SAMPLES = "data/samples"
SINGLE = {
    "accuracy",
    "balanced_accuracy",
    "cohen_kappa",
    "mcc",
    "macro_f1",
    "micro_f1",
    "weighted_f1",
    "baseline_accuracy",
}


@pytest.mark.parametrize(
    ("file", "keys"),
    [
        ("screening.csv", SINGLE | {"recall", "precision", "f1", "roc_auc", "average_precision", "log_loss", "brier"}),
        ("digits.csv", SINGLE | {"recall[3]", "f1[9]", "roc_auc[3]", "roc_auc_macro", "log_loss", "brier"}),
        (
            "movie-genres.csv",
            {"subset_accuracy", "per_label_accuracy", "samples_f1", "accuracy[drama]", "roc_auc_macro"},
        ),
        ("support-intents-llm.jsonl", SINGLE | {"accuracy_parsed", "f1[billing_late_fee]"}),
    ],
)
def test_every_metric_has_an_interval(run_score, file, keys):
    found = run_score(f"{SAMPLES}/{file}", "--json")
    assert keys <= set(found["intervals"])
    without = {row.key for row in ROWS if row.no_interval}
    plain = {name for name, value in found.items() if isinstance(value, float)} - {"threshold"} - without
    assert plain <= set(found["intervals"])
    at = {f"{name}_at_threshold" for name, value in found.get("at_threshold", {}).items() if isinstance(value, float)}
    assert at - {"threshold_at_threshold"} <= set(found["intervals"])
    for name, one in found["intervals"].items():
        value = found.get(name)
        if value is not None and one["low"] is not None:
            assert one["low"] <= value <= one["high"], name
            assert one["low"] < one["high"] and one["level"] == 0.95 and one["n"] > 0 and one["clusters"] is None


def test_accuracy_takes_wilsons_interval(run_score):
    found = run_score(f"{SAMPLES}/digits.csv", "--json", "--level", "0.9")
    wanted = binomtest(round(found["accuracy"] * 899), 899).proportion_ci(0.9, method="wilson")
    one = found["intervals"]["accuracy"]
    assert (one["low"], one["high"], one["method"], one["n"]) == pytest.approx((*wanted, "Wilson", 899))


@pytest.fixture
def clustered(tmp_path):
    random = np.random.default_rng(0)
    truth = np.repeat(random.integers(0, 2, 60), 5)
    right = np.repeat(random.random(60) < 0.7, 5)
    columns = {
        "id": np.repeat(np.arange(60), 5), "epoch": np.tile(np.arange(5), 60), "template": np.repeat(np.arange(60), 5),
        "y_true": np.where(truth, "yes", "no"), "y_pred": np.where(truth == right, "yes", "no"),
    }  # fmt: skip
    return write_csv(tmp_path / "p.csv", {name: column.tolist() for name, column in columns.items()})


def test_clusters_widen_intervals(run_score, clustered):
    plain = run_score(clustered, "--only", "all", "--cluster", "none", "--json")["intervals"]
    apart = run_score(clustered, "--only", "all", "--cluster", "template", "--json")["intervals"]
    for name in ("accuracy", "macro_f1", "mcc", "recall"):
        assert apart[name]["clusters"] == 60
        ratio = (apart[name]["high"] - apart[name]["low"]) / (plain[name]["high"] - plain[name]["low"])
        assert ratio == pytest.approx(math.sqrt(5), rel=0.15)
    assert "design effect" in apart["accuracy"]["method"]
    assert run_score(clustered, "--only", "all", "--json")["intervals"] == apart, "found by its name, as on the pages"
    assert "--cluster none counts each by itself" in run_score(clustered, "--only", "all")


def test_epochs_are_clusters_of_their_questions(run_score, clustered):
    found = run_score(clustered, "--epoch", "epoch", "--json")
    assert found["n_scored"] == 300
    assert found["intervals"]["accuracy"]["clusters"] == 60
    assert any("5 epochs of 60 questions" in text for text in found["warnings"])
    assert not any("by itself" in text for text in found["warnings"]), "intervals are over questions"


def test_clusters_name_the_questions_of_epochs(run_score, clustered):
    """As the refusal asks for where no column is named like ids: each question is answered alike five times."""
    clustered.write_text(clustered.read_text().replace("id,", "asked,", 1))
    assert "name it as the clusters" in run_score(clustered, "--epoch", "epoch", code=2)
    found = run_score(clustered, "--epoch", "epoch", "--cluster", "asked", "--json")
    assert found["intervals"]["accuracy"]["clusters"] == found["repeats"]["questions"] == 60
    assert found["repeats"]["sometimes_right"]["questions"] == 0
    assert "name it as the clusters" in run_score(clustered, "--epoch", "epoch", "--cluster", "none", code=2)


@pytest.mark.parametrize(("name", "is_offered"), [("epoch", True), ("run", True), ("model", False), ("prompt", False)])
def test_question_about_repetitions_offers_to_count_all(clustered, tmp_path, capsys, name, is_offered):
    clustered.write_text(clustered.read_text().replace("epoch", name, 1))
    assert cli.main(["score", str(clustered)]) == 2
    said = capsys.readouterr().err
    assert f"--only {name}=0" in said and (f"--epoch {name}" in said) == is_offered
    for command in (["score"], ["report", "-o", str(tmp_path / "report.html")]):
        assert cli.main([*command, str(clustered), "--epoch", name]) == 0


def test_named_seeds_make_questions_clusters(run_score, tmp_path):
    columns = {
        "id": [i // 5 for i in range(100)], "round": [i % 5 for i in range(100)], "y_true": ["yes", "no"] * 50,
        "y_pred": ["yes", "yes", "no", "no"] * 25,
    }  # fmt: skip
    file = write_csv(tmp_path / "p.csv", columns)
    assert run_score(file, "--json")["intervals"]["accuracy"]["clusters"] is None
    for role in ("seed", "fold"):
        found = run_score(file, f"--{role}", "round", "--json")
        assert found["intervals"]["accuracy"]["clusters"] == 20
        assert any(f"5 {role}s of 20 questions" in text for text in found["warnings"])
    assert run_score(file, "--seed", "none", "--json")["intervals"]["accuracy"]["clusters"] is None


def test_clusters_reach_scores(run_score, tmp_path):
    random = np.random.default_rng(0)
    truth = random.random(200) < 0.4
    score = np.round(1 / (1 + np.exp(-random.normal(size=200) - truth)), 3)
    group = np.arange(200) // 4
    columns = {"y_true": np.where(truth, "1", "0").tolist(), "score": score.tolist(), "doc": group.tolist()}
    found = run_score(write_csv(tmp_path / "p.csv", columns), "--cluster", "doc", "--json")["intervals"]
    for name in ("roc_auc", "average_precision", "log_loss"):
        assert found[name]["clusters"] == 50 and found[name]["low"] < found[name]["high"]


def test_intervals_stand_in_brackets(run_score):
    out = run_score(f"{SAMPLES}/digits.csv")
    assert "0.932 (0.914 to 0.947)" in out and "value (95 % interval)" in out


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--cluster", "nothing"], "no column 'nothing'"),
        (["--epoch", "digit"], "no column 'digit' of epochs"),
        (["--seed", "nothing"], "no column 'nothing'"),
        (["--level", "95"], "--level 95 is no level"),
    ],
)
def test_wrong_options_are_one_sentence(run_score, options, words):
    error = run_score(f"{SAMPLES}/digits.csv", *options, code=2)
    assert words in error and error.count("\n") == 1


def test_a_column_of_one_value_has_no_clusters(run_score, tmp_path):
    columns = {"y_true": ["a", "b", "a"], "y_pred": ["a", "b", "b"], "doc": ["x", "x", "x"]}
    error = run_score(write_csv(tmp_path / "p.csv", columns), "--cluster", "doc", code=2)
    assert "holds one value only" in error


def test_rows_of_average_loss_are_counted(run_score, tmp_path):
    """Rows whose loss is the mean move nothing, and are rows of it all the same; one without a score is none."""
    columns = {"truth": ["a", "b"] * 12, "p_a": [0.5] * 23 + [""]}
    found = run_score(str(write_csv(tmp_path / "p.csv", columns)), "--truth", "truth", "--json")
    assert {found["intervals"][key]["n"] for key in ("log_loss", "brier", "brier_skill")} == {23}
