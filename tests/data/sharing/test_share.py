"""A link made from a run: what it freezes, what it ends with, and what is left when it, or an upload, is deleted."""

import contextlib
import dataclasses
from pathlib import Path

import pytest

from data.errors import DataError
from data.rows.row_scores import confidence_column
from data.runs import draft_changes, load
from data.sharing import share
from data.store import links, store
from tests.opened_runs import keep_file, keep_text, open_run, opens

pytestmark = pytest.mark.usefixtures("own_store")
PAIRS = ["a,a", "a,b", "b,b", "b,b", "a,a"]


def uploaded(folder: Path, more: str = "") -> str:
    """An upload of five rows; returns its token."""
    return keep_text(
        folder / "p.csv",
        "id,label,prediction,other\n" + "".join(f"{i},{pair},a{more}\n" for i, pair in enumerate(PAIRS)),
    )


def has_table(data_id: str) -> bool:
    return store.place().has(store.data_name(data_id))


def corrected(run: str) -> str:
    """The same upload with another column as the prediction."""
    return draft_changes.correct(run, load.draft_of(run).settings, {"truth": "label", "pred": "other"})


def accuracy(run: str) -> float:
    evaluation = open_run(run)
    return float((evaluation.y_true == evaluation.y_pred).mean())


def test_link_keeps_its_corrections(tmp_path):
    run = uploaded(tmp_path)
    shared = share.share(corrected(run)).token
    assert accuracy(run) == 4 / 5 and accuracy(shared) == 3 / 5
    again = draft_changes.correct(shared, load.draft_of(shared).settings, {"truth": "label", "pred": "prediction"})
    assert (accuracy(again), accuracy(shared)) == (4 / 5, 3 / 5), "what was shared is as it was"


def test_link_holds_view_title_and_headline(tmp_path):
    view = links.View("confusion", {"order": "support"}, "worst first", "look at b")
    shared = share.share(
        uploaded(tmp_path), title="nightly", views=[view], headline=[("Accuracy", "80 %")], person="ada"
    )
    link = links.open_link(shared.token)
    assert (link.title, link.views, link.headline) == ("nightly", (view,), (("Accuracy", "80 %"),))
    assert [link_id for link_id, _ in links.list_shared("ada")] == [links.id_of(shared.token)]
    assert not list(links.list_shared("ben"))


def test_copies_of_a_link_end_with_it(tmp_path):
    first = share.share(uploaded(tmp_path), days=1)
    copy = corrected(first.token)
    second = share.share(copy, days=180)
    third = corrected(second.token)
    assert links.open_link(second.token).ends == first.ends, "a longer life is not longer than what it stems from"
    links.revoke(links.id_of(first.token), owner_key=first.owner_key)
    assert not any(opens(token) for token in (first.token, copy, second.token, third))


def test_deleting_an_upload_deletes_its_drafts(tmp_path):
    run = uploaded(tmp_path)
    later = corrected(run)
    (data_id,) = load.draft_of(run).data_ids
    assert share.delete_upload(later)
    assert not opens(run) and not opens(later) and not has_table(data_id)


def test_deleting_an_upload_leaves_what_another_link_needs(tmp_path):
    run, same = uploaded(tmp_path), uploaded(tmp_path)
    shared = share.share(run)
    assert not share.delete_upload(run)
    assert not opens(run) and opens(same) and accuracy(shared.token) == accuracy(same) == 4 / 5


def test_holder_cannot_delete_a_shared_link(tmp_path):
    shared = share.share(uploaded(tmp_path))
    with pytest.raises(DataError, match="owner key"):
        share.delete_upload(shared.token)
    with pytest.raises(DataError, match="not the owner key"):
        share.delete_share(links.id_of(shared.token), owner_key=shared.token)
    assert accuracy(shared.token) == 4 / 5


def test_deleting_a_link_removes_an_unneeded_table(tmp_path):
    run = uploaded(tmp_path)
    first, second = share.share(run), share.share(run)
    (data_id,) = load.draft_of(run).data_ids
    share.delete_upload(run)
    assert not share.delete_share(links.id_of(first.token), owner_key=first.owner_key) and has_table(data_id)
    assert share.delete_share(links.id_of(second.token), owner_key=second.owner_key) and not has_table(data_id)


def test_labels_added_to_a_share_end_with_it(tmp_path):
    shared = share.share(uploaded(tmp_path))
    labels = tmp_path / "labels.csv"
    labels.write_text("id,truth\n" + "".join(f"{i},{pair[0]}\n" for i, pair in enumerate(PAIRS)))
    added = draft_changes.add_labels(shared.token, (labels, labels.name))
    assert added.of == links.id_of(shared.token)
    run = uploaded(tmp_path, more="x")
    assert draft_changes.add_labels(run, (labels, labels.name)).upload == load.draft_of(run).upload != ""


def test_equal_uploads_are_two_uploads(tmp_path):
    one, two = (load.draft_of(uploaded(tmp_path)) for _ in range(2))
    assert one == two and one.upload != two.upload
    assert dataclasses.replace(one, name="x").upload == one.upload


HIDDEN = [
    ("slices", {"slice": "other=a"}), ("slices", {"cross": "other"}), ("slices", {"column": "other"}),
    ("agreement", {"raters": "label,other"}), ("agreement", {"lines": "id,other,label"}),
    ("overview", {"judged": "columns,2,label,other,label,majority,other"}), ("agreement", {"judge": "a"}),
]  # fmt: skip


@pytest.mark.parametrize(("page", "query"), HIDDEN)
def test_links_name_no_hidden_column(tmp_path, page, query):
    run = uploaded(tmp_path)
    with pytest.raises(DataError, match="choose another view, or keep the column"):
        share.share(run, views=[links.View(page, query, "", "")], hide=["other"])
    with pytest.raises(DataError, match="link of numbers only has no columns"):
        share.share(run, views=[links.View(page, query, "", "")], counts_only=True)


TITLES = [
    ("Weak where 'other' = 'secret'", "", "The title of step 2 names 'other'"),
    ("", "Look at 'secret'.", "The note of step 2 names 'secret'"),
    ("Weak where 'sec… is", "", None), ("Weak where 'sec …", "", "names 'sec …'"), ("Weak: 'oth…'", "", "names 'oth…'"),
    ("'label' of 'a'", "It's in other words", None),
]  # fmt: skip


@pytest.mark.parametrize(("title", "note", "told"), TITLES)
@pytest.mark.parametrize("left_out", [{"hide": ["other"]}, {"counts_only": True}], ids=["columns", "rows"])
def test_steps_quote_nothing_left_out(tmp_path, title, note, told, left_out):
    lines = [f"{pair},{'secret' if place == 0 else 'a'}" for place, pair in enumerate(PAIRS)]
    text = "\n".join(["label,prediction,other", *lines])
    run = keep_text(tmp_path / "q.csv", text)
    views = [links.View("overview", {}, "", ""), links.View("classes", {}, title, note)]
    share.share(run, views=views)
    refused = pytest.raises(DataError, match=told) if told else contextlib.nullcontext()
    with refused:
        share.share(run, views=views, **left_out)


def test_hiding_leaves_the_date_of_a_view_out(tmp_path):
    view = links.View("slices", {"mode": "time", "since": "2026-02"}, "", "")
    (kept,) = links.open_link(share.share(uploaded(tmp_path), views=[view], hide=["other"]).token).views
    assert kept.query == {"mode": "time"}


def test_hiding_a_column_keeps_the_confidence(tmp_path):
    path = tmp_path / "p.csv"
    rows = (f"{i},{pair},{0.5 + i / 40}" for i, pair in enumerate(["cat,cat", "dog,cat", "owl,owl"] * 5))
    path.write_text("note,label,prediction,confidence\n" + "\n".join(rows))
    run = keep_file(path)
    assert confidence_column(open_run(run)) == "confidence"
    assert confidence_column(open_run(share.share(run, hide=["note"]).token)) == "confidence"
    assert confidence_column(open_run(share.share(run, hide=["note", "confidence"]).token)) is None
