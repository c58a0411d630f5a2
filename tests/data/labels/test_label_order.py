"""An order is taken as a person gives it, and proposed where names or numbers are those of a scale."""

import pyarrow as pa
import pytest

from data.building.build import build
from data.errors import DataError
from data.evaluation import Settings
from data.labels.label_order import propose_order

TABLE = pa.table({"y": ["low", "high", "medium", "high"], "p": ["low", "medium", "Low", "high"]})


def built(table=TABLE, **settings):
    return build(table, Settings(truth="y", pred="p", **settings), name="t", content_sha256="0")


def test_labels_stand_in_the_given_order():
    e = built(order=("low", "medium", "high"), merge=(("Low", "low"),))
    assert e.labels == ("low", "medium", "high") and e.ranks == (0, 1, 2)
    assert e.y_true.tolist() == [0, 2, 1, 2] and e.y_pred.tolist() == [0, 1, 0, 2]


@pytest.mark.parametrize(
    ("given", "labels", "ranks"),
    [
        ({"order": ("none", "low", "Low", "medium", "much", "high")}, ("low", "Low", "medium", "high"), (1, 2, 3, 5)),
        (
            {"order": ("low", "medium", "high"), "label_set": ("high", "low", "medium")},
            ("low", "medium", "high", "Low"),  # a label outside the list has no place
            (0, 1, 2),
        ),
    ],
)
def test_each_label_keeps_its_place(given, labels, ranks):
    e = built(**given)
    assert e.labels == labels and e.ranks == ranks


def test_order_may_use_names_or_other_spellings():
    numbers = pa.table({"y": ["1.0", "3.0", "2.0"], "p": ["1.0", "2.0", "2.0"]})
    assert built(numbers, order=("3", "2", "1")).labels == ("3.0", "2.0", "1.0")
    named = (("1.0", "bad"), ("2.0", "fair"), ("3.0", "good"))
    e = built(numbers, order=("good", "fair", "1.0"), class_names=named)
    assert e.labels == ("good", "fair", "bad") and e.ranks == (0, 1, 2)


@pytest.mark.parametrize(
    ("order", "message"),
    [
        (("low", "medium", "high"), "has no place for 'Low'"),
        (("low", "low", "Low", "medium", "high"), "holds 'low' twice"),
    ],
)
def test_order_that_does_not_fit_is_refused(order, message):
    with pytest.raises(DataError, match=message):
        built(order=order)


def test_order_of_label_sets_is_refused():
    table = pa.table({"y": ["a;b", "b"], "p": ["a", "b"]})
    with pytest.raises(DataError, match="An order is one of labels of which a row has one"):
        built(table, encoding="delimited", delimiter=";", order=("a", "b"))


@pytest.mark.parametrize(
    ("labels", "order"),
    [
        (["10", "2", "1"], ["1", "2", "10"]),
        (["positive", "neutral", "negative"], ["negative", "neutral", "positive"]),
        (["Strongly agree", "neutral", "DISAGREE"], ["DISAGREE", "neutral", "Strongly agree"]),
        (["A", "B", "C", "D", "F"], ["F", "D", "C", "B", "A"]),
        (["L", "S", "M"], ["S", "M", "L"]),
        (["level_2", "level_3", "level_1"], ["level_1", "level_2", "level_3"]),
        (["A", "B", "C", "D"], []),
        (["low", "high"], []),
        (["low", "medium", "moderate"], []),
        (["low", "medium", "high", "other"], []),
        (["class 1", "class 2", "class 3"], []),
        ([str(number) for number in range(12)], []),
    ],
)
def test_order_is_proposed_for_scales_alone(labels, order):
    assert list(propose_order(labels)) == order


def test_proposal_is_said_and_not_taken():
    scale = pa.table({"y": ["low", "high", "medium"], "p": ["low", "low", "high"]})
    e = built(scale)
    assert e.ranks == () and e.labels == ("high", "low", "medium")
    assert "The labels look like a scale: 'low' < 'medium' < 'high'." in " ".join(e.receipt.notes)
    stars = pa.table({"y": ["1", "3", "2"], "p": ["1", "1", "2"]})
    assert "The labels are numbers: '1' < '2' < '3'." in " ".join(built(stars).receipt.notes)
    assert not any("order" in note for note in built(stars, order=("1", "2", "3")).receipt.notes)
