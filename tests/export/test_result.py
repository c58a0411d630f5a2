"""Each kind of cell is written once, and no renderer lets a name of the file be more than a name."""

import argparse
import html
import math
from typing import get_args

import pytest

from command.part_results import find_results
from export.evaluation.headline_result import headline_result
from export.measurement import measure
from export.report.result_part import report_part, table_html
from export.result import kinds
from export.result.frame import to_frame
from export.result.terminal import write_terminal
from metrics.catalogue.registry import metric_of
from tests.opened_runs import open_run
from ui.view.data_table import write_markdown
from ui.view.result_table import result_table

HOSTILE = "<b>*x*\x1b[2J"
CELLS = (  # kind, cell, as terminal, report and page write it, value in the CSV
    (kinds.Count, kinds.Count(1200), "1,200", 1200),
    (kinds.Amount, kinds.Amount(1234.4, 9.04, 2000.0), "1,234 (9 to 2,000)", 1234.4),
    (kinds.Number, kinds.Number(0.57175, 0.35, 0.75), "0.572 (0.350 to 0.750)", 0.57175),
    (kinds.Number, kinds.Number(0.5, without="one cluster"), "0.500 (one cluster)", 0.5),
    (kinds.Number, kinds.Number(0.5, 0.25, math.inf), "0.500 (0.250 to no upper end)", 0.5),
    (kinds.Number, kinds.Number(math.nan), "undefined", math.nan),
    (kinds.Share, kinds.Share(0.5, 0.25, 0.75), "50.0 % (25.0 to 75.0 %)", 0.5),
    (kinds.Difference, kinds.Difference(-0.1, -0.2, 0.0), "−0.100 (−0.200 to 0.000)", -0.1),
    (
        kinds.Difference,
        kinds.Difference(-0.1, -0.2, 0.0, few="too few rows decide it"),
        "−0.100 (−0.200 to 0.000, too few rows decide it)",
        -0.1,
    ),
    (kinds.P, kinds.P(0.00002), "< 0.001", 0.00002),
    (kinds.Threshold, kinds.Threshold(0.123456), "0.12346", 0.123456),
    (kinds.Number, kinds.Unknown("too few to tell"), "too few to tell", math.nan),
)


def table_of(kind, cell):
    columns = (kinds.Column(kinds.Name(HOSTILE), kinds.Name), kinds.Column("value", kind))
    return kinds.Table("t", "One line", columns, [(kinds.Label(HOSTILE), cell)])


def page_rows(table, monkeypatch):
    sent = []
    monkeypatch.setattr(result_table, "_component", lambda data, **_: sent.append(data["rows"]))
    result_table.result_table(table, key="t")
    return sent[-1]


def test_each_kind_is_written_alike_by_all_renderers(monkeypatch):
    for kind, cell, text, value in CELLS:
        table = table_of(kind, cell)
        result = kinds.Result("r", ("About ", kinds.Name(HOSTILE)), [("Of ", kinds.Label(HOSTILE))], [table], [], {})
        lines = write_terminal(result)
        assert lines.splitlines()[-1].endswith(f"  {text}") and "\x1b" not in lines, cell
        part = report_part(result)
        assert text in html.unescape(part.content).replace("\xa0", " ") and "<b>" not in part.content
        (line,) = page_rows(table, monkeypatch)
        shown = " ".join(filter(None, (line["cells"][1]["text"], line["cells"][1].get("ends"))))
        assert shown.replace("\xa0", " ") == text.replace("(", "").replace(")", "") and "\x1b" not in str(line)
        assert to_frame(table)["value"][0] == pytest.approx(value, nan_ok=True)
    assert write_markdown(("Of ", kinds.Label(HOSTILE))) == "Of `<b>*x*\\x1b[2J`"


def test_every_kind_has_an_example():
    assert set(get_args(kinds.Numeric)) == {kind for kind, *_ in CELLS}


def test_long_tables_say_how_many_lines_are_left(monkeypatch):
    rows = [(kinds.Name("a"), kinds.Count(n)) for n in range(1_234)]
    columns = (kinds.Column("slice", kinds.Name), kinds.Column("rows", kinds.Count))
    table = kinds.Table("t", "Many", columns, rows, noun="slice")
    result = kinds.Result("r", ("Many",), [], [table], [], {})
    assert "and 1,204 more slices, all in the JSON" in write_terminal(result)
    assert (
        "234 more slices in the JSON." in table_html(table)
        and len(to_frame(table)) == len(page_rows(table, monkeypatch)) == 1_234
    )


@pytest.mark.parametrize("metric", ["", "roc_auc"])
def test_cells_are_of_the_kind_of_their_column(module_store, metric):
    options = argparse.Namespace(
        worst_slices=True, slice=["channel", "date,speaker"], slice_metric=metric, group="speaker",
        since="date=2026-03", against=None,
    )  # fmt: skip
    for result in find_results(measure(open_run("triage")), options):
        for table in result.tables:
            assert table.rows and {len(row) for row in table.rows} == {len(table.columns)}
            for place, column in enumerate(table.columns):
                cells = [row[place] for row in table.rows if not isinstance(row[place], column.kind)]
                others = {type(cell) for cell in cells} - {str, kinds.Unknown}
                assert not others or (column.is_text and others <= {kinds.Label, kinds.Name}), (table.name, column)


@pytest.mark.parametrize("run", ["triage", "movie-genres"])
def test_accuracies_are_shares_and_others_not(module_store, run):
    """Metrics whose rows in the catalogue say so are per cent in the table of first numbers, and nothing else is."""
    measured = measure(open_run(run))
    (table,) = headline_result(measured).tables
    for (key, title), (name, cell, _) in zip(measured.headlines, table.rows, strict=True):
        row = metric_of(measured.evaluation.task, key)
        assert name == title and cell.is_share == ("accuracy" in row.key and row.key != "balanced_accuracy"), key
        assert cell.written.text.endswith(" %") == cell.is_share
