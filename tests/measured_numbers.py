"""The numbers of predictions as the JSON has them, without a search of slices."""

from typing import Any

from export.measurement import Measurement
from export.numbers import values
from metrics.findings.tables import FROM_ROWS
from metrics.findings.worst_parts import NO_PARTS


def numbers_of(predictions: Any) -> dict[str, Any]:
    """Return every number of an evaluation, or of a stand-in that has its arrays."""
    return values(Measurement(predictions, known_parts=NO_PARTS, count=FROM_ROWS))
