"""A column of intervals is headed by their level, whichever level was chosen."""

import numpy as np
import pyarrow as pa

from data.building.build import build
from data.evaluation import Settings
from export.by_slice.period_result import add_periods, find_periods
from export.by_slice.slice_results import find_slices_by, find_worst_slices
from export.measurement import measure

MONTHS = ("2026-01-01", "2026-02-01", "2026-03-01")


def evaluation(n=1200):
    rng = np.random.default_rng(5)
    truth, region = rng.integers(0, 2, n), rng.integers(0, 3, n)
    pred = np.where(rng.random(n) < np.where(region == 0, 0.5, 0.1), 1 - truth, truth)
    names = [MONTHS[code] for code in region.tolist()]
    columns = {"y": truth.tolist(), "p": pred.tolist(), "s": rng.random(n).tolist(), "region": region.tolist()}
    settings = Settings(truth="y", pred="p", scores=(("s", "1"),), positive="1")
    return build(pa.table(columns | {"day": names}), settings, name="t", content_sha256="0")


def test_interval_columns_name_the_level():
    opened = evaluation()
    measured = measure(opened, level=0.9)
    periods = find_periods(opened, "day", MONTHS[1], level=0.9, clusters=None)
    slices = find_slices_by(measured, ["region"])
    results = [
        find_worst_slices(opened, level=0.9),
        slices,
        find_slices_by(measured, ["region"], "roc_auc"),
        add_periods(slices, periods),
    ]
    ends = [column.ends for result in results for table in result.tables for column in table.columns if column.ends]
    assert len(ends) == 9 and set(ends) == {"90 % interval"}
