"""Test what the name of a column suggests, in time linear in the name."""

import random
import re
from time import process_time

import pyarrow as pa
import pytest

from data import limits
from data.columns import column_names
from data.columns.column_names import parse_name
from data.columns.known_tools import recognise
from data.columns.name_ranks import near_miss, rank
from data.errors import DataError
from data.roles.detect import detect

# The patterns as they are easiest to read: each tries every way to divide a name.
SLOW = (
    ("score", r"(?P<affix>p ?\(.+?=)(?P<stem>.+)\)"),
    ("truth", rf"(?P<affix>(?:{column_names._TRUTH_AFFIX}|ground[._\- ]?truth)[._\- ]+)(?P<stem>.+)"),
    ("truth", rf"(?P<stem>.+)(?P<affix>[._\- ]+(?:{column_names._TRUTH_AFFIX}))"),
    ("prediction", rf"(?P<affix>(?:\.?pred|{column_names._PREDICTION_AFFIX})[._\- ]+)(?P<stem>.+)"),
    ("prediction", rf"(?P<stem>.+)(?P<affix>[._\- ]+(?:{column_names._PREDICTION_AFFIX}))"),
    ("score", rf"(?P<affix>(?:{column_names._SCORE_PREFIX})[._\- ]+)(?P<stem>.+)"),
    ("score", r"(?P<affix>(?:prob|proba|p|score|logit))(?P<stem>\d+)"),
    ("score", rf"(?P<stem>.+)(?P<affix>[._\- ]+(?:{column_names._SCORE_SUFFIX}))"),
    ("question", rf"(?P<affix>(?:{column_names._QUESTION_AFFIX})[._\- ]+)(?P<stem>.+)"),
)
PIECES = ["p", "P", "(", ")", "=", "_", "-", ".", " ", "y", "true", "pred", "predicted", "scores", "prob", "proba"]
PIECES += [
    "probability",
    "raw",
    "a",
    "0",
    "\n",
    "label",
    "ground",
    "truth",
    "conf",
    "hat",
    "s",
    "x" * 40,
    "is",
    "prédiction",
    "Wahrscheinlichkeit",
]


def slow_readings(name):
    """(kind, stem) of every way to read a name, by the patterns above; one affix may leave one separator or all."""
    found = []
    for kind, pattern in SLOW:
        match = re.fullmatch(pattern, name, re.IGNORECASE | re.DOTALL)
        if match and match.start("affix") == 0:
            affix = match["affix"]
            more = max(len(affix) - len(affix.rstrip("._- ")) - 1, 0)
            found += [(kind, affix[len(affix) - more :] + match["stem"])] * (more > 0) + [(kind, match["stem"])]
        elif match:
            found.append((kind, match["stem"]))
    return [*found, ("plain", name)]


def test_readings_equal_those_of_the_slow_patterns():
    chosen = random.Random(7)
    several = 0
    for _ in range(20_000):
        name = "".join(chosen.choices(PIECES, k=chosen.randint(0, 8)))
        found = [(reading.kind, reading.stem) for reading in parse_name(name)]
        assert found == slow_readings(name), name
        several += len(found) > 1
    assert several > 1_000


HOSTILE = {
    "equals": lambda n: "p(" + "=" * n,
    "separators": lambda n: "_" * n + "x",
    "separators and a line": lambda n: "true" + "_" * n + "\n",
    "affixes": lambda n: "p_" * n,
    "letters": lambda n: "aB" * n,
    "of a known tool": lambda n: "P (a" + "=b" * n + ")",
    "of a known tool, marks alone": lambda n: "_" * n + "_scores",
}


def seconds(work, times=5):
    """Computing time of the quickest run."""
    measured = []
    for _ in range(times):
        start = process_time()
        work()
        measured.append(process_time() - start)
    return min(measured)


@pytest.mark.parametrize("name", HOSTILE.values(), ids=HOSTILE)
@pytest.mark.parametrize(
    "work", [parse_name, lambda name: rank(name, "truth"), lambda name: recognise([name, "a"])],
    ids=["readings", "rank", "recognise"],
)  # fmt: skip
def test_time_grows_as_the_name_does(name, work):
    short, long = name(2_000), name(64_000)  # 32 times as long: quadratic is 1,024 times as long
    assert seconds(lambda: work(long)) < 200 * max(seconds(lambda: work(short)), 20e-6)


@pytest.mark.parametrize("name", HOSTILE.values(), ids=HOSTILE)
def test_detection_time_grows_as_the_name_does(name):
    def work(n, times):
        table = pa.table({"y_true": ["a", "b", "a"], "y_pred": ["a", "b", "b"], name(n): [0.1, 0.5, 0.7]})
        return seconds(lambda: detect(table), times)

    # The long name once: it takes 30 times as long, and no machine makes 200 of that.
    assert work(64_000, times=1) < 200 * work(2_000, times=3)


def test_names_of_the_widest_files_are_read_once(monkeypatch):
    monkeypatch.setenv("BLINDSPOT_COLUMNS", "50")
    read = column_names._keep_readings.__wrapped__()
    for _ in range(3):
        for column in range(100):  # of two files
            read(f"p_{column}")
    assert read.cache_info().misses == 100


def test_long_names_are_not_kept():
    before = column_names._keep_readings().cache_info().currsize
    parse_name("p_" + "x" * 10_000)
    assert column_names._keep_readings().cache_info().currsize == before


def test_long_names_are_never_near_misses():
    assert near_miss("y_true" * 100, ["y_true" * 100 + "s"]) is None
    assert near_miss("y_tru", ["x" * 1_000_000, "y_true"]) == "y_true"


def test_detection_ends_with_its_time(monkeypatch):
    clock = iter(range(0, 1_000_000, 100))
    monkeypatch.setattr(limits, "monotonic", lambda: next(clock))
    table = pa.table({"y_true": ["a", "b"], "y_pred": ["a", "b"]})
    with pytest.raises(DataError, match=r"what each column is took longer than 180 seconds.*BLINDSPOT_SECONDS"):
        detect(table)
    parse_name("y_true")  # outside of a limit nothing ends
