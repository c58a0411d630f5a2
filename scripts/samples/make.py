"""Make the sample files anew: `python -m scripts.samples.make`.

Every sample has its own seed, so the same versions of numpy and scikit-learn write the same files; another
machine's linear algebra may move the last digit of a score. Needs scikit-learn; the app does not run this.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence

from data.samples import FOLDER, INTENT_LABELS
from scripts.samples import (
    answer_ratings,
    digits,
    movie_genres,
    screening,
    several_intents,
    simulated_answers,
    support_intents,
    triage,
)

JSON_LINES = ("support-intents-llm", "support-intents-several")
"""Samples that are written as JSON lines; the others are CSV."""
Rows = Sequence[Mapping[str, object]]


def make_rows() -> dict[str, Rows]:
    """Return the rows of every sample, under its key."""
    messages = support_intents.make_rows()
    return {
        "screening": screening.make_rows(),
        "digits": digits.make_rows(),
        "support-intents": messages,
        "support-intents-first-400": support_intents.first_rows(messages),
        "support-intents-llm": simulated_answers.make_rows(messages),
        "support-intents-several": several_intents.make_rows(),
        "triage": triage.make_rows(),
        "movie-genres": movie_genres.make_rows(),
        "answer-ratings": answer_ratings.make_rows(),
    }


def make_files() -> dict[str, str]:
    """Return the text of every sample file, under its name."""
    rows = make_rows()
    files = {
        f"{key}.jsonl" if key in JSON_LINES else f"{key}.csv": (as_json_lines if key in JSON_LINES else as_csv)(made)
        for key, made in rows.items()
    }
    files[INTENT_LABELS] = json.dumps(support_intents.labels(), indent=1) + "\n"
    return files


def as_csv(rows: Rows) -> str:
    r"""Write rows as CSV; a float keeps six significant digits.

    >>> as_csv([{"id": 1, "p": 1 / 3}])
    'id,p\n1,0.333333\n'
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(rows[0])
    writer.writerows([f"{v:.6g}" if isinstance(v, float) else v for v in row.values()] for row in rows)
    return text.getvalue()


def as_json_lines(rows: Rows) -> str:
    """Write rows as JSON lines, readable text left as it is."""
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def main() -> None:
    """Write all files and say what was written."""
    for name, text in make_files().items():
        (FOLDER / name).write_text(text, encoding="utf-8", newline="\n")
        print(f"{name}: {len(text.encode()):,} bytes")


if __name__ == "__main__":
    main()
