"""The tree of questions as a picture to click through: an own component, because nothing built in sends clicks back.

Python holds the answers; the picture shows them and reports a click. Texts reach the page by
`textContent` only.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

from metrics.catalogue.chooser import Answered, Path
from metrics.catalogue.chooser_tree import ROOT, TREE, Node
from ui.text.component import component, sent_by

_flowchart = component(
    __file__,
    "flowchart",
    '<div class="flowchart" role="group" aria-label="Which metric fits: questions and answers"></div>',
)


def flowchart(
    answers: Mapping[str, Answered],
    path: Path,
    *,
    by_person: Collection[str] = (),
    values: Mapping[str, str] | None = None,
    on_answer: Callable[[str, str | None], None] | None = None,
) -> None:
    """Draw the tree with its walked path lit, and report what was clicked.

    Parameters
    ----------
    answers : the answers in force, by question, with the reason (shown on hover).
    path : how far they lead.
    by_person : the questions that the person answered; all other answers carry the badge "from the file".
    values : what to write on an end, by its id, such as the metric's value on this file.
    on_answer : called with (question, answer), or with (question, None) to take the person's answer back,
        before the page runs again: whatever it changes is already in force then.
    """

    def answered() -> None:
        click = _click(sent_by("flowchart", "answered"))
        if click is not None and on_answer is not None:
            on_answer(str(click["node"]), click["answer"])

    shown = payload(answers, path, by_person=by_person, values=values or {})
    _flowchart(data=shown, key="flowchart", on_answered_change=answered)


def payload(
    answers: Mapping[str, Answered],
    path: Path,
    *,
    by_person: Collection[str] = (),
    values: Mapping[str, str],
) -> dict[str, Any]:
    """Return what the component draws, as JSON-able data: the nodes, the answers, the path.

    >>> from metrics.catalogue.chooser import walk
    >>> given = {"task": Answered("two", "The file has two classes.")}
    >>> shown = payload(given, walk(given), values={})
    >>> shown["path"], shown["answers"]["task"]["by"], shown["open"]
    (['task', 'threshold'], 'file', 'threshold')
    """
    return {
        "root": ROOT,
        "nodes": [_node(node, values.get(node.id, "")) for node in TREE.values()],
        "answers": {
            node: {"answer": given.answer, "because": given.because, "by": "you" if node in by_person else "file"}
            for node, given in answers.items()
        },
        "path": list(path.nodes),
        "open": path.open,
        "end": path.end,
    }


def _node(node: Node, value: str) -> dict[str, Any]:
    ways = [{"key": answer.key, "label": answer.label, "to": answer.leads_to} for answer in node.answers]
    return {"id": node.id, "kind": node.kind, "text": node.text, "help": node.help, "value": value,
            "answers": ways}  # fmt: skip


def _click(value: Any) -> dict[str, str | None] | None:
    """Read what the browser sent, if it has the shape it should have; a page can be made to send anything."""
    if not isinstance(value, Mapping) or not isinstance(value.get("node"), str):
        return None
    answer = value.get("answer")
    return {"node": value["node"], "answer": answer if isinstance(answer, str) else None}
