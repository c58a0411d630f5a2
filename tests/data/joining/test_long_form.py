"""Long form: one line per id and label reads as one row per id, and nothing else is taken for it."""

import json

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings, strategies as st

from data.building.build import build
from data.columns.table_metadata import read_notes, read_warnings
from data.errors import DataError
from data.joining.long_form import find_candidates, same_labels, widen_tables
from data.roles.detect import detect
from data.runs.tables import join_tables

TAGS = ("child speech", "music", "noise", "video game/tv")


def dataset(seed=0, n=40):
    """Ids, a bool truth (n, K) and scores (n, K); some rows have no true label."""
    random = np.random.default_rng(seed)
    truth = random.random((n, len(TAGS))) < 0.4
    truth[0] = False
    return [f"clip{i}.wav" for i in range(n)], truth, random.normal(0, 3, truth.shape) + 3 * truth


def lines_of(ids, matrix, names=("file", "tag", "score"), seed=1):
    """One line per id and label, shuffled."""
    cells = [(i, tag, matrix[row, code]) for row, i in enumerate(ids) for code, tag in enumerate(TAGS)]
    order = np.random.default_rng(seed).permutation(len(cells))
    return pa.table({name: [cells[k][part] for k in order] for part, name in enumerate(names)})


def bare_lines(ids, truth, names=("file", "tag"), seed=2):
    """One line per id and label that applies, shuffled."""
    cells = [(i, tag) for row, i in enumerate(ids) for code, tag in enumerate(TAGS) if truth[row, code]]
    order = np.random.default_rng(seed).permutation(len(cells))
    return pa.table({name: [cells[k][part] for k in order] for part, name in enumerate(names)})


def wide_labels(ids, truth):
    return pa.table({"file": ids, **{tag: [str(int(x)) for x in truth[:, code]] for code, tag in enumerate(TAGS)}})


def wide_scores(ids, scores):
    return pa.table({"file": ids, **{f"p_{tag}": scores[:, code] for code, tag in enumerate(TAGS)}})


def delimited(ids, truth, name="tags"):
    cells = ["".join(f"{tag};" for code, tag in enumerate(TAGS) if row[code]) or None for row in truth]
    return pa.table({"file": ids, name: cells, "scene": ["home"] * len(ids)})


def evaluated(*tables, **given):
    table, report = join_tables(tables, None)
    found = detect(table, given=given)
    return build(
        table, found.settings, name="t", content_sha256="0", join=report, roles=found.roles, notes=found.notes,
        warnings=found.warnings,
    )  # fmt: skip


def assert_reads(evaluation, ids, truth=None, scores=None, pred=None):
    """The evaluation holds these numbers, whatever the order of its rows and labels."""
    place = {name: row for row, name in enumerate(ids)}
    name = next(n for n in evaluation.rows.column_names if n in ("file", "column 1", "id"))
    rows = [place[key] for key in evaluation.rows.column(name).to_pylist()]
    assert sorted(rows) == sorted(set(rows)) and evaluation.task == "multilabel"
    columns = [TAGS.index(label) for label in evaluation.labels]
    for found, wanted in ((evaluation.y_true, truth), (evaluation.y_pred, pred)):
        if wanted is not None:
            assert np.array_equal(found, wanted[np.ix_(rows, columns)])
    if scores is not None:
        codes = [TAGS.index(evaluation.labels[code]) for code in evaluation.score_codes]
        assert np.array_equal(evaluation.y_score, scores[np.ix_(rows, codes)])


# -- scores in lines against every way to write the truth ------------------------------------------


@pytest.mark.parametrize("truth_as", [delimited, wide_labels, bare_lines])
def test_scores_in_lines_equal_the_wide_file(truth_as):
    ids, truth, scores = dataset()
    evaluation = evaluated(lines_of(ids, scores), truth_as(ids, truth), threshold=0.0)
    kept = truth.any(axis=1) if truth_as is bare_lines else np.ones(len(ids), bool)
    assert_reads(evaluation, ids, truth=truth, scores=scores)
    assert evaluation.n_rows == len(ids) and evaluation.n_scored == kept.sum()


def test_headerless_files_are_read_by_values():
    ids, truth, scores = dataset()
    predictions = lines_of(ids, scores, ("column 1", "column 2", "column 3"))
    labels = delimited(ids, truth).rename_columns(["column 1", "column 3", "column 2"])
    sessions = pa.array([f"s{row % 5}" for row in range(len(ids))])
    labels = labels.select(["column 1", "column 2", "column 3"]).append_column("column 4", sessions)
    evaluation = evaluated(predictions, labels)
    assert_reads(evaluation, ids, truth=truth, scores=scores)
    assert evaluation.settings.truth == "column 3" and evaluation.settings.id == "column 1"


def test_what_was_done_is_said_in_numbers():
    ids, truth, scores = dataset(n=10)
    table, _ = join_tables([lines_of(ids, scores), delimited(ids, truth)], None)
    assert read_notes(table) == ("40 lines of 'file' and 'tag' were read as 10 ids × 4 labels.",)


def test_wide_predictions_meet_a_truth_in_lines():
    ids, truth, scores = dataset()
    evaluation = evaluated(wide_scores(ids, scores), bare_lines(ids, truth))
    assert_reads(evaluation, ids, truth=truth, scores=scores)
    assert evaluation.n_missing_truth == (~truth.any(axis=1)).sum()


def test_lines_without_scores_are_sets():
    ids, truth, scores = dataset()
    pred = scores > 0.5
    both = truth.any(axis=1) & pred.any(axis=1)
    evaluation = evaluated(bare_lines(ids, pred, ("file", "predicted_tag")), bare_lines(ids, truth))
    assert_reads(evaluation, ids, truth=truth, pred=pred)
    assert evaluation.n_scored == both.sum()


def test_flags_in_lines_keep_unlabelled_ids():
    ids, truth, scores = dataset()
    labels = lines_of(ids, truth.astype(int).astype(str), ("file", "label", "truth"))
    evaluation = evaluated(lines_of(ids, scores, ("file", "label", "score")), labels)
    assert_reads(evaluation, ids, truth=truth, scores=scores)
    assert evaluation.n_scored == len(ids)


def test_one_file_of_lines_with_truth_and_score():
    ids, truth, scores = dataset()
    table = lines_of(ids, scores, ("id", "label", "score"))
    flags = lines_of(ids, truth.astype(int).astype(str), ("id", "label", "y_true"))
    evaluation = evaluated(table.append_column("y_true", flags.column("y_true")))
    assert_reads(evaluation, ids, truth=truth, scores=scores)
    assert evaluation.n_scored == evaluation.n_rows == len(ids)


def test_one_file_of_lines_with_truth_and_prediction():
    ids, truth, scores = dataset()
    table = lines_of(ids, truth.astype(int).astype(str), ("id", "label", "y_true"))
    pred = lines_of(ids, (scores > 0).astype(int).astype(str), ("id", "label", "y_pred"))
    evaluation = evaluated(table.append_column("y_pred", pred.column("y_pred")))
    assert_reads(evaluation, ids, truth=truth, pred=scores > 0)


@pytest.mark.parametrize("true", [0, 1])
def test_flags_that_never_vary_are_read(true):
    ids, tags = ["x", "x", "y", "y"], ["rude", "spam"] * 2
    lines = pa.table({"index": ids, "tag": tags, "actual": [true] * 4, "predicted": [0, 1, 1, 0]})
    evaluation = evaluated(lines)
    assert evaluation.n_rows == 2 and list(evaluation.labels) == ["rude", "spam"]
    assert np.array_equal(evaluation.y_true, np.full((2, 2), true))
    assert np.array_equal(evaluation.y_pred, [[0, 1], [1, 0]])


def test_complete_score_lines_become_score_columns():
    classes = ["cat", "dog", "owl"]
    probabilities = np.random.default_rng(3).dirichlet(np.ones(3), 30)
    lines = pa.table({
        "id": np.repeat(np.arange(30), 3).astype(str),
        "class": classes * 30,
        "probability": probabilities.ravel(),
    })  # fmt: skip
    truth = [classes[k] for k in np.random.default_rng(4).integers(0, 3, 30)]
    evaluation = evaluated(lines, pa.table({"id": np.arange(30).astype(str), "label": truth}))
    assert evaluation.task == "multiclass" and evaluation.labels == tuple(classes)
    assert np.allclose(evaluation.y_score, probabilities)
    assert [classes[c] for c in evaluation.y_pred] == [classes[k] for k in probabilities.argmax(axis=1)]


@pytest.mark.parametrize("decimal", [".", ","])
def test_one_true_class_beside_shares_is_single(decimal):
    classes = ["cat", "dog", "owl"]
    shares = np.random.default_rng(3).dirichlet(np.ones(3), 30).round(4)
    true = np.random.default_rng(4).integers(0, 3, 30)
    lines = {
        "id": np.repeat(np.arange(30), 3).astype(str),
        "class": classes * 30,
        "score": [f"{share:.4f}".replace(".", decimal) for share in shares.ravel()],
        "y_true": [str(int(code == place)) for code in true for place in range(3)],
    }
    evaluation = evaluated(pa.table(lines))
    assert evaluation.task == "multiclass" and [evaluation.labels[code] for code in evaluation.y_true] == [
        classes[code] for code in true
    ]
    assert np.allclose(evaluation.y_score, shares) and np.array_equal(evaluation.y_pred, shares.argmax(axis=1))
    lines["score"] = [f"{2 * share:.4f}" for share in shares.ravel()]
    (widened,) = widen_tables([pa.table(lines)])
    assert "exactly one true label" in read_warnings(widened)[0], "scores that are no shares of 1 leave a doubt"


@settings(max_examples=40)
@given(st.integers(2, 8), st.integers(0, 100))
def test_the_sets_are_those_of_a_plain_loop(n, seed):
    ids, truth, scores = dataset(seed, n + 4)
    table = bare_lines(ids, truth, seed=seed)
    found, _ = widen_tables([table, wide_scores(ids, scores)][::-1])[::-1]
    sets: dict[str, list] = {}
    for row in table.to_pylist():
        sets.setdefault(row["file"], []).append(row["tag"])
    if found.num_rows != table.num_rows:
        assert found.column("file").to_pylist() == list(sets)
        assert [json.loads(cell) for cell in found.column("tag").to_pylist()] == [sorted(s) for s in sets.values()]
    else:
        assert len(sets) == len(table) or len(table) < 4 or len({tag for s in sets.values() for tag in s}) < 2


def test_constant_columns_and_id_type_stay():
    _, truth, scores = dataset(n=6)
    lines = lines_of([*range(6)], scores)
    lines = lines.append_column("scene", pa.array([f"scene {i}" for i in lines.column("file").to_pylist()]))
    labels = delimited([*range(6)], truth)
    found = widen_tables([lines, labels])[0]
    assert found.column("scene").to_pylist() == [f"scene {i}" for i in found.column("file").to_pylist()]
    assert found.schema.field("file").type == pa.int64() and found.num_rows == 6


def test_pair_without_a_line_has_no_score():
    ids, truth, scores = dataset(n=8)
    lines = lines_of(ids, scores)
    found = widen_tables([lines.slice(1), delimited(ids, truth)])[0]
    missing = lines.slice(0, 1).to_pylist()[0]
    column = dict(
        zip(found.column("file").to_pylist(), found.column(f"score_{missing['tag']}").to_pylist(), strict=True)
    )
    assert column[missing["file"]] is None and sum(v is None for v in column.values()) == 1
    assert "1 pair without a line has no score" in read_notes(found)[0]
    empty = pa.table({"file": [*bare_lines(ids, truth).column("file").to_pylist(), "clip0.wav"],
                      "tag": [*bare_lines(ids, truth).column("tag").to_pylist(), None]})  # fmt: skip
    sets = widen_tables([wide_scores(ids, scores), empty])[1]
    assert dict(zip(*sets.to_pydict().values(), strict=True))["clip0.wav"] == "[]"


# -- the same pair twice ----------------------------------------------------------------------------


def test_repeated_line_is_counted_once():
    ids, truth, scores = dataset(n=10)
    lines = lines_of(ids, scores)
    found = widen_tables([pa.concat_tables([lines, lines.slice(0, 2)]), delimited(ids, truth)])[0]
    assert found.num_rows == 10 and "2 lines that only repeat another counted once" in read_notes(found)[0]


def test_pair_with_two_scores_is_refused():
    ids, truth, scores = dataset(n=10)
    lines = lines_of(ids, scores)
    again = lines.slice(3, 1).set_column(2, "score", pa.array([99.5]))
    key, tag = lines.column("file")[3].as_py(), lines.column("tag")[3].as_py()
    with pytest.raises(DataError, match=rf"'{key}' has the label '{tag}' twice .*in row 4 and 99.5 in row 41"):
        widen_tables([pa.concat_tables([lines, again]), delimited(ids, truth)], repeated="all")


def test_more_labels_than_can_be_shown_are_refused():
    n = 5_001
    labels = [f"tag{k}" for k in range(n)]
    lines = pa.table({"id": ["a"] * n + ["b"] * n, "tag": labels * 2, "score": np.random.default_rng(0).random(2 * n)})
    flags = pa.table({"id": ["a", "b"], **{label: ["0", "1"] for label in labels[:50]}})
    with pytest.raises(DataError, match=r"'tag' holds 5,001 different labels in lines of id and label; at most 5,000"):
        widen_tables([lines, flags])


# -- what is no long form ---------------------------------------------------------------------------


def same(tables, key=None):
    return all(one is two for one, two in zip(widen_tables(tables, key), tables, strict=True))


def test_epochs_of_single_labels_stay_rows():
    random = np.random.default_rng(0)
    ids = np.repeat([f"q{i}" for i in range(20)], 3)
    predictions = pa.table({"id": ids, "epoch": [1.0, 2.0, 3.0] * 20, "pred": random.choice(["a", "b", "c"], 60)})
    labels = pa.table({"id": [f"q{i}" for i in range(20)], "label": random.choice(["a", "b", "c"], 20)})
    assert same([predictions, labels]) and same([predictions.drop_columns(["epoch"]), labels])
    confident = predictions.append_column("score", pa.array(random.random(60)))
    assert same([confident, labels]) and same([confident.drop_columns(["epoch"]), labels])
    table, report = join_tables([predictions, labels], None)
    assert len(table) == 60 and report.n_repeated_predictions == 20


def test_ordinary_files_stay_as_they_are():
    random = np.random.default_rng(0)
    ids = [f"q{i}" for i in range(50)]
    predictions = pa.table({"id": ids, "pred": random.choice(["a", "b"], 50), "score": random.random(50)})
    labels = pa.table({"id": ids, "label": random.choice(["a", "b"], 50)})
    assert same([predictions, labels]) and same([predictions]) and same([labels])
    bare = [predictions.select(["id", "pred"]), labels]
    assert same(bare) and same([t.rename_columns(["column 1", "column 2"]) for t in bare])


def test_predictions_are_no_ids_of_lines():
    ages = [str(20 + row) for row in range(24)]
    of_predictions = pa.table({"preds": ["a", "b", "c"] * 8, "age": ages})
    of_labels = pa.table({"labels": ["a", "b", "b"] * 8, "age": ages})
    assert widen_tables([of_predictions, of_labels]) == [of_predictions, of_labels]
    regions = pa.table({"region": ["west", "north", "south", "north"] * 3, "labels": ["a", "b|a", "c", "a|c"] * 3})
    in_order = pa.table({"preds": ["a", "b|a", "c|b", "a|c"] * 3})
    assert widen_tables([in_order, regions]) == [in_order, regions], "as many rows are in the order of the others"


def test_two_visits_have_two_verdicts():
    random = np.random.default_rng(0)
    ids = np.repeat([f"p{i}" for i in range(20)], 2)
    predictions = pa.table({"id": ids, "visit": ["first", "second"] * 20, "score": random.random(40)})
    labels = pa.table({"id": ids, "visit": ["first", "second"] * 20, "truth": random.choice(["0", "1"], 40)})
    assert same([predictions, labels])
    moment = [t.rename_columns(["id", "moment", t.column_names[2]]) for t in (predictions, labels)]
    assert same(moment)


def test_parallel_rows_of_an_id_stay_rows():
    ids = np.repeat([f"q{i}" for i in range(10)], 2)
    predictions = pa.table({"id": ids, "pred": ["a", "b"] * 10})
    labels = pa.table({"id": ids, "label": ["a", "b"] * 10})
    assert same([predictions, labels])


def test_conflicting_labels_of_an_id_are_refused():
    predictions = pa.table({"id": ["a", "b", "c", "d"], "pred": ["x", "y", "x", "y"]})
    labels = pa.table({"id": ["a", "b", "b", "c", "d"], "label": ["x", "x", "y", "y", "x"]})
    assert same([predictions, labels])
    with pytest.raises(DataError, match="'id' is not unique in the labels file"):
        join_tables([predictions, labels], "id", "all")


def test_key_naming_the_labels_keeps_the_lines():
    ids, truth, scores = dataset()
    predictions = lines_of(ids, scores)
    labels = lines_of(ids, truth.astype(int).astype(str), ("file", "tag", "truth"))
    table, report = join_tables([predictions, labels], "file,tag")
    assert len(table) == len(predictions) and report.key == ("file,tag", "file,tag")
    assert same([predictions, labels], "file,tag") and same([predictions, labels], "")
    assert not same([predictions, labels])


def test_a_rank_is_no_score():
    ids, _, _ = dataset(n=12)
    ranks = np.tile(np.arange(1, len(TAGS) + 1), (12, 1))
    assert not find_candidates(lines_of(ids, ranks, ("file", "tag", "rank")))
    assert find_candidates(lines_of(ids, ranks, ("file", "tag", "score")))


def test_labels_are_the_same_however_they_are_spelled():
    assert same_labels(["Child_Speech", "Music"], TAGS) and not same_labels(["cat", "dog"], TAGS)


@settings(max_examples=30)
@given(st.permutations(range(160)))
def test_line_order_changes_row_order_only(order):
    ids, truth, scores = dataset()
    lines = lines_of(ids, scores)
    one, two = (widen_tables([table, delimited(ids, truth)])[0] for table in (lines, lines.take(pa.array(order))))
    key = [("file", "ascending")]
    assert one.column_names == two.column_names and one.sort_by(key).equals(two.sort_by(key))
