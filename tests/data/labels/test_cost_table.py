"""A table of costs is read by names, in any order, and refused with the cell that is wrong."""

import numpy as np
import pytest

from data.errors import DataError
from data.labels.costs_and_shares import read_cost_table


def test_table_is_read_by_its_names():
    text = ',"b, or not",a\n"b, or not",,1.5\na,-2,0\n\n'
    assert np.array_equal(read_cost_table(text, ("a", "b, or not")), [[0, -2], [1.5, 0]])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "The columns of the table of costs lack 'a', 'b'"),
        (",a,b\na,0,1\n", "The rows of the table of costs lack 'b'"),
        (",a,b,x\na,0,1,1\nb,1,0,1\n", "name 'x', which is no class of this file"),
        (",a,b\na,0,1\nb,1,0\na,0,1\n", "The rows of the table of costs name a class twice"),
        (",a,b\na,0,\nb,1,0\n", "The cost of true 'a' predicted as 'b' is ''; a number was wanted"),
        (",a,b\na,0,inf\nb,1,0\n", "is 'inf'; a number was wanted"),
        (",a,b\na,0\nb,1,0\n", "The costs of 'a' have 1 cells; 2 were wanted"),
    ],
)
def test_wrong_table_is_refused(text, said):
    with pytest.raises(DataError, match=said.replace("(", r"\(")):
        read_cost_table(text, ("a", "b"))
