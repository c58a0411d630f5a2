"""Compute what the options about slices, groups and drift ask for."""

from __future__ import annotations

import argparse
from typing import Any

from command.file_options import read_older
from command.slices.slice_lines import drift_lines, group_lines, slice_lines, worst_lines
from data.comparison.filter_conditions import read_condition
from data.comparison.row_groups import Clusters
from data.evaluation import Evaluation
from export.by_slice.drift_json import drift_json, files_json
from export.by_slice.groups import fairness
from export.by_slice.slice_search import worst_slices_json
from export.by_slice.slices import find_slices, slices_json


def slice_numbers(
    evaluation: Evaluation, options: argparse.Namespace, *, level: float, clusters: Clusters | None
) -> tuple[dict[str, Any], list[str]]:
    """Return the numbers for the JSON, and paragraphs for a person."""
    numbers: dict[str, Any] = {}
    sentences: list[str] = []
    if options.slice:
        slices = find_slices(evaluation, options.slice, level=level, clusters=clusters)
        numbers |= slices_json(slices)
        sentences = slices.sentences
    if options.group:
        numbers["fairness"] = fairness(evaluation, options.group, level=level, clusters=clusters)
    if options.worst_slices:
        numbers |= worst_slices_json(evaluation, level=level, clusters=clusters)
    if options.since:
        column, start = read_condition(options.since, "--since")
        numbers["drift"] = drift_json(evaluation, column, start, level=level, clusters=clusters)
    if options.against:
        numbers["drift"] = files_json(read_older(options), evaluation, level=level, clusters=clusters)
    parts = (slice_lines(numbers, sentences), worst_lines(numbers), group_lines(numbers), drift_lines(numbers))
    return numbers, ["\n".join(part) for part in parts if part]
