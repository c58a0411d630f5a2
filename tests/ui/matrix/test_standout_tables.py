"""The full lists of what stands out: every line leads to as many rows as it says, whatever stands above it."""

from collections.abc import Callable
from types import SimpleNamespace

import numpy as np
import pyarrow as pa
import pytest

from data.building.build import build
from data.evaluation import Evaluation, Settings
from data.rows.selection import Which, find_rows
from metrics.confusion import standouts
from metrics.findings.tables import count_confusions
from ui.matrix import standout_tables


@pytest.fixture
def shown(monkeypatch):
    """The tables as they are shown, by the key of each: (frame, what choosing a line does)."""
    tables: dict[str, tuple] = {}
    chosen: dict[str, dict] = {}

    class Open(SimpleNamespace):
        def __enter__(self):
            return self

        def __exit__(self, *_):
            return None

    monkeypatch.setattr(standout_tables.st, "expander", lambda title, **_: Open(open=True))
    monkeypatch.setattr(
        standout_tables.st, "dataframe", lambda frame, *, key, on_select, **_: tables.update({key: (frame, on_select)})
    )
    monkeypatch.setattr(standout_tables, "selection", chosen.__getitem__)

    def choose(key: str, lines: list[int]) -> None:
        chosen[key] = {"rows": lines}
        tables[key][1]()

    return SimpleNamespace(tables=tables, choose=choose)


def evaluation() -> Evaluation:
    """30 classes: four take in rows of all others, neighbours are taken for each other, one label is markup."""
    draw = np.random.default_rng(0)
    names = [f"class {i}" for i in range(29)] + ["<b>**x**"]
    true = draw.integers(30, size=9000)
    kind = draw.random(9000)
    pred = np.select([kind < 0.6, kind < 0.8, kind < 0.9], [true, draw.integers(4, size=9000), true ^ 1], true)
    table = pa.table({"y": [names[code] for code in true], "p": [names[code] for code in pred]})
    return build(table, Settings(truth="y", pred="p"), name="x", content_sha256="0")


def test_every_line_of_the_bright_columns_leads_to_the_rows_it_absorbs(shown):
    e = evaluation()
    counts, put = count_confusions(e), []
    standout_tables.all_streaks(counts, standouts.streaks(counts), put.append)
    frame = shown.tables["aids.streaks.table"][0]
    assert len(frame) == 4
    for line in range(len(frame)):
        shown.choose("aids.streaks.table", [line])
        found = find_rows(e, put[-1])
        assert len(found) == frame["rows"].iloc[line]
        assert len(np.unique(e.y_true[found])) == frame["of other classes"].iloc[line]
        assert {e.labels[code] for code in e.y_pred[found]} == {frame["class"].iloc[line]}


def test_every_line_of_the_pairs_leads_to_both_of_its_directions(shown):
    e = evaluation()
    counts, put = count_confusions(e), []
    found = standouts.both_ways(counts)
    standout_tables.all_pairs(counts, found, put.append)
    frame = shown.tables["aids.pairs.table"][0]
    assert len(frame) == len(found) > 10
    for line in (0, 3, len(frame) - 1):
        shown.choose("aids.pairs.table", [line])
        told = frame.iloc[line]
        names = {told["one"], told["other"]}
        slow = [
            e.labels[t] != e.labels[p] and {e.labels[t], e.labels[p]} == names
            for t, p in zip(e.y_true, e.y_pred, strict=True)
        ]
        assert find_rows(e, put[-1]).tolist() == np.flatnonzero(slow).tolist()
        assert sum(slow) == told["there"] + told["back"]


def test_taking_a_choice_back_leaves_the_rows_where_they_are(shown):
    e = evaluation()
    counts = count_confusions(e)
    put: list[Which] = []
    standout_tables.all_pairs(counts, standouts.both_ways(counts), put.append)
    shown.choose("aids.pairs.table", [])
    assert put == []


def test_the_table_is_not_made_before_it_is_asked_for(monkeypatch):
    monkeypatch.setattr(standout_tables.st, "expander", lambda title, **_: SimpleNamespace(open=False))
    made: list[Callable] = []
    monkeypatch.setattr(standout_tables.st, "dataframe", lambda *_, **__: made.append(_))
    counts = count_confusions(evaluation())
    standout_tables.all_pairs(counts, standouts.both_ways(counts), print)
    assert made == []
