"""Draw remarks on scores that look wrong, and on how reading the file changed them."""

from __future__ import annotations

from collections.abc import Iterable

from data.evaluation import Evaluation
from metrics.findings.score_checks import RowSums, ScoreCheck, check_scores, row_sums
from metrics.scores.curves import ScoreCounts
from ui.text.messages import remark
from ui.view.address import go_to
from ui.view.cache import kept

_TOLD = (
    "per cent",
    "Softmax made",
    "cut to 0 and 1",
    "is the score of whichever label was predicted",
    "taken as logits",
    "on a scale of their own",
    "do not add up to 1",
    "minus that score",
    "is lower on the rows of",
    "are added up",
)
"""Sentences of the receipt that say what became of the scores; `data.columns.score_scale` writes them."""
_SAME = {
    "logits": "taken as logits",
    "no_logits": "taken as logits",
    "own_scale": "on a scale of their own",
    "row_sums": "do not add up to 1",
    "reversed": "is lower on",
}
"""A check and the receipt's sentence that says the same with less."""


@kept(64, "Checking the scores …")
def _checks(evaluation: Evaluation, code: int, _counts: ScoreCounts) -> list[ScoreCheck]:
    return check_scores(_counts, scale=evaluation.scale, sums=_sums(evaluation))


def _sums(evaluation: Evaluation) -> RowSums | None:
    """Return sums over the classes; None where a row has one score, or every label a question of its own."""
    if evaluation.y_score is None or evaluation.task != "multiclass" or evaluation.scale == "score":
        return None
    if evaluation.y_score.shape[1] < 2:
        return None
    return row_sums(evaluation.y_score if evaluation.scored.all() else evaluation.y_score[evaluation.scored])


def show(evaluation: Evaluation, code: int, scores: ScoreCounts) -> None:
    """Draw one remark a finding; nothing where the scores look like what they should be."""
    checks = _checks(evaluation, code, scores)
    for check in checks:
        if check.code != "logits":  # the axis of the lab says it
            remark(check.sentence, check.severity)
    if any(check.code in ("reversed", "no_logits", "log_probabilities") for check in checks):
        go_to("open", "Correct the scores or the positive class on the page Open", icon=":material/tune:")
    for sentence in conversion_note(evaluation, checks):
        remark(sentence, "info")


def conversion_note(evaluation: Evaluation, checks: list[ScoreCheck]) -> list[str]:
    """Say what reading did to the scores, where no check says the same."""
    better = [_SAME[check.code] for check in checks if _SAME.get(check.code)]

    def names_one(text: str, parts: Iterable[str]) -> bool:
        return any(part in text for part in parts)

    told = [*evaluation.receipt.warnings, *evaluation.receipt.notes]
    return [text for text in told if names_one(text, _TOLD) and not names_one(text, better)]
