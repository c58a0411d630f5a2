"""Load a model by its name, or say which packages are missing."""

from __future__ import annotations

import importlib.util
import threading
from collections.abc import Sequence

from data.errors import DataError
from harness.models import INSTALL, NEEDS, Model, ModelName, Options


def open_model(name: ModelName, options: Options) -> Model:
    """Load a model, or make the client of its server.

    Raises
    ------
    DataError
        a package is missing, or the model cannot be loaded; one sentence.
    """
    if missing := [package for package in NEEDS[name.kind] if importlib.util.find_spec(package) is None]:
        raise DataError(f"{name.kind}: models need {' and '.join(missing)}, not installed here; run {INSTALL}.")
    if name.kind == "openai":
        from harness.backends.openai_model import OpenAIModel

        return OpenAIModel(name, options)
    from harness.backends import transformers_models

    return transformers_models.open_model(name, options)


def import_ahead(names: Sequence[ModelName]) -> None:
    """Import openai in a thread: that takes 0.6 s, in which the limited process reads the rows."""
    if any(name.kind == "openai" for name in names) and importlib.util.find_spec("openai"):
        threading.Thread(target=importlib.import_module, args=("openai",)).start()
