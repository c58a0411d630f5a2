"""What a person changes about a draft: each change is a new draft over the same stored tables.

Labels that come later, another key of a join, an answer to what was asked, other columns or meanings, another parser.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from data.building.rescoring import label_set_with
from data.columns.run_columns import ALL_ROWS
from data.errors import DataError
from data.evaluation import Settings
from data.parser.parser import Parser
from data.runs import load, understanding
from data.runs.corrections import corrected_settings
from data.runs.draft import Draft
from data.runs.tables import join_tables, table_of
from data.store import store
from text.quoting import list_items, quote


def add_labels(run: str, source: load.Source, progress: load.Progress | None = None) -> Draft:
    """A draft of predictions together with a file of labels that came later; the roles are found anew.

    Raises
    ------
    DataError
        as `read_draft`.
    """
    draft = load.draft_of(run)
    with store.scratch() as folder:
        stored = folder / "before.parquet"
        store.write_canonical(store.load_table(draft.data_ids[0]), stored)
        facts, found = load.read_and_understand(
            [source], folder, draft.given, progress, before=[(stored, draft.files[0])]
        )
        ids = (draft.data_ids[0], store.put_table(folder / "0.parquet"))
    return dataclasses.replace(
        draft, files=(draft.files[0], *facts), data_ids=ids, settings=found.settings, problem=found.problem,
        question=found.question,
    )  # fmt: skip


def rejoin(run: str, key: str | None, repeated: str | None = None) -> str:
    """Join the two stored files of a run anew, or settle the repeated ids of one; returns the new draft's token.

    Corrections stay where the columns that they name are still there; else the roles are found anew.

    Parameters
    ----------
    key : as `data.joining.key_matching.read_key` reads it ("" = row order); None = find it.
    repeated : which rows of a repeated id count, one of `data.joining.table_metadata.REPEATED`; None = as before.

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
    moved = dataclasses.replace(draft, given=given)
    join_tables(tables, key, given.repeated)
    settings, problem, question, *_ = understanding.understood(tables, draft.files, moved.given)
    found = dataclasses.replace(moved, settings=settings, problem=problem, question=question)
    return load.keep(_with_corrections(found, draft))


def _with_corrections(found: Draft, draft: Draft) -> Draft:
    """The draft with the settings that a person had corrected in another, if they still make an evaluation."""
    if draft.problem or draft.settings == understanding.detected(table_of(draft)[0], draft).settings:
        return found
    settings = dataclasses.replace(draft.settings, id=found.settings.id)  # it may be called otherwise in another join
    corrected = dataclasses.replace(found, settings=settings, problem="")
    try:
        understanding.open_draft(corrected)
    except DataError:
        return found
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
    tables = [store.load_table(data_id) for data_id in draft.data_ids]
    settings, problem, again, *_ = understanding.understood(tables, draft.files, given)
    kept = again or draft.question
    return load.keep(dataclasses.replace(draft, given=given, settings=settings, problem=problem, question=kept))


def reparsed(draft: Draft, parser: Parser | None) -> Draft:
    """The same files and settings under another parser; `data.building.rescoring.with_parser` makes its evaluation.

    parser : None = the standard one.
    """
    label_set = label_set_with(draft.settings, parser)
    return dataclasses.replace(draft, settings=dataclasses.replace(draft.settings, parser=parser, label_set=label_set))


def correct(run: str, settings: Settings, given: Mapping[str, Any]) -> str:
    """Apply a person's corrections to a run; returns the token of the new draft over the same stored tables.

    Parameters
    ----------
    given : any of truth, pred, raw (column or None), score_columns, truth_columns, pred_columns (columns), positive,
        scale, space ("seen", "truth" or "set"), label_set (text: JSON list, or a label a line).

    Raises
    ------
    DataError
        the corrected settings make no evaluation; nothing is kept then.
    """
    draft = load.draft_of(run)
    table, files, report = table_of(draft)
    corrected = corrected_settings(table, settings, given)
    understanding.built(draft.name, table, files, report, understanding.detected(table, draft), corrected)
    return load.keep(dataclasses.replace(draft, settings=corrected, problem=""))
