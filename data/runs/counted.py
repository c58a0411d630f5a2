"""Build the evaluation of a source without its rows: roles from a sample, counts from an engine."""

from __future__ import annotations

import dataclasses
import functools
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from data.building import counted_labels, source_predictions
from data.building.encoded_parts import no_threshold_error
from data.building.single_label_scores import NO_SUM, OWN_SCALE, describe_softmax
from data.building.source_sample import SourceSample, count_tied, name_source
from data.columns.counted_metadata import Counted, require_counted, with_counted
from data.columns.known_tools import FAILED
from data.columns.plain_names import free_name
from data.columns.score_scale import find_source_cut
from data.columns.weight_columns import weights_need_rows_error
from data.engines.engine import Engine, describe_counting
from data.engines.query import HIGH, LOW, ROWS, AtLeast, ColumnFacts, Condition, Grouping, Key
from data.engines.row_scores import read_scores
from data.engines.row_source import RowSource
from data.engines.score_bins import count_in_few_bins, describe_bins, sampled_facts
from data.errors import DataError
from data.evaluation import Evaluation, FileFacts, Settings
from data.labels.positive_class import choose_positive
from data.limits import MAX_COUNT_CELLS, MAX_COUNT_LINES, MAX_SOURCE_COLUMNS, SOURCE_SAMPLE_ROWS
from data.process.limits import Limits
from data.reading.binary.parquet import make_canonical
from data.roles.detect import Detected, detect
from data.roles.run_columns import ALL_ROWS, warn_of_uncounted
from data.runs.class_scores.source_keys import make_score
from data.runs.draft import Given
from data.runs.understanding import build_evaluation
from text.numbers import count
from text.quoting import list_items, quote


@dataclass(frozen=True)
class CountedSource:
    """The counts of a source as a canonical table, with what a draft needs besides."""

    table: pa.Table
    facts: FileFacts
    settings: Settings
    weights: str | None = None
    """The source's own column of rows per line."""

    def evaluation(self, settings: Settings | None = None) -> Evaluation:
        """Build the evaluation of the counts, with other settings than those they were counted by, or with these."""
        counted = require_counted(self.table)
        detected = Detected(self.settings, counted.roles, counted.notes, counted.warnings)
        return build_evaluation(self.facts.name, self.table, [self.facts], None, detected, settings or self.settings)


def count_source(
    folder: RowSource,
    engine: Engine,
    given: Given,
    *,
    name: str,
    source: str | None = None,
    slices: Sequence[str] = (),
    scores: bool = True,
    notes: Sequence[str] = (),
) -> CountedSource:
    """Count a source: by truth, prediction and slices, and in a binary task by the score of the positive class.

    given : what a person has said, as for a file. name : of the evaluation. source : its name on this server.
    slices : columns by whose values the counts are split. scores : whether scores are counted, where there are some.
    notes : why it is counted.

    Raises
    ------
    DataError
        columns whose roles cannot be found; answers, which need every row; a score that is no number; a cell that is
        no set of labels; too many combinations; or a query that failed.
    """
    if given.weights:
        raise weights_need_rows_error()
    limits = dataclasses.replace(Limits.from_environment(), rows=2**62, columns=MAX_SOURCE_COLUMNS)
    return _Counting(folder, engine, given, limits, tuple(slices), list(notes)).run(name, source, scores=scores)


class _CountColumns(NamedTuple):
    """The columns of rows, and of the smallest and largest score of a line; None = no scores, or exact ones."""

    rows: str
    score: str | None
    upper: str | None


class _Counting:
    """Hold the steps of one count, and what each leaves to those after it.

    sample : some rows, by which columns got their roles. names : of each of its columns the name in the files.
    settings : as far as they are settled: steps name predictions, and leave out scores that are not counted.
    """

    def __init__(
        self, folder: RowSource, engine: Engine, given: Given, limits: Limits, slices: tuple[str, ...],
        notes: list[str],
    ) -> None:  # fmt: skip
        self.folder, self.engine, self.given, self.limits = folder, engine, given, limits
        self.slices, self.notes = slices, notes
        self.sample = SourceSample(folder.sample(SOURCE_SAMPLE_ROWS), folder.n_rows, limits, self._detect)
        self.names = self.sample.names
        settings = given.settings(self.sample.found.settings)
        self.settings = dataclasses.replace(settings, only=None) if settings.only == ALL_ROWS else settings
        self.warnings: list[str] = []
        self.made: dict[str, Key] = {}  # columns that are made of scores, and how
        self.softmax: tuple[str, ...] = ()  # columns of logits, as the files name them, that are read together
        self.classes: tuple[str, ...] = ()  # those with a score, where there are more than two
        self.class_scores: tuple[tuple[str, str], ...] = ()  # (column in the files, class) that may be counted later
        self.class_scale = ""  # of these scores

    def run(self, name: str, source: str | None, *, scores: bool) -> CountedSource:
        """Count, and return the table with how it was counted; arguments as in `count_source`.

        First the predictions are settled, then labels are counted, then the score that is left, if there is one.
        """
        if not scores:
            counted_labels.check_joinable(self.settings)
            self.settings = dataclasses.replace(self.settings, scores=(), scale="probability")
        counted_labels.check_countable(self.settings)
        counted_labels.check_columns(self.slices, self.names)
        where = self._only()
        sets = self.settings.encoding != "single"
        if scores and not sets and self.settings.counts is not None and not self.settings.scores:
            self.notes.append(counted_labels.describe_no_scores(self.settings.counts))
        if sets:
            self._predict_sets()
        keys = self._keys()
        counts, binned = self._label_counts(where), False
        if not sets:
            self._keep_one_score(counts)
        if self.settings.scores:
            counts, binned = self._score_counts(where)
        elif self._keys() != keys:  # a column of scores that are not counted splits the counts
            counts = self._label_counts(where)
        return self._hand_over(counts, name, source, binned=binned)

    def _detect(self, sample: pa.Table) -> Detected:
        given = self.given
        return detect(sample, label_set=given.labels(), given=given.columns(), ask=given.only is None)

    def _predict_sets(self) -> None:
        """Let scores predict the labels of a row where nothing else does; else leave them out."""
        settings = self.settings
        if not settings.scores:
            return
        if not source_predictions.predicts_by_scores(settings):
            self._note_classes()
            self.notes.append(counted_labels.describe_left_out_scores(settings))
            self.settings = dataclasses.replace(settings, scores=(), scale="probability")
            return
        facts = self._check_scores()
        highest = max(facts.values(), key=lambda column: -np.inf if column.high is None else column.high)
        cut = self._find_cut(highest, column_predicts=False)
        if cut is None:
            raise DataError("The scores are on a scale of their own, so that they predict nothing: give a threshold.")
        self._note_classes()
        cuts = source_predictions.choose_cuts(
            self.settings, self.names, dict(self.given.label_thresholds), cut, highest.high
        )
        self.settings = source_predictions.with_predicted_columns(self.settings)
        self.made = source_predictions.threshold_keys(cuts, self.names)
        self.notes.append(source_predictions.describe_cuts(cuts))

    def _check_scores(self) -> dict[str, ColumnFacts]:
        """Return facts about every column of scores, by its name in the sample; refuse what is no score."""
        columns = [column for column, _ in self.settings.scores]
        counted_labels.check_numbers(columns, self.names, self.folder.schema)
        return self._check_range(columns)

    def _check_range(self, columns: Sequence[str]) -> dict[str, ColumnFacts]:
        """Return facts about columns of scores over all rows, by their names in the sample, and check their scale."""
        raw = self.engine.facts([self._raw(column) for column in columns])
        facts = {column: raw[self._raw(column)] for column in columns}
        self._check_scale(facts)
        return facts

    def _predict_highest(self) -> None:
        """Let the highest score predict the class of a row."""
        if len(self.settings.scores) < 2:
            raise DataError("There is no prediction: choose a column of predictions, or a score per class.")
        facts = self._check_scores()
        self.settings = self._name_highest(self.settings, facts.values())

    def _name_highest(self, settings: Settings, facts: Iterable[ColumnFacts]) -> Settings:
        """Return settings that predict the class of the highest score; facts : of its columns, as far as known."""
        name = free_name("predicted", self.names)
        self.made[name] = source_predictions.highest_key(
            [(self._raw(column), label) for column, label in settings.scores]
        )
        self.notes.append(source_predictions.describe_highest(settings, facts))
        if settings.scale == "score":
            self.warnings.append(OWN_SCALE)
        return dataclasses.replace(settings, pred=name)

    def _note_classes(self) -> None:
        """Keep which scores are counted for each class against the rest, once somebody asks for them."""
        self.class_scores = tuple((self._raw(column), label) for column, label in self.settings.scores)
        self.class_scale = self.settings.scale

    def _raw(self, column: str) -> str:
        """Return the name that a column has in the files."""
        return self.names[column]

    def _only(self) -> tuple[Condition, ...]:
        """Return the condition of the rows that a person chose, by the values that the files have for it."""
        if self.settings.only is None:
            return ()
        column, value = self.settings.only
        raw = self.engine.count(Grouping((self._raw(column),), most=MAX_COUNT_LINES)).column("k0")
        return (Condition(self._raw(column), counted_labels.find_written(raw, column, value, self.limits)),)

    def _keys(self) -> tuple[str, ...]:
        """Return the columns that split the counts: ("label", "predicted"), say; that of the score does so anyway."""
        scores = [column for column, _ in self.settings.scores]
        slices = [name for name in self.slices if name not in scores]
        return tuple(dict.fromkeys((*counted_labels.label_columns(self.settings), *slices)))

    def _count(self, where: tuple[Condition, ...], score: str | None = None, bits: int | None = None,
               cut: float | None = None) -> pa.Table | None:  # fmt: skip
        """Return the counts under the names of the columns; None where there are too many combinations.

        score : the column that splits the counts, too. bits, cut : its bins, as in `Grouping`.
        """
        keys = self._keys()
        most = self._most(keys)
        asked = Grouping(
            tuple(self.made.get(key) or self._raw(key) for key in keys),
            score=score and make_score(self._raw(score), self.softmax), bits=bits, cut=cut, where=where,
            weights=self.settings.counts and self._raw(self.settings.counts), most=most,
        )  # fmt: skip
        table = self.engine.count(asked)
        if len(table) > most:
            return None
        for place, key in enumerate(asked.keys):
            table = table.set_column(place, keys[place], source_predictions.name_highest(table.column(place), key))
        return table

    def _most(self, keys: Sequence[str]) -> int:
        """Return the lines that a table of counts by these columns may have."""
        return min(MAX_COUNT_LINES, MAX_COUNT_CELLS // len(keys))

    def _label_counts(self, where: tuple[Condition, ...]) -> pa.Table:
        """Return the counts without scores; refuse too many combinations."""
        table = self._count(where)
        if table is None:
            keys, instead = self._keys(), "choose columns with fewer values"
            if self.settings.encoding != "single":
                instead = "open a sample of the rows, or split the counts by fewer columns"
            raise DataError(
                f"There are more than {self._most(keys):,} combinations of {list_items(keys, 3)}: {instead}."
            )
        return table

    def _keep_one_score(self, counts: pa.Table) -> None:
        """Keep the score of the positive class in a binary task; others need every row."""
        settings = self.settings
        if not settings.scores:
            return
        truth = counted_labels.rows_by_text(counts, settings.truth, self.limits)
        pred = counted_labels.rows_by_text(counts, settings.pred, self.limits)
        named = [label for _, label in settings.scores]
        labels = settings.label_set or tuple(sorted({*truth, *set(pred).difference(FAILED), *named}))
        if len(labels) > 2:
            self._leave_out_scores(len(labels))
            return
        positive = settings.positive or choose_positive(labels, truth, named)[0]
        kept = next((pair for pair in settings.scores if pair[1] == positive), settings.scores[0])
        others = [column for column, _ in settings.scores if column != kept[0]]
        counted_labels.check_numbers([kept[0]], self.names, self.folder.schema)
        if others:
            self._check_range([kept[0], *others])
            settings = self._use_two_scores(kept[0], others)
        self.settings = dataclasses.replace(settings, scores=(kept,))

    def _leave_out_scores(self, n_classes: int) -> None:
        """Count no scores of several classes now; the highest one predicts where nothing else does."""
        settings = self.settings
        if settings.threshold is not None:
            raise no_threshold_error("multiclass", has_scores=True)
        self.classes = tuple(label for _, label in settings.scores)
        if settings.pred is None:
            self._predict_highest()
        self._note_classes()
        self.notes.append(counted_labels.describe_left_out_scores(settings, n_classes))
        self.settings = dataclasses.replace(self.settings, scores=(), scale="probability")

    def _use_two_scores(self, kept: str, others: list[str]) -> Settings:
        """Return the settings by which the score of the positive class is read beside those of the other class."""
        settings = self.settings
        if settings.scale == "logit":
            counted_labels.check_numbers(others, self.names, self.folder.schema)
            self.softmax = tuple(self._raw(column) for column, _ in settings.scores)
            self.notes.append(describe_softmax(len(settings.scores)))
            return dataclasses.replace(settings, scale="probability")
        if self._add_up(kept, others[0]):
            self.notes.append(f"{list_items(others)} is not counted: the score of one class says both.")
            return settings
        return self._rank_by_two(settings)

    def _add_up(self, kept: str, other: str) -> bool:
        """Return whether one of two scores says both: a sample adds up to 1, and in all rows 0.5 finds the higher."""
        if self.settings.scale != "probability" or not source_predictions.add_up(self.sample.table, (kept, other)):
            return False
        column, beside = self._raw(kept), self._raw(other)
        cut = find_source_cut("probability", None, self.engine.facts([column])[column].high)
        assert cut is not None
        keys = source_predictions.highest_key([(column, kept), (beside, other)]), AtLeast(column, cut)
        return source_predictions.agree(self.engine.count(Grouping(keys, most=MAX_COUNT_LINES)))

    def _rank_by_two(self, settings: Settings) -> Settings:
        """Use two scores that do not add up to 1 to rank rows; the higher one predicts where nothing else does."""
        if settings.scale == "probability":
            self.notes.append(NO_SUM)
        predicted = settings.pred is not None or settings.threshold is not None
        if not predicted:
            self._note_classes()
            settings = self._name_highest(settings, ())
        return dataclasses.replace(settings, scale="score")

    def _score_counts(self, where: tuple[Condition, ...]) -> tuple[pa.Table, bool]:
        """Return the counts with scores, exact while they fit, else in bins; and whether they are in bins."""
        score = self.settings.scores[0][0]
        of_softmax = tuple(column for column, raw in self.names.items() if raw in self.softmax)
        made = make_score(score, of_softmax)
        drawn = read_scores(self.sample.table, made).to_numpy(zero_copy_only=False)
        facts = sampled_facts(drawn, self.folder.n_rows, MAX_COUNT_LINES)
        if facts is None:  # of a softmax, counting says whether its values fit
            raw = self._raw(score)
            facts = ColumnFacts(0, 0.0, 1.0) if self.softmax else self.engine.facts([raw])[raw]
        self._check_scale({score: facts})
        if facts.n_distinct <= MAX_COUNT_LINES:
            table = self._count(where, score)
            if table is not None:
                return table, False
        if score in self.slices:
            raise DataError(
                f"Column {quote(score)} holds more than {MAX_COUNT_LINES:,} scores, so they are counted in bins. Name "
                "another column to split or filter by."
            )
        cut = self._find_cut(facts)
        best = self._bins(where, score, cut)
        facts = facts._replace(low=pc.min(best.column(LOW)).as_py(), high=pc.max(best.column(HIGH)).as_py())
        self._check_scale({score: facts})
        if self._find_cut(facts) != cut:  # rows outside the sample moved the threshold
            best = self._bins(where, score, self._find_cut(facts))
        return best, True

    def _bins(self, where: tuple[Condition, ...], score: str, cut: float | None) -> pa.Table:
        """Return the counts in the fewest bins that are exact enough."""
        tied = functools.partial(count_tied, truth=self.settings.truth or "", limits=self.limits)
        best = count_in_few_bins(lambda bits: self._count(where, score, bits, cut), tied)
        if best is None:
            raise DataError(
                f"There are more than {MAX_COUNT_LINES:,} combinations of {list_items(self._keys())} and bins of "
                f"{quote(score)}: split the counts by fewer columns."
            )
        return best

    def _check_scale(self, facts: Mapping[str, ColumnFacts]) -> None:
        """Find the scale again where scores outside the sample leave 0 to 1; facts : of the columns of scores."""
        again = self.given.scale is None
        if self.settings.scale != "probability" or not self.sample.add_ends(self.engine, facts, again=again):
            return
        if again:
            self.settings = dataclasses.replace(self.settings, scale=self.sample.found.settings.scale)
        if self.settings.scale == "probability":
            source_predictions.check_range(self.sample.table, facts)

    def _find_cut(self, facts: ColumnFacts, *, column_predicts: bool = True) -> float | None:
        """Return the score at which predictions change, on the scale of the files; None where a column predicts.

        column_predicts : whether the column of predictions does so, if there is one.
        """
        settings = self.settings
        if column_predicts and settings.pred is not None and settings.threshold is None:
            return None
        scale = "probability" if settings.scale == "confidence" else settings.scale
        return find_source_cut(scale, settings.threshold, facts.high)

    def _hand_over(self, counts: pa.Table, name: str, source: str | None, *, binned: bool) -> CountedSource:
        """Return the counts as a canonical table, with what was done."""
        table, _, notes = make_canonical(counts, self.limits)
        if self.settings.encoding != "single":
            counted_labels.check_cells(table, self.settings, counts.column(ROWS).to_numpy())
        table, columns = self._name_columns(counted_labels.sort_lines(table), binned=binned)
        only = self.settings.only
        settings = dataclasses.replace(self.settings, counts=columns.rows, id=None, only=None)  # of the table
        counting = describe_counting(self.engine)
        sample = self.sample.found
        sentences = [
            f"{count(self.folder.n_rows)} of {count(len(self.folder.files), 'file')} were {counting} into "
            f"{count(len(table), 'line')}. Columns got their roles from {len(self.sample.table):,} rows; all rows were "
            "checked.",
            counted_labels.describe_cells(counts, settings),
        ]
        if only is not None:
            sentences.append(f"Only rows with {quote(only[0])} = {quote(only[1])} count.")
        if columns.score is not None and columns.upper is not None:
            sentences.append(describe_bins(table.column(columns.score), columns.upper))
        roles = counted_labels.column_roles(
            table.column_names, settings, sample.roles, self.made,
            rows=columns.rows, counted_by=counting, upper=columns.upper,
        )  # fmt: skip
        counted = Counted(
            source=source,
            snapshot=self.folder.snapshot,
            engine=self.engine.name,
            n_rows=self.folder.n_rows,
            n_files=len(self.folder.files),
            rows=columns.rows,
            score=columns.score,
            upper=columns.upper,
            columns={column: self.names[column] for column in table.column_names if column in self.names},
            cuts={column: key.at for column, key in self.made.items() if isinstance(key, AtLeast)},
            only=() if only is None else ((self._raw(only[0]), (only[1],)),),
            roles=roles,
            notes=(*sentences, *self.notes, *sample.notes, *notes),
            warnings=(*self.warnings, *sample.warnings, *warn_of_uncounted(sample.roles, table.column_names)),
            class_scores=self.class_scores,
            class_scale=self.class_scale,
            weights=self.settings.counts and self._raw(self.settings.counts),
            classes=self.classes,
            highest=source_predictions.find_highest(self.made),
            softmax=self.softmax,
        )
        digest = json.dumps([self.folder.snapshot, table.column_names, len(table), self.given.to_json()])
        facts = name_source(name, self.folder, digest)
        return CountedSource(with_counted(table, counted), facts, settings, self.settings.counts)

    def _name_columns(self, table: pa.Table, *, binned: bool) -> tuple[pa.Table, _CountColumns]:
        """Return the counts with names for the columns of rows and scores that no other column has."""
        keys = set(self._keys())
        scores = [column for column, _ in self.settings.scores]
        rows = free_name("rows", {*keys, *scores})
        score = scores[0] if scores else None
        upper = free_name(f"{score} (highest)", {*keys, rows, str(score)}) if binned else None
        names = {LOW: score, HIGH: upper, ROWS: rows}
        kept = [column for column in table.column_names if names.get(column, column) is not None]
        table = table.select(kept).rename_columns([names.get(column, column) for column in kept])
        return table, _CountColumns(rows, score, upper)
