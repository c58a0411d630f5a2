"""The `Evaluation`, its `Settings` and its `Receipt`, on which everything after the reading works.

An `Evaluation` is built once from a table of uploaded columns and never changed: a correction
makes a new one. Labels are integer codes into `labels`; after this no string is compared.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pyarrow as pa

if TYPE_CHECKING:
    from data.bad_rows import LeftOutRows
    from data.parser.parser import Parser

Task = Literal["binary", "multiclass", "multilabel"]
Scale = Literal["probability", "logit", "score"]
"""Of scores. "score": a scale of their own, from which no probability and no threshold follows."""
LabelsPerRow = Literal["single", "multilabel"]
Encoding = Literal["single", "delimited", "json", "multi_hot"]

MISSING = -1
"""Code of a truth or prediction the file leaves empty: the row is counted, shown, and not scored."""
UNPARSEABLE = -2
"""Code of an answer from which no label could be read: scored, and wrong, but never a class."""


def as_tuples(value: Any) -> Any:
    """Return a value of JSON with tuples in place of its lists, all the way down.

    >>> as_tuples({"merge": [["Cat", "cat"]], "only": None})
    {'merge': (('Cat', 'cat'),), 'only': None}
    """
    if isinstance(value, Mapping):
        return {key: as_tuples(inner) for key, inner in value.items()}
    return tuple(map(as_tuples, value)) if isinstance(value, list | tuple) else value


@dataclass(frozen=True)
class FileFacts:
    """Facts about one file that was read."""

    name: str
    format: str  # "CSV", "JSON lines", "JSON", "Parquet"
    n_rows: int
    columns: tuple[str, ...]
    n_bytes: int
    sha256: str
    delimiter: str | None = None
    encoding: str | None = None
    compression: str | None = None
    source: str | None = None  # the tool whose format this is, where it was recognised
    notes: tuple[str, ...] = ()  # what the reader cast, renamed or left out, as sentences
    warnings: tuple[str, ...] = ()  # what the reader thinks the person should look at
    decimal: str | None = None  # the decimal mark, where a person chose it
    sheet: str | None = None  # the sheet of a workbook, where a person chose it
    run: str | None = None  # what `cli.py run` wrote into the file: label list and parser, as JSON
    rows_left_out: LeftOutRows | None = None  # that cannot be read, as a person wished
    corrected_lines: tuple[tuple[int, str], ...] = ()  # (number from 1, text) as a person corrected them

    def list_warnings(self) -> list[str]:
        """Return what the person should look at, the rows that were left out or corrected first."""
        return [*self.list_repairs(), *self.warnings]

    def list_repairs(self) -> list[str]:
        """Say which rows were left out, as they cannot be read, and which lines a person corrected."""
        left_out = self.rows_left_out.sentences() if self.rows_left_out else []
        return left_out + [
            f"Line {line:,} was corrected by hand before it was read." for line, _ in self.corrected_lines
        ]


@dataclass(frozen=True)
class JoinReport:
    """The report of a join of a predictions file and a labels file."""

    how: Literal["key", "file stem", "spelling", "row order"]
    key: tuple[str, str] | None  # (columns in the predictions file, in the labels file), commas between several
    n_matched: int
    n_only_predictions: int
    n_only_labels: int
    examples_only_predictions: tuple[str, ...] = ()
    examples_only_labels: tuple[str, ...] = ()
    text: str = ""  # the report as one sentence
    n_repeated_predictions: int = 0  # keys that several rows have
    n_repeated_labels: int = 0
    examples_repeated_predictions: tuple[str, ...] = ()  # each with how often it occurs
    examples_repeated_labels: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()  # what a person should look at besides
    repeated: str = "all"  # which rows of a repeated id count, where not all do: "equal", "first" or "last"
    files: tuple[str, str] = ("the predictions", "the labels")  # the names of the two files


@dataclass(frozen=True)
class LeftOut:
    """An id that was left out, because its rows repeat it and differ; rows of the files, counted from 1."""

    id: str
    predictions: tuple[int, ...] = ()
    labels: tuple[int, ...] = ()


@dataclass(frozen=True)
class ColumnRole:
    """The role of a column, and why it has it."""

    column: str
    role: str  # "truth", "prediction", "score of spam", "raw answer", "id", "other"
    why: str


_ALWAYS_WRITTEN = (
    "truth", "pred", "raw", "encoding", "delimiter", "truth_columns", "pred_columns", "scores", "scale", "positive",
    "label_set", "label_space", "threshold", "id",
)  # fmt: skip
"""Settings that stand in the JSON of every file; fingerprints hold it, so none may come or go."""


@dataclass(frozen=True, kw_only=True)
class Choices:
    """The choices of a person that no detection makes or changes; empty or None = nobody said so.

    Whoever inherits them has them as fields: the wishes before a file is read, `Settings`, and drafts. So they stay in
    links, and in what is made of settings after a correction.

    parser : how labels are read from raw answers; None = `data.parser.parser.STANDARD`.
    only : (column, value): the rows with this value are evaluated, the others left out (one filter, one epoch).
    merge : (label as written, label that it counts as), ticked by a person.
    class_names : (label as written, name that it is shown by).
    run_parts : (role, column) of "epoch", "seed" and "fold" as a person said; a column "" = none; others are as found.
    cluster : the column whose rows of one value belong together, for intervals; None = as found, "" = none.
    task : "single" or "multilabel" where a person said how many labels a row may have; None = as found.
    weights : the column of the weights of rows; "" = a person said that none are used; None = nobody said so.
    order : the labels from the lowest to the highest, as a person gave them; () = they have no order.
    separator : what separates the groups of a label, such as / in animal/dog, as a person gave it; "" = no groups.
    tree : (label or group, its parent), as a person gave them in place of a separator.
    """

    parser: Parser | None = None
    only: tuple[str, str] | None = None
    merge: tuple[tuple[str, str], ...] = ()
    class_names: tuple[tuple[str, str], ...] = ()
    run_parts: tuple[tuple[str, str], ...] = ()
    cluster: str | None = None
    task: LabelsPerRow | None = None
    weights: str | None = None
    order: tuple[str, ...] = ()
    separator: str = ""
    tree: tuple[tuple[str, str], ...] = ()

    def choices(self) -> dict[str, Any]:
        """Return every choice by its name, for whatever shall have the same ones.

        >>> Settings(truth="y", separator="/").choices()["separator"]
        '/'
        """
        return {name: value for name, value in vars(self).items() if name in CHOICES}


CHOICES = tuple(field.name for field in dataclasses.fields(Choices))


@dataclass(frozen=True)
class Settings(Choices):
    """Every choice that turns a table into an Evaluation; all of it can be corrected on screen.

    JSON-able through `to_json`/`from_json`; part of the fingerprint.

    truth, pred, raw : column names. `raw` holds free text answers, parsed against the label space;
        `pred` and `raw` are never both used: `raw` counts only if `pred` is None.
    encoding : how a truth or prediction cell holds labels. "single" for one label a cell; the others
        are multi-label: "delimited" by `delimiter`, a "json" (or Python) list, or "multi_hot" columns.
    truth_columns, pred_columns : (column, label) pairs of the multi-hot blocks.
    scores : (column, label) pairs. One pair in a binary task: the score of that (the positive) label.
    scale : "logit" scores leave 0..1: sigmoid (one score, or multi-label) or softmax (a score per
        class) makes them probabilities. "score": a scale of their own, such as 1 to 10; rows are ranked by them, and
        nothing else is made of them. "confidence": the one score of a binary task is that of whichever label was
        predicted.
    positive : the positive class of a binary task.
    label_set : the label space as the person gave it; None = `label_space` says where it comes from.
    label_space : "seen" = labels in truth, predictions or score columns; "truth" = labels in truth only.
    threshold : predictions become score >= threshold (on the scale of the file's scores); None = the
        file's own predictions, or, with scores only, argmax or 0.5 (logit: 0; score: no prediction).
    counts : the column that says how many rows a line of the file stands for.
    confidence : the column of the confidence in each prediction, where a share holds numbers only; else it is found.
    pred_encoding, pred_delimiter : how the predictions hold several labels where the truth does so otherwise.
    """

    truth: str | None = None
    pred: str | None = None
    raw: str | None = None
    encoding: Encoding = "single"
    delimiter: str | None = None
    truth_columns: tuple[tuple[str, str], ...] = ()
    pred_columns: tuple[tuple[str, str], ...] = ()
    scores: tuple[tuple[str, str], ...] = ()
    scale: Scale | Literal["confidence"] = "probability"
    positive: str | None = None
    label_set: tuple[str, ...] | None = None
    label_space: Literal["seen", "truth"] = "seen"
    threshold: float | None = None
    id: str | None = None
    counts: str | None = None
    pred_encoding: Encoding | None = None
    pred_delimiter: str | None = None
    confidence: str | None = None

    def columns(self) -> list[str]:
        """Return the columns of labels, answers, scores, ids, rows per line and weights.

        >>> Settings(truth="y", weights="", scores=(("p", "spam"),)).columns()
        ['y', 'p']
        """
        named = (self.truth, self.pred, self.raw, self.id, self.counts, self.weights)
        pairs = (*self.truth_columns, *self.pred_columns, *self.scores)
        return [*filter(None, named), *(column for column, _ in pairs)]

    def to_json(self) -> dict[str, Any]:
        """Return all settings for JSON; what only some files need is left out where it is not used."""
        values = vars(self) | {"parser": self.parser.to_json() if self.parser else None}
        always = {name: values[name] for name in _ALWAYS_WRITTEN}
        says_none = {name: "" for name in ("cluster", "weights") if values[name] == ""}
        return always | {name: value for name, value in values.items() if value} | says_none

    @classmethod
    def from_json(cls, values: Mapping[str, Any], parser: Parser | None = None) -> Settings:
        """Read back what `to_json` wrote (unknown keys are an error).

        parser : what `data.parser.parser.read_parser` reads from the same values.

        >>> Settings.from_json(Settings(truth="y", scores=(("p", "spam"),)).to_json()).scores
        (('p', 'spam'),)
        """
        return cls(**{key: as_tuples(value) for key, value in values.items() if key != "parser"}, parser=parser)


@dataclass(frozen=True)
class Receipt:
    """The account of how the files were read, in plain words."""

    files: tuple[FileFacts, ...] = ()
    roles: tuple[ColumnRole, ...] = ()
    notes: tuple[str, ...] = ()  # what was cast, reconciled, left out
    warnings: tuple[str, ...] = ()  # what a person should look at
    join: JoinReport | None = None
    left_out: tuple[LeftOut, ...] = ()  # every id whose rows repeat it and differ

    def to_json(self) -> dict[str, Any]:
        """Return all of it for JSON."""
        return dataclasses.asdict(self)


@dataclass(frozen=True, eq=False)
class Answers:
    """Free text answers, their outcomes and labels.

    column : where they stand.
    texts : the m distinct answers.
    codes : int32 (n,), index into `texts`, MISSING where the cell is null.
    outcomes : int8 (m,), index into `data.answers.parsing.OUTCOMES`, one a distinct answer.
    labels : int32 (m,), code of the label read from each distinct answer, or UNPARSEABLE.
    parser : what read them.
    """

    column: str
    texts: pa.Array
    codes: np.ndarray
    outcomes: np.ndarray
    labels: np.ndarray
    parser: Parser


@dataclass(frozen=True)
class Filtered:
    """The filter that chose the rows of an evaluation.

    conditions : (column, value) pairs that all hold; "" = rows without a value.
    n_rows : rows of the evaluation before. listed : its `Evaluation.listed`, which a filter does not change.
    """

    conditions: tuple[tuple[str, str], ...]
    n_rows: int
    listed: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Evaluation:
    """One classifier's predictions on one set of rows.

    Attributes
    ----------
    labels : K label names. The first `n_space` are the label space; the rest occurred outside it.
    y_true, y_pred : int32 (n,) codes into `labels`, MISSING or UNPARSEABLE (y_pred only);
        multi-label: bool (n, K).
    y_score : float64 (n, S), Fortran order, or None; S = len(score_codes). In a binary task S = 1 and
        the column is the score of `positive`. Softmax is already applied to per-class logits of a
        single-label task; sigmoid logits stay as they are (`scale == "logit"`), NaN = no score.
    score_codes : the label code of every score column.
    scale : the scale of `y_score` and of every threshold on it.
    threshold : what made `y_pred` out of `y_score`; None = predictions came from the file (or argmax).
    has_predictions : False where only scores on their own scale are there and nobody has given a threshold: `y_pred`
        says nothing then (MISSING; multi-label: False), and every number on predictions is undefined.
    scored : bool (n,), rows with a truth and a prediction (or an unparseable answer); without predictions, a score.
    rows : every column of the file(s) for drill-down, in file order, as the reader canonicalised them.
    answers : the free text that the predictions were read from; None where predictions are labels or scores.
    row_numbers : int64 (n,), row of the file (from 0) of every row here; None = all rows are here, in order.
    weights : int64 (n,), how many rows each line stands for (a file of counts); None = one.
    units : int64 (n,), the weight of each line in units, where rows have weights; None = every row counts once. A line
        of weight 0 is not scored. Units are whole, so that sums are exact: 0/0 is seen, and row order changes nothing.
    unit : the weight of one unit.
    score_upper : float64 (n,), the highest score of a line's rows, where scores were grouped into bins and `y_score` is
        the lowest; None = scores are exact. NaN = no score.
    fingerprint : 64 hex digits over content, names of the files and settings; key caches on this.
    filtered : what chose these rows of the whole evaluation; None = all of them are here.
    named : codes of labels that scores are of which are not held here.
    ranks : place of every label of the label space in `Settings.order`, from 0; () = the labels have no order.
    paths : of every label a number for each of its groups from the top, itself the last; () = labels have no groups.
    """

    name: str
    task: Task
    labels: tuple[str, ...]
    n_space: int
    y_true: np.ndarray
    y_pred: np.ndarray
    scored: np.ndarray
    n_missing_truth: int
    n_missing_pred: int
    rows: pa.Table
    fingerprint: str
    settings: Settings
    receipt: Receipt
    y_score: np.ndarray | None = None
    score_codes: tuple[int, ...] = ()
    scale: Scale = "probability"
    positive: int | None = None
    threshold: float | None = None
    has_predictions: bool = True
    answers: Answers | None = None
    row_numbers: np.ndarray | None = None
    weights: np.ndarray | None = None
    filtered: Filtered | None = None
    score_upper: np.ndarray | None = None
    named: tuple[int, ...] = ()
    ranks: tuple[int, ...] = ()
    paths: tuple[tuple[int, ...], ...] = ()
    units: np.ndarray | None = None
    unit: float = 1.0

    @property
    def n_rows(self) -> int:
        """Count the rows of the file, scored or not; in a file of counts, the rows that its lines stand for."""
        return len(self.y_true) if self.weights is None else int(self.weights.sum())

    @property
    def n_lines(self) -> int:
        """Count the places of every array here: the rows, or the lines of a file of counts."""
        return len(self.y_true)

    @property
    def rows_per_line(self) -> np.ndarray:
        """Return how many rows each line stands for, int64 (n,)."""
        return np.ones(len(self.y_true), np.int64) if self.weights is None else self.weights

    @property
    def has_weight(self) -> np.ndarray:
        """Mark the lines whose weight is above 0, bool (n,); every line where rows have none."""
        return np.ones(len(self.y_true), bool) if self.units is None else self.units > 0

    @property
    def class_noun(self) -> str:
        """Return what one class is called: a label where a row has several."""
        return "label" if self.task == "multilabel" else "class"

    @property
    def n_scored(self) -> int:
        """Count the rows that the metrics are over."""
        return self.count_rows(self.scored)

    @property
    def n_unparsed(self) -> int:
        """Count the scored rows whose answer holds no label."""
        return 0 if self.task == "multilabel" else self.count_rows(self.scored & (self.y_pred == UNPARSEABLE))

    def count_rows(self, chosen: np.ndarray) -> int:
        """Count the rows that a bool (n,) chooses."""
        return int(chosen.sum() if self.weights is None else self.weights[chosen].sum())

    @property
    def listed(self) -> tuple[int, ...]:
        """Return codes of labels known from elsewhere than predictions: label list, 0/1 columns, scores, truth."""
        if self.filtered is not None:
            return self.filtered.listed
        if self.settings.label_set is not None:
            return tuple(range(self.n_space))
        names = dict(self.settings.class_names)
        of_columns = {names.get(label, label) for _, label in self.settings.truth_columns}
        known = {code for code, label in enumerate(self.labels) if label in of_columns}
        known |= {*self.score_codes, *self.named}
        if self.task == "multilabel":
            true = np.flatnonzero(self.y_true.any(axis=0))
        else:
            seen = np.zeros(len(self.labels) + 1, dtype=bool)
            seen[self.y_true] = True  # without a truth (-1) it is the last place
            true = np.flatnonzero(seen[:-1])
        return tuple(sorted(known | set(true.tolist())))

    @property
    def default_threshold(self) -> float:
        """Return 0.5 on probabilities, 0 on logits: the same point of the sigmoid; NaN on a scale of their own."""
        return default_threshold(self.scale)

    @property
    def effective_threshold(self) -> float:
        """Return the threshold that made `y_pred` out of `y_score`, or else the default."""
        return self.default_threshold if self.threshold is None else self.threshold


def default_threshold(scale: str) -> float:
    """Return the default threshold of a scale; NaN where somebody must choose one.

    >>> default_threshold("probability"), default_threshold("logit"), default_threshold("score")
    (0.5, 0.0, nan)
    """
    return {"probability": 0.5, "logit": 0.0}.get(scale, float("nan"))


def fingerprint(content: str, settings: Settings) -> str:
    """Return 64 hex digits over the digest of the content and its names, and every setting."""
    text = json.dumps([content, settings.to_json()], sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()
