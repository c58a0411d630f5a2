"""Rates of groups are kept by the hundred, so they must not grow with the rows."""

import pyarrow as pa

from data.building.build import build
from data.comparison.slice_columns import slices_by
from data.evaluation import Settings
from export.by_slice.groups import compare_rates


def test_rates_of_groups_keep_no_row():
    table = pa.table({"y": [*"abab"], "p": [*"aabb"], "region": [*"nnss"]})
    evaluation = build(table, Settings(truth="y", pred="p", positive="b"), name="d", content_sha256="0")
    rates = compare_rates(evaluation, slices_by(evaluation.rows, "region"), 1)
    assert rates.way.named(1) == {"region": "s"} and rates.way.codes.size == 0
