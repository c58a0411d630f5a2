"""Groups of labels are read by the separator that a person gave, and proposed where names look like paths."""

import pyarrow as pa
import pytest

from data.building.build import build
from data.errors import DataError
from data.evaluation import Settings
from data.labels.label_tree import propose_separator

LABELS = ["animal/dog", "animal/cat", "plant/oak", "plant/elm"]
TABLE = pa.table({"y": LABELS, "p": ["animal/cat", "other", "plant/oak", "plant/elm"]})


def built(table=TABLE, **settings):
    return build(table, Settings(truth="y", pred="p", **settings), name="t", content_sha256="0")


def test_groups_are_offered_and_never_assumed():
    e = built()
    (note,) = [note for note in e.receipt.notes if "--separator" in note]
    assert e.paths == () and "groups: 'animal', 'plant'. If" in note and "'/'" in note
    given = built(separator="/")
    assert not any("--separator" in note for note in given.receipt.notes)
    paths = dict(zip(given.labels, given.paths, strict=True))
    assert len(paths["other"]) == 1 and paths["animal/cat"][0] == paths["animal/dog"][0] != paths["plant/oak"][0]


@pytest.mark.parametrize("separator", ["::", ">", " > ", "/", ".", ":"])
def test_usual_separator_is_proposed(separator):
    labels = [label.replace("/", separator) for label in LABELS]
    assert propose_separator(labels) == separator.strip()


@pytest.mark.parametrize(
    "labels",
    [
        ["card_lost", "card_stolen", "fee_high", "fee_low"],
        ["1.0", "1.5", "2.0", "2.5"],
        ["a/b", "a/c", "a/d"],
        ["a/b", "a/c", "d/e", "d/f", "1", "2", "3", "4", "5"],
    ],
)
def test_other_names_are_no_groups(labels):
    assert propose_separator(labels) == ""


def test_several_labels_a_row_have_no_groups():
    with pytest.raises(DataError, match="here a row may have several"):
        built(pa.table({"y": ["a;b", "a"], "p": ["a", "b"]}), encoding="delimited", delimiter=";", separator="/")
