"""The decision tree is a tree, every way through it ends at a metric that exists, and the file answers what it can."""

import itertools

import numpy as np
import pytest

from metrics.catalogue.chooser import Answered, Facts, answers_from, overridden, walk, why_not_accuracy
from metrics.catalogue.chooser_tree import ROOT, TREE
from metrics.catalogue.registry import ROWS

QUESTIONS = [node for node in TREE.values() if node.kind == "question"]
ENDS = [node for node in TREE.values() if node.kind == "end"]


def children(node):
    return [answer.leads_to for answer in TREE[node].answers]


def every_path(node=ROOT):
    """All lists of (question, answer) from the root to an end."""
    if TREE[node].kind == "end":
        return [([], node)]
    return [
        ([(node, answer.key), *rest], end) for answer in TREE[node].answers for rest, end in every_path(answer.leads_to)
    ]


def end_of(**answers):
    return TREE[walk(answers).end]


def test_chooser_node_has_exactly_one_way_in():
    led_to = list(itertools.chain.from_iterable(children(node) for node in TREE))
    assert sorted(led_to) == sorted(set(TREE) - {ROOT})


def test_it_fits_on_a_screen():
    assert 8 <= len(QUESTIONS) <= 10 and 12 <= len(ENDS) <= 15


def test_every_way_through_the_tree_ends():
    paths = every_path()
    assert {end for _, end in paths} == {node.id for node in ENDS}
    for answers, end in paths:
        path = walk(dict(answers))
        assert path.end == end and path.open is None
        assert path.nodes == (*(question for question, _ in answers), end)


@pytest.mark.parametrize("node", QUESTIONS, ids=lambda node: node.id)
def test_questions_explain_themselves_with_distinct_answers(node):
    assert node.text.endswith("?") and len(node.help) > 40
    assert len(node.answers) >= 2
    assert (
        len({answer.key for answer in node.answers})
        == len({answer.label for answer in node.answers})
        == len(node.answers)
    )


@pytest.mark.parametrize("node", ENDS, ids=lambda node: node.id)
def test_chooser_ends_name_metrics_and_reasons(node):
    assert all(metric in ROWS for metric in (node.metric, *node.beside))
    assert node.metric not in node.beside
    assert len(node.why) > 40 and len(node.hides) > 40


@pytest.mark.parametrize(
    ("answer", "tasks"),
    [("two", {"binary"}), ("many", {"multiclass"}), ("several", {"multilabel"}), ("text", {"binary", "multiclass"})],
)
def test_every_end_names_metrics_of_its_task(answer, tasks):
    for answers, end in every_path():
        if answers[0] == (ROOT, answer):
            for metric in (TREE[end].metric, *TREE[end].beside):
                assert tasks <= set(metric.tasks), (end, metric.key)


def test_an_unknown_threshold_leads_to_the_roc_curve():
    assert end_of(task="two", threshold="no", probabilities="no", rare="no").metric.key == "roc_auc"
    below = {end for answers, end in every_path() if ("threshold", "no") in answers}
    assert "accuracy" not in {TREE[end].metric.key for end in below}


def test_known_threshold_and_balance_lead_to_accuracy():
    assert end_of(task="two", threshold="yes", balanced="yes").metric.key == "accuracy"


def test_known_threshold_and_imbalance_lead_to_f1():
    assert end_of(task="two", threshold="yes", balanced="no", costs="same").metric.key == "f1"


def test_costlier_mistake_decides_f_beta():
    unbalanced = {"task": "two", "threshold": "yes", "balanced": "no"}
    alarm, miss = end_of(**unbalanced, costs="alarm"), end_of(**unbalanced, costs="miss")
    assert (alarm.metric.key, alarm.options) == ("f_beta", {"beta": 0.5})
    assert (miss.metric.key, miss.options) == ("f_beta", {"beta": 2.0})


def test_rare_positives_lead_to_average_precision():
    end = end_of(task="two", threshold="no", probabilities="no", rare="yes")
    assert end.metric.key == "average_precision" and "roc_auc" in {metric.key for metric in end.beside}


def test_answers_stop_at_the_first_open_question():
    assert walk({}) == ((ROOT,), None, ROOT)
    assert walk({"task": "two", "balanced": "yes"}) == (("task", "threshold"), None, "threshold")
    assert walk({"task": "no such answer"}).open == "task"


@pytest.mark.parametrize(("share", "answer"), [(0.5, "yes"), (0.65, "yes"), (0.66, "no"), (0.99, "no")])
def test_two_classes_balance_from_35_per_cent(share, answer):
    found = answers_from(Facts(task="binary", majority_share=share))
    assert found["balanced"].answer == answer
    assert "35 %" in found["balanced"].because and f"{1 - share:.0%}".rstrip("%") in found["balanced"].because
    assert "balanced_classes" not in found


@pytest.mark.parametrize(
    ("facts", "reason"),
    [
        ({"smallest": 100}, ""),
        ({"smallest": 99}, "over 3 times"),
        ({"n_never_predicted": 1}, "1 class is never predicted"),
        ({"accuracy": 0.85, "balanced_accuracy": 0.8}, ""),
        ({"accuracy": 0.851, "balanced_accuracy": 0.8}, "above balanced accuracy 0.800"),
    ],
)
@pytest.mark.parametrize(
    ("task", "node", "text"), [("multiclass", "balanced_classes", False), ("binary", "balanced", False),
                               ("multiclass", "balanced_text", True)],
)  # fmt: skip
def test_accuracy_must_be_fair_to_every_class(task, node, text, facts, reason):
    given = {"largest": 300, "smallest": 150, "majority_share": 0.6, "has_scores": False, **facts}
    known = Facts(task=task, n_classes=77, text_answers=text, **given)
    found, path = answers_from(known), walk(answers_from(known))
    if task == "binary" and "smallest" in facts:
        reason = ""  # two classes are judged by the share of the rarer one
    assert found[node].answer == ("no" if reason else "yes") and reason in found[node].because
    assert (path.end is not None and TREE[path.end].metric.key == "accuracy") == (not reason)
    assert any(reason in sentence for sentence in why_not_accuracy(path, known)) == bool(reason)


def test_why_not_accuracy_is_answered_at_every_end():
    for answers, end in every_path():
        path = walk(dict(answers))
        for facts in (None, Facts()):
            assert bool(why_not_accuracy(path, facts)) == (TREE[end].metric.key != "accuracy"), end


@pytest.mark.parametrize(("share", "answer"), [(0.01, "yes"), (0.1, "no"), (0.9, "no")])
def test_positives_are_rare_under_a_tenth(share, answer):
    found = answers_from(Facts(task="binary", positive_share=share))["rare"]
    assert found.answer == answer and "10 %" in found.because


def test_decisions_without_scores_have_a_known_threshold():
    found = answers_from(Facts(task="binary", has_scores=False))
    assert (found["threshold"].answer, found["probabilities"].answer) == ("yes", "no")


def test_a_chosen_threshold_is_known_and_named():
    known = answers_from(Facts(has_scores=True, has_threshold=True, threshold=0.25))["threshold"]
    assert known.answer == "yes" and "0.25" in known.because
    assert answers_from(Facts(has_scores=True, has_threshold=False))["threshold"].answer == "no"
    assert "threshold" not in answers_from(Facts(has_scores=True))


@pytest.mark.parametrize(
    ("facts", "answer"),
    [
        (Facts(task="binary"), "two"),
        (Facts(task="multiclass", n_classes=10), "many"),
        (Facts(task="multilabel", n_unparsed=0), "several"),
        (Facts(task="multiclass", n_unparsed=3), "text"),
        (Facts(task="binary", text_answers=True, n_unparsed=0), "text"),
    ],
)
def test_the_file_says_what_a_row_gets(facts, answer):
    assert answers_from(facts)["task"].answer == answer


def test_without_a_file_every_question_is_open():
    assert answers_from(Facts()) == {}


def test_undefined_numbers_answer_nothing():
    found = answers_from(Facts(task="binary", majority_share=np.nan, positive_share=np.nan))
    assert set(found) == {"task"}
    assert set(answers_from(Facts(task="multiclass", accuracy=np.nan))) == {"task"}


def test_answers_of_the_file_are_in_the_tree():
    for task, scores, threshold, text in itertools.product(
        ("binary", "multiclass", "multilabel", None), (True, False), (True, False, None), (True, False)
    ):
        facts = Facts(task, 5, 0.6, 0.2, scores, threshold, 0.5, text, 0, False, 90, 20, 1, 0.8, 0.7)
        for node, answered in answers_from(facts).items():
            assert answered.answer in {answer.key for answer in TREE[node].answers}
            assert answered.because.endswith(".")


def test_file_never_answers_the_costs():
    facts = Facts("binary", 2, 0.99, 0.01, False, True, 0.5, False, 0)
    path = walk(answers_from(facts))
    assert path.open == "costs"


def test_person_overrides_the_file():
    by_file = answers_from(Facts(task="binary", majority_share=0.5, has_scores=False))
    assert TREE[walk(by_file).end].metric.key == "accuracy"
    both = overridden(by_file, {"balanced": "no", "costs": "miss"})
    assert TREE[walk(both).end].metric.key == "f_beta"
    assert "Your answer" in both["balanced"].because and by_file["balanced"].because in both["balanced"].because
    assert both["costs"] == Answered("miss", "Your answer.")
    assert by_file["balanced"].answer == "yes"


def test_answers_of_an_old_link_are_passed_over():
    assert overridden({}, {"no such question": "yes", "rare": "perhaps", "balanced": "no"}).keys() == {"balanced"}
