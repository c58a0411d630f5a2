"""A share link of a comparison holds the other uploads, and ends with all of them."""

from pathlib import Path

import pytest

from data.comparison.run_names import PART, RunName, read_runs
from data.errors import DataError
from data.parser.parser import Parser, Rule
from data.runs import load, understanding
from data.runs.draft import Draft
from data.runs.draft_changes import change_parser
from data.runs.tables import load_joined_table
from data.sharing import share
from data.sharing.comparison import holds_uploads
from data.store import links
from tests.data.sharing.test_redaction import everything_in, written_by
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


SECRET = "zqx"


def secret_upload(folder: Path, name: str, column: str, answer: str = "the answer is") -> str:
    """An upload of answers, with a column of its own, and one that the other upload has, too."""
    lines = [
        f"{i},{pair[0]},{answer} {pair[2]},{column}-{SECRET} {i},both-{SECRET} {i}" for i, pair in enumerate(PAIRS)
    ]
    return keep_text(folder / f"{name}.csv", "\n".join([f"id,label,{name},{column},both", *lines]))


# What is named, what a person saw and left in, and the columns that nobody finds then.
HIDDEN = {
    "of the first run": (["mine"], None, ["mine", "yours"]),
    "of both runs": (["both"], None, ["both", "yours"]),
    "of the other run": (["yours"], None, ["yours"]),
    "of the other run, seen": (["both"], ["mine", "yours", "output", "raw_output", "id"], ["both"]),
    "of the answers": (["raw_output", "both"], ["mine", "yours", "output", "id"], ["both"]),
}


@pytest.mark.parametrize("again", [False, True], ids=["uploads", "a shared link"])
@pytest.mark.parametrize("kind", HIDDEN)
def test_shared_comparison_sends_only_what_is_named(kind, again, tmp_path, own_store):
    hide, keep, gone = HIDDEN[kind]
    run, other = secret_upload(tmp_path, "raw_output", "mine"), secret_upload(tmp_path, "output", "yours")
    views = [view(f"run.{other}")]
    if again:
        whole = share.share(run, views=views)
        run, views = whole.token, list(whole.views)
    made: list[links.Shared] = []
    files = written_by(own_store, lambda: made.append(share.share(run, views=views, hide=hide, keep=keep)))
    sent = "".join(map(everything_in, files))
    told = {name: f"{name}-{SECRET}" in sent for name in ("mine", "yours", "both")}
    assert told == {name: name not in gone for name in told}
    runs = _runs(made[0].token)
    assert not set(hide) & {name for one in runs for name in load_joined_table(one)[0].column_names}
    for evaluation in map(understanding.open_draft, runs):
        assert (evaluation.y_true == evaluation.y_pred).mean() == 4 / 5


def _runs(token: str) -> list[Draft]:
    draft = load.draft_of(token)
    return [draft, *draft.others]


def test_numbers_of_a_comparison_leave_every_run_out(tmp_path, own_store):
    first, other = secret_upload(tmp_path, "raw_output", "mine"), secret_upload(tmp_path, "output", "yours")
    whole = share.share(first, views=[view(f"run.{other}")])
    made: list[links.Shared] = []
    files = written_by(own_store, lambda: made.append(share.share(whole.token, counts_only=True)))
    assert not [path for path in files if SECRET in everything_in(path)]
    assert load.draft_of(made[0].token).others == ()


def test_hidden_answers_are_those_that_were_compared(tmp_path):
    says = Parser("mine", (Rule("after_last", ("says",)), Rule("exact")))
    first = load.keep(change_parser(load.draft_of(secret_upload(tmp_path, "raw_output", "mine", "he says")), says))
    other = secret_upload(tmp_path, "output", "yours", "she says")
    made = share.share(first, views=[view(f"run.{other}")], hide=["both"])
    held = understanding.open_draft(load.draft_of(made.token).others[0])
    assert held.n_unparsed == 0 and (held.y_true == held.y_pred).mean() == 4 / 5
    assert held.n_unparsed < understanding.open_draft(load.draft_of(other)).n_unparsed


def test_link_that_shows_a_hidden_column_is_refused(tmp_path):
    first, other = secret_upload(tmp_path, "raw_output", "mine"), secret_upload(tmp_path, "output", "yours")
    shared = share.share(other).token
    with pytest.raises(DataError, match="is a link of its own, which shows 'both'"):
        share.share(first, views=[view(f"run.{shared}")], hide=["both"])
    with pytest.raises(DataError, match="nothing"):
        share.share(first, views=[view(f"run.{other}")], hide=["nothing"])


def test_copy_of_a_shared_link_is_not_reshared(tmp_path):
    copied = corrected(share.share(uploaded(tmp_path)).token)
    with pytest.raises(DataError, match="is a copy of a shared link"):
        share.share(uploaded(tmp_path), views=[view(f"run.{copied}")])
