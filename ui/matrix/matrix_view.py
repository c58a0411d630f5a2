"""The matrix to zoom, search and click through: an own component, because no built-in one reports a click on a cell.

Two components: the cells, which are big and stay, and what the colours show and what is chosen, which is small and
changes. Their scripts find each other in the page by the key.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal
from weakref import WeakKeyDictionary

import pyarrow as pa
import streamlit as st

from charts.matrix import matrix_payload, selected_runs
from charts.theme import ACCENT, MODEL
from metrics.confusion.matrix import Block, Normalise
from ui.text.component import component, sent_by, update_component

Codes = tuple[int, ...]
Colour = Normalise | Literal["steps"]
"""A number of rows, a share, or how many steps of ordered labels the wrong rows of a cell are off."""

_matrix = component(__file__, "matrix", folder="matrix_component")
_payloads: WeakKeyDictionary[Block, tuple[Sequence[str], dict[str, Any]]] = WeakKeyDictionary()


def matrix_view(
    block: Block,
    labels: Sequence[str],
    *,
    fingerprint: str,
    normalise: Colour = "row",
    errors_only: bool = False,
    log: bool = False,
    selected: tuple[Codes, Codes] | None = None,
    rows: bool = True,
    marked: Sequence[int] = (),
    pictures: int = 0,
    noun: Literal["class", "label"] = "class",
    key: str,
    on_pick: Callable[[Codes, Codes], None],
    on_toggle: Callable[[str], None],
) -> None:
    """Draw a block and report what is chosen in it.

    Parameters
    ----------
    block, labels : the counts as arranged, and the names of all classes as they came from the file. Hand over the
        same block again while nothing changed: what it takes to send it is kept with it.
    fingerprint : the evaluation's; while it stays the same, so does what is searched for.
    normalise, errors_only, log : what the colours show; whether correct rows are left out of them; whether they
        follow the logarithm of the value instead of its square root.
    selected : (true codes, predicted codes) to frame; no code on a side = any. None = nothing chosen.
    rows : whether there are rows to see behind a cell.
    marked : codes of classes whose columns stand out: named where there is no room for every name.
    pictures : how many pictures were asked for; one more saves one.
    noun : what the axes hold.
    key : of the two mounts, `key` and `key.state`.
    on_pick : called before the next run with (true codes, predicted codes) of the cell or block that was chosen;
        groups and "other" are expanded, UNPARSEABLE stays. () = any, from a click on a name; both () = clear.
    on_toggle : called with the name of a group that is to be collapsed or expanded.
    """
    payload, heard = _payload(block, labels), f"{key}.heard"

    def picked() -> None:
        st.session_state[heard] = st.session_state.get(heard, 0) + 1
        codes = picked_codes(block, payload["id"], sent_by(key, "picked"))
        if codes is not None:
            on_pick(*codes)

    def toggled() -> None:
        name = toggled_group(block, payload["id"], sent_by(key, "toggled"))
        if name is not None:
            on_toggle(name)

    colours = {"right": MODEL, "wrong": ACCENT}
    with st.container(gap=None):
        cells = payload | {"key": key, "run": fingerprint, "colours": colours, "rows": rows, "noun": noun}
        _matrix(data=cells, key=key, on_picked_change=picked, on_toggled_change=toggled)
        look = {"normalise": normalise, "errors_only": errors_only, "log": log}
        state = look | {"selected": _runs(block, selected), "marks": _places(block, marked), "save": pictures}
        # the page draws a choice before Python has agreed: each is answered, even where it changed nothing
        answer = {"of": payload["id"], "answers": st.session_state.get(heard, 0)}
        update_component(key, "state", state | answer, key=f"{key}.state")


def picked_codes(block: Block, digest: str, sent: Any) -> tuple[Codes, Codes] | None:
    """Read which labels the browser says were chosen; None when it is not about this block as it is now.

    `sent` is {"of": digest, "rows": [start, end] or None, "cols": [start, end] or None}, positions of the block; a
    page can be made to send anything.
    """
    if not isinstance(sent, Mapping) or sent.get("of") != digest:
        return None
    sides = []
    for run, axis in ((sent.get("rows"), block.row_codes), (sent.get("cols"), block.col_codes)):
        if run is not None and not _is_run(run, len(axis)):
            return None
        places = [] if run is None else axis[run[0] : run[1]].tolist()
        codes = tuple(code for place in places for code in block.members(place))
        if places and not codes:  # () would say any
            return None
        sides.append(codes)
    return sides[0], sides[1]


def toggled_group(block: Block, digest: str, sent: Any) -> str | None:
    """Return the name of the group that the browser says was clicked: {"of": digest, "group": its index}."""
    if not isinstance(sent, Mapping) or sent.get("of") != digest or not _is_whole(sent.get("group")):
        return None
    return block.groups[sent["group"]].name if 0 <= sent["group"] < len(block.groups) else None


def _payload(block: Block, labels: Sequence[str]) -> dict[str, Any]:
    """Kept as long as the block is: at 1,000 classes it takes longer to make than all else here."""
    kept = _payloads.get(block)
    if kept is None or kept[0] != labels:
        payload = matrix_payload(block, labels)
        payload["cells"] = pa.Table.from_pandas(payload["cells"], preserve_index=False)  # else at every run
        kept = _payloads[block] = labels, payload
    return kept[1]


def _runs(block: Block, selected: tuple[Codes, Codes] | None) -> dict[str, Any] | None:
    if selected is None or selected == ((), ()):
        return None
    true, pred = selected
    return {"rows": selected_runs(block, true, block.row_codes), "cols": selected_runs(block, pred, block.col_codes)}


def _places(block: Block, codes: Sequence[int]) -> list[int]:
    """Return the places of classes on the axis; those inside a group or "other" have none."""
    place = {code: place_in_block for place_in_block, code in enumerate(block.col_codes.tolist())}
    return [place[code] for code in codes if code in place]


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_run(run: Any, length: int) -> bool:
    return isinstance(run, list) and len(run) == 2 and all(map(_is_whole, run)) and 0 <= run[0] < run[1] <= length
