"""Choose as deployed: the controls stand in the link and move the sheet; what cannot be chosen is said."""

import json
import math

import pytest

from data.runs import load
from tests.opened_pages import open_page, shown_frame, texts
from tests.opened_runs import keep_file, open_run


def opened(run="screening", **query):
    app = open_page("thresholds", run=run, tab="choose", by="deployed", **query)
    assert not app.exception
    return app


def view(app, name):
    return app.session_state["view.values"][name]


def field(app, name):
    return app.number_input(key=f"choices.{name}")


def test_typed_place_moves_the_sheet():
    """Of 100 positives, 20,000 rows a day with 0.5 % of them positive hold as many."""
    app = open_page("thresholds", run="screening", tab="choose")
    app.segmented_control(key="choices.way").set_value("deployed").run()
    assert view(app, "by") == "deployed" and field(app, "prev").value is None
    field(app, "prev").set_value(0.5).run()
    field(app, "perday").set_value(20_000).run()
    field(app, "cfn").set_value(1_000).run()
    field(app, "cfp").set_value(20).run()
    assert (view(app, "prev"), view(app, "perday")) == (0.005, 20_000)
    evaluation = open_run("screening")
    is_true, score = evaluation.y_true == evaluation.positive, evaluation.y_score[:, 0]
    costs = {
        at: 20 * 19_900 * (score[~is_true] >= at).mean() + 1_000 * 100 * (score[is_true] < at).mean()
        for at in set(score.tolist())
    }
    best = min(costs, key=costs.__getitem__)
    assert app.title[0].value.startswith(f"Score ≥ {round(best, 5)} costs ")
    app.button(key="deployed.use").click().run()
    assert view(app, "t") == best and view(app, "rule") == "cost:20:1000:0.005"
    assert app.button(key="deployed.use").disabled


def test_limits_that_exclude_each_other_are_said():
    app = opened(prev="0.006", cfn="2000", cfp="50")
    field(app, "minrecall").set_value(0.8).run()
    field(app, "mostcalled").set_value(300).run()
    assert app.title[0].value.startswith("No threshold keeps both limits: recall must give from 0.800 to 0.420")
    assert "deployed.use" not in {button.key for button in app.button}
    field(app, "minrecall").set_value(None).run()
    assert view(app, "minrecall") is None and app.title[0].value.endswith("within the limit")


def test_limited_choice_is_by_no_rule():
    app = opened(prev="0.006", cfn="2000", cfp="50", minrecall="0.5", mostcalled="600")
    app.button(key="deployed.use").click().run()
    assert view(app, "t") == pytest.approx(0.03177, abs=1e-5) and view(app, "rule") == ""


def test_own_words_are_kept_and_checked():
    app = opened(noun="people", called="called in")
    assert field(app, "perday").label == "People a day" and field(app, "mostcalled").label == "Called in a day, at most"
    app.text_input(key="place.noun").set_value("<b>x").run()
    assert view(app, "noun") == "people" and "letters, digits, single spaces and hyphens were wanted" in texts(app)
    assert "Ignored called=*x* in the link" in texts(opened(called="*x*"))


def test_one_of_several_classes_is_chosen_for():
    app = opened("digits", **{"class": "8"})
    assert "a day" in app.title[0].value and math.isfinite(view(app, "cfp"))


def test_report_offers_the_sheet():
    app = open_page("export", run="screening", by="deployed", prev="0.006")
    assert not app.exception and "Decision sheet" in app.get("button_group")[0].options
    assert "Decision sheet" not in str(
        [one.options for one in open_page("export", run="screening").get("button_group")]
    )


@pytest.mark.parametrize("empty", [False, True])
def test_predictions_of_the_file_are_now(tmp_path, empty):
    """The file predicts yes from 0.62 on, and no up to 0.6; some row may have no prediction."""
    rows = "yes,yes,0.9\nno,yes,0.62\nno,no,0.6\nyes,no,0.3\nno,no,0.1\n" * 5
    (tmp_path / "p.csv").write_text("y_true,y_pred,score\n" + rows + ("no,,0.2\n" if empty else ""))
    run = keep_file(tmp_path / "p.csv", load.Given(positive="yes", scores=("score",)))
    app = opened(run)
    now = "Now means score ≥ 0.62: the predictions of this file follow from it."
    assert now in " ".join(caption.value for caption in app.caption) + texts(app)
    day = next(data for data in components(app) if "used" in data)
    assert day["used"]["t"] == 0.62 and (day["used"]["tp"], day["used"]["fp"]) == (5, 5)
    rules = shown_frame(open_page("thresholds", run=run, tab="choose", by="cost"), "What other rules choose")
    assert rules["Score ≥"]["In use"] == 0.62 and rules["Score ≥"]["Default"] == 0.5
    assert "Now means" not in " ".join(caption.value for caption in opened(run, t="0.5").caption)


def components(app):
    return [json.loads(part.proto.json or "{}") for part in app.get("bidi_component")]
