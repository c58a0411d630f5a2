"""A counted source of several labels a row gives the numbers of its rows, and the rows behind them."""

import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from data.comparison.filter_conditions import filter_rows
from data.errors import DataError
from data.rows.selection import Which, find_rows
from data.runs import counted
from data.runs.draft import Given
from data.runs.load import read_evaluation
from data.runs.own_folders.counting import read_source
from data.runs.source_counts import read_source_draft
from data.runs.source_rows import has_source, read_source_rows
from data.runs.sources import find_source
from data.runs.understanding import open_draft, open_with_table
from data.sharing.redaction import redact_draft
from export.by_slice.slices import find_slices, slices_json
from export.measurement import measure
from export.numbers import list_intervals, values
from metrics.progress import nobody
from tests.data.runs.test_counted import same
from tests.measured_numbers import numbers_of

LABELS = ["it's", 'b"; --', "ä", "rock & roll", "x,y"]
N = 400


def sets(rng):
    """Truth and prediction as lists with duplicates, in any order, some empty, some null."""
    truth = [[LABELS[i] for i in rng.integers(0, 5, rng.integers(0, 4))] for _ in range(N)]
    pred = [
        each if rng.random() < 0.4 else [LABELS[i] for i in rng.integers(0, 5, rng.integers(0, 4))] for each in truth
    ]
    return [[None if rng.random() < 0.05 else each for each in side] for side in (truth, pred)]


def lists(rng):
    truth, pred = sets(rng)
    return {"labels": truth, "predicted_labels": pa.array(pred, pa.large_list(pa.string()))}


def texts(rng):
    return {name: [None if each is None else "|".join(each) for each in side]
            for name, side in zip(("labels", "predicted_labels"), sets(rng), strict=True)}  # fmt: skip


def flags(rng, prefix="true"):
    truth, pred = sets(rng)
    kinds = [pa.bool_(), pa.int8(), pa.float64(), pa.string(), pa.int64()]
    found = {}
    for start, side in ((prefix, truth), ("pred", pred)):
        for label, kind in zip(LABELS, kinds, strict=True):
            cells = pa.array([None if each is None else int(label in each) for each in side], pa.int8())
            found[f"{start}_{label}"] = cells.cast(kind)
    return found


def scores(rng):
    found = {name: cells for name, cells in flags(rng).items() if name.startswith("true")}
    for label, kind in zip(LABELS, [pa.float64(), pa.float32()] * 3, strict=False):
        score = np.where(rng.random(N) < 0.2, np.nan, np.round(rng.random(N), 1))
        score[rng.random(N) < 0.05], score[:20] = 0.5, np.nan
        if kind == pa.float32():
            score[20] = 1.0000002  # as a softmax in float32 may overshoot: no per cent
        found[f"prob_{label}"] = pa.array(score, kind)
    return found


MADE = {"lists": lists, "texts": texts, "flags": flags, "scores": scores}


def write(folder, columns):
    """Write rows as a folder of files, and as one file."""
    rng = np.random.default_rng(9)
    table = pa.table({**columns, "region": rng.choice(["eu", "us"], N), "row_id": np.arange(N)})
    (folder / "source").mkdir()
    for i in range(3):
        pq.write_table(table.slice(i * 150, 150), folder / "source" / f"{i}.parquet", row_group_size=97)
    pq.write_table(table, folder / "whole.parquet")
    return folder / "source", folder / "whole.parquet"


@pytest.mark.parametrize("made", MADE)
def test_counted_sets_equal_those_of_rows(tmp_path, engine, made):
    if engine == "spark" and made in ("texts", "flags"):
        pytest.skip("Spark groups plain columns: its tests of labels do so, too")
    source, whole = write(tmp_path, MADE[made](np.random.default_rng(1)))
    rows = measure(read_evaluation([whole], Given()))
    counts = measure(read_source(source, Given(), engine=engine, slices=("region",)))
    one, other = counts.evaluation, rows.evaluation
    assert one.n_lines < other.n_lines == one.n_rows and one.labels == other.labels and counts.engine == engine
    scored = {"roc_auc", "average_precision", "threshold"}
    expected = {k: v for k, v in values(rows).items() if not any(k.startswith(name) for name in scored)}
    expected["findings"] = [line for line in expected["findings"] if line["code"] != "miscalibrated"]  # by the scores
    assert json.dumps(values(counts)) == json.dumps(expected)
    wanted = list_intervals(rows)
    for name, found in list_intervals(counts).items():
        assert found[1:4] == pytest.approx(wanted[name][1:4], nan_ok=True), name
    parts = [slices_json(find_slices(each, ["region"])) for each in (one, other)]
    same(*(sorted(part["slices"], key=lambda one: one["slice"]["region"]) for part in parts), near=1e-9)
    assert not [text for text in one.receipt.warnings if "row 1" in text]


ASKED = (Which(true=(2,), only="fp"), Which(only="errors"), Which(only="missing"))
"""Rows that the engine is asked for: of few lines, of so many that the others are left out, and of gaps."""


@pytest.mark.parametrize("made", MADE)
def test_rows_are_those_behind_a_label(tmp_path, engine, made, monkeypatch):
    if engine == "spark" and made != "lists":
        pytest.skip("Spark groups plain columns: its tests of labels do so, too")
    folder, _ = write(tmp_path, MADE[made](np.random.default_rng(2)))
    path = tmp_path / "sources.toml"
    path.write_text(f'[Sets]\nengine = "{engine}"\nfolder = "{folder}"\nslices = ["region"]\n')
    monkeypatch.setenv("BLINDSPOT_SOURCES", str(path))
    draft, evaluation = read_source_draft(find_source("Sets"), nobody)
    row_of = read_evaluation([tmp_path / "whole.parquet"], Given())
    choices = [Which(true=(2,), only=only) for only in ("fn", "fp", "tp", "tn")]
    for which in (*choices, Which(only="errors"), Which(only="missing"), Which(true=(0,))):
        lines, wanted = find_rows(evaluation, which), find_rows(row_of, which)
        assert evaluation.count_rows(lines) == len(wanted), which
        if which in ASKED:
            asked = read_source_rows(evaluation, lines, nobody)["row_id"].to_pylist()
            assert asked == wanted.tolist()[:200], which
    shared = open_draft(redact_draft(draft, *open_with_table(draft), counts_only=True))
    assert json.dumps(numbers_of(shared)) == json.dumps(numbers_of(evaluation)) and not has_source(shared)
    part, expected = (filter_rows(one, [("region", "eu")]) for one in (evaluation, row_of))
    assert numbers_of(part)["per_class"] == numbers_of(expected)["per_class"]
    lines, wanted = find_rows(part, ASKED[0]), find_rows(expected, ASKED[0])
    assert 0 < len(read_source_rows(part, lines, nobody)) == len(wanted) < 200


BAD = {
    "no list": (
        {"labels": [["a"], ["b"], ["a", "b"], [], ["a", None]] * 4, "predicted_labels": [["a"]] * 20},
        r"'labels' holds '\[\"a\",null\]' in 4 rows, no list of labels: correct these cells",
    ),
    "no flag": (
        {"true_a": [0, 1, 1, 0, 0] * 4, "true_b": [1, 0, 1, 0, 1] * 4, "pred_a": [0, 1, 1, 1, 1] * 4,
         "pred_b": [0, 1, 1, 0, 7] * 4},
        "'pred_b' holds '7' in 4 rows, neither 0 nor 1: correct these cells",
    ),
    "no prediction": ({"labels": [["a"], ["a", "b"]] * 9}, "Predictions are missing"),
    "text scores": (
        {"true_a": [0, 1] * 9, "true_b": [1, 0] * 9, "prob_a": ["0,5", "0,1"] * 9, "prob_b": ["0,5", "0,1"] * 9},
        "'true_a' and 'true_b' could each be the true labels",  # no block, as the scores are no numbers
    ),
}  # fmt: skip


@pytest.mark.parametrize("bad", BAD)
def test_malformed_sets_are_one_sentence(tmp_path, bad, monkeypatch):
    monkeypatch.setattr(counted, "SOURCE_SAMPLE_ROWS", 16)  # of each group of five rows, the last is left out
    columns, said = BAD[bad]
    pq.write_table(pa.table(columns), tmp_path / "a.parquet", row_group_size=5)
    with pytest.raises(DataError, match=said):
        read_source(tmp_path, Given(), engine="memory")


def test_too_many_combinations_lead_to_a_sample(tmp_path, monkeypatch):
    source, _ = write(tmp_path, lists(np.random.default_rng(3)))
    monkeypatch.setattr(counted, "MAX_COUNT_LINES", 50)
    with pytest.raises(DataError, match=r"more than 50 combinations of .* open a sample of the rows"):
        read_source(source, Given(), engine="memory")


def test_scores_in_per_cent_predict_at_the_threshold(tmp_path, engine):
    rng = np.random.default_rng(6)
    found = flags(rng)
    columns = {name: cells for name, cells in found.items() if name.startswith("true")}
    columns |= {f"percent_{label}": rng.integers(0, 101, N) for label in LABELS}
    source, whole = write(tmp_path, columns)
    given = Given(threshold=0.55)  # 0.55 * 100 is a little more than 55
    counts, rows = read_source(source, given, engine=engine), read_evaluation([whole], given)
    predicted = counts.y_pred.sum(axis=1) * counts.rows_per_line
    assert int(predicted[counts.scored].sum()) == int(rows.y_pred[rows.scored].sum())


@pytest.mark.parametrize("made", MADE)
def test_weighted_sets_equal_their_rows(tmp_path, made):
    rng = np.random.default_rng(4)
    table, n = pa.table(MADE[made](rng)), rng.integers(0, 4, N)
    (tmp_path / "lines").mkdir()
    pq.write_table(table.append_column("n", pa.array(n)), tmp_path / "lines/0.parquet")
    pq.write_table(table.take(pa.array(np.repeat(np.arange(N), n))), tmp_path / "rows.parquet")
    found = numbers_of(read_source(tmp_path / "lines", Given(counts="n"), engine="memory"))
    wanted = numbers_of(read_source(tmp_path / "rows.parquet", Given(), engine="memory"))
    assert json.dumps(found) == json.dumps(wanted)
