"""Short names fit, and no two look the same."""

from hypothesis import given, strategies as st

from text.short_names import short_names

NAMES = st.lists(st.text("ab/_ >", min_size=1, max_size=40), unique=True, min_size=1, max_size=12)


@given(NAMES, st.integers(8, 24))
def test_short_names_fit_and_differ(names, limit):
    short = short_names(names, limit)
    assert len(set(short)) == len(names)
    assert all(1 <= len(name) <= limit for name in short)


@given(NAMES)
def test_short_names_leave_names_that_fit(names):
    assert short_names(names, 40) == names


def test_short_names_drop_a_shared_beginning():
    long = [f"projects/intents/{name}" for name in ("refund_not_showing_up", "card_payment_wrong_rate")]
    assert short_names(long, 24) == ["refund_not_showing_up", "card_payment_wrong_rate"]


def test_equal_short_names_are_numbered():
    names = ["x" * 300 + "a" + "y" * 300, "x" * 300 + "b" + "y" * 300]
    first, second = short_names(names, 10)
    assert (first, second) == ("xx…ayyyyy…", "xx…byyyyy…")
