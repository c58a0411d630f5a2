"""Options about where the model will run and what predictions cost, and the decision sheet that they ask for."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from data.errors import DataError

if TYPE_CHECKING:
    import numpy as np

SHARES = ("prevalence", "least_recall", "least_precision")
AMOUNTS = ("rows_a_day", "cost_fp", "cost_fn", "most_predicted", "most_cost")
WORDS = ("call_rows", "call_predicted")
_OTHERS = ("costs", "priors", "trained_priors", "most_risk", "prediction_sets", "sets_by_class", "calibrate")


def add_deployment_options(parser: argparse.ArgumentParser) -> None:
    """Add the place, the costs, the limits and the words of the decision sheet."""
    group = parser.add_argument_group(
        "the decision sheet",
        "what the cheapest threshold does where the model will run; any of these options adds it",
    )
    group.add_argument("--prevalence", metavar="SHARE", type=float, help="share of positives there (default: as here)")
    group.add_argument("--rows-a-day", metavar="N", type=float, help="rows a day there (default: as many as here)")
    group.add_argument("--cost-fp", metavar="COST", type=float, help="cost of a false positive (default: 1)")
    group.add_argument("--cost-fn", metavar="COST", type=float, help="cost of a false negative (default: 1)")
    group.add_argument("--least-recall", metavar="SHARE", type=float, help="recall at least")
    group.add_argument("--least-precision", metavar="SHARE", type=float, help="precision there at least")
    group.add_argument("--most-predicted", metavar="N", type=float, help="rows a day predicted positive at most")
    group.add_argument("--most-cost", metavar="COST", type=float, help="cost of a day at most")
    group.add_argument("--call-rows", metavar="WORD", default="", help="what rows are called there, such as people")
    group.add_argument(
        "--call-predicted", metavar="WORD", default="", help="what a row predicted positive is called, such as invited"
    )
    group = parser.add_argument_group("decisions for any number of classes")
    add_costs_option(group)
    group.add_argument(
        "--priors", metavar="SHARES",
        help="shares of the classes where the model will run, such as cat=0.2,dog=0.8; `estimate` = from the scores",
    )  # fmt: skip
    group.add_argument(
        "--trained-priors", metavar="SHARES", help="shares that the probabilities take for granted (default: as here)"
    )
    group.add_argument(
        "--most-risk", metavar="SHARE", type=float,
        help="share of wrong rows at most; the least confident are left to people, of --rows-a-day",
    )  # fmt: skip
    group.add_argument(
        "--prediction-sets", metavar="SHARE", type=float,
        help="sets of labels that hold the true one in this share of new rows, such as 0.9",
    )  # fmt: skip
    group.add_argument("--sets-by-class", action="store_true", help="the sets keep their promise for each class")
    group.add_argument(
        "--calibrate", metavar="COLUMN=VALUE", help="rows that fix the sets (default: a random half); the others judge"
    )


def asks_to_decide(options: argparse.Namespace) -> bool:
    """Return whether any option about the deployment is given."""
    given = (vars(options)[name] for name in (*SHARES, *AMOUNTS, *WORDS, *_OTHERS))
    return any(value is not None and value is not False and value != "" for value in given)


def add_costs_option(parser: argparse._ActionsContainer) -> None:
    """Add the table of costs."""
    parser.add_argument(
        "--costs", metavar="FILE", help="a CSV table of costs: a row for each true class, a column for each prediction"
    )


def cost_table(options: argparse.Namespace, labels: Sequence[str]) -> np.ndarray | None:
    """Return the table of costs that an option names, true × predicted; None where none does.

    Raises
    ------
    DataError
        the file cannot be read, or is no such table.
    """
    if not options.costs:
        return None
    path = Path(options.costs)
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, ValueError):
        raise DataError(f"{path.name}: no table of costs could be read; a CSV file in UTF-8 was wanted.") from None
    from data.labels.costs_and_shares import read_cost_table  # what it imports takes longer than a small file

    return read_cost_table(text, labels)
