"""Two files become one table; no row is dropped, and the report says what met what."""

import pyarrow as pa
import pytest
from hypothesis import given, strategies as st

from data.building.build import build
from data.columns.table_metadata import find_unmatched_rows
from data.errors import DataError
from data.evaluation import Settings
from data.joining.join import join
from data.joining.key_matching import read_key, write_key


def slow_outer_join(predictions, labels):
    """Rows (id, p, y) by a plain loop: predictions in order, then what only the labels have."""
    truth = {row["id"]: row["y"] for row in labels}
    rows = [(row["id"], row["p"], truth.get(row["id"])) for row in predictions]
    known = {row["id"] for row in predictions}
    return rows + [(row["id"], None, row["y"]) for row in labels if row["id"] not in known]


ids = st.lists(st.integers(0, 30), unique=True, min_size=1)


@given(ids, ids)
def test_joining_on_a_key_equals_a_plain_loop(left, right):
    predictions = [{"id": str(i), "p": f"p{i}"} for i in left]
    labels = [{"id": str(i), "y": f"y{i}"} for i in right]
    shared = len(set(left) & set(right))
    tables = pa.Table.from_pylist(predictions), pa.Table.from_pylist(labels)
    if not shared:
        with pytest.raises(DataError, match="share no value"):
            join(*tables, key="id")
        return
    table, report = join(*tables, key="id")
    rows = list(zip(*(table.column(name).to_pylist() for name in ("id", "p", "y")), strict=True))
    assert rows == slow_outer_join(predictions, labels)
    assert (report.n_matched, report.n_only_predictions, report.n_only_labels) == (
        shared, len(left) - shared, len(right) - shared,
    )  # fmt: skip
    assert len(table) == report.n_matched + report.n_only_predictions + report.n_only_labels


@pytest.mark.parametrize(
    ("predictions", "labels", "asked", "key", "met"),
    [
        pytest.param(
            {"score": [0.1, 0.2], "sample_id": ["a", "b"]},
            {"id": ["b", "a"], "label": ["x", "y"]},
            None,
            ("sample_id", "id"),
            {"label": ["y", "x"]},
            id="by name and values",
        ),
        pytest.param(
            {"column 1": ["a", "b"], "column 2": ["x", "y"]},
            {"id": ["b", "a"], "y": ["y", "x"]},
            None,
            ("column 1", "id"),
            {"y": ["x", "y"]},
            id="a column without a name",
        ),
        pytest.param(
            {"id": ["2.0", "1.0"], "p": ["b", "a"]},
            {"id": ["1", "2"], "y": ["a", "b"]},
            None,
            ("id", "id"),
            {"y": ["b", "a"]},
            id="whole numbers as fractions",
        ),
        pytest.param(
            {"left": ["a", "b"], "p": [1, 2]},
            {"right": ["b", "a"], "y": [2, 1]},
            ("left", "right"),
            ("left", "right"),
            {"y": [1, 2]},
            id="a pair of names",
        ),
        pytest.param(
            {"id": ["a", "a", "b", "b"], "epoch": [1, 2, 1, 2], "p": ["x", "y", "x", "x"]},
            {"id": ["b", "a", "b", "a"], "epoch": [2, 2, 1, 1], "y": ["b2", "a2", "b1", "a1"]},
            None,
            ("id,epoch", "id,epoch"),
            {"y": ["a1", "a2", "b1", "b2"]},
            id="id and epoch",
        ),
        pytest.param(
            {"user": [*"1122"], "item": [*"1213"], "target": [*"abbb"]},
            {"item": [*"1129"], "user": [*"1219"], "target": [*"aabb"]},
            None,
            ("user,item", "user,item"),
            {"target (labels)": ["a", "b", "a", None, "b"]},
            id="two columns of any names",
        ),
        pytest.param(
            {"image": ["a", "b"], "run": ["1", "1"], "p": [1, 2]},
            {"file": ["b", "a"], "run": ["1", "1"], "y": [2, 1]},
            "image=file,run",
            ("image,run", "file,run"),
            {"y": [1, 2]},
            id="one of two names is a pair",
        ),
    ],
)
def test_rows_meet_by_their_key(predictions, labels, asked, key, met):
    table, report = join(pa.table(predictions), pa.table(labels), key=asked)
    assert report.how == "key" and report.key == key
    assert table.select([*met]).to_pydict() == met
    assert key[0] == key[1] or key[1] not in table.column_names


def test_keys_of_different_types_meet():
    table, report = join(pa.table({"id": [1, 2], "p": ["a", "b"]}), pa.table({"id": ["2", "1"], "y": ["b", "a"]}))
    assert report.n_matched == 2 and table.column("y").to_pylist() == ["a", "b"]
    for one, two in ((1, 2), (12345678900, 12345678901)):
        floats = pa.table({"id": [float(two), float(one)], "y": ["b", "a"]})
        assert join(pa.table({"id": [one, two], "p": ["a", "b"]}), floats)[0].column("y").to_pylist() == ["a", "b"]


def test_unique_shared_text_column_is_a_key():
    predictions = pa.table({"sentence": ["one", "two"], "pred": ["a", "b"]})
    labels = pa.table({"sentence": ["two", "one", "three"], "gold": ["b", "a", "a"]})
    table, report = join(predictions, labels)
    assert report.key == ("sentence", "sentence") and report.examples_only_labels == ("three",)
    assert table.column("sentence").to_pylist() == ["one", "two", "three"]


def test_unmatched_rows_stay_and_name_their_file():
    predictions = pa.table({"id": ["a", "b", "z"], "p": [1, 2, 3]})
    labels = pa.table({"id": ["b", "a", "q"], "y": [2, 1, 4]})
    table, report = join(predictions, labels)
    assert table.column("found in").to_pylist() == ["both files", "both files", "predictions only", "labels only"]
    no_truth, no_pred = find_unmatched_rows(table)
    assert no_truth.tolist() == [False, False, True, False] and no_pred.tolist() == [False, False, False, True]
    assert "'z'" in report.text and "'q'" in report.text


def test_a_complete_match_adds_no_column():
    table, _ = join(pa.table({"id": ["a"], "p": [1]}), pa.table({"id": ["a"], "y": [1]}))
    assert table.column_names == ["id", "p", "y"] and find_unmatched_rows(table) == (None, None)


def test_columns_of_the_same_name_are_told_apart():
    table, _ = join(pa.table({"id": ["a", "b"], "x": [0.1, 0.2]}), pa.table({"id": ["b", "a"], "x": ["1", "0"]}))
    assert table.column_names == ["id", "x (predictions)", "x (labels)"]
    assert table.column("x (labels)").to_pylist() == ["0", "1"]
    assert [(f.metadata or {}).get(b"file") for f in table.schema] == [b"predictions", b"predictions", b"labels"]


def test_equal_lengths_go_by_row_order():
    table, report = join(pa.table({"p": ["a", "b"]}), pa.table({"y": ["b", "b"]}))
    assert report.how == "row order" and report.n_matched == 2
    assert table.to_pydict() == {"p": ["a", "b"], "y": ["b", "b"]}
    assert "check the order" not in report.text


def test_row_order_is_doubted_where_there_are_ids():
    _, report = join(pa.table({"id": ["1", "2"], "p": ["a", "b"]}), pa.table({"y": ["b", "b"]}))
    assert report.how == "row order" and "check the order" in report.text and "'id'" in report.text


@pytest.mark.parametrize(
    ("predictions", "labels", "given", "message"),
    [
        pytest.param(
            {"p": ["a", "b"]},
            {"y": ["b", "b", "a"]},
            {},
            r"2 rows.* 3 rows.*Name the column",
            id="lengths without a key",
        ),
        pytest.param(
            {"id": ["a", "b"], "p": [1, 2]},
            {"id": ["a", "a"], "y": [1, 2]},
            {"key": "id", "repeated": "all"},
            r"'id' is not unique in the labels file: 'a' occurs 2 times",
            id="repeated key",
        ),
        pytest.param(
            {"id": ["a"], "p": [1]},
            {"ID": ["a"], "y": [1]},
            {"key": "ID"},
            r"no column 'ID' to join on; it has 'id', 'p'\. Did you mean 'id'\?",
            id="missing key",
        ),
        *(
            pytest.param(
                {"id": ["1", "1"], "p": ["a", "b"]},
                {"ID": theirs, "y": ["a", "b"]},
                {},
                r"'id' of row 1 is '1' in the predictions and '8' in the labels; give",
                id=f"ids {' and '.join(theirs)} in row order",
            )
            for theirs in (["8", "9"], ["8", "8"])
        ),
        pytest.param(
            {"id": ["a", "b"], "p": [1, 2]},
            {"id": ["a", "b", "a", "b"], "y": ["x", "y", "x", "x"]},
            {"key": "id", "repeated": "all"},
            r"'b' occurs 2 times, and rows 2 and 4 differ; 1 more key repeats",
            id="repeated key of different labels",
        ),
        pytest.param(
            {"id": ["a", "b"], "p": [1, 2]},
            {"id": ["a", "b", "b"], "y": ["x", "y", "x"]},
            {"repeated": "all"},
            r"2 values of 'id', but 'b' repeats in the labels\. .*--join id",
            id="repeated id without a key",
        ),
        pytest.param(
            {"file": ["a/1.wav", "b/1.wav"], "p": [1, 2]},
            {"file": ["1.txt", "2.txt"], "y": [1, 2]},
            {"key": "file"},
            "share no value",
            id="names of files that lose their difference",
        ),
        pytest.param(
            {"p": [1, 2]},
            {"y": [1]},
            {"key": ""},
            r"2 rows.* 1 row, so they cannot be joined by row order",
            id="lengths in row order",
        ),
    ],
)
def test_files_that_do_not_join_are_refused(predictions, labels, given, message):
    with pytest.raises(DataError, match=message):
        join(pa.table(predictions), pa.table(labels), **given)


def test_empty_keys_match_nothing():
    table, report = join(
        pa.table({"id": ["a", None], "p": [1, 2]}), pa.table({"id": ["a", None], "y": [1, 2]}), key="id"
    )
    assert report.n_matched == 1 and len(table) == 3


@pytest.mark.parametrize(
    ("predictions", "labels"),
    [
        pytest.param(
            {"id": ["1", "1"], "p": ["a", "b"]}, {"ID": ["1", "1"], "y": ["a", "b"]}, id="repeated ids that agree"
        ),
        pytest.param(
            {"label": [*"aabb"], "score": [*"1212"]},
            {"label": [*"aabb"], "score": [*"2121"]},
            id="columns like labels and scores",
        ),
        pytest.param(
            {"class_id": ["0", "1", "1"], "p": ["x", "y", "x"]},
            {"id": ["0", "1", "2"], "y": ["x", "x", "y"]},
            id="the number of a class",
        ),
    ],
)
def test_columns_that_are_no_key_leave_row_order(predictions, labels):
    assert join(pa.table(predictions), pa.table(labels))[1].how == "row order"


# -- several key columns ----------------------------------------------------------------------------

KEYS = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 3)), unique=True, min_size=1)


@given(KEYS, KEYS)
def test_joining_on_two_columns_equals_a_plain_loop(left, right):
    predictions = [{"id": f"q{i}", "epoch": j, "p": f"p{i}.{j}"} for i, j in left]
    labels = [{"id": f"q{i}", "epoch": j, "y": f"y{i}.{j}"} for i, j in right]
    shared = len(set(left) & set(right))
    if not shared:
        return
    table, report = join(pa.Table.from_pylist(predictions), pa.Table.from_pylist(labels), key="id,epoch")
    truth = {(row["id"], str(row["epoch"])): row["y"] for row in labels}
    for row in table.to_pylist():
        assert row["y"] == truth.get((row["id"], str(row["epoch"])))
        assert row["p"] in (None, f"p{row['id'][1:]}.{row['epoch']}")
    assert report.key == ("id,epoch", "id,epoch") and report.n_matched == shared
    assert len(table) == len(set(left) | set(right))


def test_two_column_key_is_no_repeated_id():
    tables = [pa.table({"user": list("112"), "item": list("121"), name: list("aba")}) for name in ("y_pred", "y_true")]
    table, report = join(*tables)
    settings = Settings(truth="y_true", pred="y_pred", id="user")
    found = build(table, settings, name="n", content_sha256="1", join=report)
    assert report.how == "key" and not any("repeated" in text for text in found.receipt.warnings)


def test_column_of_exactly_that_name_wins():
    predictions = pa.table({"a,b": ["x", "y"], "a": ["1", "2"], "b": ["1", "2"], "p": [1, 2]})
    labels = pa.table({"a,b": ["y", "x"], "a": ["1", "2"], "b": ["1", "2"], "t": [1, 2]})
    assert join(predictions, labels, key="a,b")[0].column("t").to_pylist() == [2, 1]
    labels = labels.drop_columns(["a,b"])
    predictions = predictions.drop_columns(["a,b"])
    assert join(predictions, labels, key="a,b")[1].key == ("a,b", "a,b")


NAMES = st.lists(st.text("ab,= [", min_size=1, max_size=4), unique=True, min_size=1, max_size=4)


@given(st.data(), NAMES, NAMES)
def test_written_key_is_read_as_its_columns(data, left, right):
    size = data.draw(st.integers(1, min(len(left), len(right))))
    pairs = list(zip(data.draw(st.permutations(left))[:size], data.draw(st.permutations(right))[:size], strict=True))
    assert read_key(write_key(pairs, left, right), left, right) == tuple(pairs)


def test_wrong_list_of_pairs_is_refused():
    with pytest.raises(DataError, match="starts like a JSON list but is no list of pairs"):
        read_key("[1, 2", ["a"], ["a"])


# -- ids that repeat --------------------------------------------------------------------------------


def test_several_predictions_per_label_stay_rows():
    predictions = pa.table({"id": ["a", "b", "a", "a"], "p": ["x", "y", "y", "x"]})
    labels = pa.table({"id": ["b", "a"], "y": ["y", "x"]})
    for key in (None, "id"):
        table, report = join(predictions, labels, key=key, repeated="all")
        assert table.column("p").to_pylist() == ["x", "y", "y", "x"]
        assert table.column("y").to_pylist() == ["x", "y", "x", "x"]
        assert (report.n_matched, report.n_repeated_predictions, report.n_repeated_labels) == (4, 1, 0)
        assert report.examples_repeated_predictions == ("a (3 times)",)
        assert any("1 id of the predictions occurs more than once" in text for text in report.warnings)


def test_labels_that_repeat_exactly_count_once():
    predictions = pa.table({"id": ["a", "b"], "p": ["x", "y"]})
    labels = pa.table({"id": ["b", "a", "b", "b"], "y": ["y", "x", "y", "y"], "z": [1, None, 1, 1]})
    for key in (None, "id"):
        table, report = join(predictions, labels, key=key)
        assert table.column("y").to_pylist() == ["x", "y"] and len(table) == 2
        assert report.n_repeated_labels == 1 and report.examples_repeated_labels == ("b (3 times)",)
        assert "the 2 repeated rows are counted once" in " ".join(report.warnings)


def test_labels_without_a_prediction_are_kept():
    predictions = pa.table({"id": ["a"], "p": ["x"]})
    labels = pa.table({"id": ["a", None, "q", "q", None], "y": ["x", "u", "v", "v", "w"]})
    table, report = join(predictions, labels, key="id")
    assert table.column("y").to_pylist() == ["x", "u", "v", "w"] and report.n_only_labels == 3


# -- names of files ---------------------------------------------------------------------------------


def test_file_names_match_without_folder_and_ending():
    predictions = pa.table({"file": ["out/clip_01.wav", "out/clip_02.wav", "out/clip_03.wav"], "p": [1, 2, 3]})
    for theirs in (
        ["clip_02.txt", "clip_01.txt"],
        ["clip_02", "clip_01"],
        ["C:\\x\\clip_02.WAV", "C:\\x\\clip_01.WAV"],
    ):
        table, report = join(predictions, pa.table({"file": theirs, "y": [2, 1]}))
        assert report.how == "file stem" and (report.n_matched, report.n_only_predictions) == (2, 1)
        assert table.column("y").to_pylist() == [1, 2, None]
        assert "'clip_01'" in report.warnings[0] and "without folder and ending" in report.warnings[0]
        assert set(table.column("file (labels)").to_pylist()) == {*theirs, None}


def test_ending_inside_a_name_stays():
    predictions = pa.table({"file": ["a/x.s1_chunk1.16kHz.wav", "a/x.s1_chunk2.16kHz.wav"], "p": [1, 2]})
    labels = pa.table({"file": ["x.s1_chunk2.16kHz", "x.s1_chunk1.16kHz"], "y": [2, 1]})
    assert join(predictions, labels)[0].column("y").to_pylist() == [1, 2]


def test_equal_values_win_over_names_of_files():
    predictions = pa.table({"file": ["a/1.wav", "a/2.wav"], "p": [1, 2]})
    report = join(predictions, pa.table({"file": ["a/2.wav", "a/1.wav"], "y": [2, 1]}))[1]
    assert report.how == "key" and report.warnings == ()


# -- keys that nearly match -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("theirs", "ignored"),
    [
        (["ROW1", "ROW2", "row3", "row4"], "2 more rows of the predictions would match if case were ignored"),
        (["row1 ", " row2", "row3", "row4"], "2 more rows of the predictions would match if spaces were ignored"),
        (
            ["row1.0", "row2", "row3", "row4"],
            "1 more row of the predictions would match if a .0 at the end were ignored",
        ),
        ([" ROW1", "row2", "row3", "row4"], "1 more row of the predictions would match if case or spaces"),
    ],
)
def test_spelling_differences_of_keys_are_a_hint(theirs, ignored):
    predictions = pa.table({"id": ["row1", "row2", "row3", "row4"], "p": [1, 2, 3, 4]})
    table, report = join(predictions, pa.table({"id": theirs, "y": [1, 2, 3, 4]}))
    lost = sum(name not in theirs for name in predictions.column("id").to_pylist())
    assert report.n_only_predictions == report.n_only_labels == lost and len(table) == 4 + lost
    assert any(ignored in text for text in report.warnings)


def test_another_spelling_is_asked_about():
    for ours, theirs, ignored in (("007", "7", "zeros in front"), ("A1", "a1", "case"), ("a 1", "a1", "spaces")):
        predictions = pa.table({"id": [ours, "q"], "p": [1, 2]})
        labels = pa.table({"id": [theirs, "r", "s"], "y": [1, 2, 3]})
        with pytest.raises(DataError, match=rf"1 value of 'id', but only if differences in {ignored} are ignored"):
            join(predictions, labels)
        table, report = join(predictions, labels, key="id")
        assert report.how == "spelling" and report.n_matched == 1 and table.column("y").to_pylist()[:2] == [1, None]
        assert f"differences in {ignored} were ignored" in report.warnings[0]


# -- row order --------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", ["", "(row order)"])
def test_row_order_is_used_on_request(key):
    predictions = pa.table({"id": ["a", "b"], "p": [1, 2]})
    table, report = join(predictions, pa.table({"id": ["b", "a"], "y": [1, 2]}), key=key)
    assert report.how == "row order" and table.column("y").to_pylist() == [1, 2]
    assert "'id' of row 1 is 'a' in the predictions and 'b' in the labels" in report.warnings[0]


@pytest.mark.parametrize(("first", "n", "warned"), [(1, 20, True), (0, 20, False), (2, 20, False), (1, 21, False)])
def test_rows_counted_from_another_number_warn(first, n, warned):
    ours = pa.table({"id": [str(number) for number in range(20)], "pred": ["a", "b"] * 10})
    theirs = pa.table({"id": [str(number) for number in range(first, first + n)], "label": ["a"] * n})
    _, report = join(ours, theirs)
    said = [text for text in [report.text, *report.warnings] if "counts its rows from 0, the other from 1" in text]
    assert bool(said) == warned
