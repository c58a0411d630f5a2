"""Scores of several classes of a counted source: curves of each against the rest equal those of its rows."""

import dataclasses
import itertools
import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from data.building.rescoring import with_label_thresholds
from data.engines.engine import open_engine
from data.engines.parquet_folder import open_path
from data.errors import DataError
from data.rows.selection import ScoreRange, Which, find_rows
from data.runs.class_scores import counting
from data.runs.class_scores.evaluations import class_evaluation, load_class_scores
from data.runs.draft import Draft, Given
from data.runs.load import read_evaluation
from data.runs.own_folders.counting import read_source
from data.runs.source_counts import count_again, count_by_thresholds, count_draft_classes, read_source_draft
from data.runs.source_rows import read_source_rows
from data.runs.sources import find_source
from data.runs.understanding import open_draft, open_with_table
from data.sharing.redaction import redact_draft
from export.measurement import measure
from export.numbers import values
from metrics.findings.tables import count_scores
from metrics.progress import nobody
from metrics.scores.curves import average_precision, roc_auc
from tests.data.runs.test_counted_sets import LABELS, MADE, N, write
from tests.measured_numbers import numbers_of


def with_scores(made, rng, digits):
    """Columns of labels, and a score with ties, gaps and NaN for each of them."""
    found = MADE[made](rng)
    for label in LABELS if made != "scores" else ():
        score = np.where(rng.random(N) < 0.1, np.nan, np.round(rng.random(N), digits))
        found[f"prob_{label}"] = pa.array(score, mask=rng.random(N) < 0.05)
    return found


def classes(rng, digits):
    """One label a row, with gaps, and a probability for each of three classes."""
    scores = np.round(rng.dirichlet([1, 1, 1], N), digits)
    truth = [None if rng.random() < 0.05 else ["a", 'b"; --', "3"][i] for i in rng.integers(0, 3, N)]
    pred = [["a", 'b"; --', "3", "", None][i] for i in rng.choice(5, N, p=[0.3, 0.3, 0.3, 0.05, 0.05])]
    return {"label": truth, "predicted": pred,
            **{f"prob_{name}": scores[:, i] for i, name in enumerate(["a", 'b"; --', "3"])}}  # fmt: skip


def highest(rng):
    """One label a row and scores with ties and gaps, of classes that are odd, never true, or words for no label."""
    names = ["a", 'b"; --', "[invalid]", "3", "never"]
    scores = np.round(rng.dirichlet([1, 1, 1, 1, 0.1], N), 1)
    truth = np.where(rng.random(N) < 0.5, scores[:, :4].argmax(1), rng.choice([0, 1, 3], N))
    scores[rng.random(scores.shape) < 0.02] = np.nan
    label = pa.array([names[i] for i in truth], mask=rng.random(N) < 0.05)
    columns = {f"prob_{name}": pa.array(scores[:, i], mask=rng.random(N) < 0.01) for i, name in enumerate(names)}
    return {"label": label, **columns}


def test_highest_score_predicts_the_class(tmp_path, monkeypatch, engine):
    columns = highest(np.random.default_rng(5))
    draft, evaluation, rows = count_all(tmp_path, monkeypatch, engine, columns)
    assert evaluation.labels == rows.labels and evaluation.n_space == rows.n_space == 5
    one, other = values(measure(evaluation)), values(measure(rows))
    for name in set(one) - {"findings"}:
        assert json.dumps(one[name]) == json.dumps(other[name]), name
    for which in (Which(pred=(2,)), Which(only="missing")):
        lines, there = find_rows(evaluation, which), find_rows(rows, which)
        asked = read_source_rows(evaluation, lines, nobody)["row_id"].to_pylist()
        assert asked == there.tolist()[:200] and evaluation.count_rows(lines) == len(there), which
    notes = " ".join(evaluation.receipt.notes)
    assert f"{np.sum(rows.y_pred < 0)} without a predicted label" in notes and "the highest of 5 scores" in notes
    shared = open_draft(redact_draft(draft, *open_with_table(draft), counts_only=True))
    assert json.dumps(numbers_of(shared)) == json.dumps(numbers_of(evaluation))
    merged = dataclasses.replace(draft, settings=dataclasses.replace(draft.settings, merge=(("a", "3"),)))
    with pytest.raises(DataError, match="merged into '3' add up"):
        open_draft(merged)


def logits(rng):
    """One label a row and a logit for each class, with gaps; no two rows alike by chance."""
    scores = rng.normal(size=(N, 3)) * rng.choice([1, 4], (N, 1))
    names = ["a", 'b"; --', "3"]
    label = [names[i] for i in np.where(rng.random(N) < 0.6, scores.argmax(1), rng.integers(0, 3, N))]
    scores[rng.random(scores.shape) < 0.02] = np.nan
    return {"label": label, **{f"logit_{name}": scores[:, i] for i, name in enumerate(names)}}


def test_curves_of_logits_equal_those_of_their_softmax(tmp_path, monkeypatch, engine):
    draft, evaluation, rows = count_all(tmp_path, monkeypatch, engine, logits(np.random.default_rng(5)))
    assert evaluation.count_rows(evaluation.y_pred == 1) == np.sum(rows.y_pred == 1)
    found = load_class_scores(Draft.from_json(draft.to_json()), evaluation)
    for name, order in zip(found.classes, itertools.cycle(("file", "highest"))):
        one, code = class_evaluation(evaluation, found, name), rows.labels.index(name)
        wanted, own = count_scores(rows, code), count_scores(one, 1)
        assert one.scale == rows.scale == "probability" and own.score == pytest.approx(wanted.score, rel=1e-12)
        assert np.array_equal(own.tp, wanted.tp) and np.array_equal(own.fp, wanted.fp)
        lines = find_rows(one, Which(true=(1,), only="scored", score=ScoreRange(1, 0.5, np.inf)))
        there = find_rows(rows, Which(true=(code,), only="scored", score=ScoreRange(code, 0.5, np.inf)))
        asked = read_source_rows(one, lines, nobody, order=order)["row_id"].to_pylist()
        assert sorted(asked) == there.tolist(), (name, order)


def count_all(tmp_path, monkeypatch, engine, columns):
    """The draft of a source with its classes counted, and the evaluation of its rows."""
    folder, whole = write(tmp_path, columns)
    path = tmp_path / "sources.toml"
    path.write_text(f'[S]\nengine = "{engine}"\nfolder = "{folder}"\n')
    monkeypatch.setenv("BLINDSPOT_SOURCES", str(path))
    draft, evaluation = count_draft_classes(read_source_draft(find_source("S"), nobody)[0], nobody)
    return draft, evaluation, read_evaluation([whole], Given())


def blanks(rng):
    """Labels as texts of 0 and 1, a blank where there is none, and a score for each."""
    found = with_scores("flags", rng, 1)
    return {name: cells if name.startswith("prob") else cells.cast(pa.int8()).cast(pa.string()).fill_null(" ")
            for name, cells in found.items()}  # fmt: skip


def json_lists(rng):
    """Sets as JSON, a blank where there is none, and a score for each label."""
    found, sets = with_scores("lists", rng, 1), ("labels", "predicted_labels")
    texts = {name: ["" if each is None else json.dumps(each) for each in pa.array(found[name]).to_pylist()]
             for name in sets}  # fmt: skip
    return found | texts


OWN = {"classes": lambda rng: classes(rng, 2), "highest": highest, "blanks": blanks, "JSON": json_lists}


SIDES = list(itertools.product((ScoreRange(1, 0.5, np.inf), ScoreRange(1, -np.inf, 0.5)), (False, True)))
"""Ranges of scores, of the rows of the class and of the others: each class asks the engine for the rows of one."""


@pytest.mark.parametrize("made", [*MADE, *OWN])
def test_curves_of_classes_equal_those_of_rows(tmp_path, monkeypatch, engine, made):
    if engine == "spark" and made != "JSON":
        pytest.skip("Spark's own tests ask for the other kinds of columns")
    rng = np.random.default_rng(5)
    columns = OWN[made](rng) if made in OWN else with_scores(made, rng, 1)
    draft, evaluation, rows = count_all(tmp_path, monkeypatch, engine, columns)
    found = load_class_scores(Draft.from_json(draft.to_json()), evaluation)
    assert set(found.classes) == {rows.labels[code] for code in rows.score_codes} - {"never"}
    for name, chosen in zip(found.classes, itertools.cycle(SIDES)):
        one, code = class_evaluation(evaluation, found, name), rows.labels.index(name)
        wanted, own = count_scores(rows, code), count_scores(one, 1)
        assert one.labels[1] == name and one.score_upper is None
        assert wanted.n_without_score == one.n_missing_pred
        for a, b in zip(wanted[:5], own[:5], strict=True):  # all but rows without a score
            assert np.array_equal(a, b), (name, wanted, own)
        for side, others in SIDES:
            lines = find_rows(one, Which(true=(1,), others=others, only="scored", score=side))
            there = find_rows(rows, Which(true=(code,), others=others, only="scored", score=side._replace(code=code)))
            assert one.count_rows(lines) == len(there)
            if (side, others) == chosen and len(lines):
                assert read_source_rows(one, lines, nobody)["row_id"].to_pylist() == there.tolist()[:200]
    merged = dataclasses.replace(evaluation, settings=dataclasses.replace(evaluation.settings, merge=(("a", "b"),)))
    assert load_class_scores(draft, merged) is None
    shared = redact_draft(draft, *open_with_table(draft), counts_only=True)
    assert load_class_scores(shared, open_draft(shared)).classes == found.classes
    again = count_again(draft, ["region"], nobody)[0]
    assert again.class_scores == draft.class_scores and load_class_scores(again, open_draft(again)) is not None


@pytest.mark.parametrize("made", MADE)
def test_curves_of_weighted_labels_equal_those_of_rows(tmp_path, made):
    rng = np.random.default_rng(5)
    table, n = pa.table(with_scores(made, rng, 1)), rng.integers(0, 6, N)
    (tmp_path / "lines").mkdir()
    pq.write_table(table.append_column("n", pa.array(n)), tmp_path / "lines/0.parquet")
    pq.write_table(table.take(pa.array(np.repeat(np.arange(N), n))), tmp_path / "rows.parquet")
    rows, folder = read_evaluation([tmp_path / "rows.parquet"], Given()), open_path(tmp_path / "lines")
    evaluation = read_source(tmp_path / "lines", Given(counts="n"), engine="memory")
    found = counting.count_classes(evaluation, folder, open_engine("memory", folder), [0])
    for name in found.classes:
        wanted = count_scores(rows, rows.labels.index(name))
        own = count_scores(class_evaluation(evaluation, found, name), 1)
        for a, b in zip(wanted[:5], own[:5], strict=True):
            assert np.array_equal(a, b), name


def test_bins_of_classes_hold_the_exact_area(tmp_path, monkeypatch):
    monkeypatch.setattr(counting, "MAX_CLASS_SCORES", 300)
    draft, evaluation, rows = count_all(tmp_path, monkeypatch, "memory", classes(np.random.default_rng(6), 12))
    found = load_class_scores(draft, evaluation)
    for name in found.classes:
        one = class_evaluation(evaluation, found, name)
        wanted, own = count_scores(rows, rows.labels.index(name)), count_scores(one, 1)
        bound = measure(one).score_error_bound
        assert 0 < bound["roc_auc"] < 0.02 and one.n_lines <= 220
        assert abs(roc_auc(own) - roc_auc(wanted)) <= bound["roc_auc"]
        assert abs(average_precision(own) - average_precision(wanted)) <= bound["average_precision"]
        at = [counts.tp[counts.above(0.5) - 1] for counts in (own, wanted)]
        assert at[0] == at[1]  # a bin begins at the threshold in use


def test_labels_renamed_or_merged_keep_their_scores(tmp_path, monkeypatch, quick_engine):
    draft, _, rows = count_all(tmp_path, monkeypatch, quick_engine, classes(np.random.default_rng(5), 2))
    called = dataclasses.replace(draft, settings=dataclasses.replace(draft.settings, class_names=(("a", "Cee"),)))
    again, named = count_draft_classes(called, nobody)
    own = count_scores(class_evaluation(named, load_class_scores(again, named), "Cee"), 1)
    assert np.array_equal(own.tp, count_scores(rows, rows.labels.index("a")).tp)
    swapped = Given(class_names=(("a", "3"), ("3", "a")))  # known before the source is counted
    folder = open_path(tmp_path / "source")
    before = read_source(tmp_path / "source", swapped, engine="memory")
    found = counting.count_classes(before, folder, open_engine("memory", folder), [0])
    own = count_scores(class_evaluation(before, found, "3"), 1)
    assert np.array_equal(own.tp, count_scores(rows, rows.labels.index("a")).tp)
    merged = dataclasses.replace(draft, settings=dataclasses.replace(draft.settings, merge=(("a", "3"),)))
    with pytest.raises(DataError, match="The label 'a' was merged"):
        count_draft_classes(merged, nobody)


def test_per_cent_beside_probabilities_are_told(tmp_path, monkeypatch):
    columns = classes(np.random.default_rng(5), 2)
    low = {
        name: np.asarray(cells) * (0.5 if name == "prob_a" else 100) for name, cells in columns.items() if "_" in name
    }
    _, counted, rows = count_all(tmp_path, monkeypatch, "memory", columns | low)
    for evaluation in (counted, rows):
        assert "taken as scores on a scale of their own" in " ".join(evaluation.receipt.warnings)


def test_bins_of_few_scores_begin_at_the_threshold(tmp_path, monkeypatch):
    monkeypatch.setattr(counting, "MAX_CLASS_SCORES", 200)
    monkeypatch.setattr(counting, "SOURCE_SAMPLE_ROWS", 20)
    columns = with_scores("scores", np.random.default_rng(5), 2)
    for name in columns:
        if name.startswith("prob"):
            columns[name] = pa.array(np.round(np.random.default_rng(len(name)).random(N), 2))
    path, (folder, whole) = tmp_path / "sources.toml", write(tmp_path, columns)
    path.write_text(f'[S]\nengine = "memory"\nfolder = "{folder}"\nthreshold = 0.3\n')
    monkeypatch.setenv("BLINDSPOT_SOURCES", str(path))
    draft, evaluation = count_draft_classes(read_source_draft(find_source("S"), nobody)[0], nobody)
    rows, found = read_evaluation([whole], Given(threshold=0.3)), load_class_scores(draft, evaluation)
    for name in found.classes:
        one = class_evaluation(evaluation, found, name)
        wanted, own = count_scores(rows, rows.labels.index(name)), count_scores(one, 1)
        assert one.effective_threshold == rows.effective_threshold == 0.3 and len(own.score) < len(wanted.score)
        assert own.at(0.3) == wanted.at(0.3)


def test_thresholds_of_labels_predict_them_anew(tmp_path, monkeypatch, quick_engine):
    columns = with_scores("scores", np.random.default_rng(5), 1)
    draft, evaluation, rows = count_all(tmp_path, monkeypatch, quick_engine, columns)
    scores, at = load_class_scores(draft, evaluation), np.linspace(0.2, 0.8, 5)
    named = [dict(evaluation.settings.pred_columns)[column] for column, _ in rows.settings.scores]
    thresholds = [(column, float(one)) for (column, _), one in zip(rows.settings.scores, at, strict=True)]
    draft, made = count_by_thresholds(draft, thresholds, nobody)
    wanted = with_label_thresholds(rows, at[[named.index(rows.labels[code]) for code in rows.score_codes]])
    assert made.fingerprint != evaluation.fingerprint and "at least its own threshold" in " ".join(made.receipt.notes)
    one, other = numbers_of(made), numbers_of(wanted)
    for name in set(one) - {"findings"}:
        assert json.dumps(one[name]) == json.dumps(other[name]), name
    again, split = count_again(Draft.from_json(draft.to_json()), ["region"], nobody)
    assert numbers_of(split)["subset_accuracy"] == one["subset_accuracy"] and again.given == draft.given
    for name in scores.classes:
        own = class_evaluation(split, load_class_scores(again, split), name)
        assert own.effective_threshold == at[named.index(name)]
    lines, there = find_rows(made, Which(true=(2,), only="fn")), find_rows(wanted, Which(true=(2,), only="fn"))
    assert read_source_rows(made, lines, nobody)["row_id"].to_pylist() == there.tolist()[:200]


def test_labels_that_are_dates_are_refused(tmp_path, monkeypatch):
    days = np.array(["2024-01-01", "2024-01-02", "2024-01-03"], "datetime64[D]")
    columns = classes(np.random.default_rng(5), 2)
    scores = [cells for name, cells in columns.items() if name.startswith("prob")]
    codes = np.random.default_rng(1).integers(0, 3, N)
    made = {
        "label": days[codes],
        "predicted": days[codes[::-1]],
        **{f"prob_{d}": s for d, s in zip(days, scores, strict=True)},
    }
    with pytest.raises(DataError, match="holds lists or dates"):
        count_all(tmp_path, monkeypatch, "memory", made)
