"""Every page, the report, the terminal and the JSON agree on every fact that two of them claim."""

import random
import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from data.sharing import share
from tests.corpus.every import all_cases
from tests.opened_pages import open_page
from tests.opened_runs import open_run
from tests.walk.claims import Claim, Figure, contradictions, exact, read_figure
from tests.walk.comparisons import ask_comparison, write_pairs
from tests.walk.files import ask_files
from tests.walk.inputs import SAMPLE_RUNS, keep_case, keep_made
from tests.walk.pages import VIEWS, ask_pages
from text.visible import keep_together

MADE = ("loan", "lines", "several", "clustered", "holes", "sets", "invented label", "weighed", "rare", "undone")
CORPUS = random.Random(1).sample([case for case in all_cases() if case.n is not None], 5)
"""The whole corpus: python -m tests.walk."""
PAIRS = ("clear", "lost", "close", "three", "scores", "few", "sets")
PLANTS_OF_PAIRS = (
    "command.compare.to_json", "command.compare.comparison_result", "command.compare.pull_request_result",
    "ui.compare.compare.pair_words", "ui.compare.leaderboard._without_tiers", "ui.compare.flips._parts",
)  # fmt: skip
PLANTS = (
    ("loan", "command.score._metrics", ""),
    ("loan", "command.score.threshold_tables", ""),
    ("loan", "command.score.classes_result", ""),
    ("support-intents-llm", "command.score.parsing_result", ""),
    ("loan", "command.score.scored_numbers", ""),
    ("loan", "export.report.page.numbers", ""),
    ("several", "export.report.sections.takeaway", ""),
    ("loan", "export.report.sections.headline", ""),
    ("loan", "export.report.page.classes_result", ""),
    ("loan", "export.report.page.headline_result", ""),
    ("loan", "export.evaluation.curves_result.threshold_tables", ""),
    ("support-intents-llm", "export.report.page.parsing_result", ""),
    ("loan", "export.report.sections.findings", ""),
    ("loan", "export.report.sections._state", ""),
    ("loan", "export.report.facts.short", ""),
    ("holes", "export.report.facts.warnings", ""),
    ("several", "ui.overview.finding_list.title_of", "overview"),
    ("loan", "ui.overview.finding_list.lenses", "overview"),
    ("loan", "ui.overview.finding_list.block_data", "overview"),
    ("support-intents", "ui.matrix.standouts.title", "confusion"),
    ("support-intents", "ui.classes.class_numbers.title", "classes"),
    ("several", "ui.classes.class_table._cells", "classes"),
    ("loan", "ui.rows.rows_behind.title", "rows"),
    ("loan", "ui.slices.slices.title", "slices"),
    ("loan", "ui.slices.groups.title", "slices"),
    ("loan", "ui.thresholds.steps.title", "thresholds"),
    ("loan", "ui.thresholds.calibration.title", "thresholds"),
    ("support-intents-llm", "ui.answers.parsing.title", "parsing"),
    ("support-intents-llm", "ui.answers.parsing.outcome_tables", "parsing"),
    ("several", "ui.learn.metric_choice.title", "choose"),
)
"""A run, what is changed, and the page that says it; no page = a file."""


@pytest.fixture(scope="module", autouse=True)
def runs(module_store: Path, module_reads_here: None, tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, str]:
    """Samples and made files by name, as runs."""
    return keep_made(tmp_path_factory.mktemp("made")) | dict(zip(SAMPLE_RUNS, SAMPLE_RUNS, strict=True))


@cache
def walk(run: str) -> tuple[Claim, ...]:
    return *ask_files(open_run(run)), *ask_pages(run)


@pytest.mark.parametrize("name", [*SAMPLE_RUNS, *MADE])
def test_surfaces_agree(runs: Mapping[str, str], name: str):
    assert contradictions(walk(runs[name])) == []


@pytest.mark.parametrize("case", CORPUS, ids=str)
def test_surfaces_agree_on_odd_files(tmp_path: Path, case):
    run = keep_case(case, tmp_path)
    assert not run or contradictions(walk(run)) == []


@pytest.mark.parametrize(("name", "changed", "page"), PLANTS, ids=[changed for _, changed, _ in PLANTS])
def test_planted_contradiction_is_found(
    runs: Mapping[str, str], monkeypatch: pytest.MonkeyPatch, name: str, changed: str, page: str
):
    run = runs[name]
    right = walk(run)
    module, _, function = changed.rpartition(".")
    make = getattr(__import__(module, fromlist=[function]), function)
    monkeypatch.setattr(changed, lambda *given, **options: add_one(make(*given, **options)))
    said = ask_pages(run, page) if page else ask_files(open_run(run))
    assert contradictions([*right, *(claim for claim in said if not claim.fact.startswith("title of"))])


@pytest.fixture(scope="module")
def pairs(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, list[Path]]:
    """Files of runs on the same rows, by what is found between them."""
    return write_pairs(tmp_path_factory.mktemp("pairs"))


@cache
def compared(*paths: Path) -> Sequence[Claim]:
    return ask_comparison([*paths])


@pytest.mark.parametrize("name", PAIRS)
def test_surfaces_agree_on_compared_runs(pairs: Mapping[str, list[Path]], name: str):
    claims = compared(*pairs[name])
    assert contradictions(claims) == []
    facts = {(claim.fact, claim.surface) for claim in claims}
    assert {("better run", surface) for surface in ("terminal", "Markdown", "Compare")} <= facts


@pytest.mark.parametrize("changed", PLANTS_OF_PAIRS)
def test_planted_contradiction_of_runs_is_found(
    pairs: Mapping[str, list[Path]], monkeypatch: pytest.MonkeyPatch, changed: str
):
    right = compared(*pairs["lost"])
    module, _, function = changed.rpartition(".")
    make = getattr(__import__(module, fromlist=[function]), function)
    monkeypatch.setattr(changed, lambda *given, **options: add_one(make(*given, **options)))
    assert contradictions([*right, *ask_comparison(pairs["lost"])])


def add_one(value: Any) -> Any:
    """Return data in which every number is one more, in texts, too; tags of HTML and F1 stay."""
    if isinstance(value, str):
        return re.sub(r"(</?\w[^>]*>)|(?<![A-Za-z])\d+", lambda part: part[1] or str(int(part[0]) + 1), value)
    if isinstance(value, dict):
        return {key: add_one(item) for key, item in value.items()}
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*map(add_one, value))
    if isinstance(value, list | tuple):
        return type(value)(map(add_one, value))
    return value + 1 if isinstance(value, int | float) and not isinstance(value, bool) else value


def test_walk_asks_for_what_pages_show(runs: Mapping[str, str]):
    claims = [claim for claim in walk(runs["loan"]) if claim.surface == "the room"]
    titles = {claim.fact: keep_together(str(claim.value)) for claim in claims}
    shown = {
        f"title of {view.surface}": open_page(view.page, run=runs["loan"], **view.parameters).title[0].value
        for view in VIEWS
        if f"title of {view.surface}" in titles
    }
    assert shown == titles and len(titles) >= 11


def test_figures_agree_as_far_as_they_are_written():
    assert read_figure("97.5 %") == Figure(pytest.approx(0.9745), pytest.approx(0.9755))
    agree = [("0.975", "97.5 %"), ("0.9746", "0.975"), ("< 0.1 %", "0.0004"), ("undefined", "undefined: 0/0")]
    differ = [("0.973", "97.5 %"), ("0.9744", "0.975"), ("< 0.1 %", "0.002"), ("undefined", "0.000")]
    for pair in (*agree, *differ):
        claims = [Claim("x", text, read_figure(text)) for text in pair]
        assert bool(contradictions(claims)) == (pair in differ), pair
    assert exact(float("nan")) == read_figure("undefined")


def test_shared_counts_say_the_same(runs: Mapping[str, str]):
    token = share.share("digits", counts_only=True).token
    said = ask_pages(token, "overview", "classes")
    assert len(said) > 30 and contradictions([*walk("digits"), *said]) == []
