"""The one table of the pages: axes of intervals, how cells stand out, and what a click may report."""

import json
import math

import pytest

from export.result.kinds import Column, Count, Difference, Label, Name, Number, P, Share, Table, Threshold, Unknown
from ui.view.result_table import result_table
from ui.view.result_table.result_table import Axis, Line, Tile, axis_of

COLUMNS = (
    Column("class", Label),
    Column("recall", Number, "95 % interval"),
    Column("change", Difference),
    Column("p", P),
)


@pytest.fixture
def draw(monkeypatch):
    def draw(table, **options):
        sent = []
        monkeypatch.setattr(result_table, "_component", lambda **mount: sent.append(mount))
        result_table.result_table(table, key="t", **options)
        return sent[0]

    return draw


def table_of(*rows, columns=COLUMNS):
    return Table("t", "Some classes", columns, rows, "class")


def test_axis_holds_all_ends_and_its_marks():
    axis = axis_of([0.2, math.nan, 0.6], [0.7, math.nan], room=0.1)
    assert (axis.low, axis.high, axis.marks) == (pytest.approx(0.15), pytest.approx(0.75), [0.7])
    assert axis_of([], []) == Axis(0.0, 1.0, [])


def test_cells_say_how_they_stand_out(draw):
    few, unknown = Number(0.5, 0.1, 0.9, about="Wilson", few="too few"), Unknown("0 of 0", "undefined")
    worse, better = Difference(-0.2, is_sure=True), Difference(0.1, is_share=True, is_sure=True)
    rows = draw(table_of((Label("a"), few, worse, P(0.5)), (Label("b"), unknown, better, Unknown("too few"))))["data"][
        "rows"
    ]
    first, second = ([cell.get("mood") for cell in row["cells"]] for row in rows)
    assert first == [None, "few", "worse", None] and second == [None, "undefined", "sure", "few"]
    recall, undefined = rows[0]["cells"][1], rows[1]["cells"][1]
    assert (recall["text"], recall["ends"], recall["about"]) == ("0.500", "0.100\u00a0to 0.900", "Wilson: too few")
    assert (recall["bar"]["low"], recall["bar"]["value"], recall["bar"]["high"]) == (0.1, 0.5, 0.9)
    assert (undefined["text"], undefined["about"], undefined.get("bar")) == ("undefined", "0 of 0", None)
    assert rows[1]["cells"][2]["text"] == "+10.0 points"


def test_only_what_was_offered_is_reported(draw, monkeypatch):
    columns = Column("rater", Name), Column(Name("b"), Share)
    chosen = []
    tiles = [[Tile("a:b", "0.5")]]
    mount = draw(
        table_of((Name("a"), Share(0.5)), columns=columns), tiles=tiles, lines=[Line("a")], on_choose=chosen.append
    )
    for sent in ("a:b", "a", "c", "", 3):
        monkeypatch.setattr("ui.text.component.sent_by", lambda key, name, sent=sent: sent)
        mount["on_chosen_change"]()
    assert chosen == ["a:b", "a"]


def test_names_are_made_visible_and_short_names_sorted(draw):
    table = table_of((Label("x\u202ey"), Count(1)), columns=(Column("class", Label), Column("rows", Count)))
    (row,) = draw(table, lines=[Line(name="short")])["data"]["rows"]
    assert row["cells"][0]["text"] == "short" and "\u202e" not in row["cells"][0]["about"]


def test_infinite_threshold_is_written_and_sorted(draw):
    columns = Column("rule", str), Column("score", Threshold)
    mount = draw(table_of(("a", Threshold(math.inf)), ("b", Threshold(0.5)), columns=columns))
    first, second = (row["cells"][1] for row in mount["data"]["rows"])
    assert first["text"] == "above every score" and first["value"] > second["value"] == 0.5
    json.dumps(mount["data"], allow_nan=False)
