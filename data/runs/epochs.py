"""Build the evaluation of every epoch of a training that a draft holds."""

from __future__ import annotations

import dataclasses

from data.building.build import build
from data.evaluation import Evaluation
from data.roles.run_columns import training_epochs
from data.runs.draft import Draft
from data.runs.tables import load_joined_table


def epochs_asked(draft: Draft) -> tuple[str, ...]:
    """Return the epochs among which a draft's rows were chosen, in ascending order; none where it holds no training.

    >>> from data.evaluation import Settings
    >>> from data.runs.draft import Given
    >>> epochs_asked(Draft("p.csv", (), (), Given(), Settings()))
    ()
    """
    if draft.question is None or draft.settings.only is None or draft.leaves_out:
        return ()
    column, values = draft.question
    chosen = dict(draft.settings.run_parts).get("epoch")
    is_epoch = column.lower() == "epoch" if chosen is None else column == chosen
    return values if is_epoch and column == draft.settings.only[0] else ()


def epoch_evaluations(draft: Draft) -> dict[str, Evaluation]:
    """Return an evaluation for every epoch, in ascending order, under the draft's settings; none without a training.

    They are for counting: their names and fingerprints are not those of files that are opened.
    """
    names = epochs_asked(draft)
    if not names or draft.question is None:
        return {}
    column = draft.question[0]
    table, files, report = load_joined_table(draft)
    if training_epochs(table, column, named=True) is None:
        return {}
    return {
        name: build(
            table,
            dataclasses.replace(draft.settings, only=(column, name)),
            name=draft.name,
            content_sha256=files[0].sha256,
            files=files,
            join=report,
        )
        for name in names
    }
