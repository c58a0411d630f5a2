"""Test every metric: complete rows, ranges, row order, empty input, and the right numbers in formulas."""

import math
import re
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, strategies as st
from sklearn import metrics as sk

from metrics.catalogue.average_entries import END
from metrics.catalogue.chooser_tree import TREE
from metrics.catalogue.registry import NOTATION, REGISTRY, ROWS
from metrics.confusion.counts import confusion_counts, confusion_counts_from_matrix
from metrics.confusion.one_vs_rest import one_against_rest
from metrics.multilabel.set_metrics import multilabel_counts
from metrics.scores.curves import score_counts
from metrics.thresholds.threshold_metrics import best_thresholds, rates_at
from tests.metrics.pairs import many_classes, pairs
from tests.metrics.scores.one_vs_rest import one_vs_rest

METRICS = ROWS
METRICS_OF = {
    eats: [metric for metric in METRICS if metric.eats == eats] for eats in sorted({metric.eats for metric in METRICS})
}
every_kind = pytest.mark.parametrize("eats", METRICS_OF)
every_metric = pytest.mark.parametrize("metric", METRICS, ids=lambda metric: f"{metric.key}-{metric.tasks[-1]}")


PATHS = ((0, 1), (0, 2), (3,))
"""Of three labels, two of them in one group."""
COUNTED = ("score counts", "calibration")
"""Kinds of input that are the scores of one class."""

# Rows of a file for each thing that a metric can eat, and how they are turned into it.


@st.composite
def rows_for(draw, eats, min_rows=0):
    """One array per column of the file; all of the same length."""
    if eats.startswith("confusion counts"):
        p = draw(pairs(min_rows))
        order = draw(st.permutations(range(p.n_space)))
        paths = tuple((code % 2, 2 + code) for code in range(len(p.labels)))
        structure = {"labels": p.labels, "n_space": p.n_space, "ranks": tuple(order), "paths": paths}
        return structure, (p.y_true, p.y_pred)
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n, k = draw(st.integers(min_rows, 30)), draw(st.integers(2, 5))
    if eats == "multi-label counts":
        true, pred = (random.random((2, n, k)) < draw(st.sampled_from([0.0, 0.1, 0.5, 1.0]))).astype(bool)
        return {"labels": [str(i) for i in range(k)]}, (true, pred)
    if eats in COUNTED or (eats == "probabilities" and draw(st.booleans())):
        true = random.random(n) < draw(st.sampled_from([0.0, 0.2, 0.5, 1.0]))
        return {}, (true, random.integers(0, 11, n) / 10)
    true = random.integers(0, draw(st.integers(1, k)), n)
    score = random.dirichlet(np.ones(k), n)
    return ({"score_codes": tuple(range(k))} if eats == "scores per class" else {}), (true, score)


def eaten(eats, options, columns):
    """Return what the metric is called with."""
    if eats == "confusion counts":
        return (confusion_counts(*columns, **options),)
    if eats == "confusion counts, one class":
        return (one_against_rest(confusion_counts(*columns, **options), 0),)
    if eats in COUNTED:
        return (score_counts(*columns),)
    if eats == "multi-label counts":
        return (multilabel_counts(*columns, options["labels"]),)
    return (one_vs_rest(*columns, options["score_codes"]),) if eats == "scores per class" else columns


def length(columns):
    return len(columns[0])


MACRO = {  # all of 4 rows right, no row of c; then a row of a is predicted as c; and what the pitfall says of that
    "macro_f1": (1, 5 / 9, "adds it to the average as 0"),
    "macro_f1_supported": (1, 5 / 6, "lower it only through recall"),
    "macro_f1_label_space": (2 / 3, 5 / 9, "lowers it whatever the model does"),
    "macro_precision": (1, 2 / 3, "adds it to the average as 0"),
    "macro_precision_supported": (1, 1, "do not lower it"),
    "macro_precision_label_space": (math.nan, 2 / 3, "never true counts as 0. It is undefined"),
    "macro_recall": (1, math.nan, "makes it undefined"),
    "macro_recall_supported": (1, 3 / 4, "Few rows"),
    "macro_recall_label_space": (math.nan, math.nan, "has no true rows"),
}


@pytest.mark.parametrize("key", MACRO)
@pytest.mark.parametrize("many", [False, True])
def test_pitfall_of_macro_averages_is_true(key, many):
    right, wrong, pitfall = MACRO[key]
    [metric] = [metric for metric in METRICS if metric.key == key and (metric.eats == "multi-label counts") == many]
    y_true, labels = np.array([0, 0, 1, 1]), ("a", "b", "c")
    for y_pred, expected in ((y_true, right), (np.array([0, 2, 1, 1]), wrong)):
        counts = (
            multilabel_counts(np.eye(3, dtype=bool)[y_true], np.eye(3, dtype=bool)[y_pred], labels)
            if many
            else confusion_counts(y_true, y_pred, labels=labels)
        )
        assert metric.function(counts) == pytest.approx(expected, nan_ok=True)
    assert pitfall.lower() in metric.pitfall.lower()
    assert "undefined" in metric.pitfall or not (math.isnan(right) or math.isnan(wrong))


@every_metric
def test_every_field_is_filled(metric):
    for name in (metric.key, *metric.aliases):
        assert re.fullmatch(r"[a-z][a-z0-9_]*", name)
        assert all(REGISTRY[task, name] is metric for task in metric.tasks)
    for text in (metric.when, metric.pitfall, metric.source):
        assert len(text) > 12 and text[0].isupper() and text.endswith((".", "?")) and "  " not in text
    assert len(metric.title) > 1 and not metric.title.endswith(".")
    assert metric.direction in ("higher", "lower", "zero") and metric.tasks
    assert metric.range[0] < metric.range[1]
    assert callable(metric.function) and callable(metric.worked)


@every_metric
def test_a_loss_moves_with_every_score(metric):
    """A tiny change of every score changes what can be trained on, and nothing else."""
    random, k = np.random.default_rng(0), 3
    true, score = random.integers(0, k, 40), random.dirichlet(np.ones(k), 40)
    moved = score + 1e-7 * (np.eye(k)[true] - 1 / k)
    values = []
    for scores in (score, moved):
        if metric.eats == "multi-label counts":
            columns = np.eye(k, dtype=bool)[true], scores > 0.4
        elif metric.eats.startswith("confusion"):
            columns = true, scores.argmax(axis=1)
        else:
            columns = (true == 1, scores[:, 1]) if metric.eats in COUNTED else (true, scores)
        options = {"labels": ("a", "b", "c"), "score_codes": (0, 1, 2), "ranks": (0, 1, 2), "paths": PATHS}
        known = {"labels", "ranks", "paths"} if metric.eats.startswith("confusion") else set(options)
        given = {name: value for name, value in options.items() if name in known}
        values.append(metric.function(*eaten(metric.eats, given, columns)))
    moves = values[0] != values[1] and metric.direction != "zero"
    assert metric.as_loss.startswith("Yes: " if moves else "No: ")
    assert all(len(sentence.split()) <= 20 for sentence in metric.as_loss.split(". "))


def test_accuracy_says_why_it_is_no_loss():
    said = REGISTRY["binary", "accuracy"].as_loss
    assert "A small change of a score changes no label" in said and said.endswith(
        "Cross-entropy takes its place in training."
    )


def test_titles_tell_metrics_apart():
    assert len({metric.title for metric in METRICS}) == len(METRICS)


def test_headlines_over_labels_do_not_say_classes():
    titles = [metric.headline.title for metric in METRICS_OF["multi-label counts"] if metric.headline]
    assert "Macro F1 over labels seen" in titles and not any("class" in title for title in titles)


def test_names_of_a_task_differ():
    """A file shows the metrics of one task: there one name is one number."""
    names = Counter((task, metric.name.casefold()) for metric in METRICS for task in metric.tasks)
    assert [name for name, n in names.items() if n > 1] == []


def test_titles_hold_the_figures_of_names():
    """F2 of a table is F2 in the glossary, too."""
    for row in ROWS:
        name, title = (set(re.findall(r"\w*\d[\w.]*", text)) for text in (row.name, row.title))
        assert name <= title, row.key


def test_everything_the_chooser_names_is_there():
    ends = [node for node in TREE.values() if node.kind == "end"]
    assert ends and all(metric in ROWS for node in ends for metric in (node.metric, *node.beside))


def check_latex(latex):
    depth = 0
    for brace in re.sub(r"\\[{}]", "", latex):
        depth += (brace == "{") - (brace == "}")
        assert depth >= 0, latex
    assert depth == 0, latex
    assert len(re.findall(r"\\left\b", latex)) == len(re.findall(r"\\right\b", latex)), latex
    commands = set(re.findall(r"\\([a-zA-Z]+)", latex))
    known = "bar frac overline pi prod text left right sum sqrt cdot approx ln max min qquad quad in int"
    known += " cap cup theta beta infty dots ge"
    assert commands <= set(known.split()), latex


@every_metric
def test_the_formula_is_well_formed(metric):
    check_latex(metric.formula)


SYMBOL = r"(?:\\theta|\\beta|[A-Za-z]+)(?:_(?:\{\w+\}|\\theta|[A-Za-z0-9+-]))?"


def symbols(latex):
    """Its letters and names, each with its subscript; no words and no functions."""
    plain = re.sub(r"\\text\{[^}]*\}|\\; d\\,", " ", latex).replace("_{i-1}", "_i")
    return set(re.findall(SYMBOL, re.sub(r"\\(?!theta|beta)[a-z]+", " ", plain)))


def test_formula_symbols_are_all_explained():
    explained, used = set(), set()
    for latex in NOTATION:
        check_latex(latex)
        explained |= symbols(latex)
    for metric in METRICS:
        itself = set(re.findall(rf"quad\s*({SYMBOL}) =", metric.formula))
        for symbol in symbols(metric.formula) - itself:
            found = {symbol, re.sub(r"_(l|\\theta)$", "", symbol)}  # of a label, at a threshold: both are explained
            assert found & explained, f"{symbol} in the formula of {metric.key}"
            used |= found
    assert explained <= used


@every_kind
@given(data=st.data())
def test_the_order_of_the_rows_does_not_matter(eats, data):
    options, columns = data.draw(rows_for(eats))
    order = data.draw(st.permutations(range(length(columns))))
    inputs = eaten(eats, options, columns)
    shuffled = eaten(eats, options, tuple(column[np.array(order, dtype=int)] for column in columns))
    for metric in METRICS_OF[eats]:
        found, again = metric.function(*inputs), metric.function(*shuffled)
        assert found == pytest.approx(again, rel=0, abs=1e-12, nan_ok=True), metric.key


@every_kind
@given(data=st.data())
def test_worked_value_is_in_range_or_undefined(eats, data):
    inputs = eaten(eats, *data.draw(rows_for(eats)))
    for metric in METRICS_OF[eats]:
        value = metric.function(*inputs)
        assert isinstance(value, int | float), metric.key
        lowest, highest = metric.range
        assert math.isnan(value) or lowest - 1e-12 <= value <= highest + 1e-12, metric.key
        worked = metric.worked(*inputs)
        check_latex(worked)
        check_end(worked, value)


def check_end(worked, value):
    sign, shown = re.findall(r"(=|\\approx) ([^=]+)$", worked)[0]
    found = number(shown)
    if math.isnan(value):
        assert math.isnan(found)
    elif sign == "=":
        assert found == value
    else:
        assert found != value and found == pytest.approx(value, rel=5.1e-3 if abs(value) < 1e-3 else 0, abs=5.1e-5)


def number(latex):
    if latex == r"\text{undefined}":
        return math.nan
    digits, _, exponent = latex.replace("{,}", "").partition(r" \cdot 10^")
    return float(f"{digits}e{exponent.strip('{}') or 0}")


@every_metric
def test_without_rows_there_is_no_value(metric):
    empty = {
        "confusion counts": ((), ()),
        "confusion counts, one class": ((), ()),
        "score counts": (np.zeros(0, bool), np.zeros(0)),
        "calibration": (np.zeros(0, bool), np.zeros(0)),
        "scores per class": (np.zeros(0, int), np.zeros((0, 2))),
        "class scores": (np.zeros(0, int), np.zeros((0, 2))),
        "probabilities": (np.zeros(0, bool), np.zeros(0)),
        "multi-label counts": (np.zeros((0, 2), bool), np.zeros((0, 2), bool)),
    }[metric.eats]
    options = {"labels": ("a", "b"), "score_codes": (0, 1)}
    columns = tuple(np.array(column, dtype=np.int32) if isinstance(column, tuple) else column for column in empty)
    if metric.eats.startswith("confusion"):
        options.pop("score_codes")
    inputs = eaten(metric.eats, options, columns)
    if metric.unit == "rows":
        assert metric.function(*inputs) == 0
    else:
        assert math.isnan(metric.function(*inputs))
        assert metric.worked(*inputs).endswith(r"= \text{undefined}")


# The worked formulas, calculated.

STEPS = {
    "ordered": replace(
        confusion_counts_from_matrix([[8, 2, 1], [1, 7, 3], [0, 2, 9]], ("l", "m", "h")), ranks=(0, 1, 2)
    ),
    "a step without rows": replace(
        confusion_counts_from_matrix([[4, 3, 1, 2], [1, 7, 3, 0], [0, 0, 0, 0]], ("l", "m", "h")), ranks=(0, 1, 3)
    ),
}
GROUPED = confusion_counts_from_matrix([[4, 3, 1, 2], [1, 7, 3, 0], [0, 0, 0, 0]], ("x/a", "x/b", "y"))
CONFUSIONS = {
    **STEPS,
    "in groups": replace(GROUPED, paths=PATHS),
    "two classes": confusion_counts_from_matrix([[227, 31], [50, 192]], ("Class1", "Class2")),
    "unparseable": confusion_counts_from_matrix([[40, 3, 0, 7], [5, 20, 2, 1], [1, 1, 9, 0]], ("a", "b", "c")),
    "an absent class": confusion_counts_from_matrix([[8, 1, 1], [2, 7, 0], [0, 0, 0]], ("a", "b", "c")),
    "never predicted": confusion_counts_from_matrix([[900, 0, 4], [9, 0, 1], [3, 0, 83]], ("a", "b", "c")),
}
TRUE = np.array([[1, 1, 1], [0, 0, 1], [1, 1, 0], [0, 0, 0]], bool)
PRED = np.array([[1, 0, 0], [0, 1, 1], [1, 1, 0], [0, 0, 0]], bool)
LABEL_SETS = multilabel_counts(TRUE, PRED, ("a", "b", "c"))
IS_TRUE, SCORE = np.array([1, 0, 1, 0, 0], bool), np.array([0.9, 0.4, 0.4, 0.35, 0.1])
CODES, SCORES = np.array([0, 1, 2, 1]), np.array([[0.7, 0.2, 0.1], [0.3, 0.4, 0.3], [0.2, 0.3, 0.5], [0.5, 0.3, 0.2]])
EXAMPLES: dict[str, dict[str, tuple]] = {
    "confusion counts": {name: (counts,) for name, counts in CONFUSIONS.items()},
    "confusion counts, one class": {
        **{
            f"{name}, class {code}": (one_against_rest(counts, code),)
            for name, counts in CONFUSIONS.items()
            for code in (0, 1)
        },
        "label sets": (one_against_rest(LABEL_SETS, 2),),
    },
    "multi-label counts": {"label sets": (LABEL_SETS,)},
    "calibration": {"five rows": (score_counts(IS_TRUE, SCORE),)},
    "score counts": {"five rows": (score_counts(IS_TRUE, SCORE),)},
    "scores per class": {"four rows": (one_vs_rest(CODES, SCORES, (0, 1, 2)),)},
    "class scores": {"four rows": (CODES, SCORES)},
    "probabilities": {"one score": (IS_TRUE[1:], SCORE[1:]), "a score per class": (CODES, SCORES)},
}
CALCULATED = [
    pytest.param(metric, inputs, id=f"{metric.key}-{metric.tasks[-1]}: {example}")
    for metric in METRICS
    for example, inputs in EXAMPLES[metric.eats].items()
    if metric.unit != "p"  # a sum of many terms, which is named and not written out
]


def calculate(latex):
    """The value of LaTeX made of numbers, fractions, roots, products, logarithms and brackets."""
    python = latex.replace("{,}", "").replace(r"\left", "").replace(r"\right", "").replace(r"\text{undefined}", "nan")
    python = re.sub(r"\\ln ([\d.]+)", r"log(\1)", python)
    python = re.sub(r"\) \(", ") * (", python)
    python = re.sub(r"([\d.]) log", r"\1 * log", python)
    python = python.replace(r"\cdot", "*").replace("^{", "** {").replace("^", "**")
    python = python.replace(r"\frac", "over").replace(r"\sqrt", "root").replace("}{", ", ")
    python = re.sub(r"(\)) (\()", r"\1 * \2", python.replace("{", "(").replace("}", ")"))
    python = re.sub(r"(over\((?:[^()]|\([^()]*\))*\)) \(", r"\1 * (", python)
    names = {"over": lambda a, b: a / b if b else math.nan, "root": math.sqrt, "log": math.log, "nan": math.nan}
    return eval(python, {"__builtins__": {}}, names)


@pytest.mark.parametrize(("metric", "inputs"), CALCULATED)
def test_numbers_in_the_formula_give_the_value(metric, inputs):
    worked, value = metric.worked(*inputs), metric.function(*inputs)
    assert r"\dots" not in worked
    formula = re.sub(r"^\\text\{at score\} \\ge [^:]+: \\quad ", "", re.split(r" (?:=|\\approx) (?=[^=]+$)", worked)[0])
    if worked.endswith("undefined}"):
        assert math.isnan(value) and (math.isnan(calculate(formula)))
    else:
        # The numbers inside are rounded to four decimals.
        assert calculate(formula) == pytest.approx(value, abs=5e-4)


def test_the_worked_formulas_of_a_known_file():
    two = CONFUSIONS["two classes"]
    first = one_against_rest(two, 0)
    assert REGISTRY["binary", "accuracy"].worked(two) == r"\frac{419}{500} = 0.838"
    assert REGISTRY["binary", "precision"].worked(first) == r"\frac{227}{227 + 50} \approx 0.8195"
    assert (
        REGISTRY["binary", "balanced_accuracy"]
        .worked(two)
        .startswith(r"\frac{1}{2} \left( \frac{227}{258} + \frac{192}{242} \right)")
    )
    assert REGISTRY["binary", "f_beta"].worked(first, beta=0.5).startswith(r"\frac{(1 + 0.25) \cdot 227}{")
    cost = REGISTRY["binary", "expected_cost"].worked(first, cost_fn=10.0)
    assert cost == r"\frac{1 \cdot 50 + 10 \cdot 31}{500} = 0.72"
    benefit = REGISTRY["binary", "net_benefit"].worked(first, probability=0.2)
    assert benefit == r"\frac{227}{500} - \frac{50}{500} \cdot \frac{0.2}{0.8} = 0.429"
    gap = REGISTRY["binary", "max_macro_f1"].worked(CONFUSIONS["an absent class"])
    assert gap == r"\frac{2}{3} \approx 0.6667"


def test_p_value_names_what_it_is_of():
    worked = REGISTRY["binary", "accuracy_above_baseline_p"].worked(CONFUSIONS["an absent class"])
    assert worked.startswith(r"P(\text{15} \text{ or more of } \text{binomial}(19, \frac{10}{19})) \approx ")


def test_many_classes_are_shortened_and_stay_short():
    counts = many_classes().counts
    for metric in METRICS:
        if metric.eats == "confusion counts":
            worked = metric.worked(counts)
            assert len(worked) < 300, worked
            if metric.unit == "p":
                assert worked.endswith(" < 0.001") and metric.function(counts) < 0.001
            else:
                check_end(worked, metric.function(counts))
    assert r"\dots" in REGISTRY["binary", "macro_f1_supported"].worked(counts)


def test_class_name_never_enters_a_formula():
    evil = confusion_counts_from_matrix([[3, 1], [1, 3]], (r"\href{http://x}{y}", "$"))
    for metric in METRICS:
        if metric.eats.startswith("confusion counts"):
            worked = metric.worked(one_against_rest(evil, 0) if metric.eats.endswith("class") else evil)
            assert "href" not in worked and "$" not in worked


# Every name does what it says: against scikit-learn, on one file.


def scikit_learn_of(p):
    supported, seen = (np.flatnonzero(mask) for mask in (p.counts.support, p.counts.support + p.counts.predicted))
    labels = [p.names[code] for code in seen]
    over = {"supported": supported, "seen": seen, "space": range(p.n_space)}
    rates = {"f1": sk.f1_score, "precision": sk.precision_score, "recall": sk.recall_score}
    expected = {
        "accuracy": sk.accuracy_score(p.truth, p.answer),
        "balanced_accuracy": sk.balanced_accuracy_score(p.truth, p.answer),
        "cohen_kappa": sk.cohen_kappa_score(p.truth, p.answer),
        "jaccard_macro": sk.jaccard_score(p.truth, p.answer, labels=labels, average="macro"),
        "macro_f05": sk.fbeta_score(p.truth, p.answer, beta=0.5, labels=labels, average="macro"),
        "macro_f2": sk.fbeta_score(p.truth, p.answer, beta=2, labels=labels, average="macro"),
        "matthews_correlation": sk.matthews_corrcoef(p.truth, p.answer),
    }
    for which, rate in rates.items():
        for name, codes in over.items():
            labels = [p.names[code] for code in codes]
            expected[f"macro_{which}_{name}"] = rate(p.truth, p.answer, labels=labels, average="macro", zero_division=0)
        labels = [p.names[code] for code in supported]
        expected[f"weighted_{which}"] = rate(p.truth, p.answer, labels=labels, average="weighted", zero_division=0)
        expected[f"micro_{which}"] = rate(p.truth, p.answer, labels=list(p.names), average="micro", zero_division=0)
    return expected


@pytest.mark.filterwarnings("ignore:.*y_pred contains classes not in y_true")
def test_names_over_classes_do_what_they_say():
    p = many_classes(n=3_000)
    for name, expected in scikit_learn_of(p).items():
        found = REGISTRY["binary", name].function(p.counts)
        assert math.isnan(found) or found == pytest.approx(expected, abs=1e-12), name
    defined = [name for name in scikit_learn_of(p) if not math.isnan(REGISTRY["binary", name].function(p.counts))]
    assert {"macro_f1_seen", "macro_f1_supported", "macro_f1_space", "macro_recall_supported"} <= set(defined)


def test_names_over_label_sets_do_what_they_say():
    random = np.random.default_rng(1)
    true, pred = random.random((2, 200, 6)) < 0.4
    counts = multilabel_counts(true, pred, "abcdef")
    for which, score in (("f1", sk.f1_score), ("precision", sk.precision_score), ("recall", sk.recall_score)):
        for average in ("micro", "macro", "weighted", "samples"):
            expected = score(true, pred, average=average, zero_division=0)
            found = REGISTRY["multilabel", f"multilabel_{average}_{which}"].function(counts)
            assert found == pytest.approx(expected, abs=1e-12)
    for average in ("samples", "micro", "macro"):
        expected = sk.jaccard_score(true, pred, average=average, zero_division=0)
        assert REGISTRY["multilabel", f"jaccard_{average}"].function(counts) == pytest.approx(expected, abs=1e-12)
    for name, expected in {
        "subset_accuracy": sk.accuracy_score(true, pred),
        "hamming_loss": sk.hamming_loss(true, pred),
        "labels_per_row_true": true.sum() / 200,
        "labels_per_row_pred": pred.sum() / 200,
    }.items():
        assert REGISTRY["multilabel", name].function(counts) == pytest.approx(expected, abs=1e-12)


def test_label_macro_averages_are_over_named_labels():
    """Of four labels the third has no true rows, the fourth is not listed; the others are right in every row."""
    true = np.array([[1, 0, 0, 0], [1, 1, 0, 0]], bool)
    pred = true | np.array([0, 0, 0, 1], bool)
    counts = multilabel_counts(true, pred, "abcd", n_space=3)
    found = {over: REGISTRY["multilabel", f"macro_f1{over}"].function(counts) for over in END.values()}
    assert found == {"": pytest.approx(2 / 3), "_supported": 1.0, "_label_space": pytest.approx(2 / 3)}


def test_row_needs_an_influence_or_a_reason():
    accuracy = REGISTRY["binary", "accuracy"]
    for both_or_neither in ({"no_interval": "none"}, {"influence": None}):
        with pytest.raises(TypeError, match="accuracy needs an influence"):
            replace(accuracy, **both_or_neither)


def test_row_of_class_tables_needs_a_key():
    with pytest.raises(TypeError, match="recall is in tables of classes, so it needs a class_key"):
        replace(REGISTRY["binary", "recall"], class_key="")


def test_averages_over_scores_do_what_they_say():
    random = np.random.default_rng(2)
    true, score = random.integers(0, 4, 300), random.dirichlet(np.ones(4), 300)
    ranked = one_vs_rest(true, score, (0, 1, 2, 3))
    one_hot = np.eye(4, dtype=int)[true]
    for name, expected in {
        "macro_roc_auc": sk.roc_auc_score(true, score, multi_class="ovr", average="macro"),
        "weighted_roc_auc": sk.roc_auc_score(true, score, multi_class="ovr", average="weighted"),
        "macro_average_precision": sk.average_precision_score(one_hot, score, average="macro"),
    }.items():
        assert REGISTRY["multiclass", name].function(ranked) == pytest.approx(expected, abs=1e-12)


RATES = {
    "precision": "precision",
    "recall": "recall",
    "f1": "f1",
    "specificity": "specificity",
    "false_positive_rate": "fpr",
    "negative_predictive_value": "npv",
    "youden_j": "youden_j",
    "class_accuracy": "accuracy",
    "predicted_share": "predicted_positive_rate",
}


@given(rows_for("score counts"), st.sampled_from([-1.0, 0.0, 0.35, 0.5, 1.0, 2.0]))
def test_one_class_has_the_rates_of_its_threshold(rows, threshold):
    true, score = rows[1]
    at = rates_at(score_counts(true, score), threshold)
    counts = confusion_counts(true.astype(int), (score >= threshold).astype(int), labels=("no", "yes"))
    for name, field in RATES.items():
        np.testing.assert_allclose(
            REGISTRY["binary", name].function(one_against_rest(counts, 1)), getattr(at, field), rtol=0, atol=1e-12
        )


@given(pairs(min_rows=1), st.sampled_from([0.5, 1.0, 2.0]))
def test_f_beta_of_one_class_is_scikit_learns(p, beta):
    if p.truth:
        options = {"labels": [p.names[0]], "average": None, "zero_division": np.nan}
        expected = sk.fbeta_score(p.truth, p.answer, beta=beta, **options)
        found = [REGISTRY["binary", "f_beta"].function(one_against_rest(p.counts, 0), beta=beta)]
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12)


def test_cheapest_threshold_has_the_lowest_cost():
    scores, costs = score_counts(IS_TRUE, SCORE), {"cost_fp": 3.0, "cost_fn": 1.5}
    best = best_thresholds(scores, **costs)["cost"]
    counts = confusion_counts(IS_TRUE.astype(int), (best.threshold <= SCORE).astype(int), labels=("no", "yes"))
    cost = REGISTRY["binary", "expected_cost"].function(one_against_rest(counts, 1), **costs)
    assert cost == REGISTRY["binary", "lowest_cost"].function(scores, **costs) == best.value
    assert REGISTRY["binary", "lowest_cost"].worked(scores, **costs).endswith(f"= {cost:g}")


@pytest.mark.parametrize(
    ("key", "given", "message"),
    [
        *(
            ("expected_cost", costs, "costs must be finite and not negative")
            for costs in ({"cost_fp": -1.0}, {"cost_fn": math.inf}, {"cost_fp": math.nan})
        ),
        *(
            ("f_beta", {"beta": beta}, "beta must be a finite number above 0")
            for beta in (0.0, -2.0, math.inf, math.nan)
        ),
    ],
)
def test_costs_and_betas_that_are_none_are_told(key, given, message):
    with pytest.raises(ValueError, match=message):
        REGISTRY["binary", key].function(one_against_rest(CONFUSIONS["two classes"], 0), **given)


@pytest.mark.parametrize("name", ["log_loss", "brier_score"])
def test_worked_loss_counts_scored_rows_only(name):
    metric = REGISTRY["binary", name]
    with_gap = np.array([True, False, True]), np.array([0.5, np.nan, 0.25])
    assert metric.worked(*with_gap) == metric.worked(np.array([True, True]), np.array([0.5, 0.25]))
    logits = np.array([True, True]), np.array([0.0, -3.0])
    check_end(metric.worked(*logits, from_logits=True), metric.function(*logits, from_logits=True))
