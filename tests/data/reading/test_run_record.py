"""Test that what a file says of the run that wrote it is read within limits, as text, and never refuses the file."""

import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from data.parser.parser import STANDARD
from data.process.limits import Limits, ignore_progress
from data.reading.dispatch import read_table
from data.reading.run_record import RUN_METADATA, find_run_differences, read_run, run_choices

ABOUT = {
    "identity": {"model": "openai:m", "prompt": "0123456789abcdef"},
    "labels": ["ham", "spam"],
    "parser": STANDARD.to_json(),
    "data": {"rows": 9},
    "sample": {"rows": 2, "how": "random"},
}


CHANGES: tuple[dict, ...] = (
    {"labels": []}, {"labels": ["a", "a"]}, {"labels": [7]}, {"labels": ["\ud800"]}, {"labels": "ab"},
    {"labels": [str(n) for n in range(6000)]}, {"labels": ["x" * (2 << 20)]}, {"parser": {"rules": ["none"]}},
    {"identity": None}, {"sample": {"rows": "many"}}, {"data": []}, {"scale": "kelvin"},
)  # fmt: skip


def written(tmp_path, content: bytes):
    table = pa.table({"text": ["a", "b"], "truth": ["ham", "spam"]}).replace_schema_metadata({RUN_METADATA: content})
    pq.write_table(table, tmp_path / "p.parquet")
    return read_table(tmp_path / "p.parquet", "p.parquet", limits=Limits(), progress=ignore_progress)[1]


def test_run_of_a_file_is_read_and_said(tmp_path):
    facts = written(tmp_path, json.dumps(ABOUT).encode())
    assert run_choices(facts.run) == (("ham", "spam"), STANDARD, None)
    assert facts.notes[0] == (
        "Written by a run of Blindspot: model 'openai:m', prompt '0123456789ab', 2 rows of 9 ('random'), label list of "
        "2 labels, parser 'standard'."
    )


def test_runs_are_compared_by_what_made_them():
    other = ABOUT | {
        "identity": {"model": "openai:n", "prompt": "0123456789abcdef"},
        "sample": {"rows": 3, "how": "random"},
    }
    one, two = (read_run(json.dumps(about).encode())[0] for about in (ABOUT, other))
    said = find_run_differences([one, two])
    assert said.endswith("They differ in model, sample; prompt, data, parser are the same.")
    assert find_run_differences([one, one]).endswith("They do not differ.")
    assert find_run_differences([one, None]) == find_run_differences([one, '{"labels": []}']) == ""


def test_scale_of_a_file_is_taken():
    run, notes = read_run(json.dumps(ABOUT | {"scale": "score"}).encode())
    assert run is not None and run_choices(run)[2] == "score" and "scores on the scale 'score'" in notes[0]


@pytest.mark.parametrize(
    "content",
    [
        b"\xff", b"7", b"[" * 100_000, b'{"labels": ' + b"9" * 5000 + b"}",
        *(json.dumps(ABOUT | change).encode() for change in CHANGES),
    ],
)  # fmt: skip
def test_unusable_run_leaves_the_file_readable(tmp_path, content):
    facts = written(tmp_path, content)
    assert facts.run is None and facts.n_rows == 2
    assert "name label list and parser by hand" in facts.notes[0]


def test_hostile_names_are_shown_as_text():
    _, notes = read_run(json.dumps(ABOUT | {"identity": {"model": "\x1b[2J\u202e" + "m" * 500}}).encode())
    assert "\x1b" not in notes[0] and "\u202e" not in notes[0] and len(notes[0]) < 400
