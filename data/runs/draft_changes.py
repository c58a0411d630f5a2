"""Change a draft: each change is a new draft over the same stored tables.

Labels that come later, another key of a join, an answer to what was asked, other columns or meanings, another parser.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa

from data.building.rescoring import choose_label_set
from data.columns.column import distinct
from data.columns.column_checks import check_column
from data.columns.column_names import parse_name
from data.errors import DataError
from data.evaluation import CHOICES, JoinReport, Settings
from data.joining.key_matching import Pair
from data.joining.value_keys import propose_key
from data.labels.class_names import merge_named
from data.parser.parser import Parser
from data.roles.detect import detect, flags_error
from data.roles.run_columns import ALL_ROWS, select_run, training_epochs
from data.roles.search import Given, Pairs
from data.runs import load, understanding
from data.runs.draft import NO_SCORES, Draft, Given as DraftGiven
from data.runs.tables import join_tables, load_joined_table
from data.runs.written_options import label_set_from_text
from data.store import store
from text.quoting import list_items, quote

_OF_COLUMNS = ("truth", "pred", "raw", "score_columns", "truth_columns", "pred_columns", "positive")
"""Choices that mean nothing once 0/1 columns are one column, or are columns again."""
_OF_SINGLE_LABELS = ("order", "separator", "tree")
"""Choices that mean nothing where a row may have several labels."""

_UNDER_THRESHOLD = ("truth", "pred", "raw", "scores", "scale", "positive", "task")
"""A threshold that was given is dropped where one of these changes."""
_NONE_IS_EMPTY = ("truth", "pred", "raw", "positive", "scale", "task", "counts")
"""Choices whose empty text stands for none."""
_PLAIN = ("truth", "pred", "raw", "positive", "scale", "counts", *CHOICES)
"""Corrections that are taken over as they are."""


def correct_settings(table: pa.Table, settings: Settings, given: Mapping[str, Any]) -> Settings:
    """Apply corrections to settings; find again what follows from a changed column or positive class."""
    given = {**given, **{name: given[name] or None for name in _NONE_IS_EMPTY if name in given}}
    for name in filter(None, (given.get("cluster"), *dict(given.get("run_parts", ())).values())):
        check_column(table, name)  # building checks the others
    space = given.get("space", settings.label_space if settings.label_set is None else "set")
    label_set = _choose_label_set(settings, given) if space == "set" else None
    columns = tuple(filter(None, given.get("score_columns", [column for column, _ in settings.scores])))
    wanted = dataclasses.replace(
        settings,
        **{name: given[name] for name in _PLAIN if name in given},
        scores=_label_columns(columns, settings.scores, [label for _, label in settings.truth_columns]),
        label_set=label_set,
    )
    newly_merged = _names_merge_labels(table, settings, wanted)
    if newly_merged or _needs_detection(settings, wanted):
        detected = _detect_anew(table, settings, wanted, find_scores=newly_merged and not columns)
        corrected = dataclasses.replace(detected, counts=wanted.counts, **wanted.choices())
    elif settings.encoding == "multi_hot":
        if wanted.task == "single":
            raise flags_error([name for name, _ in settings.truth_columns])
        corrected = _with_blocks(wanted, given)
    else:
        corrected = wanted
    same = all(getattr(corrected, name) == getattr(settings, name) for name in _UNDER_THRESHOLD)
    return dataclasses.replace(
        corrected, label_space="truth" if space == "truth" else "seen", threshold=settings.threshold if same else None
    )


def _choose_label_set(settings: Settings, given: Mapping[str, Any]) -> tuple[str, ...]:
    kept = None if "label_set" in given else settings.label_set
    return kept or label_set_from_text(given.get("label_set", ""))


def _needs_detection(settings: Settings, wanted: Settings) -> bool:
    """Return whether a column moved, or the labels that decide what the task is and what a score is of."""
    names = ["truth", "pred", "raw", "counts"]
    if settings.encoding != "multi_hot":
        names += ["scores", "positive", "label_set", "task"]
    return any(getattr(settings, name) != getattr(wanted, name) for name in names)


def _names_merge_labels(table: pa.Table, settings: Settings, wanted: Settings) -> bool:
    """Return whether new names of classes make labels of the truth and of the predictions one: with 0=no, 0 is no."""
    columns = [name for name in table.column_names if name in (wanted.truth, wanted.pred)]
    if wanted.class_names == settings.class_names or len(columns) < 2:
        return False
    return bool(merge_named(wanted.class_names, {name: distinct(table.column(name)).values for name in columns}))


def _detect_anew(table: pa.Table, settings: Settings, wanted: Settings, *, find_scores: bool) -> Settings:
    """Return what detection makes of the columns that were chosen; find_scores : nobody has said which are scores."""
    columns = [column for column, _ in wanted.scores]
    # a positive class is kept only if somebody chose it for these labels
    is_chosen = wanted.positive != settings.positive or wanted.positive in _list_labels(table, wanted)
    scores: tuple[Any, ...] = ()
    if len(columns) > 1:
        keep_labels = wanted.scores == settings.scores and wanted.truth == settings.truth
        scores = wanted.scores if keep_labels else tuple(columns)
    given = Given(
        wanted.truth,
        wanted.pred,
        wanted.raw,
        score=columns[0] if len(columns) == 1 else None,
        scores=scores,
        positive=wanted.positive if is_chosen else None,
        counts=wanted.counts or "",
        task=wanted.task,
        no_scores=not columns and not find_scores,
        merge=wanted.merge,
        class_names=wanted.class_names,
    )
    rows, _ = select_run(table, wanted.only)
    detected = detect(rows, label_set=wanted.label_set, given=given, ask=False).settings
    # detection fills what was left open; a column that the person set to "none" stays unused
    if detected.encoding != "multi_hot":
        detected = dataclasses.replace(detected, truth=wanted.truth, pred=wanted.pred, raw=wanted.raw)
    # scores that were found, or said, to be no probabilities stay so while their columns are the same
    same_columns = columns == [column for column, _ in settings.scores]
    as_before = same_columns and wanted.scale in ("logit", "score")
    as_before = as_before or (wanted.scale == "confidence" and wanted.scores == settings.scores)
    scale = wanted.scale if wanted.scale != settings.scale or as_before else detected.scale
    return dataclasses.replace(detected, scores=detected.scores if columns or find_scores else (), scale=scale)


def _list_labels(table: pa.Table, settings: Settings) -> tuple[str, ...]:
    """Return the labels that there are in any case: those of the list, or of the truth."""
    if settings.label_set is not None or settings.truth not in table.column_names:
        return settings.label_set or ()
    return distinct(table.column(settings.truth)).values


def _with_blocks(settings: Settings, given: Mapping[str, Any]) -> Settings:
    """Return multi-hot settings with the 0/1 columns that were chosen."""
    labels = [label for _, label in settings.truth_columns]
    blocks: dict[str, Any] = {
        name: _label_columns([*filter(None, given[name])], getattr(settings, name), labels)
        for name in ("truth_columns", "pred_columns")
        if name in given
    }
    return dataclasses.replace(settings, **blocks)


def _label_columns(columns: Sequence[str], before: Pairs, labels: Sequence[str]) -> Pairs:
    """Label columns: as before, or by a known label in the column's name, or by what is named there.

    >>> _label_columns(["p_a", "true_b"], [("p_a", "a")], ["a", "b"])
    (('p_a', 'a'), ('true_b', 'b'))
    """
    label_of = dict(before)
    for column in columns:
        stems = [reading.stem for reading in parse_name(column)]
        label_of.setdefault(column, next((stem for stem in stems if stem in labels), stems[0]))
    return tuple((column, label_of[column]) for column in columns)


def add_labels(run: str, source: load.Source, progress: load.Progress | None = None) -> Draft:
    """Add a file of labels that came later to a draft of predictions; the roles are found anew.

    Raises
    ------
    DataError
        as `read_draft`.
    """
    draft = load.draft_of(run)
    with store.scratch() as folder, store.disk_errors():
        stored = folder / "before.parquet"
        store.write_canonical(store.load_table(draft.data_ids[0]), stored)
        facts, understood = load.read_and_understand(
            [source], folder, draft.given, progress, before=[(stored, draft.files[0])]
        )
        ids = (draft.data_ids[0], store.put_table(folder / "0.parquet"))
    return dataclasses.replace(
        draft, files=(draft.files[0], *facts), data_ids=ids, settings=understood.settings, problem=understood.problem,
        question=understood.question, uploads=(),
    )  # fmt: skip


def propose_pairs(run: str) -> tuple[Pair, ...]:
    """Return the columns of a run's two files that hold the same values, to fill in as their key; () for none."""
    tables = [store.load_table(data_id) for data_id in load.draft_of(run).data_ids]
    proposal = propose_key(*tables)
    return () if proposal is None else proposal.match.pairs


def preview_join(run: str, key: str, repeated: str) -> JoinReport:
    """Return the report of joining a run's two files so; nothing is kept.

    Raises
    ------
    DataError
        they cannot be joined so.
    """
    draft = load.draft_of(run)
    tables = [store.load_table(data_id) for data_id in draft.data_ids]
    report = join_tables(tables, key, repeated, draft.files)[1]
    assert report is not None  # of two tables
    return report


def rejoin(run: str, key: str | None, repeated: str | None = None) -> str:
    """Join the two stored files of a run anew, or settle the repeated ids of one; returns the new draft's token.

    Corrections stay where the columns that they name are still there; else the roles are found anew.

    Parameters
    ----------
    key : as `data.joining.key_matching.read_key` reads it ("" = row order); None = find it.
    repeated : which rows of a repeated id count, one of `data.columns.table_metadata.REPEATED`; None = as before.

    Raises
    ------
    DataError
        the run is one file, or its files cannot be joined so; nothing is kept then.
    """
    draft = load.draft_of(run)
    if len(draft.data_ids) != 2 and repeated is None:
        raise DataError(f"{quote(draft.name)} is one file, so there is nothing to join; add the labels as a second.")
    tables = [store.load_table(data_id) for data_id in draft.data_ids]
    given = dataclasses.replace(draft.given, key=key, repeated=repeated or draft.given.repeated)
    join_tables(tables, key, given.repeated)
    return load.keep(_with_corrections(_understand_again(draft, given), draft))


def _understand_again(draft: Draft, given: DraftGiven) -> Draft:
    """Return the draft that its tables are under other wishes."""
    tables = [store.load_table(data_id) for data_id in draft.data_ids]
    understood = understanding.understand(tables, draft.files, given)
    return dataclasses.replace(
        draft, given=given, settings=understood.settings, problem=understood.problem, question=understood.question,
        without_scores=understood.without_scores, comma=understood.comma,
    )  # fmt: skip


def _with_corrections(renewed: Draft, draft: Draft) -> Draft:
    """Return the renewed draft with the settings that a person had corrected, if they still make an evaluation."""
    if draft.problem or draft.settings == understanding.detect_again(load_joined_table(draft)[0], draft).settings:
        return renewed
    # The column of ids may have another name after another join.
    settings = dataclasses.replace(draft.settings, id=renewed.settings.id)
    corrected = dataclasses.replace(renewed, settings=settings, problem="")
    try:
        understanding.open_draft(corrected)
    except DataError:
        return renewed
    return corrected


def answer(run: str, choice: str | None) -> str:
    """Answer a draft's question with one of its values, or None for every row; returns the token of the new draft.

    The roles are found anew among the rows that count, so the draft is what an upload of only these rows would be.

    Raises
    ------
    DataError
        nothing was asked, or the choice is none of what was asked about.
    """
    draft = load.draft_of(run)
    if draft.question is None:
        raise DataError(f"{quote(draft.name)} holds one evaluation: there is nothing to choose.")
    column, values = draft.question
    if choice is not None and choice not in values:
        raise DataError(f"There is no {quote(choice)} among {list_items(values)}: choose one of these.")
    if column:
        given = dataclasses.replace(draft.given, only=ALL_ROWS if choice is None else (column, choice))
    else:
        given = dataclasses.replace(draft.given, raw=choice)
    answered = _understand_again(draft, given)
    return load.keep(dataclasses.replace(answered, question=answered.question or draft.question))


def drop_scores(run: str) -> str:
    """Read a draft's tables without scores; returns the token of the new draft."""
    draft = load.draft_of(run)
    return load.keep(_understand_again(draft, dataclasses.replace(draft.given, scores=NO_SCORES)))


def change_parser(draft: Draft, parser: Parser | None) -> Draft:
    """Return the files and settings under another parser; `data.building.rescoring.with_parser` evaluates it.

    parser : None = the standard one.
    """
    label_set = choose_label_set(draft.settings, parser)
    return dataclasses.replace(draft, settings=dataclasses.replace(draft.settings, parser=parser, label_set=label_set))


def correct(run: str, settings: Settings, given: Mapping[str, Any]) -> str:
    """Apply a person's corrections to a run; returns the token of the new draft over the same stored tables.

    Parameters
    ----------
    given : any of truth, pred, raw (column or None), score_columns, truth_columns, pred_columns (columns), positive,
        scale, space ("seen", "truth" or "set"), label_set (text: JSON list, or a label a line); counts and every one
        of `Choices` as in `Settings`.

    Raises
    ------
    DataError
        the corrected settings make no evaluation; nothing is kept then.
    """
    draft = load.draft_of(run)
    if _reads_flags_anew(draft, given):
        draft = _understand_again(draft, dataclasses.replace(draft.given, task=given["task"]))
        if draft.problem:
            raise DataError(draft.problem)
        wanted = {**settings.choices(), "counts": settings.counts, **given}
        given = {name: value for name, value in wanted.items() if name not in (*_OF_COLUMNS, *_OF_SINGLE_LABELS)}
        settings = draft.settings
    table, files, report = load_joined_table(draft)
    corrected = correct_settings(table, settings, given)
    question = _ask_epoch(table, corrected) if "run_parts" in given else None
    if question is not None:
        corrected = dataclasses.replace(corrected, only=(question[0], question[1][-1]))
    understanding.build_evaluation(
        draft.name, table, files, report, understanding.detect_again(table, draft), corrected
    )
    return load.keep(dataclasses.replace(draft, settings=corrected, problem="", question=question or draft.question))


def _reads_flags_anew(draft: Draft, given: Mapping[str, Any]) -> bool:
    """Return whether 0/1 columns become one column of labels, or are 0/1 columns again, by the labels of a row."""
    if given.get("task", draft.settings.task) == draft.settings.task:
        return False
    settings = dataclasses.replace(draft.settings, task=given["task"], truth_columns=())
    before, _, _ = load_joined_table(draft)
    after, _, _ = load_joined_table(dataclasses.replace(draft, settings=settings))
    return bool(before.column_names != after.column_names)


def _ask_epoch(table: pa.Table, settings: Settings) -> tuple[str, tuple[str, ...]] | None:
    """Return the column of epochs that a person named and its values, where they are those of one training."""
    column = dict(settings.run_parts).get("epoch")
    if not column or (settings.only and settings.only[0] == column):
        return None
    epochs = training_epochs(table, column, named=True)
    return None if epochs is None else (column, epochs)
