"""Options about intervals: their level, and which rows belong together."""

from __future__ import annotations

import argparse

from data.comparison.row_groups import Clusters, clusters, epoch_clusters
from data.errors import DataError
from data.evaluation import Evaluation
from export.intervals import LEVEL


def add_level_option(parser: argparse.ArgumentParser) -> None:
    """Add the level of every interval."""
    parser.add_argument(
        "--level", metavar="SHARE", type=float, default=LEVEL, help=f"level of the intervals (default: {LEVEL})"
    )


def add_cluster_option(parser: argparse.ArgumentParser) -> None:
    """Add the column of the clusters."""
    parser.add_argument(
        "--cluster",
        metavar="COL",
        help="rows with one value of this column belong together (a template, patient or document): intervals allow "
        "for it",
    )


def add_epoch_option(parser: argparse.ArgumentParser) -> None:
    """Add the column of the epochs."""
    parser.add_argument(
        "--epoch",
        metavar="COL",
        help="this column numbers the epochs or seeds in which each question was repeated: all rows count, and "
        "intervals are over questions",
    )


def checked_level(options: argparse.Namespace) -> float:
    """Return the level that was asked for.

    Raises
    ------
    DataError
        it is no share between 0.5 and 1.
    """
    if not 0.5 <= options.level < 1:
        raise DataError(f"--level {options.level:g} is no level of an interval; write a share such as 0.95.")
    return float(options.level)


def chosen_clusters(evaluation: Evaluation, options: argparse.Namespace) -> Clusters | None:
    """Return the rows that belong together, by --cluster or by --epoch; None where nothing was said."""
    if options.cluster and getattr(options, "epoch", None):
        epoch_clusters(evaluation, options.epoch)  # the column must be there; --cluster names the questions
    elif getattr(options, "epoch", None):
        return epoch_clusters(evaluation, options.epoch)
    return clusters(evaluation, options.cluster) if options.cluster else None
