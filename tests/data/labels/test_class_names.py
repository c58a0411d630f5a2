"""Names of classes: read from text, used on every page, kept with the run, and nothing changes without them."""

import dataclasses
import json

import pyarrow as pa
import pytest

import cli
from data.building.build import build
from data.errors import DataError
from data.evaluation import Settings
from data.labels.class_names import read_class_names
from data.runs import draft_changes, load, understanding
from data.runs.draft import Given
from data.sharing import share

NAMES = (("0", "cat"), ("1", "dog"))
TABLE = pa.table(
    {"y": ["0", "1", "1", "0"], "p": ["0", "1", "0", "0"], "p_0": [0.9, 0.2, 0.6, 0.7], "p_1": [0.1, 0.8, 0.4, 0.3]}
)
SETTINGS = Settings(truth="y", pred="p", scores=(("p_1", "1"),), positive="1")


@pytest.mark.parametrize(
    "text",
    ['{"0": "cat", "1": "dog"}', '["cat", "dog"]', "0,cat\n1,dog", "0=cat\n\n1 = dog\n", "0\tcat\n1\tdog"],
)
def test_names_are_read_however_written(text):
    assert read_class_names(text) == NAMES


@pytest.mark.parametrize(("text", "said"), [
    ("0", "names no class"), ("0,cat\n0,dog", "the label '0' twice"), ("0,cat\n1,cat", "the name 'cat' twice"),
    ('{"0": 1}', "no JSON object of texts"), (" ", "no names of classes"), ("[", "no JSON object of texts"),
])  # fmt: skip
def test_unusable_names_say_why(text, said):
    with pytest.raises(DataError, match=said):
        read_class_names(text)


def test_names_replace_labels_and_no_number():
    plain = build(TABLE, SETTINGS, name="d", content_sha256="0")
    named = build(TABLE, dataclasses.replace(SETTINGS, class_names=NAMES), name="d", content_sha256="0")
    assert (plain.labels, named.labels) == (("0", "1"), ("cat", "dog"))
    assert (named.y_true == plain.y_true).all() and named.positive == plain.positive and named.listed == plain.listed
    assert plain.fingerprint == build(TABLE, SETTINGS, name="d", content_sha256="0").fingerprint != named.fingerprint
    assert "class_names" not in SETTINGS.to_json()


def test_names_keep_the_threshold():
    """Names change nothing that it is compared with; other predictions do."""
    chosen = dataclasses.replace(SETTINGS, pred=None, threshold=0.4)
    for given, kept in (({"class_names": NAMES}, 0.4), ({"pred": "p"}, None)):
        assert draft_changes.correct_settings(TABLE, chosen, given).threshold == kept


def test_two_classes_of_one_name_are_refused():
    with pytest.raises(DataError, match="Two classes would be called '1'"):
        build(TABLE, dataclasses.replace(SETTINGS, class_names=(("0", "1"),)), name="d", content_sha256="0")


def test_names_stay_with_run_and_shared_numbers(tmp_path, own_store):
    path = tmp_path / "p.csv"
    path.write_text("label,prediction\n" + "".join(f"{i % 2},{i % 3 % 2}\n" for i in range(30)))
    draft = load.read_draft([(path, path.name)], Given(class_names=(*NAMES, ("7", "bird"))))
    run = load.keep(draft)
    assert understanding.open_draft(load.draft_of(run)).labels == ("cat", "dog")
    assert any(
        "1 label that the file does not have: '7'" in note for note in understanding.open_draft(draft).receipt.notes
    )
    numbers = share.share(run, counts_only=True).token
    assert understanding.open_draft(load.draft_of(numbers)).labels == ("cat", "dog")
    plain = draft_changes.correct(run, draft.settings, {"class_names": ()})
    assert understanding.open_draft(load.draft_of(plain)).labels == ("0", "1")


def test_command_line_takes_names_from_a_file(tmp_path, capsys):
    path, names = tmp_path / "p.csv", tmp_path / "names.csv"
    path.write_text("label,prediction\n" + "".join(f"{i % 2},{i % 3 % 2}\n" for i in range(30)))
    names.write_text("0,cat\n1,dog\n")
    assert cli.main(["score", str(path), "--class-names", str(names), "--json"]) == 0
    assert '"cat"' in json.dumps(json.loads(capsys.readouterr().out))
