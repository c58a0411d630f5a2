"""Write a predictions file for every evaluation of a training: a callback for the Trainer of transformers."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
from transformers import TrainerCallback

from .naming import names_of_places
from .outputs import Outputs, with_decision
from .predictions import predictions_table, write_table
from .trainer import ComputeMetrics, Evaluated

_PATTERN = "step-{:08}.parquet"


class SavePredictions(TrainerCallback):
    """Write `step-….parquet` for every evaluation, with the columns epoch and step; the app opens the folder.

    Parameters
    ----------
    metrics : what `compute_metrics` returned: give it to the Trainer, too.
    folder : where the files go; it is made. Evaluations of several data sets get a folder each in it.
    ids, columns : of the evaluated rows, as in `save_predictions`.
    """

    def __init__(
        self,
        metrics: ComputeMetrics,
        folder: str | os.PathLike[str],
        *,
        ids: Any = None,
        columns: Mapping[str, Any] | None = None,
    ) -> None:
        self.metrics, self.folder, self.ids, self.columns = metrics, Path(folder).absolute(), ids, columns

    def on_train_begin(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        """Refuse a folder with the files of another training: they would be shown as epochs of this one."""
        if state.is_world_process_zero and not state.global_step and any(self.folder.rglob("step-*.parquet")):
            raise ValueError(f"{self.folder} holds predictions of an earlier training; name another folder.")

    def on_evaluate(
        self, args: Any, state: Any, control: Any, metrics: Mapping[str, float] | None = None, **kwargs: Any
    ) -> None:
        """Write the predictions that the metrics of this evaluation were computed from."""
        outputs_in_metrics, self.metrics.last = self.metrics.last, None
        if outputs_in_metrics is None or not state.is_world_process_zero:
            return
        folder = self.folder / _name_of(metrics or {})
        folder.mkdir(parents=True, exist_ok=True)
        outputs = _outputs(outputs_in_metrics, type(kwargs.get("model")).__name__)
        table = predictions_table(outputs, ids=self.ids, columns=self.columns)
        for name, value in (("step", state.global_step), ("epoch", f"{state.epoch or 0:.6g}")):
            table = table.add_column(1, name, pa.array([value] * len(table)))
        write_table(table, folder / _PATTERN.format(state.global_step), outputs)


def _outputs(evaluated: Evaluated, model: str) -> Outputs:
    """Return the arrays of an evaluation by name; here a whole number is always a place in the label list."""
    truth, several = names_of_places(evaluated.y_true, evaluated.labels), evaluated.task == "multilabel"
    scored = Outputs(evaluated.labels, truth, None, several, evaluated.scores, evaluated.labels, evaluated.scale, model)
    return with_decision(scored, evaluated.task, evaluated.scale, evaluated.decided)


def _name_of(metrics: Mapping[str, float]) -> str:
    """Return the name of the evaluated data set, where there are several: eval_NAME_n_scored; else "".

    >>> _name_of({"eval_n_scored": 1}), _name_of({"eval_test_n_scored": 1})
    ('', 'test')
    """
    counter = next((key for key in metrics if key.endswith("_n_scored")), "eval_n_scored")
    return counter.removesuffix("n_scored").strip("_").removeprefix("eval").strip("_")
