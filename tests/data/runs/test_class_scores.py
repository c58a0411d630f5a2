"""Scores of several classes of a counted source: curves of each against the rest equal those of its rows."""

import dataclasses

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from data.engines.engine import open_engine
from data.rows.selection import ScoreRange, Which, find_rows
from data.runs.class_scores import counting
from data.runs.class_scores.evaluations import class_evaluation, load_class_scores
from data.runs.draft import Draft, Given
from data.runs.load import read_evaluation
from data.runs.source_counts import count_again, count_draft_classes, open_path, read_source, read_source_draft
from data.runs.source_rows import read_source_rows
from data.runs.sources import find_source
from data.runs.understanding import open_draft, open_with_table
from data.sharing.redaction import redact_draft
from export.measurement import measure_evaluation
from metrics.findings.tables import count_scores
from metrics.progress import nobody
from metrics.scores.curves import average_precision, roc_auc
from tests.data.runs.test_counted_sets import LABELS, MADE, N, write


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


def count_all(tmp_path, monkeypatch, engine, columns):
    """The draft of a source with its classes counted, and the evaluation of its rows."""
    folder, whole = write(tmp_path, columns)
    path = tmp_path / "sources.toml"
    path.write_text(f'[S]\nengine = "{engine}"\nfolder = "{folder}"\n')
    monkeypatch.setenv("BLINDSPOT_SOURCES", str(path))
    draft, evaluation = count_draft_classes(read_source_draft(find_source("S"), nobody)[0], nobody)
    return draft, evaluation, read_evaluation([whole], Given())


@pytest.mark.parametrize("made", [*MADE, "classes"])
def test_curves_of_classes_equal_those_of_rows(tmp_path, monkeypatch, engine, made):
    rng = np.random.default_rng(5)
    columns = classes(rng, 2) if made == "classes" else with_scores(made, rng, 1)
    draft, evaluation, rows = count_all(tmp_path, monkeypatch, engine, columns)
    found = load_class_scores(Draft.from_json(draft.to_json()), evaluation)
    assert set(found.classes) == {rows.labels[code] for code in rows.score_codes}
    for name in found.classes:
        one, code = class_evaluation(evaluation, found, name), rows.labels.index(name)
        wanted, own = count_scores(rows, code), count_scores(one, 1)
        assert one.labels[1] == name and one.score_upper is None
        assert wanted.n_without_score == one.n_missing_pred
        for a, b in zip(wanted[:-1], own[:-1], strict=True):
            assert np.array_equal(a, b), (name, wanted, own)
        for side in (ScoreRange(1, 0.5, np.inf), ScoreRange(1, -np.inf, 0.5)):
            for others in (False, True):
                lines = find_rows(one, Which(true=(1,), others=others, only="scored", score=side))
                there = find_rows(
                    rows, Which(true=(code,), others=others, only="scored", score=side._replace(code=code))
                )
                asked = read_source_rows(one, lines, nobody)["row_id"].to_pylist() if len(lines) else []
                assert asked == there.tolist()[:200] and one.count_rows(lines) == len(there)
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
        for a, b in zip(wanted[:-1], own[:-1], strict=True):
            assert np.array_equal(a, b), name


def test_bins_of_classes_hold_the_exact_area(tmp_path, monkeypatch):
    monkeypatch.setattr(counting, "MAX_CLASS_SCORES", 300)
    draft, evaluation, rows = count_all(tmp_path, monkeypatch, "memory", classes(np.random.default_rng(6), 12))
    found = load_class_scores(draft, evaluation)
    for name in found.classes:
        one = class_evaluation(evaluation, found, name)
        wanted, own = count_scores(rows, rows.labels.index(name)), count_scores(one, 1)
        bound = measure_evaluation(one).score_error_bound
        assert 0 < bound["roc_auc"] < 0.02 and one.n_lines <= 220
        assert abs(roc_auc(own) - roc_auc(wanted)) <= bound["roc_auc"]
        assert abs(average_precision(own) - average_precision(wanted)) <= bound["average_precision"]
        at = [counts.tp[counts.above(0.5) - 1] for counts in (own, wanted)]
        assert at[0] == at[1]  # a bin begins at the threshold in use
