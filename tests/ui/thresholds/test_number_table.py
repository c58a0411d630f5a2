"""Typed numbers reach whoever keeps them, whole; an empty cell is 0."""

import numpy as np

from ui.thresholds.deployment import number_table


def test_typed_numbers_are_taken_with_the_others(monkeypatch):
    drawn, taken, state = [], [], {}
    monkeypatch.setattr(number_table.st, "session_state", state)
    monkeypatch.setattr(number_table.st, "data_editor", lambda frame, **given: drawn.append((frame, given)))
    numbers = np.array([[0.0, 1.0], [2.5, 0.0], [1.0, 1.0]])
    number_table.edit_numbers("costs", numbers, ["a", "b", "_index"], ["b", "_index"], taken.append, of="true class")
    (frame, given), *_ = drawn
    assert frame.index.tolist() == ["a", "b", "_index"] and frame.columns.tolist() == ["0", "1"]
    state[given["key"]] = {"edited_rows": {0: {"1": 7.0}, 2: {"0": None}}}
    given["on_change"]()
    assert taken[0].tolist() == [[0.0, 7.0], [2.5, 0.0], [0.0, 1.0]]
    assert numbers[0, 1] == 1.0, "what was drawn stays as it was"
