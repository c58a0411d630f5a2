"""One measurement gives every number: with its interval, at any level, and only what is asked for."""

import dataclasses
import math
from unittest import mock

import numpy as np
import pyarrow as pa
import pytest

from data.building.build import build
from data.comparison.row_groups import clusters
from data.evaluation import Settings
from export import cells, number_intervals
from export.measurement import Measurement, measure
from export.numbers import list_intervals, values
from metrics.intervals.joint_counts import cells_of_counts
from metrics.intervals.rates import of_class
from metrics.intervals.statistic import interval
from metrics.outcomes import F1
from tests.export.evaluations import sample


@pytest.mark.parametrize("name", ["screening", "digits", "movie-genres", "triage"])
def test_numbers_with_intervals_equal_the_json(name):
    found = measure(sample(name))
    every = values(found)
    for key, within in list_intervals(found).items():
        name, _, label = key.removesuffix("]").partition("[")
        table = every["per_class"].get(label, {})
        wanted = every.get(f"{name}_per_class", {}).get(label, table.get(name)) if label else every.get(key)
        if wanted is not None:
            assert within.value == wanted or (math.isnan(wanted) and math.isnan(within.value)), key


def test_values_alone_count_no_cells():
    with mock.patch.object(number_intervals, "cells_of_counts", side_effect=AssertionError):
        found = measure(sample("digits"))
        assert found.value("macro_f1_supported") == values(found)["macro_f1_supported"]
        with pytest.raises(AssertionError):
            found.number("macro_f1_supported")


@pytest.mark.parametrize("name", ["digits", "triage", "screening", "support-intents", "support-intents-llm"])
def test_cells_of_intervals_are_those_of_the_rows(name):
    measurement = measure(sample(name))
    of_rows, of_counts = cells.joint_cells(measurement.evaluation, None), cells_of_counts(measurement.confusion)
    for field in dataclasses.fields(of_rows):
        np.testing.assert_equal(getattr(of_counts, field.name), getattr(of_rows, field.name))


def test_clusters_widen_the_number_of_a_class():
    e = sample("triage")
    alone = Measurement(e, 0.9, lambda _: None).number("f1", 1)
    together = Measurement(e, 0.9, lambda _: clusters(e, "speaker")).number("f1", 1)
    own = cells.joint_cells(e, clusters(e, "speaker")).one_vs_rest(1)
    assert together[1:4] == interval(of_class(own, formula=F1), own, level=0.9)[1:4]
    assert together.value == alone.value and together.clusters == 2 and alone.clusters is None


def test_undefined_numbers_say_why():
    table = pa.table({"y": ["a", "a", "b"], "y_pred": ["a", "c", "a"]})
    found = measure(build(table, Settings(truth="y", pred="y_pred"), name="x", content_sha256="0"))
    recall, accuracy = found.number("recall", 2), found.number("accuracy")
    assert math.isnan(recall.value) and recall.why_undefined.endswith("the class has no true rows")
    assert accuracy.value == pytest.approx(1 / 3) and not accuracy.why_undefined and accuracy.is_share
    assert found.number("support", 0)[:2] == (2, pytest.approx(math.nan, nan_ok=True))
