"""Find the evaluation that the session looks at: `run` in the URL, and the rows of it that `filter` chooses."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection

import numpy as np

from data.comparison.filter_conditions import read_filter
from data.comparison.judge_evaluation import read_judged
from data.errors import DataError
from data.evaluation import Evaluation
from data.parser.parser import Parser
from data.runs import draft_changes, load
from data.runs.class_scores.evaluations import is_one_class
from data.runs.written_options import read_each
from export.deciding.threshold_now import Now, find_threshold_now
from metrics.thresholds.choose import Rule
from metrics.thresholds.rule_in_force import rule_fits, usable_threshold
from metrics.thresholds.rule_text import Given, read_rules, write_rules
from ui.view import cache, open_runs, url
from ui.view.choice_rules import best_in_view, every_threshold, write_each


def preview(run: str, parser: Parser | None) -> Evaluation:
    """Return a run under another parser, at the filter in view; nothing is stored.

    Raises
    ------
    DataError : answers cannot be read with this parser.
    """
    return restrict(open_runs.evaluate_draft(draft_changes.change_parser(open_runs.draft(run), parser)))


def reparse(run: str, parser: Parser | None) -> str:
    """Keep a run's files and settings under another parser; returns the new run.

    Raises
    ------
    DataError : answers cannot be read with this parser; nothing is kept then.
    """
    changed = draft_changes.change_parser(open_runs.draft(run), parser)
    open_runs.evaluate_draft(changed)
    return load.keep(changed)


def evaluation() -> Evaluation | None:
    """Return the evaluation in view, at the view's filter and thresholds; None when none is named.

    Raises
    ------
    DataError : the link names nothing that is kept here.
    """
    unfiltered = unfiltered_evaluation()
    return None if unfiltered is None else in_view(unfiltered)


def in_view(unfiltered: Evaluation) -> Evaluation:
    """Return an evaluation of the run in view with the rows, and at the thresholds, that the view says."""
    restricted = restrict(_judge(unfiltered))
    threshold, own_cuts = url.get("t"), own_thresholds(restricted)
    if own_cuts:
        each = every_threshold(restricted, own_cuts, threshold_for_others(restricted))
        return restricted if np.isnan(each).any() else cache.at_label_thresholds(restricted, each)
    if threshold is not None and takes_threshold(restricted):
        return cache.at_threshold(restricted, threshold)
    return restricted


def own_thresholds(evaluation: Evaluation) -> dict[int, float]:
    """Return the labels that the view gives a threshold of their own, by code; of one label a row: none.

    A text that cannot be read is dropped from the view, and the page says so.
    """
    text = url.get("each")
    if not text or evaluation.task != "multilabel" or not takes_threshold(evaluation):
        return {}
    try:
        return read_each(text, evaluation)
    except ValueError as error:
        url.put(each="")
        url.tell(f"Ignored each in the link: {error}.")
        return {}


def threshold_in_view() -> float | None:
    """Return the threshold that the view gives to all; None = as the file says."""
    return None if url.get("t") is None else float(url.get("t"))


def threshold_for_others(evaluation: Evaluation) -> float:
    """Return the threshold of labels without their own: the view's, the file's, or the default; NaN = none."""
    given = threshold_in_view()
    return evaluation.effective_threshold if given is None else given


def threshold_of(evaluation: Evaluation, code: int) -> float:
    """Return the threshold in view for one label: the given one, or else the recommended one.

    One class of several against the others has no threshold in use: without one in the link the recommended one is
    meant. evaluation : as `original()` gives it.
    """
    if not sets_all_pages(evaluation) and evaluation.threshold is None and threshold_in_view() is None:
        return recommended_threshold(evaluation, code)
    given = given_threshold(evaluation, code)
    return recommended_threshold(evaluation, code) if math.isnan(given) else given


def given_threshold(evaluation: Evaluation, code: int) -> float:
    """Return the threshold of one label: its own, or that of all (`t`), or the file's, or the default.

    NaN where its scores are on a scale of their own and nobody has given one.
    """
    return own_thresholds(evaluation).get(code, threshold_for_others(evaluation))


def threshold_now(evaluation: Evaluation, code: int) -> Now:
    """Return the threshold in use for one label: the given one, or else that from which the predictions follow.

    Without either it is the default. evaluation : as the file says, without the view's threshold.
    """
    if code in own_thresholds(evaluation) or threshold_in_view() is not None:
        return Now(given_threshold(evaluation, code))
    predicted = None if is_one_class(evaluation) else original()  # of a lens of scores, the lens has the predictions
    return find_threshold_now(evaluation if predicted is None else predicted, code)


def recommended_threshold(evaluation: Evaluation, code: int) -> float:
    """Return the threshold that the rule in view picks on these rows; where it finds none, the highest score."""
    scores = cache.scores(evaluation, code)
    if scores is None or not len(scores.score):
        return 0.0
    best = best_in_view(evaluation, code)
    return float(scores.score[0]) if math.isnan(best.threshold) else usable_threshold(scores, best.threshold)


def rules_in_view(evaluation: Evaluation) -> tuple[Given, ...]:
    """Return the rules that the thresholds of the view were chosen by; none where the view sets no threshold.

    A rule that fits no label of the file is left out, and the page says so (`ui/frame/link_problems.py`).
    """
    if url.get("t") is None and not url.get("each"):
        return ()
    codes = evaluation.score_codes
    return tuple(given for given in read_rules(url.get("rule")) if rule_fits(given, evaluation.task, codes))


def put_threshold(evaluation: Evaluation, code: int, threshold: float, rule: Rule | None = None) -> None:
    """Set the threshold of a label, from a callback: its own where it has one in view, or else that of all.

    rule : what it was chosen by; None = a person's hand, which ends the rule of every threshold that it moves.
    """
    own_cuts = own_thresholds(evaluation)
    moved = rule is not None or threshold != given_threshold(evaluation, code)
    if moved:
        stays = set(own_cuts) - {code} if code in own_cuts else set(own_cuts)
        put_rules(evaluation, stays, code, rule)
    if code in own_cuts:
        url.put(each=write_each({**own_cuts, code: threshold}))
    else:
        url.put(t=float(threshold))


def put_rules(evaluation: Evaluation, stays: Collection[int], code: int, rule: Rule | None) -> None:
    """Keep the rules of the labels whose threshold stays, and put that of a label whose threshold was chosen.

    A rule for all labels together ends: one of their thresholds moves.
    """
    kept = [given for given in rules_in_view(evaluation) if given.code in stays]
    of = None if evaluation.task == "binary" else code
    url.put(rule=write_rules((*kept, *([] if rule is None else [Given(of, rule)]))))


def original() -> Evaluation | None:
    """Return the same evaluation as the file and its settings say, at the view's filter but without its threshold."""
    unfiltered = unfiltered_evaluation()
    return None if unfiltered is None else restrict(_judge(unfiltered))


def unfiltered_evaluation() -> Evaluation | None:
    """Return the same evaluation with all of its rows, whatever the view's filter."""
    return open_runs.open_evaluation(url.get("run")) if url.get("run") else None


def _judge(evaluation: Evaluation) -> Evaluation:
    """Return the evaluation of the rater that the view judges; drop one that is not there, and say so."""
    return _apply("judged", "judge", evaluation, lambda text: cache.judge_rater(evaluation, read_judged(text)))


def restrict(evaluation: Evaluation) -> Evaluation:
    """Return the rows of an evaluation that the filter in view chooses.

    A filter that chooses no row of it is dropped from the view, and the page says so.
    """
    return _apply("filter", "filter", evaluation, lambda text: cache.with_rows_of(evaluation, read_filter(text)))


def _apply(parameter: str, named: str, evaluation: Evaluation, change: Callable[[str], Evaluation]) -> Evaluation:
    """Apply a parameter of the view to an evaluation; drop one that does not fit, and say so."""
    text = url.get(parameter)
    if not text:
        return evaluation
    try:
        return change(text)
    except DataError as error:
        url.put(**{parameter: ""})
        url.tell(f"Ignored the {named} in the link. {error}")
        return evaluation


def takes_threshold(evaluation: Evaluation) -> bool:
    """Return whether `score >= threshold` makes predictions in this task."""
    return evaluation.y_score is not None and evaluation.task in ("binary", "multilabel")


def sets_all_pages(evaluation: Evaluation) -> bool:
    """Return whether a threshold chosen on the page Thresholds makes the predictions of all pages.

    One class of several against the others has a threshold for that page alone.
    """
    return evaluation.task != "multiclass" and not is_one_class(evaluation)


def code_of(evaluation: Evaluation, name: str) -> int | None:
    """Return the code of a label named in the view; None when the view names none or the file has no such label."""
    return evaluation.labels.index(name) if name and name in evaluation.labels else None
