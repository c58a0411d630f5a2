"""Preview uploads under other options, in the limited process that reads files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from data.evaluation import as_tuples
from data.reading.options import Preview, PreviewLine, ReadOptions
from data.runs.limited_reading import run_reading


def preview_files(
    sources: Sequence[tuple[Path, str]], options: Sequence[Sequence[ReadOptions]]
) -> list[tuple[Preview | str, ...]]:
    """Return the previews of each file under each of its options; a sentence where it cannot be split so.

    Raises
    ------
    DataError
        how the limited process ended.
    """
    return run_reading(  # type: ignore[no-any-return]
        "data.runs.uploads.preview_job:work",
        sources,
        lambda answer: [tuple(map(_read_preview, several)) for several in answer],
        choices=[[choice.to_json() for choice in several] for several in options],
    )


def _read_preview(values: dict[str, Any] | str) -> Preview | str:
    if isinstance(values, str):
        return values
    lines = tuple(PreviewLine(line["number"], tuple(line["cells"]), line["kind"]) for line in values["lines"])
    return Preview(**{**as_tuples(values), "lines": lines})
