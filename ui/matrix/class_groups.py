"""Choose the classes that the matrix shows and those that stand together, as the view in the URL says it."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from metrics.confusion import hierarchy
from metrics.confusion.axis import Group
from text.numbers import count
from text.visible import show
from ui.limits import MAX_GROUP_CHARS
from ui.rows.row_choice import read_codes, write_codes
from ui.text.markdown import md
from ui.text.messages import remark
from ui.view import url

_GROUP = {"none": "Not at all", "prefix": "By the beginning of the label", "own": "By a list of mine"}
_NAMED = 5
_SAID = "groups.said"


def picked_in_view(labels: Sequence[str]) -> tuple[int, ...] | None:
    """Return codes of the classes chosen to be shown; None shows all."""
    try:
        return read_codes(url.get("pick"), len(labels)) or None
    except ValueError:
        remark(f"Ignored pick={url.get('pick')[:40]} in the link: it names no classes of this file.")
        return None


def groups_in_view(labels: Sequence[str]) -> tuple[Group, ...]:
    """Return the groups that the view asks for, collapsed where it says so."""
    kind = url.get("group")
    groups: tuple[Group, ...] = ()
    if kind == "prefix" and url.get("sep"):
        groups = hierarchy.by_prefix(labels, url.get("sep"), url.get("level"))
    elif kind == "own":
        try:
            groups = read_groups(url.get("map"), len(labels))
        except ValueError:
            remark(f"Ignored map={url.get('map')[:40]} in the link: it names no groups of this file's classes.")
    try:
        return hierarchy.collapse(groups, read_codes(url.get("closed"), len(groups)))
    except ValueError:
        remark(f"Ignored closed={url.get('closed')[:40]} in the link: it names no groups.")
        return groups


def write_groups(groups: Sequence[Group]) -> str:
    """Return groups for an address, by the codes of their classes.

    >>> write_groups([Group("card", (0, 1, 4)), Group("a=b", (2,))])
    'card=0-1,4;a%3Db=2'
    """
    return ";".join(f"{_quote(group.name)}={write_codes(group.codes)}" for group in groups)


def read_groups(text: str, n: int) -> tuple[Group, ...]:
    """Read what `write_groups` wrote of n labels; raises ValueError.

    >>> read_groups("card=0-1,4;a%3Db=2", 5)
    (Group(name='card', codes=(0, 1, 4), collapsed=False), Group(name='a=b', codes=(2,), collapsed=False))
    """
    groups = []
    for part in text.split(";") if text else []:
        name, _, codes = part.partition("=")
        groups.append(Group(_plain(name), read_codes(codes, n)))
    members = [code for group in groups for code in group.codes]
    if not all(group.name and group.codes for group in groups) or len(set(members)) < len(members) or -2 in members:
        raise ValueError("a group needs a name and classes of its own")
    if len({group.name for group in groups}) < len(groups):
        raise ValueError("two groups have the same name")
    return tuple(groups)


def _quote(name: str) -> str:
    return name.replace("%", "%25").replace(";", "%3B").replace("=", "%3D")


def _plain(name: str) -> str:
    return name.replace("%3D", "=").replace("%3B", ";").replace("%25", "%")


def choose(
    labels: Sequence[str], names: Sequence[str], picked: tuple[int, ...] | None, groups: Sequence[Group]
) -> None:
    """Draw the controls for the chosen classes (None = all) and the groups."""
    _choose_classes(names, picked)
    _choose_groups(labels, groups)


def _choose_classes(names: Sequence[str], picked: tuple[int, ...] | None) -> None:
    key = "groups.pick"
    st.session_state[key] = list(picked or ())
    st.multiselect(
        "Only these classes",
        range(len(names)),
        format_func=names.__getitem__,
        key=key,
        on_change=lambda: url.put(pick=write_codes(st.session_state[key])),
        placeholder="all classes",
        help="All others are added up in one row and one column named “other”. No row of the file is left out.",
    )


def _choose_groups(labels: Sequence[str], groups: Sequence[Group]) -> None:
    """Draw the controls that group classes, and collapse groups."""
    key = url.widget_key("group")
    st.session_state[key] = url.get("group")
    st.segmented_control(
        "Group the classes",
        list(_GROUP),
        format_func=_GROUP.__getitem__,
        key=key,
        required=True,
        on_change=_grouping_chosen,
        args=(tuple(labels),),
    )
    if url.get("group") == "prefix":
        _choose_separator(labels, groups)
    elif url.get("group") == "own":
        _paste(labels, groups)
    if groups:
        _collapse_all(labels, groups)


def toggle(groups: Sequence[Group], name: str) -> None:
    """Collapse the group of this name, or expand it."""
    closed = [i for i, group in enumerate(groups) if group.collapsed != (group.name == name)]
    url.put(closed=write_codes(closed))


def _grouping_chosen(labels: Sequence[str]) -> None:
    """Group another way; a separator that no label holds gives way to the one that makes groups."""
    kind = st.session_state[url.widget_key("group")]
    view = {"group": kind, "closed": ""}
    if kind == "prefix" and not hierarchy.by_prefix(labels, url.get("sep") or " "):
        view["sep"] = hierarchy.best_separator(labels) or url.get("sep")
    url.put(**view)


def _choose_separator(labels: Sequence[str], groups: Sequence[Group]) -> None:
    key = "groups.separator"
    st.session_state[key] = url.get("sep")
    st.text_input(
        "The group is what stands before",
        key=key,
        max_chars=10,
        width=240,
        help="Up to the first of these characters. A label without it, or with a beginning that no other has, stays "
        "alone.",
        on_change=lambda: url.put(sep=st.session_state[key], closed="", level=1),
    )
    if url.get("sep") and hierarchy.levels(labels, url.get("sep")) > 1:
        _choose_level(labels)
    if groups:
        return
    better = hierarchy.best_separator(labels)
    if not url.get("sep"):
        st.caption("Type the character that stands between the group and the rest of the label.")
    elif better:
        st.caption(f"No two labels share the part before {md(url.get('sep'))}; {md(better)} would make groups.")
    else:
        st.caption(f"No two labels share the part before {md(url.get('sep'))}. A list of your own can group them.")


def _choose_level(labels: Sequence[str]) -> None:
    key = url.widget_key("level")
    most = min(9, hierarchy.levels(labels, url.get("sep")))
    st.session_state[key] = min(most, url.get("level"))
    st.number_input(
        f"Levels of a group's name, up to {most}",
        1,
        most,
        key=key,
        width=240,
        help="1: what stands before the first separator; 2: before the second, where a label has two; and so on.",
        on_change=lambda: url.put(level=st.session_state[key], closed=""),
    )


def _paste(labels: Sequence[str], groups: Sequence[Group]) -> None:
    with st.form("groups.form", border=False):
        first = labels[0] if labels else "label"
        st.text_area(
            "One class a line: label, group",
            key="groups.lines",
            placeholder=f"{show(first, 40)},my group",
            height=140,
            max_chars=200_000,
            help="Columns copied from a spreadsheet work as well. Classes that no line names stay alone.",
        )
        st.form_submit_button("Group by these lines", key="groups.apply", on_click=_take_pasted, args=(tuple(labels),))
    for sentence in st.session_state.get(_SAID, []):
        remark(sentence)
    if groups:
        lines = "\n".join(f"{show(labels[code], None)},{show(group.name)}" for group in groups for code in group.codes)
        with st.expander("The groups in use"):
            st.code(lines, language=None, height=160)


def _take_pasted(labels: Sequence[str]) -> None:
    """Put pasted groups into the view, and keep a sentence for everything that could not be used."""
    pasted = hierarchy.from_lines(st.session_state["groups.lines"], labels)
    problems = []
    if pasted.unknown:
        problems.append(f"{_lines(len(pasted.unknown))} no label of this file: {_some(pasted.unknown)}.")
    if pasted.twice:
        problems.append(f"The first group counts for labels with two: {_some(pasted.twice)}.")
    if pasted.unreadable:
        problems.append(f"No label and group on line {_some([f'{number:,}' for number in pasted.unreadable])}.")
    text = write_groups(pasted.groups)
    if len(text) > MAX_GROUP_CHARS:
        problems.append(
            f"These groups take {len(text):,} characters in a link, which can carry {MAX_GROUP_CHARS:,}: not used."
        )
    elif not pasted.groups:
        problems.append("No line names a class of this file and its group, so nothing is grouped.")
    if len(text) <= MAX_GROUP_CHARS:
        url.put(map=text, closed="")
    st.session_state[_SAID] = problems


def _lines(n: int) -> str:
    return f"{n:,} line{' names' if n == 1 else 's name'}"


def _some(names: Sequence[str]) -> str:
    shown = ", ".join(show(name, 40) for name in names[:_NAMED])
    return shown + (f" and {len(names) - _NAMED:,} more" if len(names) > _NAMED else "")


def _collapse_all(labels: Sequence[str], groups: Sequence[Group]) -> None:
    inside = sum(len(group.codes) for group in groups)
    alone = len(labels) - inside
    st.caption(
        f"{count(len(groups), 'group')} of {count(inside, 'class')}"
        + (f"; {count(alone, 'class')} by {'itself' if alone == 1 else 'themselves'}" if alone else "")
        + ". A click on a group's name in the matrix collapses or expands it; counts add up either way."
    )
    every = write_codes(range(len(groups)))
    with st.container(horizontal=True):
        for key, title, closed in (("collapse", "Collapse all groups", every), ("expand", "Expand all groups", "")):
            as_it_is = url.get("closed") == closed
            st.button(title, key=f"groups.{key}", on_click=url.put, kwargs={"closed": closed}, disabled=as_it_is)
