"""Sources of this server are joined by ids as files of their rows are, and refused with one sentence each."""

import json

import numpy as np
import pyarrow as pa
import pytest

from cli import main
from data.comparison.aligned_runs import align_runs
from data.comparison.other_columns import column_draft, list_other_columns
from data.comparison.source_join.named_sources import join_source, list_joined_sources, list_shared_columns
from data.errors import DataError
from data.runs.draft import Draft
from data.runs.source_counts import read_source_draft
from data.runs.sources import find_source
from data.runs.understanding import open_draft
from export.compare.comparison import comparison, to_json
from export.numbers import plain
from tests.data.runs.test_counted import same
from tests.data.runs.test_joint_counts import write_two

ENTRY = '["{0}"]\nfolder = "{0}"\ntruth = "y_true"\npred = "pred"\nengine = "{1}"\n'


def nobody(share):
    """Nobody waits."""


@pytest.fixture
def listed(tmp_path, monkeypatch):
    """Two models' rows as listed sources and as files; returns the files."""
    _, files = write_two(tmp_path, np.random.default_rng(3), pa.string())
    hidden = ENTRY.format("hidden", "auto") + 'for = "domain:example.org"\n'

    def write(old="auto", new="auto"):
        (tmp_path / "sources.toml").write_text(ENTRY.format("old", old) + ENTRY.format("new", new) + hidden)
        monkeypatch.setenv("BLINDSPOT_SOURCES", str(tmp_path / "sources.toml"))

    write()
    return files, write


def test_joined_sources_compare_as_their_rows_do(listed, engine, capsys, read_here):
    files, write = listed
    write(engine, "auto")
    options = ["--truth", "y_true", "--pred", "pred", "--join", "id", "--json"]
    assert main(["compare", *map(str, files), *options]) == 0
    rows = json.loads(capsys.readouterr().out.replace(".parquet", ""))
    draft, first = read_source_draft(find_source("old"), nobody)
    assert list_joined_sources(first) == ("old",)
    assert list_shared_columns(["old", "new"]) == ["id", "y_true", "pred", "day"]
    made, _ = join_source(draft, "new", None, nobody)
    made = Draft.from_json(json.loads(json.dumps(made.to_json())))
    joined = open_draft(made)
    [other] = list_other_columns(joined)
    both = [joined, open_draft(column_draft(made, other))]
    aligned = align_runs(both, ["old", "new"], same_file=True)
    found, said = comparison(aligned)
    counts = plain(to_json(found, aligned, said, "accuracy"))
    assert (rows.pop("engine"), counts.pop("engine")) == ("memory", engine)
    assert [one.partition(": row ")[0].rstrip(".") for one in rows.pop("warnings")] == [
        one.rstrip(".") for one in counts.pop("warnings")
    ]
    for one in rows["models"]:
        one.pop("own_rows")  # accuracy over rows of one source only: that of its own page
    same(counts, rows, near=1e-9)
    assert list_joined_sources(joined) == ("old", "new")
    with pytest.raises(DataError, match="compared already"):
        join_source(made, "new", None, nobody)


@pytest.mark.parametrize(("name", "key", "problem"), [
    ("hidden", None, "There is no source 'hidden' here"), ("../new", None, "There is no source"),
    ("old", None, "compared already"), ("new", "nowhere", "has no column 'nowhere'"),
    ("new", "pred", "0 rows can be compared.*Check the id"),
])  # fmt: skip
def test_source_that_cannot_be_joined_is_refused(listed, name, key, problem):
    draft, _ = read_source_draft(find_source("old"), nobody)
    with pytest.raises(DataError, match=problem):
        join_source(draft, name, key, nobody)


def test_sources_of_two_engines_are_refused(listed, tmp_path):
    files, write = listed
    write("memory", "duckdb")
    draft, _ = read_source_draft(find_source("old"), nobody)
    with pytest.raises(DataError, match=r"different engines \(duckdb and memory\)"):
        join_source(draft, "new", None, nobody)
    (tmp_path / "old/1.parquet").write_bytes(files[0].read_bytes())
    with pytest.raises(DataError, match="has changed since it was counted, so it is not joined"):
        join_source(draft, "new", None, nobody)
