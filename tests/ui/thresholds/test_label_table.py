"""The table of labels of a counted source says scikit-learn's F1, over all true rows, with a score or not."""

import numpy as np
import pytest
from sklearn.metrics import f1_score

from data.runs.class_scores.evaluations import load_class_scores
from export.result.frame import to_frame
from metrics.progress import nobody
from tests.data.runs.test_class_scores import count_all
from tests.data.runs.test_counted_sets import N
from ui.thresholds import label_table


def test_each_label_has_the_f1_of_its_rows(tmp_path, monkeypatch):
    rng = np.random.default_rng(3)
    truth, score = rng.random((N, 3)) < 0.3, np.round(rng.random((N, 3)), 1)
    score[rng.random((N, 3)) < 0.2] = np.nan
    score[truth[:, 2], 2] = np.nan  # no true row of the last label has a score
    made = {f"true_{i}": truth[:, i].astype(int) for i in range(3)}
    made |= {f"pred_{i}": rng.integers(0, 2, N) for i in range(3)} | {f"prob_{i}": score[:, i] for i in range(3)}
    draft, evaluation, _ = count_all(tmp_path, monkeypatch, "memory", made)
    monkeypatch.setattr(label_table, "scores_in_view", lambda _: load_class_scores(draft, evaluation))
    found = label_table._choose(evaluation, (0, 1, 2), nobody)
    frame = to_frame(found.table)

    def f1(i, at):
        return f1_score(truth[:, i], np.nan_to_num(score[:, i], nan=-1) >= at, zero_division=0)

    best = [max(f1(i, at) for at in np.unique(score[:, i])) for i in range(2)]
    assert frame["true rows"].tolist() == truth.sum(axis=0).tolist()
    assert frame["F1 at its best"][:2].tolist() == pytest.approx(best) and found.f1_each == pytest.approx(sum(best) / 3)
    assert frame.iloc[:, -1].tolist() == pytest.approx([f1(i, found.for_all) for i in range(3)])
    assert found.f1_for_all == pytest.approx(np.mean([f1(i, found.for_all) for i in range(3)]))
