"""The flowchart's payload, its callback, and that its script never writes markup. Clicks: tests/browser."""

import json
from pathlib import Path

import pytest

from metrics.catalogue.chooser import Facts, answers_from, overridden, walk
from metrics.catalogue.chooser_tree import TREE
from ui.learn.flowchart import _click, payload

FILES = Path(__file__).parents[3] / "ui" / "learn"


def shown(by_person=None, **facts):
    answers = overridden(answers_from(Facts(**facts)), by_person or {})
    return payload(answers, walk(answers), by_person=set(by_person or {}), values={"ranking": "0.91"})


def test_every_question_and_end_is_there_once():
    nodes = {node["id"]: node for node in shown()["nodes"]}
    assert nodes.keys() == TREE.keys()
    below = [answer["to"] for node in nodes.values() for answer in node["answers"]]
    assert sorted([*below, shown()["root"]]) == sorted(TREE), "a tree: one answer leads to each"


def test_path_follows_the_answers():
    given = shown({"threshold": "no", "probabilities": "no"}, task="binary", positive_share=0.4)
    assert given["path"] == ["task", "threshold", "probabilities", "rare", "ranking"]
    assert given["end"] == "ranking" and given["open"] is None
    assert next(node["value"] for node in given["nodes"] if node["id"] == "ranking") == "0.91"


def test_an_answer_says_who_gave_it_and_why():
    answers = shown({"rare": "yes"}, task="binary", positive_share=0.4)["answers"]
    assert answers["task"]["by"] == "file" and answers["task"]["because"]
    assert answers["rare"]["by"] == "you" and answers["rare"]["answer"] == "yes"


def test_without_a_file_the_first_question_is_open():
    given = shown()
    assert given["answers"] == {} and given["open"] == given["root"] == "task"


def test_the_payload_is_json():
    assert json.loads(json.dumps(shown(task="multiclass", n_classes=3))) == shown(task="multiclass", n_classes=3)


@pytest.mark.parametrize(
    ("sent", "click"),
    [
        ({"node": "rare", "answer": "yes"}, {"node": "rare", "answer": "yes"}),
        ({"node": "rare", "answer": None}, {"node": "rare", "answer": None}),
        ({"node": "rare", "answer": {"x": 1}}, {"node": "rare", "answer": None}),
        ({"node": 3}, None),
        (None, None),
        ("rare", None),
    ],
)
def test_what_the_browser_sends_is_checked(sent, click):
    assert _click(sent) == click


def test_unknown_answer_is_ignored():
    assert overridden({}, {"rare": "perhaps", "nowhere": "yes"}) == {}


APP = """
import streamlit as st
from metrics.catalogue.chooser import walk
from ui.learn.flowchart import flowchart

given = st.session_state.setdefault("given", {})
flowchart({}, walk({}), on_answer=given.__setitem__)
"""


def test_the_page_runs_with_the_component_on_it():
    from streamlit.testing.v1 import AppTest

    app = AppTest.from_string(APP).run()
    assert not app.exception
