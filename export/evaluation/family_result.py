"""The numbers of families, the top groups of labels, each counted as one class, and how many errors stay within."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from data.evaluation import MISSING, UNPARSEABLE, Evaluation
from data.labels.label_tree import list_groups
from export.interval_text import say_few
from export.measurement import Measurement
from export.result.kinds import Cell, Column, Count, Label, Number, Result, Table
from metrics.intervals.statistic import Interval
from text.intervals import name_interval
from text.numbers import count, percent

_RATES = ("precision", "recall", "f1")


class Family(NamedTuple):
    """Hold a family: the codes of its labels, its rows, its wrong rows by label, those within it, and its rates."""

    name: str
    codes: tuple[int, ...]
    true_rows: int
    predicted_rows: int
    wrong: int
    wrong_within: int
    rates: dict[str, Interval]


def name_families(evaluation: Evaluation) -> list[str]:
    """Return the family of every label; none where labels have no groups."""
    return [groups[0] for groups in list_groups(evaluation.labels, evaluation.settings)]


def group_codes(evaluation: Evaluation) -> dict[str, tuple[int, ...]]:
    """Return the codes of the labels of every family, by its name, in the order of its first label."""
    codes: dict[str, tuple[int, ...]] = {}
    for code, name in enumerate(name_families(evaluation)):
        codes[name] = (*codes.get(name, ()), code)
    return codes


def list_families(measured: Measurement) -> list[Family]:
    """Return every family, in the order of its first label."""
    return measured.follow(_count_families)


def _count_families(measured: Measurement) -> list[Family]:
    names, counts = name_families(measured.evaluation), measured.confusion
    codes_of = group_codes(measured.evaluation)
    families = list(codes_of)
    # codes below 0 count from the end: -2 = no label was found, -1 = none is there
    place = np.array([*map(families.index, names), UNPARSEABLE, MISSING], dtype=np.int32)
    of_families = replace(measured, evaluation=_family_evaluation(measured.evaluation, families, place))
    rows = of_families.confusion
    true, pred, is_wrong = place[counts.true], place[counts.pred], counts.true != counts.pred
    counted = []
    for code, name in enumerate(families):
        wrong = is_wrong & (true == code)
        counted.append(
            Family(
                name=name,
                codes=codes_of[name],
                true_rows=int(rows.support[code]),
                predicted_rows=int(rows.predicted[code]),
                wrong=int(counts.rows[wrong].sum()),
                wrong_within=int(counts.rows[wrong & (pred == code)].sum()),
                rates={key: of_families.number(key, code) for key in _RATES},
            )
        )
    return counted


def _family_evaluation(evaluation: Evaluation, families: list[str], place: np.ndarray) -> Evaluation:
    """Return the same rows with families as their classes; place : of every label, then of no label, and of none."""
    n_space = 1 + int(place[: evaluation.n_space].max(initial=-1))
    return replace(
        evaluation, task="multiclass", labels=tuple(families), n_space=n_space, y_true=place[evaluation.y_true],
        y_pred=place[evaluation.y_pred], y_score=None, score_codes=(), positive=None, ranks=(), paths=(), named=(),
        fingerprint=f"{evaluation.fingerprint} families",
    )  # fmt: skip


def family_numbers(measured: Measurement) -> dict[str, dict[str, Any]]:
    """Return the numbers of every family by its name, as the JSON has them: {"card": {"labels": 2, "f1": 0.8, …}}."""
    return {
        family.name: {
            "labels": len(family.codes), "support": family.true_rows, "predicted": family.predicted_rows,
            "wrong": family.wrong, "wrong_within": family.wrong_within,
            **{key: rate.value for key, rate in family.rates.items()},
        }
        for family in list_families(measured)
    }  # fmt: skip


def families_result(measured: Measurement) -> Result:
    """List the families with their numbers, and say how many of the wrong rows stay within the family of the truth."""
    families = list_families(measured)
    wrong = sum(family.wrong for family in families)
    within = sum(family.wrong_within for family in families)
    share = f"{within:,} of {count(wrong, 'wrong row')} ({percent(within / wrong)})" if wrong else ""
    title = f"{share} were predicted in the right family" if wrong else "No row is wrong"
    columns = (
        Column("family", Label), Column("true rows", Count), Column("precision", Number), Column("recall", Number),
        Column("F1", Number, name_interval(measured.level)),
        Column("wrong rows", Count, about="True label in the family, another label predicted"),
        Column("within", Count, about="Of these, predicted as another label of the family"),
    )  # fmt: skip
    table = Table("families-table", title, columns, list(map(_line, families)), "family")
    return Result("families", ("Families of labels",), (), [table], (), {})


def _line(family: Family) -> tuple[Cell, ...]:
    precision, recall, f1 = (family.rates[key] for key in _RATES)
    return (
        Label(family.name), Count(family.true_rows), Number(precision.value, few=say_few(precision)),
        Number(recall.value, few=say_few(recall)), Number(f1.value, f1.low, f1.high, few=say_few(f1)),
        Count(family.wrong), Count(family.wrong_within),
    )  # fmt: skip
