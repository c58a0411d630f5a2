"""Compute what the options about slices, groups and drift ask for."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from command.file_options import read_older
from data.comparison.filter_conditions import read_condition
from export.by_slice.drift_result import find_drift, find_drift_of_files
from export.by_slice.group_result import find_groups
from export.by_slice.slice_results import find_slices_by, find_worst_slices
from export.measurement import Measurement
from export.result.kinds import Result


def find_results(measured: Measurement, options: argparse.Namespace) -> Iterator[Result]:
    """Yield a result for each of the options, in the order of the report."""
    evaluation, level, clusters = measured.evaluation, measured.level, measured.clusters
    if options.worst_slices:
        yield find_worst_slices(evaluation, level=level, clusters=clusters)
    if options.slice:
        yield find_slices_by(measured, options.slice, options.slice_metric)
    if options.group:
        yield find_groups(evaluation, options.group, level=level, clusters=clusters)
    if options.since:
        column, start = read_condition(options.since, "--since")
        yield find_drift(evaluation, column, start, level=level, clusters=clusters)
    if options.against:
        yield find_drift_of_files(read_older(options), evaluation, level=level, clusters=clusters)
