"""Every broken or odd file has the outcome that is promised for it."""

import re
from pathlib import Path

import pytest

from data.errors import DataError
from data.reading.dispatch import read_table
from tests.data.corpus import SMALL, Case, all_cases

CASES = all_cases()
STANDING = re.compile(r"[\d,]+ of [\d,]+ sampled lines? splits? into|Every line is one cell")
UNFIT = re.compile(r"[\x00-\x1f\x7f\u202a-\u202e\u2066-\u2069]|Traceback|Error\(|/(?:tmp|usr|home|root|var)/")


@pytest.mark.parametrize("case", [c for c in CASES if c.columns is not None], ids=str)
def test_a_readable_file_gives_exactly_its_cells(case: Case, tmp_path: Path) -> None:
    path = tmp_path / "upload"
    path.write_bytes(case.content)
    table, facts = read_table(path, case.upload_name, limits=SMALL)
    assert table.to_pydict() == case.columns
    assert facts.n_rows == table.num_rows and list(facts.columns) == table.column_names
    said = " ".join(facts.notes + facts.warnings)
    assert [text for text in case.noted if text not in said] == []
    remarks = [note for note in facts.notes + facts.warnings if not STANDING.match(note)]
    assert bool(remarks) == bool(case.noted)


@pytest.mark.parametrize("case", [c for c in CASES if c.columns is None], ids=str)
def test_unreadable_file_is_refused_in_one_sentence(case: Case, tmp_path: Path) -> None:
    path = tmp_path / "upload"
    path.write_bytes(case.content)
    with pytest.raises(DataError) as refusal:
        read_table(path, case.upload_name, limits=SMALL)
    sentence = str(refusal.value)
    assert [text for text in case.says if text.lower() not in sentence.lower()] == []
    assert len(sentence) <= 400 and not UNFIT.search(sentence)
    assert sentence.startswith(case.upload_name[:20])
