"""Two files are joined on the columns that hold the same ids, whatever these are called, or a person is asked."""

import random

import pyarrow as pa
import pytest

from data.errors import DataError
from data.joining.join import join
from data.joining.value_keys import propose_key

NAMES = ("id", "case", "Fall-Nr.", "Vorgang", "sample", "nr", "url")
FORMS = {
    "numbers": lambda number: str(number),
    "fractions": lambda number: float(number),
    "padded": lambda number: f"{number:07d}",
    "texts": lambda number: f"K-{number}",
}


def draw_files(draw: random.Random) -> tuple[pa.Table, pa.Table, str, str]:
    """Draw predictions and labels whose rows an id tells apart; return them and the two names of the id."""
    n, m = draw.randint(12, 60), draw.randint(12, 60)
    n_shared = round(min(n, m) * draw.choice((0, 0.1, 0.3, 0.5, 0.7, 0.95, 1)))
    ids = draw.sample(range(10_000, 99_999), n + m - n_shared) if draw.random() < 0.7 else list(range(n + m - n_shared))
    ours, theirs = ids[:n], ids[n - n_shared :][:m]
    draw.shuffle(ours)
    draw.shuffle(theirs)
    repeats = draw.sample(theirs, 2) if draw.random() < 0.15 else []
    form = draw.choice(list(FORMS))
    other = draw.choice((form, form, "numbers")) if form != "texts" else form
    left, right = draw.choice(NAMES), draw.choice(NAMES)
    predictions = {left: [FORMS[form](i) for i in ours], "pred": [f"p{i}" for i in ours]}
    labels = {right: [FORMS[other](i) for i in theirs + repeats], "kind": [f"y{i}" for i in theirs + repeats]}
    for table, keys, name in ((predictions, ours, "pred"), (labels, theirs + repeats, "kind")):
        if shared := draw.random() < 0.5:
            table["region"] = [("north", "south")[i % 2] for i in keys]
        if draw.random() < 0.4:
            table["Unnamed: 0"] = [str(row) for row in range(len(keys))]
        if shared:
            table[name] = table.pop(name)
    return pa.table(predictions), pa.table(labels), left, right


def partners(table: pa.Table) -> list[tuple[str, str | None]]:
    """The number in every prediction and that in the label beside it; None without one."""
    pairs = zip(table.column("pred").to_pylist(), table.column("kind").to_pylist(), strict=True)
    return [(pred[1:], kind and kind[1:]) for pred, kind in pairs if pred is not None]


def test_joined_rows_equal_those_of_a_dictionary():
    draw, asked = random.Random(8), 0
    for _ in range(150):
        predictions, labels, left, right = draw_files(draw)
        theirs = {kind[1:] for kind in labels.column("kind").to_pylist()}
        shared = sum(pred[1:] in theirs for pred in predictions.column("pred").to_pylist())
        try:
            table, _ = join(predictions, labels)
        except DataError:
            asked += 1
            continue
        if 2 * shared >= min(len(predictions), len(theirs)):  # of fewer little is known
            expected = [(number, number if number in theirs else None) for number, _ in partners(table)]
            assert partners(table) == expected, (left, right, predictions, labels)
    assert asked < 120  # most draws share few values, or are running numbers


@pytest.mark.parametrize(
    ("predictions", "labels", "filled", "doubt"),
    [
        ({"Fall": range(100, 900, 3)}, {"Nr": range(100, 400, 3)}, ("Fall", "Nr"), "only count rows"),
        ({"case": [f"{i:03d}" for i in range(90)]}, {"case": range(90)}, ("case", "case"), "zeros in front"),
        ({"uid": "abc"}, {"code": "cdba"}, ("uid", "code"), "may be chance"),
        ({"a": [f"k{i}" for i in range(20)]}, {"b": [f"k{i}" for i in range(14, 34)]}, ("a", "b"), "less than half"),
        ({"a": [f"k{i}" for i in range(20)]}, {"b": [f"k{i % 15}" for i in range(20)]}, ("a", "b"), "repeats in the l"),
    ],
)
def test_a_doubtful_key_is_proposed_with_its_reason(predictions, labels, filled, doubt):
    tables = [pa.table({name: list(map(str, ids)) for name, ids in part.items()}) for part in (predictions, labels)]
    proposal = propose_key(*tables)
    assert proposal.match.pairs == (filled,) and doubt in proposal.doubt


def test_an_index_of_rows_yields_to_shared_ids():
    ids = [f"case {i}" for i in range(30)]
    rows = {"Unnamed: 0": list(map(str, range(30)))}
    predictions = pa.table({**rows, "case": ids, "pred": ids})
    labels = pa.table({**rows, "file no": ids[::-1], "kind": ids[::-1]})
    table, report = join(predictions, labels)
    assert report.key == ("case", "file no") and table.column("kind").to_pylist() == ids
    named = [pa.table({"id": rows["Unnamed: 0"], **dict(zip(t.column_names[1:], t.columns[1:], strict=True))})
             for t in (predictions, labels)]  # fmt: skip
    with pytest.raises(DataError, match="'id', which count rows, join them differently"):
        join(*named)
    lengths = [str(17 * row % 23) for row in range(30)]
    tickets = {"id": list(map(str, range(1000, 1030))), "length": lengths}
    table, report = join(pa.table({**tickets, "pred": ids}), pa.table({**tickets, "kind": ids}))
    assert report.key == ("id", "id") and table.column("kind").to_pylist() == ids, "repeated values agree with the id"
