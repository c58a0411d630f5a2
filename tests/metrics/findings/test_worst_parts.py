"""Findings on slices and groups: what they say, how serious they are, and which one tells a fact that two hold."""

import pytest

from metrics.comparison.differences import Difference
from metrics.findings.worst_parts import LargestGap, WorstParts, WorstSlice, headline, part_findings
from metrics.intervals.statistic import Interval

SECOND, FIRST = "second language", "first language"
DIFFERENCE = Difference(-0.146, -0.228, -0.12, 0.03, 1e-6, "")
ACCURACY = Interval(0.719, 0.62, 0.801, 0.04, "Wilson", 0.9, 700, None, "share")
SLICE = WorstSlice("accuracy", "", (("speaker", SECOND),), 700, 700 / 2400, ACCURACY, 0.865, DIFFERENCE, 4e-4, 293)
GAP = LargestGap(
    "tpr", "urgent", "speaker", SECOND, FIRST, 700, 1700, 700 / 2400, 1700 / 2400, 0.45, 0.83, 0.29, 0.47, 2, 6
)


def test_slice_says_both_values_and_the_correction():
    (finding,) = part_findings(WorstParts((SLICE,)))
    assert finding.text == (
        "Accuracy is 71.9 % where 'speaker' = 'second language', 86.5 % elsewhere. "
        "It has 700 rows, 90 % interval 62.0 to 80.1 %. "
        "The difference is −14.6 points (−22.8 to −12.0), p < 0.001, corrected over 293 slices (Benjamini–Hochberg)."
    )
    assert (finding.code, finding.severity) == ("worst_slice", "serious")
    assert finding.weight == pytest.approx(700 / 2400) and finding.conditions == SLICE.conditions


def test_gap_says_both_groups_and_the_correction():
    (finding,) = part_findings(WorstParts(gap=GAP._replace(n_groups=4)))
    assert finding.text == (
        "Recall of 'urgent' is 0.450 where 'speaker' = 'second language', 0.830 where it is 'first language'. "
        "The gap is 0.380 (0.290 to 0.470), allowing for all pairs of the 4 groups. "
        "It stays clear after Bonferroni over 6 rates and columns."
    )
    assert (finding.code, finding.severity, finding.evidence["n"]) == ("group_gap", "serious", 700)


def test_gap_of_several_labels_says_so():
    (finding,) = part_findings(WorstParts(gap=GAP._replace(n_labels=4, n_compared=24)))
    assert finding.text.endswith(
        "It stays clear after Bonferroni over 24 rates and columns of the 4 labels with the most true rows."
    )


def test_higher_false_positive_rate_is_the_worse():
    (finding,) = part_findings(WorstParts(gap=GAP._replace(rate="fpr")))
    assert finding.evidence["n"] == 1700 and finding.conditions == (("speaker", "first language"),)


@pytest.mark.parametrize(
    ("surely", "share", "severity"),
    [(0.12, 0.3, "serious"), (0.12, 0.04, "warning"), (0.05, 0.3, "warning"), (0.01, 0.3, "info")],
)
def test_sure_loss_and_rows_decide_how_serious(surely, share, severity):
    slices = (SLICE._replace(difference=DIFFERENCE._replace(high=-surely), share=share),)
    gap = GAP._replace(low=surely, share_lower=share)
    assert {one.severity for one in part_findings(WorstParts(slices, gap))} == {severity}


def test_a_gap_of_two_groups_is_told_once():
    of_positive = ACCURACY._replace(value=0.45, unit="")
    recall = SLICE._replace(metric="recall", label="urgent", number=of_positive, rest=0.83)
    assert [one.code for one in part_findings(WorstParts((recall,), GAP))] == ["group_gap"]
    of_three = recall._replace(rest=0.7)
    assert [one.code for one in part_findings(WorstParts((of_three,), GAP))] == [
        "worst_slice_recall",
        "group_gap",
    ]


def test_missing_value_and_long_numbers_are_readable():
    conditions = (("age", "18.123456 to 29"), ("region", ""))
    (finding,) = part_findings(WorstParts((SLICE._replace(conditions=conditions),)))
    assert "where 'age' = '18.12 to 29' and 'region' is missing, 86.5 %" in finding.text


def test_only_a_serious_part_leads():
    serious, slight = (tuple(part_findings(WorstParts((SLICE._replace(share=share),)))) for share in (0.3, 0.04))
    assert headline(serious) is serious[0] and headline(slight) is None and headline(()) is None
