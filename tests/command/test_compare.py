"""The command compare joins runs, prints differences in JSON, words and Markdown, and fails a gate by the interval."""

import csv
import json
import re

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from sklearn.metrics import roc_auc_score

from data.parser.parser import Parser, Rule
from data.reading.run_record import RUN_METADATA
from tests.csv_files import write_csv
from tests.metrics.intervals.made import sets, two_models

NAMES = ("refund", "billing", "cancel", "upgrade")
KEYS = {"rows", "models", "pairs", "cochran_q", "tiers", "warnings"}


@pytest.fixture
def run(run_command, read_here):
    return lambda *arguments, **expected: run_command("compare", *arguments, **expected)


@pytest.fixture
def made(tmp_path):
    """Two files of the same 800 questions in another order, and one file that holds both columns."""
    truth, a, b = two_models(0, 800, 4, (0.72, 0.8))
    names, order = np.array(NAMES), np.random.default_rng(0).permutation(800)
    ids = np.array([f"q{i}" for i in range(800)])

    def columns(pred, rows):
        box = (np.arange(800) // 4)[rows]
        return {"id": ids[rows], "y_true": names[truth[rows]], "y_pred": names[pred[rows]], "box": box}

    old, new = (
        write_csv(tmp_path / "old.csv", columns(a, np.arange(800))),
        write_csv(tmp_path / "new.csv", columns(b, order)),
    )
    both = {"id": ids, "y_true": names[truth], "pred_a": names[a], "pred_b": names[b]}
    return old, new, write_csv(tmp_path / "both.csv", both), (truth, a, b)


def test_runs_read_by_different_parsers_are_not_ranked(run, tmp_path):
    truth = ["cat", "dog", "cow"] * 4
    wordy = [f"surely a {name}, no bird" for name in truth]
    about = {"identity": {"model": "m"}, "labels": ["cat", "cow", "dog"], "data": {"rows": 12},
             "sample": {"rows": 12, "how": "all"}}  # fmt: skip
    files = []
    for rule in ("first_mentioned", "exact"):
        parser = Parser(rule, (Rule(rule),))
        made = json.dumps(about | {"parser": parser.to_json()})
        table = pa.table({"id": [f"q{row}" for row in range(12)], "label": truth, "answer": wordy})
        files.append(tmp_path / f"{rule}.parquet")
        pq.write_table(table.replace_schema_metadata({RUN_METADATA: made}), files[-1])
    said = run(*files, code=2)
    assert said.startswith("No ranking: first_mentioned.parquet and exact.parquet are read by different parsers.")
    assert "--parser" in said
    (tmp_path / "one.json").write_text('["first_mentioned"]')
    assert "never differ" in run(*files, "--parser", tmp_path / "one.json")
    plain = write_csv(tmp_path / "plain.csv", {"id": [f"q{row}" for row in range(12)], "label": truth, "answer": wordy})
    found = run(files[0], plain, "--json")
    assert [model["accuracy"]["value"] for model in found["models"]] == [1, 1]
    assert "plain.csv takes over from first_mentioned.parquet: parser, label list." in found["warnings"]


def test_json_holds_what_is_promised(run, made):
    old, new, _, (truth, a, b) = made
    found = run(old, new, "--join", "id", "--json")
    assert set(found) >= KEYS
    assert found["rows"]["joined"] == 800 and found["rows"]["only_in"] == {"old.csv": 0, "new.csv": 0}
    (pair,) = found["pairs"]
    assert (pair["a"], pair["b"]) == ("old.csv", "new.csv")
    fixed, broken = int(((a != truth) & (b == truth)).sum()), int(((a == truth) & (b != truth)).sum())
    assert pair["flips"]["fixed"] == fixed and pair["flips"]["broken"] == broken
    moved = pair["differences"]["accuracy"]
    assert set(moved) == {"value", "low", "high", "se", "p", "method", "few_decide"}
    assert moved["value"] == pytest.approx((b == truth).mean() - (a == truth).mean())
    assert moved["p"] == pair["mcnemar"]["mid_p"] <= pair["mcnemar"]["exact_p"]
    assert {"macro_f1", "cohen_kappa", "recall[refund]", "f1[cancel]"} <= set(pair["differences"])
    assert pair["delong"] is None
    model = found["models"][0]
    assert model["name"] == "old.csv" and model["n"] == 800
    assert set(model["accuracy"]) == {"value", "low", "high", "method"}
    assert found["cochran_q"]["df"] == 1 and found["tiers"] == [["new.csv"], ["old.csv"]]


def test_few_positives_judge_no_scores(run, tmp_path):
    """ROC AUC falls from 1 to about 0.5 over 16 positives: the difference is grey, and nothing is said by it."""
    rng, n = np.random.default_rng(0), 400
    positive = np.arange(n) < 16
    scores = {"sharp": np.where(positive, 0.9, 0.1), "blunt": rng.random(n)}
    files = [
        write_csv(tmp_path / f"{name}.csv", {"id": np.arange(n), "label": positive.astype(int), "score": score})
        for name, score in scores.items()
    ]
    conditions = ("--fail-if", "roc_auc worse", "--fail-if", "mcc[1] worse")
    found = run(*files, *conditions, "--metric", "roc_auc", "--json")
    assert not any(verdict["fails"] for verdict in found["gate"]) and found["pairs"][0]["delong"] is None
    moved = found["pairs"][0]["differences"]["roc_auc"]
    assert moved["few_decide"] and moved["p"] is None and moved["high"] < 0
    assert found["tiers"] == [["sharp.csv", "blunt.csv"]]
    said = run(*files, *conditions)
    assert re.search(r"roc_auc worse .*too few rows decide it\)  undefined", said)
    assert run(*files, "--fail-if", "roc_auc < -0.1", code=1)


def test_metric_of_a_class_sorts_the_runs(run, made):
    """Of a false positive rate the lowest is the best."""
    old, new, _, (truth, a, b) = made
    found = run(old, new, "--metric", "false_positive_rate[refund]", "--json")
    rates = {name: (pred[truth != 0] == 0).mean() for name, pred in (("old.csv", a), ("new.csv", b))}
    assert found["tiers"][0][0] == min(rates, key=rates.__getitem__)
    assert "Runs by false positive rate of refund;" in run(old, new, "--metric", "false_positive_rate[refund]")


def test_runs_with_other_wrong_labels_do_differ(run, tmp_path):
    truth = ["a", "b", "c"] * 20
    files = [
        write_csv(tmp_path / f"{other}.csv", {"id": range(60), "y_true": truth, "y_pred": [
            other if label == "a" else label for label in truth]})
        for other in "bc"
    ]  # fmt: skip
    assert run(*files).startswith("b.csv and c.csv are right in the same 40 rows.")


def test_undefined_run_is_not_worse(run, tmp_path):
    truth = ["a", "b", "c"] * 20
    preds = {"all": truth, "never": ["a" if label == "c" else label for label in truth], "often": ["c"] * 60}
    files = [write_csv(tmp_path / f"{name}.csv", {"id": range(60), "y_true": truth, "y_pred": pred})
             for name, pred in preds.items()]  # fmt: skip
    said = run(*files, "--metric", "precision[c]")
    assert said.startswith(
        "all.csv has the best precision of c, 1.000; 0 of 2 others are not clearly worse, in 1 it is"
    )


def test_columns_of_one_file_give_the_same(run, made):
    old, new, both, _ = made
    one, two = run(old, new, "--json"), run(both, "--preds", "pred_a,pred_b", "--json")
    one_pair, two_pair = one["pairs"][0], two["pairs"][0]
    assert one_pair["differences"] == two_pair["differences"] and one_pair["flips"] == two_pair["flips"]
    assert [model["name"] for model in two["models"]] == ["pred_a", "pred_b"]


def test_labels_may_lie_apart(run, made, tmp_path):
    old, new, _, _ = made
    labels = tmp_path / "labels.csv"
    rows = list(csv.DictReader(old.open()))
    write_csv(labels, {name: [row[name] for row in rows] for name in ("id", "y_true")})
    bare = []
    for file in (old, new):
        rows = list(csv.DictReader(file.open()))
        bare.append(write_csv(tmp_path / f"bare-{file.name}", {n: [row[n] for row in rows] for n in ("id", "y_pred")}))
    found = run(*bare, "--labels", labels, "--join", "id", "--json")
    assert found["pairs"][0]["differences"] == run(old, new, "--json")["pairs"][0]["differences"]


def test_clusters_reach_every_difference(run, made):
    old, new, _, _ = made
    found = run(old, new, "--cluster", "box", "--json")
    assert found["clusters"] == 200
    assert all("cluster" in one["method"] for one in found["pairs"][0]["differences"].values())


def test_weights_reach_every_difference(run, made, tmp_path):
    old, new, _, (truth, a, b) = made
    files = []
    for file in (old, new):
        rows = list(csv.DictReader(file.open()))
        weights = [int(row["id"][1:]) % 5 * 0.5 for row in rows]
        columns = {name: [row[name] for row in rows] for name in rows[0]}
        files.append(write_csv(tmp_path / f"weighted-{file.name}", columns | {"w": weights}))
    found = run(*files, "--join", "id", "--weights", "w", "--json")
    weight = np.arange(800) % 5 * 0.5
    assert found["weights"]["total"] == pytest.approx(weight.sum()) and found["weights"]["rows"] == 640
    (pair,) = found["pairs"]
    expected = np.average(b == truth, weights=weight) - np.average(a == truth, weights=weight)
    assert pair["differences"]["accuracy"]["value"] == pytest.approx(expected)
    assert pair["mcnemar"] is None and found["cochran_q"] is None and "McNemar" in found["weights"]["left_out"]
    assert "Weighted by" in run(*files, "--join", "id", "--weights", "w", "--markdown")


def test_text_begins_with_the_sentence(run, made):
    old, new, _, _ = made
    text = run(old, new)
    wanted = (
        r"new\.csv is better: accuracy \d\d\.\d\s% → \d\d\.\d\s%, \+\d\.\d points "
        r"\(95\s% interval \d\.\d to \d+\.\d\)\. It fixes \d+ rows and breaks \d+"
    )
    assert re.match(wanted, text)
    assert "old.csv is worse" in run(new, old).replace("new.csv is worse", "")


def test_no_difference_names_the_smallest_detectable_one(run, tmp_path):
    truth, a, b = two_models(5, 200, 4, (0.75, 0.75))
    names = np.array(NAMES)
    file = write_csv(tmp_path / "p.csv", {"y_true": names[truth], "m1": names[a], "m2": names[b]})
    text = run(file, "--preds", "m1,m2")
    assert text.startswith("No difference found between m1 and m2")
    found = run(file, "--preds", "m1,m2", "--json")
    smallest = found["pairs"][0]["smallest_difference"]
    assert 0.02 < smallest < 0.2 and f"show is {100 * smallest:.1f} points (power 0.8)" in text


def test_gate_ends_with_1_by_the_interval(run, made):
    old, new, _, _ = made
    assert re.search("macro_f1 worse .* passes", run(old, new, "--fail-if", "macro_f1 worse"))
    text = run(new, old, "--fail-if", "macro_f1 worse", "--fail-if", "recall[refund] < -0.9", code=1)
    assert "FAILS: macro_f1 worse" in text and re.search(r"recall\[refund\] < -0\.9 .* passes", text)
    summary = run(new, old, "--fail-if", "macro_f1 worse", "--markdown", code=1)
    assert summary.startswith("### ") and "| `macro_f1 worse` | `new.csv` | `old.csv` |" in summary
    assert "**fails**" in summary


def test_a_gate_stands_in_the_json(run, made):
    old, new, _, _ = made
    found = run(new, old, "--fail-if", "accuracy < -0.01", "--json", code=1)
    (one,) = found["gate"]
    assert one["fails"] and one["condition"] == "accuracy < -0.01" and one["difference"]["value"] < -0.01


def test_scores_are_compared_by_delong(run, tmp_path):
    random = np.random.default_rng(0)
    truth, shared = random.random(300) < 0.4, random.normal(size=300)
    scores = [1 / (1 + np.exp(-(d * truth - 0.5 + 0.7 * shared + random.normal(size=300)))) for d in (0.8, 1.6)]
    columns = {"y_true": np.where(truth, "yes", "no"), "s1": scores[0].round(4), "s2": scores[1].round(4)}
    found = run(write_csv(tmp_path / "p.csv", columns), "--scores", "s1,s2", "--positive", "yes", "--json")
    pair = found["pairs"][0]
    assert set(pair["delong"]) == {"auc_a", "auc_b", "z", "p", "low", "high"}
    assert pair["delong"]["auc_b"] - pair["delong"]["auc_a"] == pytest.approx(pair["differences"]["roc_auc"]["value"])
    assert {"average_precision", "log_loss", "brier", "accuracy", "recall"} <= set(pair["differences"])


def test_scores_predict_although_a_column_does(run, tmp_path):
    """A column of predictions belongs to neither of two scores, nor of two blocks of scores."""
    random = np.random.default_rng(1)
    names, truth = np.array(NAMES[:3]), random.integers(0, 3, 200)
    old, new = (random.dirichlet(np.ones(3), 200) + gain * np.eye(3)[truth] for gain in (0.2, 0.6))
    columns = {"y_true": names[truth], "y_pred": names[old.argmax(axis=1)]}
    for model, scores in (("a", old), ("b", new)):
        columns |= {
            f"{model}_{name}": (s / scores.sum(axis=1)).round(6) for name, s in zip(names, scores.T, strict=True)
        }
    path = write_csv(tmp_path / "p.csv", columns)
    found = run(path, "--scores", "a_*,b_*", "--fail-if", "roc_auc[refund] worse", "--json")
    right = [(scores.argmax(axis=1) == truth).mean() for scores in (old, new)]
    assert [one["accuracy"]["value"] for one in found["models"]] == pytest.approx(right)
    assert [one["name"] for one in found["models"]] == ["a_*", "b_*"]
    area = roc_auc_score(truth == 0, columns["b_refund"]) - roc_auc_score(truth == 0, columns["a_refund"])
    assert found["gate"][0]["difference"]["value"] == pytest.approx(area) and not found["gate"][0]["fails"]
    assert "FAILS: roc_auc[refund] worse" in run(
        path, "--scores", "b_*,a_*", "--fail-if", "roc_auc[refund] worse", code=1
    )
    assert "There is no column 'c_*'" in run(path, "--scores", "a_*,c_*", code=2)
    binary = {"y_true": ["no", "yes"] * 30, "s1": [0.1, 0.9] * 30, "s2": [0.9, 0.1] * 30, "y_pred": ["no", "no"] * 30}
    found = run(write_csv(tmp_path / "b.csv", binary), "--scores", "s1,s2", "--positive", "yes", "--json")
    assert [one["accuracy"]["value"] for one in found["models"]] == [1, 0]


def test_label_sets_are_compared(run, tmp_path):
    truth, a = sets(0, 150, 3)
    b = truth ^ (np.random.default_rng(1).random(truth.shape) < 0.05)
    names = np.array(["x", "y", "z"])
    cells = [["|".join(names[row]) for row in one] for one in (truth, a, b)]
    base = {"id": [f"q{i}" for i in range(150)], "labels": cells[0]}
    files = [write_csv(tmp_path / f"{name}.csv", base | {"predicted": cells[at]}) for name, at in (("a", 1), ("b", 2))]
    found = run(*files, "--json")
    assert {"subset_accuracy", "samples_f1", "macro_f1", "accuracy[x]"} <= set(found["pairs"][0]["differences"])
    assert found["pairs"][0]["differences"]["subset_accuracy"]["low"] > 0


def test_answers_of_language_models_are_compared(run, tmp_path):
    truth = ["yes", "no"] * 20
    one = [f"{label}." if i % 5 else "who knows" for i, label in enumerate(truth)]
    two = [f"{label}" for label in truth]
    ids = list(range(40))
    files = [
        write_csv(tmp_path / f"{name}.csv", {"id": ids, "target": truth, "output": answers})
        for name, answers in (("old", one), ("new", two))
    ]
    found = run(*files, "--raw", "output", "--label-set", "yes,no", "--json")
    assert found["models"][0]["accuracy"]["value"] == pytest.approx(0.8)
    assert found["pairs"][0]["flips"] == {"fixed": 8, "broken": 0, "both_right": 32, "both_wrong": 0, "wrong_alike": 0}


def test_three_models_have_tiers_and_a_leader(run, made, tmp_path):
    truth, a, b = made[3]
    third = np.where(np.random.default_rng(0).random(800) < 0.02, (b + 1) % 4, b)
    names = np.array(NAMES)
    file = write_csv(tmp_path / "p.csv", {"y": names[truth], "pa": names[a], "pb": names[b], "pc": names[third]})
    found = run(file, "--truth", "y", "--preds", "pa,pb,pc", "--json")
    assert len(found["pairs"]) == 3 and found["cochran_q"]["df"] == 2
    assert sum(len(tier) for tier in found["tiers"]) == 3 and "pa" in found["tiers"][1]
    text = run(file, "--truth", "y", "--preds", "pa,pb,pc")
    assert "has the best accuracy" in text.splitlines()[0]


def test_a_model_of_one_class_is_told(run, tmp_path):
    truth, a, _ = two_models(0, 100, 4)
    names = np.array(NAMES)
    file = write_csv(tmp_path / "p.csv", {"y_true": names[truth], "m1": names[a], "m2": ["refund"] * 100})
    assert "m2 predicts 'refund' in every row." in run(file, "--preds", "m1,m2")


def other_ids(path, ids):
    rows = list(csv.DictReader(path.open()))[: len(ids)]
    columns = {name: [row[name] for row in rows] for name in rows[0]} | {"id": ids}
    return write_csv(path.parent / "other.csv", columns)


def test_bad_input_is_one_sentence(run, made, tmp_path):
    old, new, both, _ = made
    assert "share no id" in run(old, other_ids(old, [f"x{i}" for i in range(800)]), "--join", "id", code=2)
    one = other_ids(old, ["q0", *(f"x{i}" for i in range(799))])
    assert "share one row only" in run(old, one, "--join", "id", code=2)
    assert "no column 'uid' to join on" in run(old, new, "--join", "uid", code=2)
    assert "Did you mean 'macro_f" in run(old, new, "--fail-if", "macro_f worse", code=2)
    assert "is no condition" in run(old, new, "--fail-if", "macro_f1", code=2)
    assert "takes 2 to 10 files" in run(old, code=2)
    assert "Name 2 to 10 different columns" in run(both, "--preds", "pred_a", code=2)
    assert "name it with --positive" in run(both, "--scores", "pred_a,pred_b", code=2)
    assert "no column 'nothing'" in run(old, new, "--cluster", "nothing", code=2)


def test_differing_truths_are_left_out_or_refused(run, made, tmp_path):
    old, _, _, (truth, a, _) = made
    names = np.array(NAMES)
    for share, code in ((0.05, 0), (0.9, 2)):
        changed = np.where(np.arange(800) < 800 * share, (truth + 1) % 4, truth)
        ids = [f"q{i}" for i in range(800)]
        other = write_csv(tmp_path / "t.csv", {"id": ids, "y_true": names[changed], "y_pred": names[a]})
        if code:
            assert "The true labels differ in 720 of 800 joined rows" in run(old, other, "--join", "id", code=2)
        else:
            assert run(old, other, "--join", "id", "--json")["rows"]["truth_differs"] == 40


def test_labels_in_markdown_are_no_markup(run, tmp_path):
    truth, a, b = two_models(0, 400, 2, (0.6, 0.9))
    names = np.array(["![x](http://h/x.png)", "a|b"])
    file = write_csv(tmp_path / "p.csv", {"y_true": names[truth], "m1": names[b], "m2": names[a]})
    text = run(file, "--truth", "y_true", "--preds", "m1,m2", "--markdown", "--fail-if", "mcc > 2")
    outside = re.sub(r"`[^`\n]*`", "", text)
    assert "| `mcc > 2` | `m1` | `m2` |" in text and "![x](" in text and "![x](" not in outside
    assert "| `a¦b` |" in text


def test_lines_of_counts_say_how_many_rows_break(run, tmp_path):
    columns = {"y_true": ["a", "a", "b"], "m1": ["a", "a", "b"], "m2": ["b", "a", "a"], "n": [30, 100, 12]}
    file = write_csv(tmp_path / "p.csv", columns)
    text = run(file, "--truth", "y_true", "--preds", "m1,m2", "--counts", "n", "--markdown", "--rows", "y_true")
    assert "**2 lines with some of 42 rows that `m2` breaks, different classes first**" in text


def test_a_truth_of_one_class_has_no_auc(run, tmp_path):
    columns = {"id": [1, 2, 3], "y_true": ["yes"] * 3, "s1": [0.9, 0.7, 0.4], "s2": [0.8, 0.6, 0.2]}
    found = run(write_csv(tmp_path / "p.csv", columns), "--scores", "s1,s2", "--positive", "yes", "--json")
    assert found["pairs"][0]["differences"]["roc_auc"]["value"] is None and found["pairs"][0]["delong"]["p"] is None
    assert "Every joined row is truly 'yes': no ROC AUC can be known." in found["warnings"]
