"""Sources of this server are joined by ids as files of their rows are, and refused with one sentence each."""

import dataclasses
import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from cli import main
from data.comparison.aligned_runs import align_runs
from data.comparison.named_sources import join_source, list_joined_sources, list_shared_columns
from data.comparison.other_columns import column_draft, list_other_columns
from data.engines.join_query import read_joined
from data.engines.query import ROWS
from data.errors import DataError
from data.runs.draft import Draft, Given
from data.runs.draft_changes import correct_settings
from data.runs.own_folders.joining import read_joined_sources
from data.runs.source_counts import read_source_draft
from data.runs.sources import find_source
from data.runs.tables import load_joined_table
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


@pytest.fixture
def list_two(tmp_path, monkeypatch):
    """List two small sources, A and B, with 60 rows of three labels; returns the draft of A."""
    truth, numbers = np.array(["a", "b", "c"] * 20), np.arange(60)

    def write(a, b, more=""):
        for name, columns in (("A", a), ("B", b)):
            (tmp_path / name).mkdir()
            table = pa.table({"id": numbers, "y": truth, "pred": np.roll(truth, numbers[-1] % 7), **columns})
            pq.write_table(table, tmp_path / name / "0.parquet")
        entry = '["{0}"]\nfolder = "{0}"\ntruth = "y"\npred = "pred"\nengine = "memory"\n'
        (tmp_path / "list.toml").write_text(entry.format("A") + entry.format("B") + more)
        monkeypatch.setenv("BLINDSPOT_SOURCES", str(tmp_path / "list.toml"))
        return read_source_draft(find_source("A"), nobody)[0]

    return write


def test_joins_of_other_predictions_differ(list_two):
    draft = list_two({"pred2": np.array(["a", "c", "b"] * 20)}, {})
    by_other = dataclasses.replace(find_source("A"), given=Given(truth="y", pred="pred2"))
    other = read_source_draft(by_other, nobody)[0]
    found = {join_source(one, "B", "id", nobody)[1].fingerprint for one in (draft, draft, other)}
    assert len(found) == 2


def test_merged_labels_stay_merged_in_a_join(list_two):
    draft = list_two({}, {"y": np.array(["a", "b", "b"] * 20), "pred": np.array(["a", "b", "b"] * 20)})
    merged = dataclasses.replace(draft, settings=dataclasses.replace(draft.settings, merge=(("c", "b"),)))
    plain, found = (join_source(one, "B", "id", nobody)[1] for one in (draft, merged))
    assert (plain.n_rows, found.n_rows, found.labels) == (40, 60, ("a", "b"))


def test_choices_stay_in_a_join(list_two):
    draft = list_two({}, {})
    chosen = {"order": ("c", "b", "a"), "cluster": "", "class_names": (("a", "Anna"),)}
    corrected = dataclasses.replace(draft, settings=dataclasses.replace(draft.settings, **chosen))
    joined, evaluation = join_source(corrected, "B", "id", nobody)
    assert joined.settings.choices() == draft.settings.choices() | chosen
    assert evaluation.labels == ("c", "b", "Anna") and evaluation.ranks == (0, 1, 2)


def test_labels_per_row_stay_in_a_join(list_two):
    cells = np.array(["a", "b", "a|b"] * 20)
    draft = list_two({"y": cells, "pred": np.roll(cells, 5)}, {"y": cells, "pred": np.roll(cells, 7)})
    single = correct_settings(load_joined_table(draft)[0], draft.settings, {"task": "single"})
    several, one = (
        join_source(dataclasses.replace(draft, settings=settings), "B", "id", nobody)[1]
        for settings in (draft.settings, single)
    )
    assert (several.task, several.labels) == ("multilabel", ("a", "b"))
    assert (one.task, one.labels) == ("multiclass", ("a", "a|b", "b"))


def test_each_source_is_joined_by_its_own_column(list_two):
    draft = list_two({}, {"ref": np.arange(60), "id": np.arange(60) + 30})
    assert join_source(draft, "B", "id=ref", nobody)[1].n_rows == 60


def test_lists_and_thresholds_are_not_joined(list_two, tmp_path):
    tags = {"tags": [["x"], ["y"]] * 30}
    chance = {"score": np.linspace(0.01, 0.99, 60), "y": ["a", "b"] * 30, "pred": ["a", "a"] * 30}
    draft = list_two(tags, tags | chance, 'score = "score"\npositive = "b"\nthreshold = "0.3"\n')
    assert list_shared_columns(["A", "B"]) == ["id", "y", "pred"]
    with pytest.raises(DataError, match="Column 'tags' holds lists, which name no row"):
        join_source(draft, "B", "tags", nobody)
    with pytest.raises(DataError, match="this source predicts by a threshold: leave the threshold out"):
        join_source(draft, "B", "id", nobody)
    with pytest.raises(DataError, match="Column 'tags' holds lists"):
        read_joined_sources([tmp_path / "A", tmp_path / "B"], Given(truth="y", pred="pred"), "tags", engine="memory")


def test_joined_lines_have_one_order():
    told = pa.table({
        "a0": [0, 1, None, 0], "a1": [1, 1, 0, 0], "repeated": [False, True, False, False], "differ": [False] * 4,
        "no_id": [False] * 4, ROWS: [3, 2, 1, 5], "m0": [3, 2, 0, 5], "m1": [3, 2, 1, 5],
    })  # fmt: skip
    found, other = read_joined(told, 2), read_joined(told.take([2, 0, 3, 1]), 2)
    assert repr(found) == repr(other) and found.rows.tolist() == [5, 3, 2]
