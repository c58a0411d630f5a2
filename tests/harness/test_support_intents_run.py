"""A tiny language model is trained and asked about 77 intents; its file gives every view of the page."""

import json

import pytest

pytest.importorskip("torch", reason="torch is not installed (requirements-models.txt)")
pytest.importorskip("transformers", reason="transformers is not installed (requirements-models.txt)")

from cli import main
from scripts.make_run_sample import ask, train


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    folder = tmp_path_factory.mktemp("intents")
    return ask(folder, train(folder / "tiny", 60), 80)


def test_file_of_a_run_gives_the_five_views(found, capsys, module_store, module_reads_here):
    """Accuracy and what could not be read, per class, macro and micro, worst confusions, never predicted."""
    assert main(["score", str(found), "--json"]) == 0
    numbers = json.loads(capsys.readouterr().out)
    assert numbers["n_scored"] == 80 and len(numbers["classes"]) == 77
    assert 0 <= numbers["accuracy"] <= 1 and numbers["n_unparsed"] + len(numbers["outside_label_space"]) > 0
    assert {"macro_f1_label_space", "micro_f1", "never_predicted", "absent", "per_class"} <= set(numbers)
    assert set(numbers["never_predicted"]).isdisjoint(numbers["absent"])
