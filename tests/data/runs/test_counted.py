"""A counted source gives the numbers of the rows that it was counted from, by whichever engine."""

import dataclasses
import json
import re
from contextlib import closing

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from cli import main
from data.engines import score_bins
from data.engines.engine import open_engine
from data.engines.parquet_folder import open_folder
from data.engines.row_query import RowQuery
from data.errors import DataError
from data.rows.selection import Which, find_rows
from data.runs import counted
from data.runs.draft import Given
from data.runs.load import read_evaluation
from data.runs.own_folders.counting import read_source
from data.runs.own_folders.row_limits import is_counted
from data.runs.sources import read_size
from export.by_slice.slices import find_slices, slices_json
from export.measurement import measure
from export.numbers import list_intervals, values
from export.report.page import html_report

LABELS = ["it's", 'b"; --', "ä", None]


def write(folder, table, n_files=3):
    """Write rows as a folder of files, and as one file."""
    (folder / "source").mkdir()
    size = -(-len(table) // n_files)
    for i in range(n_files):
        pq.write_table(table.slice(i * size, size), folder / "source" / f"{i}.parquet", row_group_size=97)
    pq.write_table(table, folder / "whole.parquet")
    return folder / "source", folder / "whole.parquet"


def multiclass(rng, n=900):
    truth, pred = rng.integers(0, 3, n), rng.integers(0, 4, n)
    pred = np.where(rng.random(n) < 0.6, truth, pred)
    return pa.table({
        "y_true": [LABELS[i] for i in truth], "y_pred": [LABELS[i] for i in pred],
        "region": rng.choice(["eu", "us"], n), "row_id": np.arange(n),
    })  # fmt: skip


def binary(rng, n=900, scale=1.0, digits=3):
    score = np.round(rng.beta(1.2, 3, n), digits)
    y = np.where(rng.random(n) < score, "fraud", "ok")
    score = np.where(rng.random(n) < 0.02, np.nan, score * scale)
    return pa.table({"label": y, "fraud_score": score, "region": rng.choice(["eu", "us"], n), "row_id": np.arange(n)})


def same(found, expected, where="", near=1e-12):
    """Every number of one is that of the other."""
    if isinstance(expected, dict):
        assert found.keys() == expected.keys(), where
        for key in expected:
            same(found[key], expected[key], f"{where}.{key}", near)
    elif isinstance(expected, list):
        assert len(found) == len(expected), where
        for i, (one, other) in enumerate(zip(found, expected, strict=True)):
            same(one, other, f"{where}.{i}", near)
    elif isinstance(expected, float):
        assert found == pytest.approx(expected, abs=near, nan_ok=True), where
    else:
        assert found == expected, where


@pytest.mark.parametrize("made", [multiclass, binary], ids=["multiclass", "binary"])
def test_counted_numbers_equal_those_of_rows(tmp_path, engine, made):
    source, whole = write(tmp_path, made(np.random.default_rng(3)))
    rows, counts = (
        measure(read_evaluation([whole], Given())),
        measure(read_source(source, Given(), engine=engine)),
    )
    assert counts.evaluation.weights is not None and counts.evaluation.n_lines < rows.evaluation.n_lines
    assert counts.engine == engine
    n = sum(rows.evaluation.y_true < 0) if made is multiclass else sum(np.isnan(rows.evaluation.y_score[:, 0]))
    what = "true label" if made is multiclass else "score; scores from 0"
    assert f"{n} without a {what}" in " ".join(counts.evaluation.receipt.notes)
    same(values(counts), values(rows))
    one, other = list_intervals(counts), list_intervals(rows)
    same({k: list(v[1:4]) for k, v in one.items()}, {k: list(v[1:4]) for k, v in other.items()}, near=1e-9)
    assert all(bound == 0 for bound in (counts.score_error_bound or {}).values())


@pytest.mark.parametrize("most", [2_000_000, 300], ids=["exact", "binned"])
def test_two_logits_are_scores_by_their_softmax(tmp_path, engine, monkeypatch, most):
    monkeypatch.setattr(counted, "MAX_COUNT_LINES", most)
    monkeypatch.setattr(score_bins, "_BITS", (4, 6))
    rng = np.random.default_rng(8)
    yes, no = rng.normal(size=(2, 900)) * 4
    label = np.where(yes - no + rng.normal(size=900) * 3 > 0, "yes", "no")
    source, whole = write(tmp_path, pa.table({"label": label, "logit_yes": yes, "logit_no": no}))
    rows = measure(read_evaluation([whole], Given()))
    counts = measure(read_source(source, Given(), engine=engine))
    same(values(counts)["confusion_matrix"], values(rows)["confusion_matrix"])
    for name in ("roc_auc", "average_precision", "log_loss", "brier"):
        assert abs(values(counts)[name] - values(rows)[name]) <= counts.score_error_bound[name] + 1e-12, name


def test_two_logits_are_told_outside_the_sample(tmp_path, quick_engine, monkeypatch):
    monkeypatch.setattr(counted, "SOURCE_SAMPLE_ROWS", 16)
    rng = np.random.default_rng(8)
    yes, no = rng.random((2, 400)).round(2)
    yes[90::50], no[93::50] = -3.5, 6.0
    columns = {"label": np.where(yes > no, "yes", "no"), "score_yes": yes, "score_no": no}
    source, whole = write(tmp_path, pa.table(columns))
    rows = measure(read_evaluation([whole], Given()))
    counts = measure(read_source(source, Given(), engine=quick_engine))
    assert "Softmax made" in " ".join(counts.evaluation.receipt.notes)
    # A softmax on an edge of a calibration bin may fall on either side of it.
    binned = dict.fromkeys(("findings", "ece", "ece_equal_width", "mce", "ece_by_chance"))
    same(values(counts) | binned, values(rows) | binned, near=1e-9)


@pytest.mark.parametrize("scale", [1.0, 7.0], ids=["one-vs-rest", "own scale"])
def test_higher_of_two_scores_is_predicted(tmp_path, quick_engine, monkeypatch, scale):
    monkeypatch.setattr(counted, "SOURCE_SAMPLE_ROWS", 16)
    rng = np.random.default_rng(8)
    yes, no = rng.random((2, 400)).round(2)
    no[:80] = 1 - yes[:80]  # so that the sample may add up
    columns = {"label": np.where(yes + rng.normal(size=400) / 3 > no, "yes", "no"), "score_no": no * scale}
    source, whole = write(tmp_path, pa.table(columns | {"score_yes": yes * scale}))
    rows = measure(read_evaluation([whole], Given()))
    counts = measure(read_source(source, Given(), engine=quick_engine))
    same(values(counts)["confusion_matrix"], values(rows)["confusion_matrix"])
    for name in ("accuracy", "roc_auc", "average_precision", "log_loss", "threshold"):
        same(values(counts)[name], values(rows)[name], name)
    assert values(rows)["accuracy"] == np.mean(np.where(yes > no, "yes", "no") == columns["label"])


@pytest.mark.parametrize("scale", [1.0, 100.0], ids=["probability", "per cent"])
def test_binned_numbers_hold_their_bounds(tmp_path, quick_engine, scale, monkeypatch):
    monkeypatch.setattr(counted, "MAX_COUNT_LINES", 700)
    monkeypatch.setattr(score_bins, "_BITS", (4, 6))
    source, whole = write(tmp_path, binary(np.random.default_rng(4), n=3000, scale=scale, digits=5))
    given = Given(truth="label", scores=("fraud_score",), positive="fraud", scale="probability")
    rows, counts = (
        measure(read_evaluation([whole], given)),
        measure(read_source(source, given, engine=quick_engine)),
    )
    assert counts.evaluation.n_lines < 700 and counts.evaluation.score_upper is not None
    same(values(counts)["confusion_matrix"], values(rows)["confusion_matrix"])  # the threshold cuts no bin
    report = html_report(counts.evaluation).decode()
    for title in ("ROC AUC", "Average precision"):
        assert re.search(rf"<th[^>]*>{title}</th><td[^>]*>0\.\d+ ± \S+ from binning<", report), title
    for name in ("roc_auc", "average_precision", "log_loss", "brier"):
        bound = counts.score_error_bound[name]
        assert 1e-9 < bound < 0.1
        assert abs(values(counts)[name] - values(rows)[name]) <= bound


def test_lines_stand_in_one_order(tmp_path):
    pytest.importorskip("duckdb")
    source, _ = write(tmp_path, binary(np.random.default_rng(7)))
    one, other = (read_source(source, Given(), engine=name, slices=("region",)).rows for name in ("memory", "duckdb"))
    assert one.to_pylist() == other.to_pylist()


def test_source_of_counts_says_scores_are_not_counted(tmp_path, quick_engine):
    table = multiclass(np.random.default_rng(3), 90)
    table = table.append_column("p_ä", pa.array(np.linspace(0, 1, 90))).append_column("n", pa.array([3] * 90))
    source, _ = write(tmp_path, table)
    said = " ".join(read_source(source, Given(counts="n"), engine=quick_engine).receipt.notes)
    assert "'n' says how many rows each line stands for: scores beside the predictions are not counted." in said
    assert "not counted" not in " ".join(read_source(source, Given(scores=()), engine=quick_engine).receipt.notes)


@pytest.mark.parametrize("unit", ["ms", "us"])
def test_times_are_labels_in_their_zone(tmp_path, engine, unit):
    rng, kind = np.random.default_rng(5), pa.timestamp(unit, "America/New_York")
    per_day = 86_400 * {"ms": 10**3, "us": 10**6}[unit]
    columns = {name: pa.array(rng.integers(0, 2, 60) * per_day, kind) for name in ("label", "pred", "day")}
    source, whole = write(tmp_path, pa.table({**columns, "row_id": np.arange(60)}))
    plain = read_evaluation([whole], Given(truth="label", pred="pred"))
    given = Given(truth="label", pred="pred", positive=plain.labels[1], only=("day", plain.labels[0]))
    rows, counts = read_evaluation([whole], given), read_source(source, given, engine=engine)
    assert counts.labels == rows.labels and "-0500" in counts.labels[0]
    same(values(measure(counts)), values(measure(rows)))
    with closing(open_engine(engine, open_folder(source))) as asked:
        found = asked.rows(RowQuery(by="row_id", order="lowest", n=60))
    assert found.column("label").to_pylist() == columns["label"].to_pylist() and found.schema.field("pred").type == kind


def test_filter_and_slices_split_the_counts(tmp_path, quick_engine):
    source, whole = write(tmp_path, multiclass(np.random.default_rng(5)))
    rows = measure(read_evaluation([whole], Given(only=("region", "eu"))))
    counts = measure(read_source(source, Given(only=("region", "eu")), engine=quick_engine))
    same(values(counts), values(rows))
    split = read_source(source, Given(), engine=quick_engine, slices=("region",))
    assert "region" in split.rows.column_names and split.n_rows == 900
    with pytest.raises(DataError, match="no column 'plan'"):
        read_source(source, Given(), engine=quick_engine, slices=("plan",))


def test_bins_of_numbers_hold_equally_many_rows(tmp_path, engine):
    random = np.random.default_rng(6)
    table = binary(random).append_column("age", pa.array(np.minimum(random.geometric(0.06, 900), 60)))
    source, whole = write(tmp_path, table)
    pq.write_table(table.slice(0, 0), source / "none.parquet")  # a row group without rows
    rows = read_evaluation([whole], Given())
    counts = read_source(source, Given(), engine=engine, slices=("age", "fraud_score"))
    for column in ("age", "fraud_score"):
        one, other = (slices_json(find_slices(each, [column])) for each in (counts, rows))
        assert len(one["slices"]) == 5 + (column != "age")  # and rows without a score
        same(one["slices"], other["slices"], near=1e-9)


@pytest.mark.parametrize("most", [2_000_000, 100], ids=["exact", "binned"])
def test_scores_outside_the_sample_change_the_scale(tmp_path, engine, monkeypatch, most):
    monkeypatch.setattr(counted, "SOURCE_SAMPLE_ROWS", 16)
    monkeypatch.setattr(counted, "MAX_COUNT_LINES", most)
    monkeypatch.setattr(score_bins, "_BITS", (3,))
    table = binary(np.random.default_rng(6), n=600)
    score = table["fraud_score"].to_numpy().copy()
    score[90::97] = -3.5
    score[91::97] = 4.5
    source, _ = write(tmp_path, table.set_column(1, "fraud_score", pa.array(score)))
    found = read_source(source, Given(truth="label", scores=("fraud_score",), positive="fraud"), engine=engine)
    assert found.scale == "logit" and (found.score_upper is not None) == (most == 100)
    fraud = find_rows(found, Which(pred=(found.positive,)))
    assert found.count_rows(fraud) == (score >= 0).sum()


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ({"label": ["a", "b"] * 30, "a_score": ["0,5", "0,25"] * 30}, "holds text: write the scores as numbers"),
        (
            {"label": ["a", "b", "c"] * 20, **{f"p_{c}": [0.2, 0.5] * 29 + [0.2, 7 if c == "a" else 0] for c in "abc"}},
            "'p_a' holds 7, which is no probability between 0 and 1",
        ),
    ],
    ids=["text scores", "no probability"],
)
def test_what_needs_every_row_is_refused(tmp_path, engine, table, said):
    pq.write_table(pa.table(table), tmp_path / "a.parquet")
    with pytest.raises(DataError, match=said):
        read_source(tmp_path, Given(), engine=engine)


def test_damaged_and_nested_files_are_refused(tmp_path):
    table = pa.table({"truth": ["a", "b", "a"] * 20, "pred": ["a", "b", "b"] * 20})
    for name, made in (("pages", table), ("nested", pa.table({"truth": [{"x": 1}], "pred": [{"x": 1}]}))):
        (tmp_path / name).mkdir()
        pq.write_table(made, tmp_path / name / "0.parquet")
    file = tmp_path / "pages" / "0.parquet"
    file.write_bytes(file.read_bytes()[:20] + b"\xff" * 40 + file.read_bytes()[60:])
    for name, said in (
        ("pages", "'0.parquet' is damaged: write it again"),
        ("nested", "No column of the source holds"),
    ):
        with pytest.raises(DataError, match=said):
            read_source(tmp_path / name, Given(), engine="memory")


def test_small_paths_are_read_row_by_row(tmp_path, monkeypatch):
    source, whole = write(tmp_path, multiclass(np.random.default_rng(7)))
    assert is_counted(source, "auto") and not is_counted(whole, "auto") and is_counted(whole, "duckdb")
    monkeypatch.setenv("BLINDSPOT_ROWS", "800")
    assert is_counted(whole, "auto")
    notes = read_source(whole, Given()).receipt.notes
    assert any(
        f"The file has {pq.read_metadata(whole).num_rows:,} rows; the limit is 800 rows" in said for said in notes
    )
    assert "limit" not in " ".join(read_source(source, Given()).receipt.notes)
    (tmp_path / "broken.parquet").write_bytes(b"PAR1")
    assert not is_counted(tmp_path / "broken.parquet", "auto") and not is_counted(tmp_path / "no.parquet", "auto")
    with pytest.raises(DataError, match="is no size of memory"):
        read_size("much")
    with pytest.raises(DataError, match="no Parquet file"):
        read_source(tmp_path / "p.csv" if (tmp_path / "p.csv").write_text("a") else source, Given(), engine="duckdb")


def test_a_corrected_source_keeps_the_warning_of_weights(tmp_path):
    table = binary(np.random.default_rng(3)).append_column("sample_weight", pa.array(np.arange(900) % 7 + 0.5))
    folder = open_folder(write(tmp_path, table)[0])
    with closing(open_engine("memory", folder)) as engine:
        source = counted.count_source(folder, engine, Given(), name="source")
    for changed, n in (({}, 1), ({"cluster": ""}, 1), ({"weights": ""}, 0)):
        found = source.evaluation(dataclasses.replace(source.settings, **changed))
        assert len([text for text in found.receipt.warnings if "named like weights" in text]) == n, changed


@pytest.mark.parametrize("text", ["size, cm", '["size, cm"]', "size, cm,"])
def test_slice_of_a_source_may_hold_a_comma(tmp_path, capsys, text):
    table = pa.table({"y_true": ["a", "b"] * 4, "y_pred": ["a", "b", "b", "b"] * 2, "size, cm": ["s", "l"] * 4})
    pq.write_table(table, tmp_path / "p.parquet")
    status = main(["score", str(tmp_path), "--engine", "duckdb", "--slice", text, "--json"])
    printed = capsys.readouterr()
    assert (status == 0) == (text != "size, cm,"), printed.err
    assert status or json.loads(printed.out)["slices"]
