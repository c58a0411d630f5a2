"""Runs are joined by id or row order; what does not fit is counted, named and left out, or refused."""

import numpy as np
import pyarrow as pa
import pytest

from data.building.build import build
from data.comparison.aligned_runs import align_runs
from data.comparison.label_union import predictions_in, truth_in
from data.comparison.row_groups import clusters, epoch_clusters
from data.errors import DataError
from data.evaluation import Settings


def run(rows, name="run", **more):
    """An evaluation of (id, truth, prediction) rows."""
    ids, truth, pred = zip(*rows, strict=True)
    table = pa.table({"id": list(ids), "y": list(truth), "p": list(pred), **more})
    labels = {*truth, *pred} - {None}
    settings = Settings(truth="y", pred="p", id="id", positive="b" if labels == {"a", "b"} else None)
    return build(table, settings, name=name, content_sha256=name)


A = [("q1", "a", "a"), ("q2", "b", "a"), ("q3", "a", "b"), ("q4", "b", "b"), ("q5", "a", "a")]


def test_rows_meet_by_id_whatever_their_order():
    one, two = run(A), run([("q4", "b", "a"), ("q1", "a", "a"), ("q9", "a", "a"), ("q2", "b", "b"), ("q3", "a", "a")])
    found = align_runs([one, two], ["A", "B"], key="id")
    assert found.rows == (4, {"A": 1, "B": 1}, 0, 0, {})
    ids = [
        e.rows.column("id").take(pa.array(place)).to_pylist() for e, place in zip((one, two), found.places, strict=True)
    ]
    assert ids[0] == ids[1] == ["q1", "q2", "q3", "q4"]
    assert found.how == "id"


def test_each_run_meets_by_its_own_column():
    other = run([("q9", *row[1:]) for row in A], ref=[row[0] for row in A])
    assert align_runs([run(A), other], ["A", "B"], key="id=ref").rows.joined == 5


def test_ids_are_found_without_being_named():
    assert align_runs([run(A), run(A[::-1])], ["A", "B"]).places[1].tolist() == [4, 3, 2, 1, 0]


def test_codes_are_those_of_all_labels():
    one, two = run(A), run([("q1", "a", "c"), ("q2", "b", "b"), ("q3", "a", "a"), ("q4", "b", "b")])
    found = align_runs([one, two], ["A", "B"], key="id")
    assert set(found.labels.labels) == {"a", "b", "c"}
    names = np.array(found.labels.labels)
    pairs = zip((one, two), found.places, strict=True)
    pred = [names[predictions_in(e, found.labels)[place]].tolist() for e, place in pairs]
    assert pred == [["a", "a", "b", "b"], ["c", "b", "a", "b"]]
    assert names[truth_in(two, found.labels)[found.places[1]]].tolist() == ["a", "b", "a", "b"]


def test_differing_truths_are_left_out_and_named():
    other = [*A[:1], ("q2", "a", "a"), *A[2:]]
    found = align_runs([run(A), run(other)], ["A", "B"], key="id")
    assert found.rows.joined == 4 and found.rows.truth_differs == 1 and found.differing.tolist() == [1]
    assert "differ in 1 joined row, which are left out: row 2 of the first run" in found.warnings[0]


def test_repeated_ids_count_once_where_equal():
    repeated = [*A, A[0], ("q2", "b", "b")]  # q1 again as it was, q2 with another prediction
    found = align_runs([run(repeated), run(A)], ["A", "B"], key="id")
    assert found.rows.joined == 4 and found.rows.repeated == 2
    assert "2 ids repeat: equal rows count once, and 1 id whose rows differ are left out." in found.warnings


def test_missing_predictions_are_left_out_for_all():
    found = align_runs([run(A), run([*A[:3], ("q4", "b", None), A[4]])], ["A", "B"], key="id")
    assert found.rows.joined == 4 and found.rows.without_prediction == {"B": 1}
    assert any("B predicts nothing in 1 row" in text for text in found.warnings)


def test_three_runs_share_what_all_have():
    found = align_runs([run(A), run(A[1:]), run(A[:4])], ["A", "B", "C"], key="id")
    assert found.rows.joined == 3 and found.rows.only_in == {"A": 2, "B": 1, "C": 1}


def test_row_order_needs_the_same_truths():
    plain = [build(pa.table({"y": list("abab"), "p": list(pred)}), Settings(truth="y", pred="p"), name=pred,
                   content_sha256=pred) for pred in ("abbb", "abaa")]  # fmt: skip
    found = align_runs(plain, ["A", "B"], key="")
    assert found.how == "row order" and "joined by row order" in found.warnings[0]
    table = pa.table({"y": list("abba"), "p": list("abaa")})
    other = build(table, Settings(truth="y", pred="p"), name="x", content_sha256="x")
    with pytest.raises(DataError, match="row order does not fit"):
        align_runs([plain[0], other], ["A", "B"], key="")


@pytest.mark.parametrize(
    ("other", "key", "words"),
    [
        ([("x1", "a", "a"), ("x2", "b", "b")], "id", "share no id"),
        ([("q1", "a", "a"), ("x2", "b", "b")], "id", "share one row only"),
        (
            [("q1", "b", "a"), ("q2", "a", "b"), ("q3", "b", "a"), ("q4", "b", "b")],
            "id",
            "true labels differ in 3 of 4",
        ),
        (A, "uid", "no column 'uid' to join on"),
    ],
)
def test_runs_that_cannot_be_compared_are_refused(other, key, words):
    with pytest.raises(DataError, match=words):
        align_runs([run(A), run(other)], ["A", "B"], key=key)


def test_counts_are_refused_in_row_order():
    with pytest.raises(DataError, match="do not say which rows two runs share"):
        align_runs([counted("abb", (60, 5, 40)), counted("abb", (60, 5, 40))], ["A", "B"], key="")


def test_low_overlap_is_told():
    many = [(f"x{i}", "a", "a") for i in range(20)]
    found = align_runs([run(A), run([*A, *many])], ["A", "B"], key="id")
    assert any("Only 5 of the 25 rows of B were joined" in text for text in found.warnings)


def test_clusters_of_missing_values_are_apart():
    found = clusters(run(A, doc=["x", "x", None, "y", None]), "doc")
    assert found.n == 4 and len(set(found.codes.tolist())) == 4
    assert "each counts as a cluster of its own" in found.warnings[0]


def test_epochs_take_the_question_as_cluster():
    rows = [("q1", "a", "a"), ("q1", "a", "b"), ("q2", "b", "b"), ("q2", "b", "b")]
    found = epoch_clusters(run(rows, epoch=["1", "2", "1", "2"]), "epoch")
    assert found.codes.tolist() == [0, 0, 1, 1] and found.column == "id"
    with pytest.raises(DataError, match="one epoch only"):
        epoch_clusters(run(rows, epoch=["1"] * 4), "epoch")


def counted(pred, counts, ids="123"):
    """A file of counts with an id a line; its truths are a, a and b in the order of the ids."""
    truth = ["aab"[int(name) - 1] for name in ids]
    table = pa.table({"id": list(ids), "y": truth, "p": list(pred), "rows": [str(n) for n in counts]})
    return build(table, Settings(truth="y", pred="p", counts="rows"), name=pred, content_sha256=f"{pred}{counts}")


def test_counted_lines_join_by_id_where_equal():
    found = align_runs([counted("abb", (60, 5, 40)), counted("aba", (60, 40, 5), "132")], ["A", "B"], key="id")
    assert found.rows.joined == 105 and found.places[1].tolist() == [0, 2, 1]
    with pytest.raises(DataError, match="do not say which rows two runs share"):
        align_runs([counted("abb", (60, 5, 40)), counted("abb", (55, 10, 40))], ["A", "B"], key="id")


def test_columns_of_counts_in_one_file_compare():
    found = align_runs([counted("abb", (60, 5, 40)), counted("aab", (60, 5, 40))], ["A", "B"], same_file=True)
    assert found.rows.joined == 105


def weighted(weights, name):
    rows = pa.table({"id": ["q1", "q2", "q3"], "y": ["a", "b", "a"], "p": ["a", "a", "b"], "w": weights})
    given = Settings(truth="y", pred="p", id="id", weights="w", positive="b")
    return build(rows, given, name=name, content_sha256=name)


def test_joined_rows_have_the_weights_of_runs():
    plain, one = run(A), weighted([0.1, 0.25, 2.0], "one")
    found = align_runs([plain, one], ["A", "B"], key="id")
    assert found.weighted_by == 1 and found.units.tolist() == one.units.tolist()
    assert found.total_weight.total == pytest.approx(2.35) and found.total_weight.rows == 3
    assert found.total_weight.effective_n == pytest.approx(2.35**2 / (0.01 + 0.0625 + 4))
    same = align_runs([one, weighted([0.1, 0.25, 2.0], "two")], ["A", "B"], key="id")
    assert same.weighted_by == 0
    assert align_runs([plain, plain], ["A", "B"], key="id").total_weight is None


def test_rows_weighed_differently_are_refused():
    runs = [weighted(weights, name) for weights, name in (([1.0, 0.5, 2.0], "one"), ([1.0, 0.5, 3.0], "two"))]
    with pytest.raises(DataError, match=r"weigh 1 row differently: row 3 of A weighs 2 there and 3 in B\. Give"):
        align_runs(runs, ["A", "B"], key="id")
