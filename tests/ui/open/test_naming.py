"""Naming numbered classes beside the title of Overview: applied here, offered for the next file of these columns."""

from data.runs import load
from tests.opened_pages import open_page, texts
from tests.opened_runs import keep_file, open_run
from ui.open.labels.naming import numbered


def fraud(folder, name, seed):
    rows = (f"{int(i % 9 == seed)},{int((i % 9 == seed) != (i % 11 == 0))}" for i in range(200))
    (folder / name).write_text("\n".join(["is_fraud,predicted", *rows]))
    return keep_file(folder / name)


def name_classes(app, *names):
    """Fill the dialog, which may be open, and send it."""
    app.button(key="naming.ask").click().run()
    for code, name in enumerate(names):
        app.text_input(key=f"naming.{code}").set_value(name)
    next(button for button in app.button if button.label == "Use these names").click().run()
    assert not app.exception


def test_names_are_applied_here_and_offered_next(tmp_path):
    run, other = fraud(tmp_path, "a.csv", 0), fraud(tmp_path, "b.csv", 1)
    app = open_page("overview", run=run)
    name_classes(app, "same", "same")
    assert "hold the name 'same' twice" in texts(app)
    name_classes(app, "genuine", "fraud")
    assert "`fraud` rows were predicted as `genuine`" in app.title[0].value
    named = load.draft_of(app.query_params["run"]).settings.class_names
    assert dict(named) == {"0": "genuine", "1": "fraud"}, "the link carries its names"
    app.query_params["run"] = other
    app.run()
    assert "`is_fraud = 1` rows" in app.title[0].value, "never applied unasked"
    assert app.button(key="naming.ask").label == "Name the classes: `genuine`, `fraud`?"
    stranger = open_page("overview", run=other)
    assert stranger.button(key="naming.ask").label == "Name the classes", "another session knows none"


def test_few_numbers_are_named(tmp_path):
    """Words have names already; ten digits take theirs under Change."""
    samples = ("screening", "digits", "movie-genres", "support-intents")
    assert not any(numbered(open_run(run)) for run in samples)
    assert numbered(open_run(fraud(tmp_path, "p.csv", 0))) == [0, 1]
