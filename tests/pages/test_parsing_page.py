"""The parsing page: its numbers, its suggestions, and that a change of the parser reads no file again."""

import re
from pathlib import Path

import pyarrow as pa
import pytest
from streamlit.testing.v1 import AppTest

from data.answers import outcomes
from data.answers.suggestions import suggest_changes
from data.building.build import build
from data.building.rescoring import with_parser
from data.evaluation import UNPARSEABLE, Settings
from data.parser.parser import STANDARD, Parser, Rule
from data.runs import load as intake
from data.store import store
from tests.opened_pages import lenses, open_page, texts
from tests.opened_runs import open_run
from ui.overview.finding_places import place_of
from ui.view import measurement, open_runs, state
from ui.view.pages import PAGES

SAMPLE = "support-intents-llm"


@pytest.fixture(scope="module")
def evaluation(_store):
    return open_run(SAMPLE)


def checked(app: AppTest) -> AppTest:
    assert not app.exception
    return app


def three(evaluation) -> list[str]:
    """The three numbers, counted row by row."""
    true, pred = evaluation.y_true[evaluation.scored], evaluation.y_pred[evaluation.scored]
    right, parsed = int((true == pred).sum()), int((pred != UNPARSEABLE).sum())
    return [f"{100 * share:.1f} %" for share in (right / len(true), right / parsed, 1 - parsed / len(true))]


def metrics(app: AppTest) -> list[str]:
    return [metric.value for metric in app.metric][:3]


def address(app: AppTest) -> dict[str, str]:
    """The query of the address, one value a name."""
    return {name: value if isinstance(value, str) else value[0] for name, value in app.query_params.items()}


def add(app: AppTest, kind: str) -> AppTest:
    checked(app.selectbox(key="parser.kind").set_value(kind).run())
    return checked(app.button(key="parser.add").click().run())


def apply(app: AppTest) -> AppTest:
    return checked(app.button(key="parser.apply").click().run())


def test_three_numbers_stand_together_and_name_their_parser(evaluation):
    app = checked(open_page("parsing", run=SAMPLE))
    assert metrics(app) == three(evaluation)
    assert "parser **`standard`**" in texts(app) and "won't apply" in texts(app)


def test_every_outcome_shows_its_answers_and_rows(evaluation):
    app = checked(open_page("parsing", run=SAMPLE))
    for one in outcomes.count_outcomes(evaluation):
        app.segmented_control(key="view.outcome").set_value(one.name)
        checked(app.run())
        assert re.search(rf"\b{one.answers:,} different answers?", texts(app)), one.name
        examples = next(frame.value for frame in app.dataframe if "raw answer" in frame.value)
        codes = outcomes.find_answers(evaluation, one.name)[: len(examples)]
        assert examples["rows"].tolist() == [len(outcomes.find_answer_rows(evaluation, int(code))) for code in codes]
        assert app.session_state["view.values"]["outcome"] == one.name


def test_the_outcome_stands_in_the_link():
    app = checked(open_page("parsing", run=SAMPLE, outcome="exact"))
    assert app.segmented_control(key="view.outcome").value == "exact"
    assert address(app)["outcome"] == "exact"


def test_change_counts_everywhere_and_reads_no_table(evaluation, monkeypatch):
    app = checked(open_page("parsing", run=SAMPLE))
    read = []
    load = store.load_table
    monkeypatch.setattr(store, "load_table", lambda data_id: read.append(data_id) or load(data_id))
    app = add(app, "only_mentioned")
    edited = with_parser(evaluation, Parser("standard, edited", (*STANDARD.rules, Rule("only_mentioned"))))
    found = outcomes.compare_readings(evaluation, edited)
    said = f"{found.rows:,} rows read differently: {found.gained:,} become right, {found.lost:,} are no longer right."
    shown = texts(app).replace("\u00a0", " ")
    assert said in shown and f"→ {three(edited)[0]}**" in shown
    assert metrics(app) == three(evaluation) and address(app)["run"] == SAMPLE, "seen, and not yet applied"
    app = apply(app)
    assert metrics(app) == three(edited) != three(evaluation) and said in texts(app)
    run = address(app)["run"]
    assert run != SAMPLE
    app = checked(app.switch_page(PAGES["overview"].script).run())
    assert lenses(app)["Accuracy"] == three(edited)[0]
    assert read == [], "the answers were there already"


def test_link_to_an_edited_parser_gives_its_numbers(evaluation):
    run = state.reparse(SAMPLE, parser := Parser("mine", (Rule("exact"), Rule("only_mentioned"))))
    edited = with_parser(evaluation, parser)
    app = checked(open_page("parsing", run=run))
    assert metrics(app) == three(edited)
    assert "parser **`mine`**" in texts(app)
    opened = open_run(run)
    assert three(opened) == three(edited), "also where nothing is kept in memory"
    assert opened.fingerprint == open_runs.evaluation_of(run).fingerprint


def test_undo_goes_back_and_reset_to_standard(evaluation):
    app = apply(add(open_page("parsing", run=SAMPLE), "only_mentioned"))
    edited = metrics(app)
    app = checked(app.button(key="parser.undo").click().run())
    assert metrics(app) == three(evaluation) != edited
    app = apply(add(app, "last_mentioned"))
    app = checked(app.button(key="parser.reset").click().run())
    assert metrics(app) == three(evaluation)


def test_invalid_rule_keeps_the_last_numbers(evaluation):
    app = add(open_page("parsing", run=SAMPLE), "regex")
    assert metrics(app) == three(evaluation) and address(app)["run"] == SAMPLE
    assert "cannot be used yet" in texts(app) and "exactly one was wanted" in texts(app)
    place = next(i for i, rule in enumerate(app.session_state["parser.drawn"]) if rule.kind == "regex")
    app = checked(app.text_input(key=f"parser.{place}.regex.pattern").set_value(r"^(\w+)").run())
    assert "cannot be used yet" not in texts(app)
    assert address(apply(app))["run"] != SAMPLE


def test_discarded_change_leaves_rules_as_they_were():
    app = add(open_page("parsing", run=SAMPLE), "only_mentioned")
    app = checked(app.button(key="parser.discard").click().run())
    assert app.session_state["parser.drawn"] == STANDARD.rules and "parser.apply" not in {b.key for b in app.button}


def test_applied_suggestion_gives_what_it_promised(evaluation):
    offered = suggest_changes(evaluation)
    assert offered, "the sample has answers that a small change would read"
    app = checked(open_page("parsing", run=SAMPLE))
    app = apply(checked(app.button(key="parser.suggestion.0").click().run()))
    assert metrics(app)[0] == f"{100 * offered[0].accuracy_after:.1f} %"
    assert metrics(app) == three(with_parser(evaluation, offered[0].parser))


def test_imported_parser_is_used(evaluation):
    app = checked(open_page("parsing", run=SAMPLE))
    app = checked(app.file_uploader(key="parser.file.0").upload("x.json", b"{", "application/json").run())
    assert "This file is no parser" in texts(app) and metrics(app) == three(evaluation)
    content = b'{"name": "brought", "rules": ["exact"]}'
    app = checked(app.file_uploader(key="parser.file.0").upload("p.json", content, "application/json").run())
    assert metrics(app) == three(with_parser(evaluation, Parser("brought", (Rule("exact"),))))
    assert "parser **`brought`**" in texts(app)


def test_label_predictions_say_why_nothing_is_parsed():
    app = checked(open_page("parsing", run="support-intents"))
    assert "Nothing is parsed here" in texts(app) and not app.metric
    app = checked(open_page("parsing", run="movie-genres"))
    assert "the file is multi-label" in texts(app)


def test_another_column_is_read_as_raw_answers(tmp_path):
    path = tmp_path / "both.csv"
    lines = [f"{'ab'[i % 2]}x,ax,Answer: {'ab'[i % 2]}x" for i in range(60)]
    path.write_text("\n".join(["label,prediction,completion", *lines]) + "\n", encoding="utf-8")
    run = intake.keep(intake.read_draft([(Path(path), "both.csv")], intake.Given()))
    app = checked(open_page("parsing", run=run))
    assert "column `prediction`" in texts(app)
    (button,) = [button for button in app.button if button.label == "Read labels from this column"]
    app = checked(button.click().run())
    assert metrics(app)[0] == "100.0 %", "the predictions were right in half of the rows, the answers in all"


def test_parser_brings_and_removes_its_labels(tmp_path):
    path = tmp_path / "answers.csv"
    lines = [f"{'ham' if i % 2 else 'spam'},Answer: {('ham', 'spam', 'eggs')[i % 3]}" for i in range(60)]
    path.write_text("\n".join(["label,output", *lines]) + "\n", encoding="utf-8")
    run = intake.keep(intake.read_draft([(path, "answers.csv")], intake.Given()))
    plain = open_runs.evaluation_of(run)
    assert plain.labels[: plain.n_space] == ("ham", "spam")
    brought = state.reparse(run, Parser("brought", STANDARD.rules, labels=("ham", "spam", "eggs")))
    found = open_runs.evaluation_of(brought)
    assert set(found.labels[: found.n_space]) == {"ham", "spam", "eggs"}
    assert open_run(brought).fingerprint == found.fingerprint
    back = open_runs.evaluation_of(state.reparse(brought, None))
    assert back.labels == plain.labels and back.fingerprint == plain.fingerprint


def test_finding_on_missing_labels_leads_here(evaluation):
    (found,) = [one for one in measurement.find_ranked(evaluation) if one.code == "unparseable"]
    place = place_of(evaluation, found)
    assert (place.page, place.view(found)) == ("parsing", {})
    table = pa.table({"y": ["a", "b", "a"], "p": ["a", "[invalid]", "b"]})
    labels = build(table, Settings(truth="y", pred="p"), name="t", content_sha256="1")
    (found,) = [one for one in measurement.find_ranked(labels) if one.code == "unparseable"]
    place = place_of(labels, found)
    assert (place.page, place.view(found)) == ("rows", {"only": "unparseable"})
