"""Options about where the model will run, and the decision sheet that they ask for."""

from __future__ import annotations

import argparse

from command.cost_options import add_costs_option

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
