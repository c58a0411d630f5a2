"""Every check speaks where its fault is, with the right numbers, and is silent where it is not."""

import numpy as np
import pytest

from metrics.findings.score_checks import check_scores, row_sums, why_not_logits
from metrics.scores.curves import roc_auc, score_counts

N = 1000
SCORE, CHANCE = np.random.default_rng(0).random((2, N))
TRUTH = CHANCE < SCORE


def checks(truth, score, **options):
    return {check.code: check for check in check_scores(score_counts(truth, np.asarray(score, float)), **options)}


def test_good_scores_give_no_finding():
    assert checks(TRUTH, SCORE) == {}
    assert checks(TRUTH, np.full(N, np.nan)) == {}
    assert checks(np.array([True, False]), [0.9, 0.1]) == {}


def test_rows_outside_0_to_1_are_counted():
    score = np.where(np.arange(N) < 7, -0.5, np.where(np.arange(N) < 10, 1.5, SCORE))
    found = checks(TRUTH, score)["outside_unit"]
    assert found.evidence == {"lowest": -0.5, "highest": 1.5, "rows": 10}
    assert found.sentence.startswith("10 rows of 1,000 have a score outside 0 to 1 (lowest −0.5, highest 1.5)")
    assert "outside_unit" not in checks(TRUTH, np.round(SCORE))  # 0 and 1 themselves are inside


def test_logits_differ_from_points_and_log_probabilities():
    assert set(checks(TRUTH, np.log(SCORE / (1 - SCORE)), scale="logit")) == {"logits"}
    assert set(checks(TRUTH, np.log(SCORE), scale="logit")) == {"log_probabilities"}
    assert set(checks(TRUTH, SCORE * 15, scale="logit")) == {"no_logits"}
    assert set(checks(TRUTH, SCORE * 500 - 250, scale="logit")) == {"no_logits"}


def test_scores_in_doubt_are_no_logits():
    def reason(score):
        return why_not_logits(score_counts(np.ones(len(score), bool), np.array(score)))

    assert "none is below 0 (lowest 0)" in reason([0.0, 12.0])
    assert "from −3 to 400" in reason([-3.0, 400.0])
    assert reason([-3.0, 4.0]) == reason([-np.inf, np.inf]) == reason([-5.0, -1.0]) == ""


def test_constant_score_is_serious_not_tied():
    found = checks(TRUTH, np.full(N, 0.25))
    assert list(found) == ["constant"]
    assert found["constant"].severity == "serious" and "0.25" in found["constant"].sentence


def test_reversed_score_asks_for_the_positive_class():
    found = checks(TRUTH, 1 - SCORE)["reversed"]
    assert found.severity == "serious" and "Is the positive class the other one" in found.sentence
    assert f"over {TRUTH.sum()} positive rows and {(~TRUTH).sum()} others" in found.sentence


def test_low_auc_of_few_rows_is_chance():
    found = checks(np.array([True, False, False, True]), [0.1, 0.2, 0.3, 0.25])
    assert set(found) == {"below_chance"}


def test_chance_spread_is_that_of_shuffled_truths():
    rng = np.random.default_rng(1)
    truth, score = rng.random(60) < 0.3, rng.integers(0, 4, 60) / 4
    shuffled = [roc_auc(score_counts(rng.permutation(truth), score)) for _ in range(4000)]
    reverse = truth if roc_auc(score_counts(truth, score)) < 0.5 else ~truth
    found = checks(reverse, score)
    spread = next(check for check in found.values() if "spread_by_chance" in check.evidence).evidence
    assert spread["spread_by_chance"] == pytest.approx(np.std(shuffled), rel=0.05)


def test_many_ties_say_how_many_rows_share():
    score = np.where(np.arange(N) < 600, 0.0, SCORE.round(2))
    found = checks(TRUTH, score)["ties"]
    rows = np.unique(score, return_counts=True)[1]
    assert found.evidence["share"] == pytest.approx(np.sort(rows)[-5:].sum() / N)
    assert found.evidence["most"] == pytest.approx(rows.max() / N)
    assert "of the rows have one of the 5 most frequent scores" in found.sentence


def test_two_scores_are_decisions():
    assert "decisions, not scores" in checks(TRUTH, SCORE > 0.5)["two_values"].sentence


@pytest.mark.parametrize(("digits", "said"), [(1, None), (2, "2 decimals"), (3, None), (6, None)])
def test_rounding_is_told_where_it_makes_ties(digits, said):
    found = checks(TRUTH, SCORE.round(digits)).get("rounded")
    if digits == 1:  # eleven scores: so few that half of the rows are at five of them
        assert found is None or "1 decimal:" in found.sentence
    else:
        assert (found is None) if said is None else said in found.sentence


def test_rows_not_adding_up_are_counted(rng):
    y_score = rng.dirichlet(np.ones(4), N)
    assert "row_sums" not in checks(TRUTH, SCORE, sums=row_sums(y_score.round(3)))
    y_score[:12] *= 0.5
    y_score[0] *= 6
    y_score[20] = np.nan
    sums = row_sums(y_score)
    assert (sums.n, sums.n_off) == (N - 1, 12)
    assert (sums.lowest, sums.highest) == (pytest.approx(0.5), pytest.approx(3))
    sentence = checks(TRUTH, SCORE, sums=sums)["row_sums"].sentence
    assert sentence.startswith("The scores of 12 rows of 999 do not add up to 1 within 1 % (sums from 0.5 to 3)")


def test_the_most_serious_comes_first():
    sums = row_sums(np.full((3, 2), 0.9))
    found = [check.severity for check in check_scores(score_counts(TRUTH, 1 - SCORE.round(2)), sums=sums)]
    assert found == sorted(found, key=("serious", "warning", "info").index) and len(found) == 3
