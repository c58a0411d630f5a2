"""A share link of a comparison holds the other uploads, and ends with all of them."""

from pathlib import Path

import pytest

from data.comparison.run_names import PART, RunName, read_runs
from data.errors import DataError
from data.runs import load, understanding
from data.sharing import share
from data.sharing.comparison import holds_uploads
from data.store import links
from tests.data.sharing.test_share import PAIRS, accuracy, corrected, has_table, uploaded
from tests.opened_runs import keep_text, opens

pytestmark = pytest.mark.usefixtures("own_store")


def view(*runs: str, **query: str) -> links.View:
    return links.View("compare", {"with": ",".join(runs), **query})


def other_upload(folder: Path) -> str:
    """An upload of the same rows; a model that always says b."""
    return keep_text(
        folder / "q.csv", "id,label,prediction\n" + "".join(f"{i},{pair[0]},b\n" for i, pair in enumerate(PAIRS))
    )


def test_a_shared_comparison_outlives_its_uploads(tmp_path):
    first, second = uploaded(tmp_path), other_upload(tmp_path)
    views = [view(f"run.{second}", "pred.other", "run.digits"), view(f"run.{second}")]
    assert holds_uploads(views[0].query["with"]) and not holds_uploads("run.digits,pred.other,run.gone")
    made = share.share(first, views=views)
    assert [dict(one.query)["with"] for one in made.views] == ["part.0,pred.other,run.digits", "part.0"]
    assert second not in str(links.open_link(made.token))
    for run in (first, second):
        share.delete_upload(run)
    [held] = load.draft_of(made.token).others
    assert has_table(held.data_ids[0]) and accuracy(made.token) == 4 / 5
    evaluation = understanding.open_draft(held)
    assert (evaluation.y_true == evaluation.y_pred).mean() == 2 / 5
    again = share.share(made.token, views=made.views)
    assert read_runs(again.views[1].query["with"]) == (RunName(PART, "0"),) and load.draft_of(again.token).others
    share.delete_share(links.id_of(made.token), owner_key=made.owner_key)
    assert not opens(made.token) and not opens(again.token), "what stems from a link ends with it"


def test_a_shared_comparison_keeps_what_it_needs(tmp_path):
    run, shown = uploaded(tmp_path), view("pred.other", join="id")
    for options, sentence in (
        ({"counts_only": True}, "A link of numbers only cannot hold a comparison"),
        ({"hide": ["other"]}, "The comparison needs the column 'other'"),
        ({"hide": ["id"]}, "The comparison needs the column 'id'"),
    ):
        with pytest.raises(DataError, match=sentence):
            share.share(run, views=[shown], **options)


def test_copy_of_a_shared_link_is_not_reshared(tmp_path):
    copied = corrected(share.share(uploaded(tmp_path)).token)
    with pytest.raises(DataError, match="is a copy of a shared link"):
        share.share(uploaded(tmp_path), views=[view(f"run.{copied}")])
