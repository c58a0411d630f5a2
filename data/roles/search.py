"""Hold what role detection knows while it runs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from data.columns.column_names import parse_name, says_score
from data.columns.name_ranks import rank, sort_by_role
from data.columns.plain_names import remove_accents
from data.columns.role_names import fold
from data.evaluation import Choices, Scale
from data.labels.cell_sets import find_set_encoding
from data.limits import check_time

if TYPE_CHECKING:
    from data.columns.column import Column
    from data.columns.evidence import Candidate
    from data.columns.known_tools import Recognised
    from data.roles.shared_roles import Shared

Pairs = tuple[tuple[str, str], ...]


def names_in_block(block: str, columns: Sequence[str]) -> list[str]:
    """Return the columns that a pattern such as p_* stands for; none without a *.

    >>> names_in_block("b_p_*", ["a_p_cat", "b_p_cat", "b_p_"])
    ['b_p_cat']
    """
    before, star, after = block.partition("*")
    least = len(before) + len(after)
    return [name for name in columns if star and len(name) > least and name.startswith(before) and name.endswith(after)]


@dataclass(frozen=True)
class Given(Choices):
    """The columns that a person has named, and every choice; None = find it.

    truth, pred, raw, id : column names. score : the column of the positive class's score.
    scores : columns of a score per class, or (column, label) pairs.
    positive, threshold, scale : as in `Settings`.
    counts : the column that says how many rows a line stands for; "" = every line is one row.
    no_scores : no column holds scores.
    """

    truth: str | None = None
    pred: str | None = None
    raw: str | None = None
    score: str | None = None
    scores: Sequence[str] | Sequence[tuple[str, str]] = ()
    positive: str | None = None
    threshold: float | None = None
    id: str | None = None
    counts: str | None = None
    scale: Scale | None = None
    no_scores: bool = False

    def score_columns(self) -> list[str]:
        """Return the columns named as scores."""
        names = [item if isinstance(item, str) else item[0] for item in self.scores or ()]
        return ([self.score] if self.score is not None else []) + names

    def with_blocks(self, columns: Sequence[str]) -> Given:
        """Return the same with the columns that a block of scores such as p_* stands for.

        >>> Given(scores=("b_*", "x")).with_blocks(["a_cat", "b_cat", "b_dog", "x"]).scores
        ('b_cat', 'b_dog', 'x')
        """
        scores: list[str] = []
        for item in self.scores:
            if not isinstance(item, str):
                return self
            scores += [item] if item in columns else (names_in_block(item, columns) or [item])
        return replace(self, scores=tuple(dict.fromkeys(scores)))

    def columns(self) -> list[str]:
        """Return all columns it names."""
        named = (self.truth, self.pred, self.raw, self.id, self.counts or None)
        return [name for name in named if name is not None] + self.score_columns()


@dataclass
class Search:
    """The columns, what a person said, and what has been found so far."""

    columns: dict[str, Column]
    given: Given
    label_set: tuple[str, ...] | None
    known: Recognised | None = None
    shared: Sequence[Shared] = ()  # columns of both files
    counterparts: Mapping[str, str] = field(default_factory=dict)  # column -> the one that it is named as predicting
    roles: dict[str, tuple[str, str]] = field(default_factory=dict)  # column -> (role, why)
    weighed: dict[str, list[Candidate]] = field(default_factory=dict)  # role -> its candidates, the best first
    by_values: set[str] = field(default_factory=set)  # columns whose role was found by values only
    notes: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    def open(self) -> list[Column]:
        """Return the columns without a role so far, and not named for one."""
        check_time()
        taken = {*self.roles, *self.given.columns()}
        return [column for name, column in self.columns.items() if name not in taken]

    def proposed(self, role: str, names: Iterable[str]) -> list[str]:
        """Return a known format's columns for a role ("truth", "pred", "raw", "id", "confidence"), then `names`."""
        first = self.known.columns[role] if self.known else ()
        taken = {*self.roles, *self.given.columns()}
        return list(dict.fromkeys([*(name for name in first if name not in taken), *names]))

    def why(self, name: str, role: str, otherwise: str) -> str:
        """Return the reason for a role: the format's, if it has this column for it."""
        return self.known.why if self.known and self.is_known(name, role) else otherwise

    def is_known(self, name: str, role: str) -> bool:
        """Return whether a known format has this column for this role."""
        return self.known is not None and name in self.known.columns[role]

    def take(self, name: str, role: str, why: str) -> str:
        """Give a column its role."""
        self.roles[name] = (role, why)
        return name

    def take_pairs(self, pairs: Pairs, role: str, why: str) -> None:
        """Give each column of (column, label) its role for that label: score of spam."""
        for name, label in pairs:
            self.take(name, f"{role} {label}", why)


def is_label_like(column: Column, label_set: Sequence[str] | None) -> bool:
    """Return whether a column can hold true labels: no fractions, and no free text but sets of labels."""
    if column.is_continuous and not label_set:
        return False  # before its cells are written as texts: a thousand columns of scores hold millions
    if not column.sample.values:
        return False
    if label_set and set(column.sample.values) <= set(label_set):
        return True
    return not column.is_continuous and (not column.is_free or find_set_encoding(column.sample.values) is not None)


def propose_predictions(search: Search, columns: Sequence[Column]) -> list[str]:
    """Return columns that their names propose as predictions, the best first."""
    names = [column.name for column in columns]
    counterparts = [name for name in names if name in search.counterparts]
    return search.proposed("pred", [*sort_by_role(names, "prediction"), *counterparts])


def list_predicted_names(search: Search, pred: Column) -> set[str]:
    """Return the folded names that a column's name says it predicts: topic, for topic_predicted and top_topic."""
    stems = {fold(reading.stem) for reading in parse_name(pred.name) if reading.kind == "prediction"}
    return stems | {fold(name) for name in [search.counterparts.get(pred.name)] if name is not None}


def find_score_columns(columns: Sequence[Column]) -> list[Column]:
    """Return the columns of numbers that are named like a score, of whatever."""
    return [c for c in columns if c.is_number_like and (rank(c.name, "score") is not None or list_score_stems(c))]


def is_of_a_model(column: Column) -> bool:
    """Return whether a column is named like predictions or scores: those of another model say little of the rows."""
    return rank(column.name, "prediction") is not None or (column.is_continuous and bool(find_score_columns([column])))


def list_score_stems(column: Column) -> set[str]:
    """Return the label in the name of a score column: fraud, for fraud_score and p_fraud."""
    readings = [r for r in parse_name(column.name) if r.kind == "score"]
    return {reduce_stem(r.stem) for r in readings if says_score(r.affix) or r.affix.startswith("p_")}


def reduce_stem(stem: str) -> str:
    """Return a label in a name without case, accents and signs."""
    return remove_accents(fold(stem))
