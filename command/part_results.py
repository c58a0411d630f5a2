"""Compute what the options about slices, groups and drift ask for."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from command.file_options import read_older
from data.comparison.filter_conditions import read_condition
from data.comparison.row_groups import Clusters
from data.evaluation import Evaluation
from export.by_slice.drift_result import find_drift, find_drift_of_files
from export.by_slice.group_result import find_groups
from export.by_slice.slice_results import find_slices_by, find_worst_slices
from export.result.kinds import Result


def find_results(
    evaluation: Evaluation, options: argparse.Namespace, *, level: float, clusters: Clusters | None
) -> Iterator[Result]:
    """Yield a result for each of the options, in the order of the report."""
    if options.worst_slices:
        yield find_worst_slices(evaluation, level=level, clusters=clusters)
    if options.slice:
        yield find_slices_by(evaluation, options.slice, level=level, clusters=clusters)
    if options.group:
        yield find_groups(evaluation, options.group, level=level, clusters=clusters)
    if options.since:
        column, start = read_condition(options.since, "--since")
        yield find_drift(evaluation, column, start, level=level, clusters=clusters)
    if options.against:
        yield find_drift_of_files(read_older(options), evaluation, level=level, clusters=clusters)
