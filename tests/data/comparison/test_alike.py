"""Runs share every setting that changes numbers: others take over what was said for the first, or nothing is ranked."""

import dataclasses

import numpy as np
import pyarrow as pa
import pytest

from data.building.build import build
from data.building.rescoring import with_threshold
from data.comparison.aligned_runs import align_runs
from data.comparison.alike.reading import label_texts, read_alike, read_all_alike, take_label_thresholds
from data.comparison.alike.settings import OF_ITS_FILE, DifferentSettings, find_differences
from data.comparison.filter_conditions import filter_rows
from data.comparison.stacked_runs import stack_runs
from data.evaluation import CHOICES, Settings
from data.parser.parser import Parser, Rule
from export.compare.comparison import comparison

TRUTH = ["cat", "dog", "cow", "cat", "dog", "cow"]
ANSWERS = {
    "A": ["cat", "dog", "it is a cow", "a cat, not a dog", "cow", "Cow"],
    "B": ["it is a cat", "dog", "cow", "a dog, not a cat", "it is a dog", "it is a cow"],
}
FIRST, LAST = (Parser(name, (Rule("exact"), Rule(name))) for name in ("first_mentioned", "last_mentioned"))


def answers(name, **settings):
    """A run of raw answers."""
    table = pa.table({"id": list("123456"), "y": TRUTH, "raw": ANSWERS[name]})
    return build(table, Settings(truth="y", raw="raw", id="id", **settings), name=name, content_sha256=name)


def labels(name, **settings):
    """A run of labels, one of which is written in two ways."""
    preds = {"A": ["cat", "Dog", "cow", "cat", "cow", "Dog"], "B": ["cat", "dog", "Dog", "cat", "Dog", "cow"]}[name]
    table = pa.table({"id": list("123456"), "y": TRUTH, "p": preds})
    return build(table, Settings(truth="y", pred="p", id="id", **settings), name=name, content_sha256=name)


def two_classes(name, **settings):
    """A run of two classes, each of which may be the positive one."""
    preds = {"A": "yynnyn", "B": "ynynyy"}[name]
    table = pa.table({"id": list("123456"), "y": list("ynynyn"), "p": list(preds)})
    chosen = {"positive": None, **settings}
    return build(table, Settings(truth="y", pred="p", id="id", **chosen), name=name, content_sha256=name)


def scores(name, **settings):
    """A run of scores of the class y."""
    values = {"A": [0.9, 0.2, 0.4, 0.6, 0.7, 0.1], "B": [0.8, 0.35, 0.45, 0.1, 0.3, 0.9]}[name]
    table = pa.table({"id": list("123456"), "y": list("ynynyn"), "s": values})
    chosen = {"positive": "y", "scores": (("s", "y"),), **settings}
    return build(table, Settings(truth="y", id="id", **chosen), name=name, content_sha256=name)


# Of every setting that runs must share: runs that have it, what may be said for one, and something else.
CASES = {
    "parser": (answers, FIRST, LAST),
    "label_set": (answers, ("cat", "dog", "cow", "it is a cow"), ("cat", "dog", "cow", "hen")),
    "merge": (labels, (("Dog", "dog"),), (("Dog", "cow"),)),
    "threshold": (scores, 0.3, 0.7),
    "positive": (two_classes, "n", "y"),
    "separator": (labels, "o", "a"),
    "tree": (labels, (("cat", "pet"), ("dog", "pet")), (("cow", "pet"),)),
    "order": (labels, ("cow", "cat", "dog", "Dog"), ("Dog", "cow", "dog", "cat")),
}


def rank(*runs):
    """Return the accuracy of runs as a comparison gives it."""
    evaluations, taken = read_all_alike(runs, ["A", "B"])
    found, said = comparison(align_runs(evaluations, ["A", "B"], key="id", taken=taken))
    return [found.interval("accuracy", model).value for model in (0, 1)], said


def test_every_setting_is_shared_or_of_its_file():
    shared = {*CASES, "class_names"}
    # a choice that is in neither is shared: it must be the same for all
    assert {field.name for field in dataclasses.fields(Settings)} - {*CHOICES} <= shared | OF_ITS_FILE
    assert not shared & OF_ITS_FILE


@pytest.mark.parametrize("setting", CASES)
def test_settings_of_the_first_run_hold_for_others(setting):
    run, value, _ = CASES[setting]
    first, other = run("A", **{setting: value}), run("B")
    reading = read_alike(other, first)
    assert label_texts(reading.evaluation).tolist() == label_texts(run("B", **{setting: value})).tolist()
    assert rank(first, other)[0] == rank(first, run("B", **{setting: value}))[0]
    assert find_differences([first, reading.evaluation]) == () and reading.taken


def test_scores_of_both_classes_take_the_positive():
    table = pa.table({"id": list("1234"), "y": list("ynyn"), "s": [0.6, 0.2, 0.7, 0.4], "t": [0.4, 0.8, 0.3, 0.6]})
    both = (("s", "y"), ("t", "n"))
    first, other = (
        build(table, Settings(truth="y", id="id", scores=both, positive=label), name=label, content_sha256=label)
        for label in "ny"
    )
    taken = read_alike(other, first)
    assert taken.taken == ("positive class",) and find_differences([first, taken.evaluation]) == ()
    assert taken.evaluation.y_score.tolist() == first.y_score.tolist()
    assert find_differences([first, read_alike(scores("A"), first).evaluation])[0].setting == "positive"


def test_thresholds_of_labels_are_carried_by_name():
    table = pa.table({"y": ["a;b", "b"], "p": [0.2, 0.4], "q": [0.2, 0.4]})
    first, other, less = (
        build(table, Settings(truth="y", encoding="delimited", delimiter=";", scores=scored), name="n",
              content_sha256=str(scored))
        for scored in ((("p", "a"), ("q", "b")), (("q", "b"), ("p", "a")), (("p", "a"), ("q", "c")))
    )  # fmt: skip
    assert take_label_thresholds(other, first, [0.3, 0.1]).y_pred.tolist() == [[False, True], [True, True]]
    assert take_label_thresholds(less, first, [0.3, 0.1]) is None


@pytest.mark.parametrize("setting", ["parser", "label_set", "merge", "order", "separator", "tree"])
def test_nothing_is_ranked_by_different_settings(setting):
    run, value, other = CASES[setting]
    for pair in (
        (run("A", **{setting: value}), run("B", **{setting: other})),
        (run("A"), run("B", **{setting: value})),
    ):
        with pytest.raises(DifferentSettings, match="No ranking: A and B ") as caught:
            rank(*pair)
        assert caught.value.differences[0].setting == setting
        with pytest.raises(DifferentSettings):
            stack_runs(pair[1], pair[0])
        settled = [read_alike(pair[0], pair[1], everything=True).evaluation, pair[1]]
        assert find_differences(settled) == ()


def test_runs_with_one_order_are_compared_by_steps():
    order = CASES["order"][1]
    evaluations, _ = read_all_alike([labels("A", order=order), labels("B")], ["A", "B"])
    found, _ = comparison(align_runs(evaluations, ["A", "B"], key="id"))
    place = {label: rank for rank, label in enumerate(order)}
    steps = [
        np.mean([abs(place[true] - place[pred]) for true, pred in zip(TRUTH, e.rows["p"].to_pylist(), strict=True)])
        for e in evaluations
    ]
    assert found.difference("mean_steps_off", 0, 1).value == pytest.approx(steps[1] - steps[0])
    assert found.runs.labels == ("cow", "cat", "dog", "Dog")


def test_added_run_is_read_by_the_first_parser():
    own = rank(answers("A"), answers("B"))[0]
    with_rule, said = rank(answers("A", parser=LAST), answers("B"))
    right = [sum(text.split()[-1] == truth for text, truth in zip(ANSWERS["B"], TRUTH, strict=True))]
    assert own[1] < with_rule[1] == (np.array(right) / 6)[0]
    assert "B takes over from A: parser." in said


def test_parsers_that_read_the_same_are_no_difference():
    longer = Parser("longer", (*LAST.rules, Rule("alias", pairs=(("kitten", "cat"),))))
    first, other = answers("A", parser=LAST), answers("B", parser=longer)
    assert rank(first, other)[0] == rank(first, answers("B", parser=LAST))[0]


def test_labels_beside_answers_are_of_no_parser():
    assert find_differences([labels("A"), answers("B", parser=FIRST)]) == ()


def test_merge_without_effect_on_the_other_is_shared():
    assert find_differences([answers("A"), labels("B", merge=(("Dog", "dog"),))]) == ()


def test_threshold_is_not_taken_over_on_another_scale():
    first, other = with_threshold(scores("A"), 0.3), scores("B", scale="score", threshold=None)
    assert read_alike(other, first).taken == ()
    assert [one.setting for one in find_differences([first, other])] == ["threshold"]
    assert find_differences([first, other], thresholds=False) == ()
    assert find_differences([first, with_threshold(other, 0.5)]) == (), "each at its own, as a person said"


def test_filter_and_excluded_rows_hold_for_all_runs():
    first = filter_rows(answers("A"), (("y", "cat"),))
    found = align_runs([first, answers("B")], ["A", "B"], key="id")
    for evaluation, places in zip(found.evaluations, found.places, strict=True):
        assert evaluation.rows.column("id").take(pa.array(places)).to_pylist() == ["1", "4"]
