"""Options about intervals and about parts of the rows."""

from __future__ import annotations

import argparse
import dataclasses
from functools import partial

from data.columns.role_names import COUNTED_PARTS, PART_ROLES
from data.comparison.row_groups import Clusters, clusters, clusters_in_use, epoch_clusters
from data.errors import DataError
from data.evaluation import Evaluation
from export.measurement import LEVEL
from text.quoting import quote

NO_COLUMN = "none"
"""The value of --cluster, --seed and --fold where there is no such column: every row counts by itself."""


def add_level_option(parser: argparse.ArgumentParser) -> None:
    """Add the level of every interval."""
    parser.add_argument(
        "--level", metavar="SHARE", type=float, default=LEVEL, help=f"level of the intervals (default: {LEVEL})"
    )


def add_grouping_options(parser: argparse.ArgumentParser) -> None:
    """Add the columns of clusters, seeds and folds of a file that is opened or sent, whose pages count by them."""
    add_cluster_options(parser, dest="cluster_column")


def add_cluster_options(parser: argparse.ArgumentParser, *, dest: str = "cluster", epoch: bool = False) -> None:
    """Add the columns of the clusters, the seeds and the folds; and that of the epochs."""
    parser.add_argument(
        "--cluster",
        metavar="COL",
        dest=dest,
        help="column whose rows belong together, such as a template, patient or document; intervals allow for it "
        "(default: found by its name; none = every row counts as independent)",
    )
    if epoch:
        parser.add_argument(
            "--epoch",
            metavar="COL",
            help="column of the epochs or seeds in which each question was repeated; all rows count, and intervals are "
            "over questions",
        )
    for role in COUNTED_PARTS:
        parser.add_argument(
            f"--{role}", metavar="COL", dest="parts", action="append", type=partial(_name_part, role), default=[],
            help=f"column of the {PART_ROLES[role]}; where ids repeat in it, intervals are over questions (default: by "
            "its name; none = there is no such column)",
        )  # fmt: skip


def _name_part(role: str, column: str) -> tuple[str, str]:
    return role, column


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
    """Return the rows that belong together, by --cluster or --epoch, or else as found, as on the pages."""
    epoch = getattr(options, "epoch", None)
    if epoch and not options.cluster:
        return epoch_clusters(evaluation, epoch)
    if epoch:  # the column must be there; --cluster may name the questions
        settings = dataclasses.replace(evaluation.settings, cluster=options.cluster)
        epoch_clusters(dataclasses.replace(evaluation, settings=settings), epoch)
    if _is_each_row(evaluation, options):
        return None
    return clusters(evaluation, options.cluster) if options.cluster else clusters_in_use(evaluation)


def _is_each_row(evaluation: Evaluation, options: argparse.Namespace) -> bool:
    return options.cluster == NO_COLUMN and NO_COLUMN not in evaluation.rows.column_names


def count_by_clusters(evaluation: Evaluation, clusters: Clusters | None, options: argparse.Namespace) -> Evaluation:
    """Return the evaluation whose every number counts by the clusters that --cluster or --epoch names."""
    if not options.cluster and not options.epoch:
        return evaluation
    settings = dataclasses.replace(evaluation.settings, cluster=clusters.column if clusters else "")
    if options.epoch:
        settings = dataclasses.replace(settings, run_parts=(*settings.run_parts, ("epoch", options.epoch)))
    return dataclasses.replace(evaluation, settings=settings)


def cluster_column(evaluation: Evaluation, options: argparse.Namespace) -> str | None:
    """Return the column that says which rows of a comparison belong together: the named one, or as found."""
    if options.cluster:
        return None if _is_each_row(evaluation, options) else str(options.cluster)
    clusters = clusters_in_use(evaluation)
    return None if clusters is None else clusters.column


def cluster_hint(clusters: Clusters | None, options: argparse.Namespace) -> list[str]:
    """Say that clusters were found by name, and how to count every row by itself."""
    if clusters is None or options.cluster or options.epoch or options.parts:
        return []
    column = quote(clusters.column)
    return [f"Rows with the same {column} count together, by its name; --cluster none counts each by itself."]


def add_filter_option(parser: argparse.ArgumentParser, verb: str) -> None:
    """Add --filter; verb : what is done with the rows."""
    about = f"{verb} the rows with this value; repeatable"
    parser.add_argument("--filter", metavar="COL=VALUE", action="append", default=[], help=about)


def add_slice_options(parser: argparse.ArgumentParser) -> None:
    """Add --filter, --slice and --group."""
    add_filter_option(parser, "score")
    parser.add_argument(
        "--slice",
        metavar="COL",
        action="append",
        default=[],
        help="compare the rows of every value with the rest (many numbers are cut into bins); COL,COL crosses two "
        "columns; repeatable",
    )
    parser.add_argument(
        "--slice-metric", metavar="NAME", default="",
        help="list the slices by this number, such as recall, roc_auc or npv[cat]; accuracy if nothing is said",
    )  # fmt: skip
    parser.add_argument("--group", metavar="COL", help="compare the rates of the positive class between groups")
    parser.add_argument(
        "--worst-slices", action="store_true", help="search every column and pair of columns for slices that are worse"
    )
    parser.add_argument("--against", metavar="FILE", help="compare these rows with the rows of an older file")
    parser.add_argument(
        "--since",
        metavar="COL=DATE",
        help="compare the rows from this date on with the rows before it",
    )
