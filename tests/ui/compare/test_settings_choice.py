"""Every setting in which two runs differ has a name, and shows what A and B have."""

import pytest

from data.comparison.alike.settings import DifferentSettings, check_shared
from tests.data.comparison.test_alike import CASES
from ui.compare import settings_choice


@pytest.mark.parametrize("setting", [name for name in CASES if name != "threshold"])
def test_differing_setting_is_shown_for_both(setting):
    run, value, other = CASES[setting]
    runs = (run("A", **{setting: value}), run("B", **{setting: other}))
    with pytest.raises(DifferentSettings) as caught:
        check_shared(runs, ["A", "B"])
    pair = settings_choice.Pair(0, 1, runs, caught.value.differences[0])
    assert caught.value.differences[0].setting == setting and pair.noun
    assert any(a != b for _, a, b in settings_choice._lines(pair))
