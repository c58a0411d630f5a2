"""Test that reports of the matrix are checked before they are label codes, and its scripts write text, never markup."""

import re
from pathlib import Path

import numpy as np
import pytest

from charts.matrix import matrix_payload
from metrics.confusion.axis import GROUP, Group
from metrics.confusion.counts import UNPARSEABLE, ConfusionCounts, confusion_counts
from metrics.confusion.matrix import Block, arrange
from ui.matrix.matrix_view import picked_codes, toggled_group
from ui.text.component import join

FILES = Path(__file__).parents[3] / "ui" / "matrix" / "matrix_component"
SCRIPTS = sorted(FILES.glob("*.js"))
SHARED = sorted((FILES.parents[1] / "text").glob("*.js"))


def counts_of(k: int = 6) -> ConfusionCounts:
    y_true = np.repeat(np.arange(k), k)
    y_pred = np.tile([*range(k - 1), UNPARSEABLE], k)
    return confusion_counts(y_true, y_pred, labels=tuple(f"class {i}" for i in range(k)))


def sent(block: Block, counts: ConfusionCounts, rows, cols) -> dict:
    return {"of": matrix_payload(block, counts.labels)["id"], "rows": rows, "cols": cols}


def picked(block: Block, counts: ConfusionCounts, rows, cols):
    return picked_codes(block, matrix_payload(block, counts.labels)["id"], sent(block, counts, rows, cols))


def test_positions_become_the_codes_of_the_arrangement():
    counts = counts_of()
    block = arrange(counts, order="support")
    rows, cols = block.row_codes.tolist(), block.col_codes.tolist()
    assert picked(block, counts, [1, 2], [3, 4]) == ((rows[1],), (cols[3],))
    assert picked(block, counts, [0, 3], [4, 7]) == (tuple(rows[:3]), tuple(cols[4:7]))
    assert cols[6] == UNPARSEABLE


def test_name_means_any_on_the_other_side():
    counts = counts_of()
    block = arrange(counts)
    assert picked(block, counts, [2, 3], None) == ((2,), ())
    assert picked(block, counts, None, [6, 7]) == ((), (UNPARSEABLE,))
    assert picked(block, counts, None, None) == ((), ())


def test_other_and_groups_are_their_classes():
    counts = counts_of()
    folded = arrange(counts, worst=2)
    assert picked(folded, counts, [2, 3], [0, 1])[0] == tuple(folded.folded.tolist())
    grouped = arrange(counts, groups=(Group("shut", (1, 4), True),))
    at = grouped.row_codes.tolist().index(GROUP)
    assert picked(grouped, counts, [at, at + 1], [at, at + 1]) == ((1, 4), (1, 4))


@pytest.mark.parametrize(
    "wrong",
    [
        None,
        "x",
        {},
        {"rows": [0, 1], "cols": [0, 1]},
        {"rows": [0, 7], "cols": [0, 1]},
        {"rows": [-1, 1], "cols": [0, 1]},
        {"rows": [1, 1], "cols": [0, 1]},
        {"rows": [2, 1], "cols": [0, 1]},
        {"rows": [0, 1.0], "cols": [0, 1]},
        {"rows": [True, 2], "cols": [0, 1]},
        {"rows": [0, 1, 2], "cols": [0, 1]},
        {"rows": "01", "cols": [0, 1]},
        {"rows": {"0": 0}, "cols": None},
    ],
)
def test_unexpected_browser_values_are_ignored(wrong):
    block = arrange(counts_of())
    good = {"of": "digest", "rows": [0, 1], "cols": [0, 1]}
    assert picked_codes(block, "digest", good) == ((0,), (0,))
    if isinstance(wrong, dict) and wrong.get("rows") != [0, 1]:
        wrong = {"of": "digest", **wrong} if wrong else wrong
    assert picked_codes(block, "digest", wrong) is None


def test_click_on_an_older_picture_is_ignored():
    counts = counts_of()
    before, now = arrange(counts), arrange(counts, order="worst", worst=2)
    digest = matrix_payload(now, counts.labels)["id"]
    assert picked_codes(now, digest, sent(before, counts, [0, 1], [0, 1])) is None


def test_a_group_is_toggled_by_its_index():
    block = arrange(counts_of(), groups=(Group("a", (0, 1)), Group("b", (2, 3), True)))
    assert toggled_group(block, "x", {"of": "x", "group": 1}) == "b"
    for group in (2, -1, True, "a", None, 0.0):
        assert toggled_group(block, "x", {"of": "x", "group": group}) is None
    assert toggled_group(block, "x", {"of": "y", "group": 1}) is None
    assert toggled_group(block, "x", [1]) is None


def test_parts_import_every_name_they_use():
    declared = re.compile(r"^export (?:function|class|const) (\w+)", re.MULTILINE)
    sources = {path.stem: path.read_text(encoding="utf-8") for path in SCRIPTS}
    exported = {name: part for part, source in sources.items() for name in declared.findall(source)}
    shared = {name: path.stem for path in SHARED for name in declared.findall(path.read_text(encoding="utf-8"))}
    for part, source in sources.items():
        listed = re.findall(r'^import \{ (.*?) \} from "\./(\w+)\.js"$', source, re.MULTILINE)
        imported = {name: file for names, file in listed for name in names.split(", ")}
        assert imported.items() <= (shared | exported).items(), part
        code = re.sub(r"//.*|^import .*", "", source, flags=re.MULTILINE)
        called = {name for name in exported if re.search(rf"(?<![.\w]){name}\(", code)}
        assert called <= imported.keys() | set(declared.findall(source)), part
        assert all(re.search(rf"\b{name}\b", code) for name in imported), part


def test_joined_script_holds_every_part_once():
    joined = join(FILES, "matrix")
    for path in SCRIPTS:
        source = path.read_text(encoding="utf-8")
        for line in re.findall(r"^(?:export )?((?:class|function) \w+)", source, re.MULTILINE):
            assert len(re.findall(rf"^{line}\b", joined, re.MULTILINE)) == 1, line
    assert joined.index("class Pen") < joined.index("function paintMatrix") < joined.index("class Chart")


APP = """
import numpy as np
import streamlit as st
from metrics.confusion.counts import confusion_counts
from metrics.confusion.matrix import arrange
from ui.matrix.matrix_view import matrix_view

counts = confusion_counts(np.array([0, 0, 1]), np.array([0, 1, 1]), labels=("a", "b"))
if "block" not in st.session_state:
    st.session_state.block = arrange(counts)
matrix_view(
    st.session_state.block, counts.labels, fingerprint="x", selected=((0,), ()), key="m",
    on_pick=lambda true, pred: None, on_toggle=lambda name: None,
)
"""


def test_every_choice_is_answered(monkeypatch):
    from streamlit.testing.v1 import AppTest

    import ui.matrix.matrix_view as view

    answers, mounted = [], {}
    monkeypatch.setattr(view, "update_component", lambda to, role, data, *, key: answers.append(data["answers"]))
    monkeypatch.setattr(view, "_matrix", lambda **given: mounted.update(given))
    app = AppTest.from_string(APP).run()
    app.session_state["m"] = {"picked": {"of": "an older picture"}}
    with monkeypatch.context() as patch:
        patch.setattr(view.st, "session_state", app.session_state)
        mounted["on_picked_change"]()
    app.run()
    assert not app.exception
    assert answers == [0, 1]


def test_page_makes_the_payload_once(monkeypatch):
    from streamlit.testing.v1 import AppTest

    import ui.matrix.matrix_view as view

    made = []
    monkeypatch.setattr(view, "matrix_payload", lambda *given: made.append(given) or matrix_payload(*given))
    app = AppTest.from_string(APP).run()
    assert not app.exception
    app.run()
    assert not app.exception
    assert len(made) == 1
