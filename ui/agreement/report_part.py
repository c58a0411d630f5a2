"""The agreement of the raters in view as a part of the report."""

from __future__ import annotations

from data.evaluation import Evaluation
from export.file_reading import note_unweighted
from export.rating.agreement import prevalence_sentences, rating_warnings
from export.rating.agreement_result import agreement_result
from export.result.kinds import Result
from ui.agreement.raters import agreement_of, columns_in_view, pairs_of_answers, raters_in_view
from ui.share.report_parts import Offered
from ui.view import state


def offer_agreement(evaluation: Evaluation) -> list[Offered]:
    """Return the agreement of the raters in view; none where the file has one rater."""
    whole = state.unfiltered_evaluation()
    original = evaluation if whole is None else state.restrict(whole)
    if columns_in_view(original) is None:
        return []
    return [Offered("Agreement", lambda: _find(original))]


def _find(evaluation: Evaluation) -> Result:
    where = columns_in_view(evaluation)
    assert where is not None
    raters = raters_in_view(evaluation, where)
    agreement = agreement_of(evaluation, raters)
    sentences = [*rating_warnings(agreement), *prevalence_sentences(agreement), *note_unweighted(evaluation)]
    return agreement_result(agreement, sentences, *pairs_of_answers(evaluation, raters, agreement))
