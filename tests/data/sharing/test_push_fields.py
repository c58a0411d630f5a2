"""Test that what the command line sends is what the server understands, and anything else is one sentence."""

import argparse

import pytest
from hypothesis import given, strategies as st

from cli import _parser
from command import file_options, option_files
from command.decision_options import add_deployment_options
from data.errors import DataError
from data.reading.options import DELIMITERS, ENCODINGS, ReadOptions
from data.runs.draft import Given
from data.sharing.push_fields import FIELDS, Wanted, from_fields, to_fields
from data.store import links

TEXT = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20)
READING = st.builds(
    ReadOptions,
    st.none() | st.sampled_from(list(ENCODINGS)),
    st.none() | st.sampled_from(list(DELIMITERS.values())),
    st.none() | st.booleans() | st.integers(1, 99),
    st.none() | st.sampled_from([".", ","]),
    st.none() | TEXT,
).filter(lambda options: options != ReadOptions())
GIVEN = st.builds(
    Given,
    truth=st.none() | TEXT,
    pred=st.none() | TEXT,
    raw=st.none() | TEXT,
    scores=st.lists(TEXT, max_size=3).map(tuple),
    positive=st.none() | TEXT,
    label_set=st.none() | st.lists(TEXT, min_size=1, max_size=4, unique=True).map(tuple),
    order=st.lists(TEXT, max_size=3, unique=True).map(tuple),
    separator=st.sampled_from(["", "/", " > "]),
    tree=st.sampled_from([(), (("dog, big", "<b>animal</b>"), ("1", "2"))]),
    threshold=st.none() | st.floats(allow_nan=False, allow_infinity=False),
    key=st.none() | st.just("") | TEXT,
    task=st.sampled_from([None, "single", "multilabel"]),
    weights=st.sampled_from([None, ""]),
    counts=st.none() | st.just("") | TEXT,
    cluster=st.none() | st.just("") | TEXT,
    run_parts=st.sampled_from([(), (("seed", "s"),), (("seed", ""), ("fold", "f"))]),
    only=st.none() | st.just(("", "")) | st.tuples(TEXT.filter(lambda name: "=" not in name), TEXT.map("{}x".format)),
    merge=st.lists(st.tuples(TEXT, TEXT), max_size=3).map(tuple),
    class_names=st.just(()) | st.just((("0", "cat"), ("1", "dog"))),
    reading=st.just(()) | READING.map(lambda one: (one,)),
)
WANTED = st.builds(
    Wanted,
    given=GIVEN,
    title=TEXT.map(lambda text: " ".join(text.split())),
    days=st.sampled_from(links.DAYS),
    hide=st.lists(TEXT, max_size=3).map(tuple),
    counts_only=st.booleans(),
    preview=st.booleans(),
)


@given(WANTED)
def test_what_is_written_is_read_back(wanted):
    assert from_fields(to_fields(wanted)) == wanted


def test_a_parser_is_sent_as_it_is(tmp_path):
    path = tmp_path / "mine.json"
    path.write_text('{"labels": ["a", "b"], "rules": [{"rule": "after_last", "values": ["is"]}, "exact"]}')
    wanted = Wanted(Given(parser=option_files.parser_file(str(path))))
    assert wanted.given.parser.name == "mine"
    assert from_fields(to_fields(wanted)) == wanted


def test_every_score_option_reaches_push():
    commands = _parser()._subparsers._group_actions[0].choices
    printed = {"help", "json", "format", "quiet", "rule"}  # of what is printed, nothing of how the files are read
    printed |= {
        "level",
        "cluster",
        "epoch",
        "parts",
        "slice",
        "slice_metric",
        "group",
        "filter",
        "since",
        "against",
        "worst_slices",
        "engine",
        "memory",
    }
    of_the_decision_sheet = argparse.ArgumentParser(add_help=False)
    add_deployment_options(of_the_decision_sheet)
    printed |= {action.dest for action in of_the_decision_sheet._actions}
    score, push = ({action.dest for action in commands[name]._actions} - printed for name in ("score", "push"))
    assert score <= push
    assert {name.replace("_", "-") for name in score} - set(FIELDS) == {"file", "labels"}


def test_options_and_fields_say_the_same():
    words = (
        "--truth y --scores a,b --label-set x,y --order x,y --separator / --task single --threshold 0 --merge X=x "
        "--repeated first --scale logit --weights none --only split=test --no-header --skip-bad-rows --delimiter tab"
    )
    options = _parser().parse_args(["push", "f.csv", "--to", "https://host", *words.split()])
    fields = dict(zip(words.split()[0:-4:2], words.split()[1:-4:2], strict=True))
    fields |= {"--header": "no", "--skip-bad-rows": "yes", "--delimiter": "tab"}
    written = [(name.removeprefix("--"), text) for name, text in fields.items()]
    assert file_options.read_given_options(options) == from_fields(written).given


def test_columns_of_scores_may_hold_commas():
    options = _parser().parse_args(["push", "f.csv", "--to", "https://host", "--scores", '["a,b", "c"]'])
    assert file_options.read_given_options(options).scores == ("a,b", "c")


def test_fields_are_written_as_on_the_command_line():
    fields = [
        ("scores", "a,b"),
        ("label-set", "x, y"),
        ("merge", "X=x"),
        ("merge", '{"Y": "y"}'),
        ("only", "split=test"),
    ]
    assert from_fields(fields).given == Given(
        scores=("a", "b"), label_set=("x", "y"), merge=(("X", "x"), ("Y", "y")), only=("split", "test")
    )
    assert from_fields([("score", "a,b"), ("header", "No"), ("truth", "")]).given == Given(
        scores=("a,b",), reading=(ReadOptions(header=False),)
    )


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ([("trught", "y")], "no field 'trught'"),
        ([("truth", "a"), ("truth", "b")], "truth is there twice"),
        ([("days", "31")], "days is one of 1, 7, 30, 180"),
        ([("days", "soon")], "'soon', but a number of days"),
        ([("days", "9" * 5000)], "but a number of days"),
        ([("counts-only", "maybe")], "'maybe', but yes or no"),
        ([("header", "2")], "'2', but yes or no"),
        ([("threshold", "high")], "'high', but a number"),
        ([("threshold", "nan")], "separates nothing"),
        ([("threshold", "1e400")], "separates nothing"),
        ([("score", "a"), ("scores", "b")], "both a field score and a field scores"),
        ([("merge", "Cat")], "a pair of labels such as Cat=cat"),
        ([("merge", "[1]")], "a pair of labels such as Cat=cat"),
        ([("only", "split")], "says no value"),
        ([("label-set", "[" * 100_000)], "starts like JSON but is not"),
        ([("parser", "[" * 100_000)], "parser is nested too deep|parser is not JSON"),
        ([("parser", "/etc/passwd")], "parser is not JSON"),
        ([("encoding", "klingon")], "no encoding 'klingon'"),
        ([("name", "x" * 121)], "121 characters; at most 120"),
        ([("label-set", '["\\ud800", "b"]')], "half a character"),
        ([("scores", '["\\ud800"]')], "half a character"),
    ],
)
def test_wrong_fields_are_refused_in_one_sentence(fields, sentence):
    with pytest.raises(DataError, match=sentence) as caught:
        from_fields(fields)
    assert len(str(caught.value)) < 500


_HOSTILE = (
    "null", "[]", "{}", "[null]", '[["a", 1]]', '{"a": null}', "1e999", "nan", "0x1", "\u0663", "\x00", "\ud800",
    "=", "=b", "[" * 100_000, '{"a":' * 100_000, "a" * 100_000, "a," * 100_000,
)  # fmt: skip


@pytest.mark.parametrize("field", FIELDS)
def test_any_text_is_read_or_refused_shortly(field):
    for text in _HOSTILE:
        try:
            assert from_fields([(field, text)]) != Wanted() or text in ("[]", "{}")
        except DataError as error:
            assert len(str(error)) < 500


def test_no_field_names_a_file_of_the_server(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "secret.json").write_text('["one", "two"]')
    assert from_fields([("label-set", "secret.json,b")]).given.label_set == ("secret.json", "b")
    for name in ("merge", "parser"):
        with pytest.raises(DataError):
            from_fields([(name, "secret.json")])
