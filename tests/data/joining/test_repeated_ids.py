"""Ids that repeat in a join: equal rows count once, others are left out and listed, one row or all on request."""

import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, strategies as st

from data.building.build import build
from data.columns.table_metadata import REPEATED, find_file_rows, read_left_out
from data.errors import DataError
from data.evaluation import LeftOut, Settings
from data.joining.join import join
from data.runs import load, understanding
from data.runs.draft import Given
from data.runs.tables import join_tables

ROWS = st.lists(st.tuples(st.sampled_from("abcde"), st.sampled_from("xy")), min_size=1, max_size=12)


def tables(left, right) -> tuple[pa.Table, pa.Table]:
    return (
        pa.table({"id": [i for i, _ in left], "p": [p for _, p in left]}),
        pa.table({"id": [i for i, _ in right], "y": [y for _, y in right]}),
    )


def slow_pairs(left, right, repeated) -> tuple[list[tuple[str, str, str]], set[str]]:
    """(id, p, y) of every row that counts, and the ids that are left out, by plain loops."""
    out = set()
    if repeated == "equal":
        for side in (left, right):
            out |= {i for i, _ in side if len({value for j, value in side if j == i}) > 1}
        left = list(dict.fromkeys(left))
    elif repeated == "first":
        left, right = list(dict(reversed(left)).items()), dict(reversed(right)).items()
    elif repeated == "last":
        left = list(dict(left).items())
    truth = dict(right)
    return sorted((i, p, truth[i]) for i, p in left if i in truth and i not in out), out


@given(ROWS, ROWS, st.sampled_from(REPEATED))
def test_repeated_ids_equal_a_plain_loop(left, right, repeated):
    wanted, out = slow_pairs(left, right, repeated)
    conflict = any(len({y for j, y in right if j == i}) > 1 for i, _ in right)
    if not wanted or (repeated == "all" and conflict):
        with pytest.raises(DataError):
            join(*tables(left, right), key="id", repeated=repeated)
        return
    table, report = join(*tables(left, right), key="id", repeated=repeated)
    rows = zip(*(table.column(name).to_pylist() for name in ("id", "p", "y")), strict=True)
    assert sorted(row for row in rows if None not in row) == wanted and report.n_matched == len(wanted)
    assert {one.id for one in read_left_out(table)} == out
    for one in read_left_out(table):
        assert [left[row - 1][0] for row in one.predictions] == [one.id] * sum(i == one.id for i, _ in left)
        assert [right[row - 1][0] for row in one.labels] == [one.id] * sum(i == one.id for i, _ in right)


def test_row_numbers_stay_those_of_the_predictions_file():
    left = [("a", "x"), ("a", "x"), ("b", "x"), ("b", "y"), ("c", "y"), ("z", "x")]
    table, report = join(*tables(left, [("c", "y"), ("q", "x"), ("a", "x"), ("b", "x")]), key="id")
    assert table.column("id").to_pylist() == ["a", "c", "z", "q"]
    assert find_file_rows(table).tolist() == [0, 4, 5, 6]  # the last is of the labels only: behind all predictions
    found = build(table, Settings(truth="y", pred="p", id="id"), name="n", content_sha256="1", join=report)
    assert found.row_numbers.tolist() == [0, 4, 5, 6] and found.n_scored == 2
    assert found.receipt.left_out == (LeftOut("b", (3, 4), (4,)),)
    assert [text for text in found.receipt.warnings if "'b'" in text] == [
        "1 id is left out, because its rows repeat it and differ: 'b'. Its 2 rows of the predictions and 1 row of the "
        "labels do not count. Count the first, the last or all rows of a repeated id instead (--repeated)."
    ]
    assert "1 row of the predictions repeats an earlier row in every cell and does not count again." in report.warnings


def test_a_sentence_names_twenty_ids_and_json_all():
    left = [(f"q{i}", "xy"[k % 2]) for i in range(60) for k in range(2 if i < 25 else 1)]
    table, report = join(*tables(left, [(f"q{i}", "xy"[i % 2]) for i in range(60)]))
    found = build(table, Settings(truth="y", pred="p"), name="n", content_sha256="1", join=report)
    (said,) = (text for text in found.receipt.warnings if "left out" in text)
    assert said.startswith("25 ids are left out") and "'q19' and 5 more" in said and "'q20'" not in said
    listed = json.loads(json.dumps(found.receipt.to_json()))["left_out"]
    assert [one["id"] for one in listed] == [f"q{i}" for i in range(25)] and listed[1]["predictions"] == [3, 4]


def test_rows_of_different_epochs_are_no_repeats():
    predictions = pa.table({"id": list("aabb"), "epoch": list("1212"), "p": list("xyxx")})
    table, _ = join(predictions, pa.table({"id": ["a", "b"], "y": ["x", "x"]}))
    assert len(table) == 4 and read_left_out(table) == ()
    again = pa.concat_tables([predictions, pa.table({"id": ["a"], "epoch": ["2"], "p": ["x"]})])
    table, _ = join(again, pa.table({"id": ["a", "b"], "y": ["x", "x"]}))
    assert table.column("id").to_pylist() == ["b", "b"] and read_left_out(table) == (LeftOut("a", (1, 2, 5), (1,)),)


def test_id_with_conflicting_labels_is_a_key():
    labels = pa.table({"id": ["a", "b", "b", "c"], "y": ["x", "y", "x", "y"]})
    table, report = join(pa.table({"id": ["a", "b", "c"], "p": ["x", "y", "x"]}), labels)
    assert report.key == ("id", "id") and table.column("y").to_pylist() == ["x", "y"]
    assert read_left_out(table) == (LeftOut("b", (2,), (2, 3)),)


def test_an_id_that_mostly_repeats_is_no_key():
    ids = list("aabbc")
    table, report = join(pa.table({"id": ids, "p": list("xyxyx")}), pa.table({"id": ids, "y": list("xyxyx")}))
    assert report.how == "row order" and len(table) == 5 and read_left_out(table) == ()


def test_differently_repeated_ids_are_refused():
    predictions = pa.table({"id": list("aabb"), "p": list("xyxy")})
    with pytest.raises(DataError, match=r"Every id .* repeats with different rows: 'a', 'b'\. .*--repeated"):
        join(predictions, pa.table({"id": ["a", "b"], "y": ["x", "x"]}))


def test_a_row_number_is_no_difference():
    predictions = pa.table({"index": [0, 1, 2], "id": ["a", "b", "b"], "p": ["x", "y", "y"]})
    table, _ = join(predictions, pa.table({"id": ["a", "b"], "y": ["x", "x"]}))
    assert table.column("id").to_pylist() == ["a", "b"] and read_left_out(table) == ()


# -- lines of id and label ---------------------------------------------------------------------------


def lines() -> tuple[pa.Table, pa.Table]:
    """Scores of two tags for twelve ids; q1 has one of them twice, differently, and q2 has one twice, equally."""
    cells = [(f"q{i}", tag, round(0.05 * i + 0.01 * k, 2)) for i in range(12) for k, tag in enumerate("tu")]
    cells += [("q1", "u", 0.9), ("q2", "u", 0.11)]
    columns = zip(("id", "tag", "score"), zip(*cells, strict=True), strict=True)
    labels = pa.table({"id": [f"q{i}" for i in range(12)], "tags": ["t;u", "u;t"] * 6})
    return pa.table({name: list(column) for name, column in columns}), labels


@pytest.mark.parametrize(("repeated", "score"), [("equal", None), ("first", 0.06), ("last", 0.9)])
def test_lines_that_differ_are_left_out_or_chosen(repeated, score):
    table, _ = join_tables(lines(), None, repeated)
    scores = dict(zip(table.column("id").to_pylist(), table.column("score_u").to_pylist(), strict=True))
    assert (scores["q0"], scores["q1"], scores["q2"]) == (0.01, score, 0.11)
    assert read_left_out(table) == ((LeftOut("q1", (3, 4, 25)),) if repeated == "equal" else ())


# -- files, links and fingerprints -------------------------------------------------------------------


@pytest.fixture
def paths(tmp_path: Path) -> list[Path]:
    (tmp_path / "preds.csv").write_text("id,pred\na,x\na,y\nb,y\nc,x\nc,x\n")
    (tmp_path / "labels.csv").write_text("id,label\na,x\nb,y\nc,y\n")
    return [tmp_path / "preds.csv", tmp_path / "labels.csv"]


@pytest.mark.usefixtures("read_here")
def test_ways_to_count_have_their_own_fingerprints(paths):
    found = {way: load.read_evaluation(paths, Given(repeated=way)) for way in REPEATED}
    right = {way: (int((e.y_true == e.y_pred)[e.scored].sum()), e.n_scored) for way, e in found.items()}
    assert right == {"equal": (1, 2), "first": (2, 3), "last": (1, 3), "all": (2, 5)}
    assert len({e.fingerprint for e in found.values()}) == 4


@pytest.mark.usefixtures("read_here")
def test_files_without_repeats_keep_their_fingerprint(paths):
    paths[0].write_text("id,pred\na,x\nb,y\nc,x\n")
    assert len({load.read_evaluation(paths, Given(repeated=way)).fingerprint for way in REPEATED}) == 1


@pytest.mark.usefixtures("own_store")
def test_a_link_of_before_counts_all_rows(paths):
    draft = load.read_draft([(path, path.name) for path in paths], Given(repeated="all"))
    stored = draft.to_json()
    del stored["given"]["repeated"]  # as a version wrote it that did not ask
    old = load.Draft.from_json(stored)
    assert old.given.repeated == "all" and understanding.open_draft(old).n_scored == 5
    new = load.read_draft([(path, path.name) for path in paths], Given())
    assert understanding.open_draft(load.Draft.from_json(new.to_json())).n_scored == 2


def test_row_numbers_are_right_below_an_epoch():
    left = pa.table({"id": list("aabbc"), "epoch": list("12122"), "p": list("xyxyx")})
    again = pa.concat_tables([left.slice(0, 1), left])
    table, report = join(again, pa.table({"id": list("abc"), "y": list("xyx")}))
    settings = Settings(truth="y", pred="p", only=("epoch", "2"))
    found = build(table, settings, name="n", content_sha256="1", join=report)
    assert np.array_equal(found.row_numbers, [2, 4, 5])
