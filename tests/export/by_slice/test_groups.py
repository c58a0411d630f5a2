"""Rates of groups are kept by the hundred, so they must not grow with the rows; costs that are unknown are said."""

import re

import pyarrow as pa

from data.building.build import build
from data.comparison.slice_columns import slices_by
from data.evaluation import Settings
from export.by_slice.group_result import find_groups
from export.by_slice.groups import compare_rates


def test_rates_of_groups_keep_no_row():
    table = pa.table({"y": [*"abab"], "p": [*"aabb"], "region": [*"nnss"]})
    evaluation = build(table, Settings(truth="y", pred="p", positive="b"), name="d", content_sha256="0")
    rates = compare_rates(evaluation, slices_by(evaluation.rows, "region"), 1)
    assert rates.way.named(1) == {"region": "s"} and rates.way.codes.size == 0


def test_unknown_cost_of_same_recall_names_groups():
    """Group s has 20 rows and 5 positive ones: enough for a selection rate, too few for a recall."""
    region, y = [*"n" * 40, *"s" * 20], [*"ab" * 20, *"b" * 5, *"a" * 15]
    score = [round(0.2 + 0.5 * (true == "b") + 0.01 * (place % 7), 3) for place, true in enumerate(y)]
    table = pa.table({"y": y, "score": score, "region": region})
    evaluation = build(table, Settings(truth="y", scores=(("score", "b"),), positive="b"), name="d", content_sha256="0")
    said = ["".join(getattr(part, "name", part) for part in words) for words in find_groups(evaluation, "region").notes]
    assert [words for words in said if "same" in words][1:] == [
        "The cost of the same recall is unknown: too few positive rows in s."
    ]
    assert said[0].startswith("The same selection rate of ")


def test_picture_of_cost_counts_wrong_rows():
    """At 0.5, 10 of 40 rows in n are wrong and none in s; the best recall of both needs a threshold of 0.3 in n."""
    region, y = [*"n" * 40, *"s" * 40], [*"b" * 20, *"a" * 20] * 2
    score = [0.8] * 10 + [0.4] * 10 + [0.1] * 20 + [0.8] * 20 + [0.1] * 20
    table = pa.table({"y": y, "score": score, "region": region})
    evaluation = build(table, Settings(truth="y", scores=(("score", "b"),), positive="b"), name="d", content_sha256="0")
    result = find_groups(evaluation, "region")
    marks = result.pictures["groups-cost"].marks
    texts = [re.sub("<[^>]*>", "", mark) for mark in marks if mark.startswith("<text")]
    assert texts[texts.index("thresholds in use") + 1] == "10" and "wrong rows" in texts
    told = "".join(getattr(part, "name", part) for words in result.notes for part in words)
    for rate in ("recall", "selection rate"):
        n = int(texts[texts.index(f"same {rate}") + 1])
        more = f"{abs(n - 10)} {'more' if n > 10 else 'fewer'} wrong row" if n != 10 else "as many wrong rows"
        assert more in told
