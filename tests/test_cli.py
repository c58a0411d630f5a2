"""The command line prints the numbers that scikit-learn gives, strict JSON, or one sentence about what is wrong."""

import gzip
import json
import math
import os
import re
import shlex
import subprocess
import sys
import unicodedata
import warnings
from pathlib import Path

import numpy as np
import pytest
from sklearn import metrics as sk
from sklearn.exceptions import UndefinedMetricWarning

from cli import main
from command.file_options import label_set
from data.errors import DataError
from export.numbers import plain
from tests.ceiling import CEILING_SECONDS
from tests.csv_files import write_csv
from text.visible import make_visible

ROOT = Path(__file__).resolve().parents[1]
pytestmark = pytest.mark.usefixtures("module_reads_here")

EVERY_TASK = {
    "task", "n_rows", "n_scored", "n_missing_truth", "n_missing_pred", "classes", "micro_f1", "micro_precision",
    "micro_recall", "macro_f1", "macro_f1_supported", "macro_f1_label_space", "macro_precision",
    "macro_precision_supported", "macro_precision_label_space", "macro_recall", "macro_recall_supported",
    "macro_recall_label_space", "weighted_f1", "weighted_precision", "weighted_recall", "per_class",
    "never_predicted", "absent", "outside_label_space", "findings", "warnings", "receipt",
}  # fmt: skip
ONE_LABEL = {
    "n_unparsed", "accuracy", "accuracy_parsed", "baseline_accuracy", "balanced_accuracy", "cohen_kappa", "mcc",
    "confusion_matrix",
}  # fmt: skip
ONE_SCORE = {
    "threshold", "roc_auc", "average_precision", "at_threshold", "best_thresholds", "log_loss", "brier",
    "log_loss_clipping",
}  # fmt: skip
SCORES = {"roc_auc_per_class", "average_precision_per_class", "roc_auc_macro", "roc_auc_weighted"}
MANY_LABELS = {"subset_accuracy", "per_label_accuracy", "hamming_loss", "samples_f1", "jaccard_samples"}
POSITIVE = {"positive", "recall", "precision", "n_missed", "n_false_alarms"}
KEYS = EVERY_TASK | ONE_LABEL | ONE_SCORE | SCORES | MANY_LABELS | POSITIVE


# -- files and runs ---------------------------------------------------------------------------------


def test_command_imports_no_other_command():
    code = "import sys, cli; cli._parser(['run']); print(*sys.modules)"
    found = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    others = {"command.score", "command.agree", "command.compare", "command.report", "scipy.stats", "pandas"}
    assert not others & set(found.stdout.split()), found.stdout


@pytest.fixture
def run(capsys):
    """Score files in this process; JSON as every strict parser reads it."""

    def score(*arguments) -> dict:
        assert main(["score", *map(str, arguments), "--json"]) == 0
        out, err = capsys.readouterr()
        assert err == ""
        return json.loads(out, parse_constant=lambda word: pytest.fail(f"{word} is not JSON"))

    return score


@pytest.fixture
def refused(capsys):
    """Score files that cannot be scored; returns the sentence."""

    def score(*arguments) -> str:
        assert main(["score", *map(str, arguments)]) == 2
        out, err = capsys.readouterr()
        assert out == "" and err.endswith("\n") and err.count("\n") == 1
        assert len(err) < 500 and "Traceback" not in err and str(ROOT) not in err
        return err.strip()

    return score


def sure(function, *args, **options):
    """Return what scikit-learn says, None where it warns that it is undefined."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        value = float(function(*args, **options))
    undefined = any(issubclass(w.category, UndefinedMetricWarning) for w in caught) or math.isnan(value)
    return None if undefined else value


def agree(found, wanted, what=""):
    if wanted is None:
        assert found is None, what
    else:
        assert found == pytest.approx(wanted, abs=1e-12), what


def has_keys(found: dict, wanted: set[str]) -> None:
    assert wanted - set(found) == set()
    assert (KEYS - wanted) & set(found) == set(), "keys that make no sense here"


def check_hard(found: dict, truth: list[str], pred: list[str]) -> None:
    """Everything that scikit-learn knows about hard labels."""
    for name, function in {
        "accuracy": sk.accuracy_score,
        "balanced_accuracy": sk.balanced_accuracy_score,
        "mcc": sk.matthews_corrcoef,
    }.items():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # "y_pred contains classes not in y_true": of no effect on the value
            agree(found[name], float(function(truth, pred)), name)
    agree(found["cohen_kappa"], sure(sk.cohen_kappa_score, truth, pred), "kappa")
    top = max(truth.count(label) for label in set(truth)) / len(truth)
    assert found["baseline_accuracy"] == pytest.approx(top, abs=1e-12)
    for which, function in {"precision": sk.precision_score, "recall": sk.recall_score, "f1": sk.f1_score}.items():
        asked = sorted(set(truth))
        agree(found[f"macro_{which}"], sure(function, truth, pred, average="macro"), which)
        agree(found[f"micro_{which}"], sure(function, truth, pred, average="micro"), which)
        # a class without true rows weighs nothing, so its undefined recall takes no part
        agree(found[f"weighted_{which}"], sure(function, truth, pred, average="weighted", labels=asked), which)
        agree(found[f"macro_{which}_supported"], sure(function, truth, pred, average="macro", labels=asked), which)
        for label in found["classes"]:
            wanted = sure(function, truth, pred, average="macro", labels=[label])
            agree(found["per_class"][label][which], wanted, f"{which} of {label}")
    for label, row in found["per_class"].items():
        assert (row["support"], row["predicted"]) == (truth.count(label), pred.count(label))
    table = found["confusion_matrix"]
    wanted = sk.confusion_matrix(truth, pred, labels=table["labels"])
    assert np.array_equal(table["rows_true_cols_pred"], wanted)


def made(n: int = 60, names=("ant", "bee", "cow"), seed: int = 0) -> tuple[list[str], list[str], np.ndarray]:
    """Truth, noisy predictions, and probabilities whose highest is the prediction."""
    random = np.random.default_rng(seed)
    logits = random.normal(size=(n, len(names)))
    truth = random.integers(len(names), size=n)
    logits[np.arange(n), truth] += 1
    proba = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    return [names[i] for i in truth], [names[i] for i in proba.argmax(axis=1)], proba


# -- one label a row --------------------------------------------------------------------------------


def test_stopped_command_says_so(monkeypatch, capsys, tmp_path):
    def stop(_options):
        raise KeyboardInterrupt

    monkeypatch.setattr("command.score.read", stop)
    assert main(["score", str(tmp_path)]) == 130
    assert capsys.readouterr().err == "Stopped.\n"


def test_binary_with_one_score(tmp_path, run):
    truth, _, proba = made(names=("ham", "spam"))
    score = proba[:, 1].round(2)  # ties
    found = run(write_csv(tmp_path / "p.csv", {"y_true": truth, "p_spam": score.tolist()}))
    has_keys(found, EVERY_TASK | ONE_LABEL | ONE_SCORE | POSITIVE)
    assert (found["task"], found["positive"], found["threshold"]) == ("binary", "spam", 0.5)
    pred = ["spam" if s >= 0.5 else "ham" for s in score]
    check_hard(found, truth, pred)
    is_spam = np.array(truth) == "spam"
    agree(found["roc_auc"], sk.roc_auc_score(is_spam, score))
    agree(found["average_precision"], sk.average_precision_score(is_spam, score))
    agree(found["log_loss"], sk.log_loss(is_spam, score))
    agree(found["brier"], sk.brier_score_loss(is_spam, score))
    at = found["at_threshold"]
    tn, fp, fn, tp = sk.confusion_matrix(truth, pred, labels=["ham", "spam"]).ravel()
    assert (at["tn"], at["fp"], at["fn"], at["tp"]) == (tn, fp, fn, tp)
    best = max(sk.f1_score(is_spam, score >= t) for t in {*score})
    assert found["best_thresholds"]["f1"]["value"] == pytest.approx(best, abs=1e-12)
    t = found["best_thresholds"]["f1"]["threshold"]
    assert sk.f1_score(is_spam, score >= t) == pytest.approx(best, abs=1e-12)


def test_the_other_class_can_be_positive(tmp_path, run):
    truth, _, proba = made(names=("ham", "spam"))
    file = write_csv(tmp_path / "p.csv", {"y_true": truth, "p_spam": proba[:, 1].tolist()})
    found = run(file, "--positive", "ham")
    assert found["positive"] == "ham"
    agree(found["roc_auc"], sk.roc_auc_score(np.array(truth) == "ham", proba[:, 0]))
    agree(found["average_precision"], sk.average_precision_score(np.array(truth) == "ham", proba[:, 0]))


def test_threshold_predicts_scores_equal_to_it(tmp_path, run):
    columns = {"y_true": ["1", "1", "0", "0"], "y_pred": ["0", "0", "0", "0"], "score": [0.9, 0.7, 0.7, 0.2]}
    file = write_csv(tmp_path / "p.csv", columns)
    own = run(file)
    assert own["accuracy"] == 0.5 and own["per_class"]["1"]["predicted"] == 0
    assert own["per_class"]["1"]["precision"] is None and own["macro_precision"] is None
    assert own["never_predicted"] == ["1"]
    found = run(file, "--threshold", "0.7")
    assert found["threshold"] == 0.7 and found["accuracy"] == 0.75
    assert {k: found["at_threshold"][k] for k in ("tp", "fp", "fn", "tn")} == {"tp": 2, "fp": 1, "fn": 0, "tn": 1}


def test_logits_of_one_score_are_cut_at_zero(tmp_path, run):
    truth, logits = ["1", "0", "1", "0", "1"], [2.5, -3.0, -0.5, 0.25, 0.0]
    found = run(write_csv(tmp_path / "p.csv", {"y_true": truth, "logit": logits}))
    assert found["threshold"] == 0
    check_hard(found, truth, ["1" if x >= 0 else "0" for x in logits])
    proba = 1 / (1 + np.exp(-np.array(logits)))
    is_true = np.array(truth) == "1"
    agree(found["log_loss"], sk.log_loss(is_true, proba))
    agree(found["brier"], sk.brier_score_loss(is_true, proba))
    assert any("logits" in note for note in found["receipt"]["notes"])


def test_several_classes_with_hard_labels(tmp_path, run):
    truth, pred, _ = made()
    pred[0], truth[1] = "dog", "eel"  # one never true, one never predicted
    found = run(write_csv(tmp_path / "p.tsv", {"label": truth, "prediction": pred}, delimiter="\t"))
    has_keys(found, EVERY_TASK | ONE_LABEL)
    assert found["task"] == "multiclass" and found["classes"] == ["ant", "bee", "cow", "dog", "eel"]
    check_hard(found, truth, pred)
    assert found["per_class"]["dog"]["recall"] is None and found["per_class"]["eel"]["precision"] is None
    assert found["macro_recall"] is None and found["macro_recall_supported"] is not None
    assert found["never_predicted"] == ["eel"] and found["absent"] == ["dog"] and found["outside_label_space"] == []


@pytest.mark.parametrize("own", [True, False])
def test_several_classes_with_a_score_each(tmp_path, run, own):
    truth, pred, proba = made()
    columns = {"y_true": truth, **{f"p_{name}": proba[:, i].tolist() for i, name in enumerate(("ant", "bee", "cow"))}}
    columns |= {"y_pred": pred} if own else {}
    found = run(write_csv(tmp_path / "p.csv", columns))
    has_keys(found, EVERY_TASK | ONE_LABEL | SCORES | {"log_loss", "log_loss_clipping", "brier"})
    check_hard(found, truth, pred)
    agree(found["roc_auc_macro"], sk.roc_auc_score(truth, proba, multi_class="ovr", average="macro"))
    agree(found["roc_auc_weighted"], sk.roc_auc_score(truth, proba, multi_class="ovr", average="weighted"))
    agree(found["log_loss"], sk.log_loss(truth, proba))
    hot = np.array([[t == name for name in ("ant", "bee", "cow")] for t in truth], dtype=float)
    agree(found["brier"], float(((proba - hot) ** 2).sum(axis=1).mean()))
    for i, name in enumerate(("ant", "bee", "cow")):
        agree(found["roc_auc_per_class"][name], sk.roc_auc_score(hot[:, i], proba[:, i]))
        agree(found["average_precision_per_class"][name], sk.average_precision_score(hot[:, i], proba[:, i]))


def test_the_columns_can_be_named(tmp_path, run):
    truth, pred, proba = made()
    other = ["ant"] * len(truth)
    columns = {"y_true": other, "y_pred": other, "a": truth, "b": pred}
    columns |= {f"{name}_score": proba[:, i].tolist() for i, name in enumerate(("ant", "bee", "cow"))}
    file = write_csv(tmp_path / "p.csv", columns)
    found = run(file, "--truth", "a", "--pred", "b", "--scores", "ant_score,bee_score,cow_score")
    check_hard(found, truth, pred)
    agree(found["roc_auc_macro"], sk.roc_auc_score(truth, proba, multi_class="ovr"))
    roles = {role["column"]: role["role"] for role in found["receipt"]["roles"]}
    assert (roles["a"], roles["b"], roles["bee_score"], roles["y_true"]) == (
        "truth",
        "prediction",
        "score of bee",
        "other",
    )


def test_one_score_can_be_named(tmp_path, run):
    columns = {"y": ["1", "0", "1", "0"], "score": [0.1, 0.2, 0.3, 0.4], "good": [0.9, 0.2, 0.8, 0.1]}
    file = write_csv(tmp_path / "p.csv", columns)
    assert run(file, "--score", "good", "--positive", "1")["roc_auc"] == 1.0
    assert run(file, "--score", "score", "--positive", "1")["roc_auc"] == 0.25


def test_missing_labels_are_counted_and_not_scored(tmp_path, run):
    columns = {"y_true": ["a", "", "b", "b", "a"], "y_pred": ["a", "a", "", "a", "a"]}
    found = run(write_csv(tmp_path / "p.csv", columns))
    assert (found["n_rows"], found["n_scored"], found["n_missing_truth"], found["n_missing_pred"]) == (5, 3, 1, 1)
    assert found["accuracy"] == pytest.approx(2 / 3)
    assert {f["code"] for f in found["findings"]} >= {"missing_truth", "missing_prediction"}
    assert sum("first row" in text for text in found["warnings"]) == 2


def test_undefined_is_null_and_infinite_is_null(tmp_path, run):
    found = run(write_csv(tmp_path / "p.csv", {"y_true": ["1", "1"], "y_pred": ["1", "0"], "score": [0.5, 0.1]}))
    assert (
        found["roc_auc"] is None and found["at_threshold"]["fpr"] is None and found["per_class"]["0"]["recall"] is None
    )
    assert found["best_thresholds"]["youden_j"] == {"threshold": None, "value": None}
    assert plain({"a": [math.nan, -math.inf, np.float64("nan"), 1]}) == {"a": [None, None, None, 1]}


# -- raw answers ------------------------------------------------------------------------------------

TOLD = ["refund", "billing", "login"]
ANSWERS = ["Refund", '"billing".', "I am not able to say.", "**login**", "shipping", "refund"]
TRUTHS = ["refund", "refund", "login", "login", "billing", "refund"]


@pytest.mark.parametrize("how", ["list", "lines", "json", "inline json"])
def test_raw_answers_against_a_label_set(tmp_path, run, how):
    file = tmp_path / "answers.jsonl"
    rows = [{"target": t, "output": a} for t, a in zip(TRUTHS, ANSWERS, strict=True)]
    file.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    labels = tmp_path / "labels.txt"
    texts = {"lines": "\ufeff" + "\n".join([*TOLD, "cancel"]), "json": json.dumps([*TOLD, "cancel"])}
    labels.write_text(texts.get(how, ""), encoding="utf-8")
    told = {"list": "refund,billing, login,cancel", "inline json": json.dumps([*TOLD, "cancel"])}.get(how, labels)
    found = run(file, "--raw", "output", "--truth", "target", "--label-set", told)
    has_keys(found, EVERY_TASK | ONE_LABEL)
    assert found["classes"] == [*TOLD, "cancel"] and found["absent"] == ["cancel"]
    assert found["n_unparsed"] == 1 and found["outside_label_space"] == ["shipping"]
    assert found["accuracy"] == pytest.approx(3 / 6) and found["accuracy_parsed"] == pytest.approx(3 / 5)
    assert found["confusion_matrix"]["unparsed_per_true"] == [0, 0, 1, 0, 0]
    pred = ["refund", "billing", "?", "login", "shipping", "refund"]
    agree(found["macro_f1_supported"], sk.f1_score(TRUTHS, pred, average="macro", labels=TOLD, zero_division=0))
    space = sk.f1_score(TRUTHS, pred, average="macro", labels=[*TOLD, "cancel"], zero_division=0)
    agree(found["macro_f1_label_space"], space)


def test_label_list_may_exceed_a_file_name():
    names = [f"an_intent_with_a_long_name_{i}" for i in range(300)]
    assert label_set(",".join(names)) == tuple(names)


def test_label_sets_that_cannot_be_read_are_named(tmp_path):
    bad = tmp_path / "labels.json"
    for content, says in {
        b"\xff\xfe\x00": "UTF-8",
        b'["a", 1.5]': "list of texts",
        b"a\na\n": "twice",
        b"": "empty",
    }.items():
        bad.write_bytes(content)
        with pytest.raises(DataError, match=says) as error:
            label_set(str(bad))
        assert "labels.json" in str(error.value)
    with pytest.raises(DataError, match="no such file"):
        label_set(str(tmp_path / "lables.json"))


# -- parsers ----------------------------------------------------------------------------------------

REASONED = [
    "The message says money. So the answer is refund.",
    "billing? login? So the Answer is:\n**login**",
    "I would say the answer is billing or refund.",
    "So the answer is shipping.",
    "refund",
]


def reasoned(path: Path, rules, name: str = "served.json") -> tuple[Path, Path]:
    """A file of reasoned answers, and one of a parser."""
    file, parser = path / "answers.jsonl", path / name
    rows = [{"target": t, "output": a} for t, a in zip(TRUTHS, REASONED, strict=False)]
    file.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    parser.write_text(rules if isinstance(rules, str) else json.dumps(rules), encoding="utf-8")
    return file, parser


def test_parser_file_reads_the_answers(tmp_path, run, capsys):
    rules = [{"rule": "after_last", "values": ["answer is"]}, "normalised"]
    file, parser = reasoned(tmp_path, rules)
    options = (file, "--raw", "output", "--label-set", "refund,billing,login", "--parser", parser)
    found = run(*options)
    assert found["parser"] == {"name": "served", "rules": [rules[0], {"rule": "normalised"}]}
    assert found["outcomes"] == {"normalised": 3, "several labels": 1, "unparseable": 1}
    assert found["n_unparsed"] == 2 and found["accuracy"] == pytest.approx(1 / 5)
    assert found["accuracy_parsed"] == pytest.approx(1 / 3)
    assert any("The parser 'served' read the answers in 'output'" in note for note in found["receipt"]["notes"])
    main(["score", *map(str, options)])
    assert "  Parser: served (normalised 3, several labels 1, no rule matches 1)" in capsys.readouterr().out


def test_without_a_parser_the_standard_one_is_named(tmp_path, run):
    file, _ = reasoned(tmp_path, [])
    found = run(file, "--raw", "output")
    assert found["parser"]["name"] == "standard" and sum(found["outcomes"].values()) == found["n_scored"]
    hard = run(write_csv(tmp_path / "p.csv", {"y_true": ["a", "b"], "y_pred": ["a", "a"]}))
    assert "parser" not in hard and "outcomes" not in hard


def test_labels_of_a_parser_are_the_label_list(tmp_path, run):
    file, parser = reasoned(tmp_path, {"rules": ["exact"], "labels": ["login", "refund", "billing", "cancel"]})
    assert run(file, "--raw", "output", "--parser", parser)["classes"] == ["login", "refund", "billing", "cancel"]
    found = run(file, "--raw", "output", "--parser", parser, "--label-set", "billing,login,refund")
    assert found["classes"] == ["billing", "login", "refund"]


@pytest.mark.parametrize(
    ("rules", "says"),
    [
        ("[", "served.json: The parser is not JSON"),
        (["exact", {"rule": "regex", "values": ["("]}], "served.json: Rule 2 (regex): the pattern '(' is not valid"),
        (["exact", "\u001b[2J"], "served.json: Rule 2 is "),
        ("[" * 300_000, "served.json: The parser is larger than 256 kB"),
    ],
)
def test_wrong_parser_is_refused_by_its_name(tmp_path, refused, rules, says):
    file, parser = reasoned(tmp_path, rules)
    sentence = refused(file, "--raw", "output", "--parser", parser)
    assert sentence.startswith(says) and "\x1b" not in sentence


def test_unused_or_unreadable_parser_file_is_named(tmp_path, refused):
    file, parser = reasoned(tmp_path, ["exact"])
    assert "missing.json: there is no such file" in refused(file, "--parser", tmp_path / "missing.json")
    assert "could not be read" in refused(file, "--parser", tmp_path)
    parser.write_bytes(b"\xff\xfe")
    assert "served.json: the parser could not be read; a JSON file in UTF-8" in refused(file, "--parser", parser)
    parser.write_text('["exact"]', encoding="utf-8")
    hard = write_csv(tmp_path / "p.csv", {"y_true": ["a", "b"], "y_pred": ["a", "a"]})
    assert "served.json was not used" in refused(hard, "--parser", parser)


# -- several labels a row ---------------------------------------------------------------------------

GENRES = ("crime", "drama", "war")


def check_sets(found: dict, truth: np.ndarray, pred: np.ndarray) -> None:
    """Everything that scikit-learn knows about label sets."""
    agree(found["subset_accuracy"], sk.accuracy_score(truth, pred))
    agree(found["hamming_loss"], sk.hamming_loss(truth, pred))
    agree(found["per_label_accuracy"], 1 - sk.hamming_loss(truth, pred))
    agree(found["samples_f1"], sk.f1_score(truth, pred, average="samples", zero_division=0))
    for average in ("samples", "micro", "macro"):
        agree(found[f"jaccard_{average}"], sk.jaccard_score(truth, pred, average=average, zero_division=0), average)
    for which, function in {"f1": sk.f1_score, "precision": sk.precision_score, "recall": sk.recall_score}.items():
        for average in ("micro", "macro", "weighted"):
            agree(found[f"{average}_{which}"], sure(function, truth, pred, average=average), f"{average} {which}")
        for i, name in enumerate(GENRES):
            agree(found["per_class"][name][which], sure(function, truth[:, i], pred[:, i]), name)


def label_sets(n: int = 40) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    random = np.random.default_rng(4)
    truth = random.random((n, 3)) < [0.5, 0.6, 0.3]
    logits = random.normal(size=(n, 3)) + 1.5 * truth - 0.7
    return truth, logits >= 0, logits.round(3)


def joined(sets: np.ndarray, how) -> list[str]:
    return [how([name for name, has in zip(GENRES, row, strict=True) if has]) for row in sets]


@pytest.mark.parametrize("how", ["|", ";", "json", "python"])
def test_label_sets_in_a_cell(tmp_path, run, how):
    truth, pred, _ = label_sets()
    write_cell = {"json": json.dumps, "python": str}.get(how, how.join)
    columns = {"y_true": joined(truth, write_cell), "y_pred": joined(pred, write_cell)}
    found = run(write_csv(tmp_path / "p.csv", columns))
    has_keys(found, EVERY_TASK | MANY_LABELS)
    assert found["task"] == "multilabel" and found["classes"] == list(GENRES)
    check_sets(found, truth, pred)


def test_multi_hot_columns(tmp_path, run):
    truth, pred, _ = label_sets()
    columns = {f"true_{name}": truth[:, i].astype(int).tolist() for i, name in enumerate(GENRES)}
    columns |= {f"pred_{name}": pred[:, i].astype(int).tolist() for i, name in enumerate(GENRES)}
    found = run(write_csv(tmp_path / "p.csv", columns))
    has_keys(found, EVERY_TASK | MANY_LABELS)
    check_sets(found, truth, pred)


def test_multi_label_logits(tmp_path, run):
    truth, pred, logits = label_sets()
    columns = {"genres": joined(truth, "|".join)}
    columns |= {f"logit_{name}": logits[:, i].tolist() for i, name in enumerate(GENRES)}
    file = write_csv(tmp_path / "p.csv", columns)
    found = run(file, "--truth", "genres")
    has_keys(found, EVERY_TASK | MANY_LABELS | SCORES | {"threshold"})
    check_sets(found, truth, pred)
    assert found["threshold"] == 0
    agree(found["roc_auc_macro"], sk.roc_auc_score(truth, logits, average="macro"))
    agree(found["roc_auc_weighted"], sk.roc_auc_score(truth, logits, average="weighted"))
    for i, name in enumerate(GENRES):
        agree(found["average_precision_per_class"][name], sk.average_precision_score(truth[:, i], logits[:, i]))
    check_sets(run(file, "--truth", "genres", "--threshold", "0.8"), truth, logits >= 0.8)


def test_multi_label_averages_name_their_labels(tmp_path, run):
    columns = {"y_true": ["a|b", "a", "b|a", "b"], "y_pred": ["a|b", "a|x", "b", "b|a"]}
    found = run(write_csv(tmp_path / "p.csv", columns), "--label-set", "a,b,c")
    per = {name: row["f1"] for name, row in found["per_class"].items()}
    assert per["c"] is None and per["x"] == 0
    assert found["macro_f1"] == pytest.approx((per["a"] + per["b"] + 0) / 3)
    assert found["macro_f1_supported"] == pytest.approx((per["a"] + per["b"]) / 2)
    assert found["macro_f1_label_space"] == pytest.approx((per["a"] + per["b"] + 0) / 3)
    assert found["absent"] == ["c"] and found["outside_label_space"] == ["x"] and found["classes"] == ["a", "b", "c"]


# -- two files --------------------------------------------------------------------------------------


def test_other_labels_join_by_key_or_order(tmp_path, run, refused):
    truth, pred, _ = made(20)
    ids = [f"row-{i}" for i in range(20)]
    preds = write_csv(tmp_path / "preds.csv", {"doc": ids, "prediction": pred})
    shuffled = write_csv(tmp_path / "labels.csv", {"doc": ids[::-1], "label": truth[::-1]})
    plain_labels = write_csv(tmp_path / "plain.csv", {"label": truth})
    for arguments in ((shuffled, "--join", "doc"), (shuffled,), (plain_labels,)):
        check_hard(run(preds, "--labels", *arguments), truth, pred)
    found = run(preds, "--labels", plain_labels)
    assert found["receipt"]["join"]["how"] == "row order"
    assert [file["name"] for file in found["receipt"]["files"]] == ["preds.csv", "plain.csv"]
    assert "'label'" in refused(preds, "--labels", shuffled, "--join", "label")
    short = write_csv(tmp_path / "short.csv", {"label": truth[:-1]})
    message = refused(preds, "--labels", short)
    assert "20 rows" in message and "19 rows" in message


def test_rows_of_one_file_only_are_counted(tmp_path, run):
    preds = write_csv(tmp_path / "preds.csv", {"id": ["a", "b", "c"], "prediction": ["x", "y", "x"]})
    labels = write_csv(tmp_path / "labels.csv", {"id": ["c", "b", "d"], "label": ["x", "x", "y"]})
    found = run(preds, "--labels", labels, "--join", "id")
    assert (found["n_rows"], found["n_scored"], found["n_missing_truth"], found["n_missing_pred"]) == (4, 2, 1, 1)
    assert found["accuracy"] == 0.5


@pytest.mark.parametrize("key", ["page,line", "line,page", "page, line", None])
def test_several_columns_join_two_files(tmp_path, run, key):
    truth, pred, _ = made(20)
    columns = {"page": [f"p{i // 4}" for i in range(20)], "line": [i % 4 for i in range(20)]}
    preds = write_csv(tmp_path / "preds.csv", columns | {"prediction": pred})
    turned = {name: cells[::-1] for name, cells in (columns | {"label": truth}).items()}
    labels = write_csv(tmp_path / "labels.csv", turned)
    if key is None:  # a name that ends in id, with a line, says by itself that both are the key
        for path in (preds, labels):
            path.write_text(path.read_text().replace("page,line", "page_id,line"))
    found = run(preds, "--labels", labels, *([] if key is None else ["--join", key]))
    check_hard(found, truth, pred)
    assert found["receipt"]["join"]["n_matched"] == 20


def test_repeated_ids_are_left_out_unless_asked(tmp_path, run):
    preds = write_csv(tmp_path / "p.csv", {"id": list("aabcc"), "pred": list("xyyxx")})
    labels = write_csv(tmp_path / "l.csv", {"id": list("abc"), "label": list("xyy")})
    found = run(preds, "--labels", labels)
    assert found["n_scored"] == 2 and found["accuracy"] == 0.5
    assert found["receipt"]["left_out"] == [{"id": "a", "predictions": [1, 2], "labels": [1]}]
    assert any("1 id is left out" in text and "--repeated" in text for text in found["warnings"])
    right = {"first": (2, 3), "last": (1, 3), "all": (2, 5)}
    for way, (n_right, n) in right.items():
        found = run(preds, "--labels", labels, "--repeated", way)
        assert found["accuracy"] == pytest.approx(n_right / n) and found["n_scored"] == n


def test_an_empty_key_is_row_order(tmp_path, run, refused):
    preds = write_csv(tmp_path / "preds.csv", {"id": ["a", "b", "c"], "prediction": ["x", "y", "x"]})
    labels = write_csv(tmp_path / "labels.csv", {"id": ["c", "b", "a"], "label": ["x", "y", "y"]})
    assert run(preds, "--labels", labels)["accuracy"] == pytest.approx(2 / 3)
    found = run(preds, "--labels", labels, "--join", "")
    assert found["receipt"]["join"]["how"] == "row order" and found["accuracy"] == pytest.approx(2 / 3)
    assert any("'id' of row 1 is 'a' in the predictions and 'c' in the labels" in text for text in found["warnings"])
    assert "no column 'line'" in refused(preds, "--labels", labels, "--join", "id,line")


def test_headerless_long_form_equals_the_wide_files(tmp_path, run):
    tags = ["child speech", "music", "video game/tv"]
    random = np.random.default_rng(5)
    truth = random.random((60, 3)) < 0.5
    truth[7] = False
    scores = random.normal(0, 50, truth.shape).round(6) + 40 * truth
    files = [f"clip {row}.wav" for row in range(60)]
    wide = [
        write_csv(tmp_path / "scores.csv", {"file": files} | dict(zip(tags, scores.T.tolist(), strict=True))),
        write_csv(
            tmp_path / "labels.csv", {"file": files} | dict(zip(tags, truth.astype(int).T.tolist(), strict=True))
        ),
    ]
    lines = [(files[row], tags[code], scores[row, code]) for row in random.permutation(60) for code in (2, 0, 1)]
    sets = ["".join(f"{tag};" for tag, flag in zip(tags, row, strict=True) if flag) for row in truth]
    estimated, reference = tmp_path / "estimated.txt", tmp_path / "reference.txt"
    estimated.write_text("".join(f"{file},{tag},{float(score)!r}\n" for file, tag, score in lines), encoding="utf-8")
    rows = zip(files, sets, strict=True)
    reference.write_text("".join(f"{file}\thome\t{cell}\ts{i % 9}\n" for i, (file, cell) in enumerate(rows)))
    plain, long = run(wide[0], "--labels", wide[1]), run(estimated, "--labels", reference)
    same = set(plain) - {"receipt", "warnings", "findings", "intervals"}
    assert {key: long[key] for key in same} == {key: plain[key] for key in same}
    assert set(long["intervals"]) == set(plain["intervals"])
    agree(long["subset_accuracy"], sure(sk.accuracy_score, truth, scores >= 0))
    agree(long["macro_f1"], sure(sk.f1_score, truth, scores >= 0, average="macro"))
    agree(long["roc_auc_macro"], sure(sk.roc_auc_score, truth, scores, average="macro"))
    assert "180 lines of 'column 1' and 'column 2' were read as 60 ids × 3 labels." in long["receipt"]["notes"]


# -- what is wrong, in one sentence -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("empty.csv", b"", ["empty.csv", "empty"]),
        ("head.csv", b"y_true,y_pred\n", ["head.csv", "no rows"]),
        ("ragged.csv", b"y_true,y_pred\na,a\nb,b,b\n", ["ragged.csv", "row 2"]),
        ("binary.csv", bytes(range(256)) * 8, ["binary.csv"]),
        ("nothing.csv", b"colour,size\nred,1.5\nblue,2.5\n", ["nothing.csv", "'colour'"]),
        ("strange.csv", b"y_true,y_pred\ncat,0\ndog,1\n", ["strange.csv", "'cat'", "'y_pred'"]),
        ("broken.jsonl", b'{"y_true": "a", "y_pred": "a"}\n{"y_true": \n', ["broken.jsonl", "2"]),
        ("unscored.csv", b"y_true,y_pred\na,\n,a\n", ["unscored.csv"]),
    ],
)
def test_bad_file_is_one_sentence_with_name(tmp_path, refused, name, content, words):
    file = tmp_path / name
    file.write_bytes(content)
    message = refused(file)
    for word in words:
        assert word in message


def test_options_that_do_not_fit_are_one_sentence(tmp_path, refused):
    columns = {"y_true": ["a", "b", "a"], "y_pred": ["a", "b", "b"], "p_a": [0.9, 0.1, "high"], "n": ["1", "2", "3"]}
    file = write_csv(tmp_path / "p.csv", columns)
    assert "Did you mean 'y_true'?" in refused(file, "--truth", "y_treu")
    assert "'y_prd'" in refused(file, "--pred", "y_prd")
    assert "'p_a'" in refused(file, "--score", "p_a") and "'high'" in refused(file, "--score", "p_a")
    assert "'c'" in refused(file, "--positive", "c")
    assert "same column" in refused(file, "--truth", "y_true", "--pred", "y_true")
    assert "scores" in refused(file, "--threshold", "0.5")
    assert "nan" in refused(file, "--score", "p_a", "--threshold", "nan")
    assert "label list" in refused(file, "--label-set", "x,y")
    assert "no-such.csv" in refused(tmp_path / "no-such.csv")
    assert "no-such.csv" in refused(file, "--labels", tmp_path / "no-such.csv")
    assert "holds no Parquet file" in refused(tmp_path)


def test_free_text_is_no_label(tmp_path, refused):
    texts = [f"sentence number {i}" for i in range(30)]
    file = write_csv(tmp_path / "p.csv", {"text": texts, "y_pred": ["a", "b"] * 15})
    message = refused(file, "--truth", "text")
    assert "'text'" in message and "30" in message and "free text" in message


def test_a_wrong_call_ends_with_2(capsys):
    for arguments in ([], ["score"], ["score", "x.csv", "--threshold", "high"]):
        with pytest.raises(SystemExit) as ended:
            main(arguments)
        assert ended.value.code == 2
    assert "Traceback" not in capsys.readouterr().err


# -- the readable report ----------------------------------------------------------------------------

HOSTILE = [
    "\x1b[2J\x1b[31mred",
    "a\u202egpj.exe",
    "bell\x07",
    "c1\x9b31m",
    "zero\u200bwidth",
    "sep\u2028arator",
    "=cmd|' /C'!A0",
]


def is_harmless(text: str) -> bool:
    return all(c == "\n" or unicodedata.category(c) not in {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"} for c in text)


def test_hostile_names_never_reach_the_terminal_raw(tmp_path, capsys):
    truth = HOSTILE * 3
    pred = [HOSTILE[(i * i) % len(HOSTILE)] for i in range(len(truth))]
    file = tmp_path / "a\x1b[31m\u202e.jsonl"
    rows = [{"y_true": t, "y_pred": p, "id\x1b[2J\u202e": "\x1b]0;x\x07"} for t, p in zip(truth, pred, strict=True)]
    file.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    for arguments in ([], ["--json"], ["--truth", "\x1b[2J"], ["--positive", "\u202e"], ["--label-set", "\x1b[31m,b"]):
        main(["score", str(file), *arguments])
        out, err = capsys.readouterr()
        assert is_harmless(out) and is_harmless(err)
        assert out or err
    main(["score", str(file)])
    out = capsys.readouterr().out
    assert "\\x1b[2J\\x1b[31mred" in out and "a\\u202egpj.exe" in out
    assert make_visible("é 漢 🎉 — ok") == "é 漢 🎉 — ok"


def test_the_report_is_for_people(tmp_path, capsys):
    columns = {"id": ["1", "2", "3"], "y_true": ["spam", "ham", "ham"], "y_pred": ["ham", "ham", ""]}
    assert main(["score", str(write_csv(tmp_path / "p.csv", columns))]) == 0
    out = capsys.readouterr().out
    assert "p.csv: 3 rows, 2 scored, 2 classes (binary)" in out
    assert re.search(r"^Accuracy +0\.5000  \(0\.0945 to 0\.9055\)$", out, re.M) and re.search(
        r"^spam +undefined +0\.0000", out, re.M
    )
    assert "y_true: truth (by its name)" in out and "Positive class: 'spam'" in out
    assert "Warnings:" in out and "What the accuracy hides:" in out


def scored_text(capsys, *arguments) -> str:
    assert main(["score", *map(str, arguments)]) == 0
    return capsys.readouterr().out


def test_the_report_prints_warnings_above_the_numbers(tmp_path, capsys):
    columns = {"id": ["1", "2", "3"], "y_true": ["spam", "ham", "ham"], "y_pred": ["ham", "ham", ""]}
    out = scored_text(capsys, write_csv(tmp_path / "p.csv", columns))
    assert out.index("1 row (first row 3) has no prediction") < out.index("\nAccuracy ")


@pytest.mark.parametrize("task", ["scores", "logits", "joined", "two files by order", "answers", "sets", "counts"])
def test_the_report_prints_all_of_the_reading(tmp_path, capsys, task):
    """Test that what the receipt holds (its JSON is the oracle) stands in the readable report, each sentence once."""
    files = reading_files(tmp_path)[task]
    out = scored_text(capsys, *files)
    assert main(["score", *map(str, files), "--json"]) == 0
    receipt = json.loads(capsys.readouterr().out)["receipt"]
    of_files = [note for file in receipt["files"] for note in file["notes"]]
    for sentence in [*of_files, *receipt["notes"], *receipt["warnings"]]:
        assert out.count(make_visible(sentence)) == 1, sentence
    for role in receipt["roles"]:
        shown = f"{role['column']}: {role['role']} ({role['why']})"
        assert (shown in out) == (role["role"] != "other")
        assert role["column"] in out


def reading_files(folder: Path) -> dict[str, list]:
    """A file, or two, of every way to be read; the second with its option."""
    truth, scores = ["spam", "ham", "ham", "spam"], ["0.9", "0.2", "0.4", "0.3"]
    logits = {"y_true": truth, "score": ["2.5", "-1", "-0.5", "0.25"], "age": ["1", "2", "3", "4"]}
    ids = ["a", "b", "c", "d"]
    answers = {"target": truth, "output": ["It is spam", "ham.", "who knows", "spam"]}
    counts = {"Actual": ["a", "a", "b"], "Predicted": ["a", "b", "b"], "nPredictions": ["3", "1", "2"]}
    sets = {"labels": ["a|b", "b", "a"], "predicted": ["a", "b", "a|b"]}
    left = write_csv(folder / "left.csv", {"uid": ids, "p_spam": scores})
    right = write_csv(folder / "right.csv", {"uid": ids[::-1], "label": truth})
    bare = write_csv(folder / "bare.csv", {"label": truth})
    return {
        "scores": [write_csv(folder / "scores.csv", {"y_true": truth, "p_spam": scores})],
        "logits": [write_csv(folder / "logits.csv", logits)],
        "joined": [left, "--labels", right],
        "two files by order": [left, "--labels", bare],
        "answers": [write_csv(folder / "answers.csv", answers), "--raw", "output"],
        "sets": [write_csv(folder / "sets.csv", sets)],
        "counts": [write_csv(folder / "counts.csv", counts)],
    }


def test_the_report_names_scale_threshold_and_join(tmp_path, capsys):
    files = reading_files(tmp_path)
    out = scored_text(capsys, *files["logits"])
    assert "Predictions: predicted when score ≥ 0" in out and "Scores: logits;" in out
    assert "Other columns, shown on the page Rows: 'age'." in out
    out = scored_text(capsys, *files["two files by order"])
    assert "Join: The two files were joined by row order (4 rows each)." in out
    assert "Scores: probabilities;" in out and "Positive class: 'spam'" in out


def test_quiet_leaves_the_reading_out_and_keeps_warnings(tmp_path, capsys):
    file, _, labels = reading_files(tmp_path)["two files by order"]
    loud = scored_text(capsys, file, "--labels", labels)
    quiet = scored_text(capsys, file, "--labels", labels, "--quiet")
    assert "row order" in loud and "Notes:" in loud and "row order" not in quiet and "Notes:" not in quiet
    assert loud.endswith(quiet[quiet.index("\nAccuracy ") :])
    columns = {"id": ["1", "2"], "y_true": ["a", "b"], "y_pred": ["a", ""]}
    assert "no prediction" in scored_text(capsys, write_csv(tmp_path / "p.csv", columns), "--quiet")


# -- as a program -----------------------------------------------------------------------------------


def program(*arguments, **environment) -> subprocess.CompletedProcess:
    return subprocess.run(
        [sys.executable, str(ROOT / "cli.py"), *map(str, arguments)],
        capture_output=True, timeout=CEILING_SECONDS, check=False, env={**os.environ, **environment},
    )  # fmt: skip


def test_json_prints_on_any_terminal(tmp_path):
    file = tmp_path / "p.csv.gz"
    file.write_bytes(gzip.compress("y_true;y_pred\nœuf;œuf\nblé;œuf\n".encode()))
    done = program("score", file, "--json", PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert done.returncode == 0 and done.stderr == b""
    assert json.loads(done.stdout)["classes"] == ["blé", "œuf"]
    assert b"Accuracy" in program("score", file, PYTHONIOENCODING="ascii", PYTHONUTF8="0").stdout


def test_the_program_ends_with_2_and_one_sentence(tmp_path):
    (tmp_path / "empty.csv").touch()
    done = program("score", tmp_path / "empty.csv", "--json")
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.decode().count("\n") == 1 and b"empty.csv" in done.stderr


def test_closed_pipe_is_no_failure(tmp_path):
    truth, pred, _ = made()
    file = write_csv(tmp_path / "p.csv", {"y_true": truth, "y_pred": pred})
    command = f'"{sys.executable}" "{ROOT / "cli.py"}" score "{file}" --json | true; echo ${{PIPESTATUS[0]}}'
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=CEILING_SECONDS, check=False)
    assert done.stdout.strip() == "0" and done.stderr == ""


# -- merged labels and files of counts ----------------------------------------------------------------


def look_alike_file(folder: Path) -> Path:
    return write_csv(folder / "p.csv", {"y_true": ["cat", "cat", "dog", "Dog"], "y_pred": ["Cat", "cat", "Dog", "Dog"]})


def test_merged_labels_count_as_one(run, tmp_path):
    path = look_alike_file(tmp_path)
    before = run(path)
    assert before["accuracy"] == 0.5 and any("until you merge them" in text for text in before["warnings"])
    one = run(path, "--merge", "Cat=cat")
    assert one["accuracy"] == 0.75 and one["classes"] == ["Dog", "cat", "dog"]
    both = run(path, "--merge", "Cat=cat", "--merge", "Dog=dog")
    assert both["accuracy"] == 1 and both["classes"] == ["cat", "dog"] and both["warnings"] == []
    assert "You merged 'Cat' into 'cat', 'Dog' into 'dog'." in both["receipt"]["notes"]
    check_hard(both, ["cat", "cat", "dog", "dog"], ["cat", "cat", "dog", "dog"])


@pytest.mark.parametrize("pairs", [{"Cat": "cat", "Dog": "dog"}, [["Cat", "cat"], ["Dog", "dog"]]])
def test_merges_may_come_from_a_json_file(run, tmp_path, pairs):
    merges = tmp_path / "merges.json"
    merges.write_text(json.dumps(pairs), encoding="utf-8")
    assert run(look_alike_file(tmp_path), "--merge", merges)["accuracy"] == 1


@pytest.mark.parametrize(
    ("merge", "said"),
    [
        ("Cat", "'Cat' is no pair of labels; write 'Cat=cat'"),
        ("=cat", "'=cat' is no pair of labels"),
        ("Kat=cat", "There is no label 'Kat' to merge; the file has 'Cat', 'Dog', 'cat', 'dog'"),
    ],
)
def test_impossible_merge_is_refused_in_one_sentence(capsys, tmp_path, merge, said):
    assert main(["score", str(look_alike_file(tmp_path)), "--merge", merge]) == 2
    output = capsys.readouterr()
    assert output.out == "" and said in output.err and output.err.count("\n") == 1


@pytest.mark.parametrize("text", ["{", "[1]", '[["a", 1]]', '"Cat"'])
def test_wrong_file_of_merges_is_named(capsys, tmp_path, text):
    merges = tmp_path / "merges.json"
    merges.write_text(text, encoding="utf-8")
    assert main(["score", str(look_alike_file(tmp_path)), "--merge", str(merges)]) == 2
    assert capsys.readouterr().err.startswith("merges.json: pairs of labels in JSON were wanted")


@pytest.mark.parametrize("as_matrix", [True, False])
def test_counts_give_the_numbers_of_their_rows(run, capsys, tmp_path, as_matrix):
    truth, pred, _ = made()
    names = sorted(set(truth))
    pairs = [(t, p, sum(pair == (t, p) for pair in zip(truth, pred, strict=True))) for t in names for p in names]
    if as_matrix:
        columns = {"": names} | {name: [n for _, p, n in pairs if p == name] for name in names}
    else:
        columns = dict(zip(("Actual", "Predicted", "nPredictions"), map(list, zip(*pairs, strict=True)), strict=True))
    path = write_csv(tmp_path / "counts.csv", columns)
    found = run(path)
    assert found["n_rows"] == found["n_scored"] == len(truth)
    has_keys(found, EVERY_TASK | ONE_LABEL)
    check_hard(found, truth, pred)
    assert any("This file holds counts, not rows" in text for text in found["warnings"])
    assert main(["score", str(path)]) == 0
    assert "counts.csv: 60 rows in 9 lines, 60 scored" in capsys.readouterr().out


def test_labels_of_4500_characters_are_scored(run, tmp_path):
    long = "x" * 4_500
    found = run(write_csv(tmp_path / "p.csv", {"y_true": [long, "b", long], "y_pred": [long, "b", "b"]}))
    assert found["accuracy"] == pytest.approx(2 / 3) and long in found["classes"]
    assert any("more than 256 characters" in text for text in found["warnings"])


def test_padded_numbers_meet_plain_ones(run, tmp_path):
    found = run(write_csv(tmp_path / "p.csv", {"y_true": ["01", "02", "10"] * 3, "y_pred": ["1", "2", "2"] * 3}))
    assert found["classes"] == ["01", "02", "10"] and found["accuracy"] == pytest.approx(2 / 3)
    assert any("reconciled" in text for text in found["warnings"])


# -- columns that nothing says --------------------------------------------------------------------------


def test_copies_are_refused_with_a_best_guess(tmp_path, refused, capsys):
    rows = [str(i % 10) for i in range(30)]
    flags = [str(i % 2) for i in range(30)]
    file = write_csv(tmp_path / "p.csv", {"decile_score": rows, "is_recid": flags, "decile_score.1": rows})
    sentence = refused(file)
    assert "'decile_score.1' is a second column of the name 'decile_score'" in sentence
    command = sentence.partition("Best guess: python cli.py ")[2]
    assert main(shlex.split(command)) == 0
    assert "is_recid: truth" in capsys.readouterr().out


def test_missing_truth_names_columns_and_option(tmp_path, refused):
    file = write_csv(tmp_path / "p.csv", {"prediction": ["a", "b"], "note": ["x", "y"]})
    sentence = refused(file)
    assert "Predictions found in 'prediction'. True labels are missing" in sentence
    assert "--truth" in sentence and "--labels" in sentence


# -- a truth with one class -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("label", "score", "classes", "positive", "options"),
    [
        ("0", "score", ["0", "1"], "1", []),
        ("0", "y_score", ["0", "1"], "1", ["--score", "y_score"]),
        ("1", "score", ["0", "1"], "1", []),
        ("negative", "score", ["negative", "positive"], "positive", []),
        ("ham", "p_spam", ["ham", "spam"], "spam", []),
        ("cat", "p_dog", ["cat", "dog"], "dog", []),
        ("cat", "score", ["cat", "not cat"], "cat", []),
        ("cat", "score", ["bird", "cat"], "bird", ["--positive", "bird"]),
    ],
)
@pytest.mark.parametrize("n", [1, 4])
def test_a_truth_with_one_class_is_scored(tmp_path, run, capsys, label, score, classes, positive, options, n):
    values = [0.1, 0.7, 0.3, 0.2][:n]
    file = write_csv(tmp_path / "p.csv", {"y_true": [label] * n, score: values})
    found = run(file, *options)
    predicted = [positive if v >= 0.5 else next(c for c in classes if c != positive) for v in values]
    assert (found["classes"], found["positive"], found["n_scored"]) == (classes, positive, n)
    agree(found["accuracy"], sum(p == label for p in predicted) / n)
    assert {c: row["predicted"] for c, row in found["per_class"].items()} == {c: predicted.count(c) for c in classes}
    reason = "every row is positive" if label == positive else "no row is positive"
    assert found["roc_auc"] is None and found["undefined_because"]["roc_auc"] == reason
    agree(found["log_loss"], float(-np.mean([np.log(v if label == positive else 1 - v) for v in values])))
    assert f"Every true label is '{label}'" in found["warnings"][0]
    assert re.search(f"^ROC AUC +undefined: {reason}$", scored_text(capsys, file, *options), re.M)


def test_one_row_with_labels_is_scored(tmp_path, run):
    found = run(write_csv(tmp_path / "p.csv", {"y_true": ["a"], "y_pred": ["a"]}))
    assert (found["accuracy"], found["n_scored"], found["classes"]) == (1.0, 1, ["a"])


def test_own_scale_names_what_is_undefined(tmp_path, run, capsys):
    truth, scores = ["1", "0", "1", "0", "1"], [9, 2, 7, 3, 8]
    file = write_csv(tmp_path / "p.csv", {"y_true": truth, "decile_score": scores})
    found = run(file)
    agree(found["roc_auc"], sk.roc_auc_score([int(x) for x in truth], scores))
    assert found["accuracy"] is None and "no threshold" in found["undefined_because"]["accuracy"]
    assert found["log_loss"] is None and "no probabilities" in found["undefined_because"]["log_loss"]
    assert main(["score", str(file)]) == 0
    said = capsys.readouterr().out
    assert "give a threshold with --threshold, such as --threshold 7 (recommended" in said
    check_hard(run(file, "--threshold", "7"), truth, ["1" if x >= 7 else "0" for x in scores])
    assert run(file, "--scale", "logit")["threshold"] == 0
