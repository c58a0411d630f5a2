"""Draw text files with an odd layout, and the table that stands in each: the oracle of how they are split."""

import csv
import io
import random
from dataclasses import dataclass

_MARKS = ",;\t|"
_NAMES = [
    ["case", "reference", "system output", "certainty", "note", "site", "reader", "batch"],
    ["Fall-Nr.", "Wahrheit", "Vorhersage", "Konfidenz", "Bemerkung", "Ort", "Prüfer", "Lauf"],
    ["id", "y_true", "y_pred", "y_score", "text", "region", "rater", "run"],
]
_NOTES = ["plain", "two words", "a, b", "x; y", "first | second", "one, two, three", "5; 6, 7", 'said "yes"']
_TITLES = [
    "Model evaluation report",
    "Generated 2026-11-20",
    "Run 7, classifier v2.1, test split",
    "Threshold: 0,5",
    "Exported by: Lab 3; operator: unknown",
    "Clinic|Ward 4",
    "Totals: 1,234 of 5,678",
    '"Quoted title"',
    "",
]
_FOOTERS = ["End of report", "Rows: {rows}", "Created by tool 3.1, licensed", "Total;{rows}"]


@dataclass(frozen=True)
class DrawnLayout:
    """A drawn file, and what it holds: the delimiter, the line of the header (None without), names and rows."""

    seed: int
    content: bytes
    delimiter: str
    header_line: int | None
    names: list[str]
    rows: list[list[str]]
    decimal: str
    titles: list[str]
    footers: list[str]


def draw_layout(seed: int) -> DrawnLayout:
    """Draw a file: the delimiter, decimal commas, titles, blank lines, quoted notes, columns, footers, line ends."""
    dice = random.Random(seed)
    delimiter = dice.choice(_MARKS)
    decimal = dice.choice(".,")
    n_columns, n_rows = dice.randint(1, 8), dice.choice([3, 8, 40, 150, 400])
    names = dice.choice(_NAMES)[:n_columns] if n_columns > 1 else ["y_pred"]
    rows = [_draw_row(dice, number, n_columns, decimal) for number in range(n_rows)]
    titles = _draw_titles(dice, delimiter, n_columns)
    footers = [dice.choice(_FOOTERS).format(rows=n_rows)] if n_columns > 1 and dice.random() < 0.1 else []
    has_header = n_columns == 1 or bool(titles) or dice.random() < 0.9
    quoted = dice.random() < 0.15
    line_end = dice.choice(["\n", "\r\n"])
    text = io.StringIO()
    writer = csv.writer(
        text,
        delimiter=delimiter,
        quoting=csv.QUOTE_ALL if quoted else csv.QUOTE_MINIMAL,
        lineterminator=line_end,
    )
    writer.writerows([names, *rows] if has_header else rows)
    above, below = ("".join(line + line_end for line in lines) for lines in (titles, footers))
    header_line = len(titles) + 1 if has_header else None
    content = (above + text.getvalue() + below).encode()
    return DrawnLayout(seed, content, delimiter, header_line, names, rows, decimal, titles, footers)


def _draw_row(dice: random.Random, number: int, n_columns: int, decimal: str) -> list[str]:
    score = f"{dice.random():.2f}".replace(".", decimal)
    truth, pred = dice.choice("ABC"), dice.choice("ABC")
    cells = [str(number), truth, pred, score, dice.choice(_NOTES), dice.choice("NS"), f"r{dice.randint(1, 3)}", "7"]
    return [pred] if n_columns == 1 else cells[:n_columns]


def _draw_titles(dice: random.Random, delimiter: str, n_columns: int) -> list[str]:
    """Draw lines above the table; some end in delimiters, as a spreadsheet program writes them."""
    if n_columns == 1 or dice.random() < 0.35:
        return []
    titles = [dice.choice(_TITLES) for _ in range(dice.randint(1, 5))]
    if dice.random() < 0.25:
        plain = [title for title in titles if delimiter not in title]
        return [title + delimiter * (n_columns - 1) for title in plain]
    return titles
