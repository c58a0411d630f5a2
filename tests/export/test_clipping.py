"""Test that what log loss does with probabilities of 0 and 1 stands wherever log loss is shown."""

import html

from command.score import score_results
from export.measurement import measure
from export.numbers import scored_numbers
from export.report.page import html_report
from export.result.terminal import write_terminal
from metrics.catalogue.registry import REGISTRY
from metrics.scores.probabilities import CLIPPING
from tests.export.evaluations import sample


def test_clipping_is_stated_where_log_loss_is_shown():
    scored, bare = sample("screening"), sample("support-intents-llm")
    measured = measure(scored)
    numbers = scored_numbers(measured)
    terminal = "".join(map(write_terminal, score_results(measured, [])))
    assert "2.2e-16" in CLIPPING
    assert numbers["log_loss_clipping"] == CLIPPING
    assert CLIPPING in REGISTRY["binary", "log_loss"].pitfall
    assert CLIPPING in terminal
    assert html.escape(CLIPPING) in html_report(scored).decode()
    assert "log_loss_clipping" not in scored_numbers(measure(bare))
    assert html.escape(CLIPPING) not in html_report(bare).decode().partition("<script")[0]
