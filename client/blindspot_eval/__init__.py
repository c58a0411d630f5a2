"""Blindspot beside your training: metrics from counts, predictions files, and the way to the app.

>>> metrics = compute_metrics(["ham", "spam"])
>>> metrics(([[2.0, -1.0], [0.5, 1.5]], [0, 0]))["accuracy"]
0.5
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .predictions import save_predictions
from .reading import numbers
from .reporting import report
from .trainer import compute_metrics
from .viewing import push, show

if TYPE_CHECKING:
    from .callback import SavePredictions

__all__ = ["SavePredictions", "compute_metrics", "numbers", "push", "report", "save_predictions", "show"]


def __getattr__(name: str) -> Any:
    """Import the callback where it is asked for: it needs transformers."""
    if name == "SavePredictions":
        from .callback import SavePredictions

        return SavePredictions
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
