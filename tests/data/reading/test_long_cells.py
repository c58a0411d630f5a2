"""One cell as long as it likes: no pattern reads it again and again, else one small file would stop the server.

A quadratic pattern needs hours for these; the limit of every test ends it.
"""

import pytest

from data.answers.match_rules import _CHOICE
from data.answers.vocabulary import normalise
from data.columns.column import Column
from data.columns.written_numbers import read_written_numbers
from data.labels.cell_sets import parse_list
from data.labels.spelling import keys
from data.runs.load import Given, read_evaluation

LONG = 300_000
CELLS = {
    "digits and a letter": "7" * LONG + "x",
    "zeros": "0" * LONG,
    "zeros and a letter": "0" * LONG + "x",
    "points": "." * LONG,
    "commas": "1," * (LONG // 2),
    "exponents": "1e" * (LONG // 2),
    "blanks": "a" + " " * LONG + "b",
    "tabs": "\t" * LONG + "x",
    "lines": "\n" * LONG + "x",
    "underscores": "_" * LONG + "!",
    "fences": "```" * (LONG // 3),
    "an open fence": "```" + "a" * LONG,
    "a list": "[" + "1," * (LONG // 2),
    "an open text": '["' + "a" * LONG,
    "brackets": "{" * LONG,
    "colons": "answer" + ":" * LONG,
    "tags": "<think>" * (LONG // 7),
}


@pytest.mark.parametrize("cell", CELLS.values(), ids=CELLS)
def test_every_pattern_reads_a_cell_once(cell):
    for text in (cell, cell[::-1]):
        assert parse_list(text) is None and read_written_numbers([text]) is None, "none of these is a list or a number"
        assert len(normalise(text)) <= len(text) and all(len(key) <= len(text) for key in keys(text))
        choice = _CHOICE.fullmatch(text)
        assert choice is None or len(choice[1]) <= 3
        read_written_numbers([text + "%"])


@pytest.mark.parametrize("what", ["digits and a letter", "lines", "fences", "a list"])
def test_a_file_with_a_long_cell_is_read(what, tmp_path):
    path = tmp_path / "long.csv"
    cell = CELLS[what].replace('"', '""')
    path.write_text(f'id,text,label,prediction\n1,"{cell}",a,a\n2,x,b,a\n3,y,b,b\n', encoding="utf-8")
    evaluation = read_evaluation([path], Given())
    assert (evaluation.settings.truth, evaluation.settings.pred) == ("label", "prediction")
    column = Column(evaluation.rows, "text")
    assert not column.is_number and not column.is_number_like
