"""`score`, `compare` and `agree` print their results in every format that there is."""

import re

import pytest

from command.score import score_results
from export.measurement import measure
from export.result.formats import FORMATS
from tests.command.scored import scored_text
from tests.csv_files import write_csv
from tests.export.evaluations import sample

pytestmark = pytest.mark.usefixtures("module_reads_here")


def test_markdown_holds_what_the_terminal_holds(tmp_path, capsys):
    columns = {"y_true": ["spam", "ham", "ham", "*eggs*"], "y_pred": ["ham", "ham", "ham", "ham"]}
    file = write_csv(tmp_path / "p.csv", columns)
    text, markdown = scored_text(capsys, file), scored_text(capsys, file, "--format", "markdown")
    assert "### `p.csv`: 4 rows, 4 scored, 3 classes" in markdown and "| `*eggs*` |" in markdown
    assert re.search(r"Accuracy  +(.*?)  ", text)[1] == re.search(r"\| Accuracy \| (.*?) \|", markdown)[1]


@pytest.mark.parametrize("name", FORMATS)
def test_formats_write_every_result(name):
    """Each format has the headline, the sentences, and the name and the numbers of every class."""
    evaluation = sample("support-intents-llm")
    results = score_results(measure(evaluation), ["`<b>` warns"])
    written = [FORMATS[name](result) for result in results]
    assert all(written) and "77 classes" in written[0] and "122 of 600 rows" in "".join(written)
    words = set(re.findall(r"[A-Za-z]+", written[-1]))
    assert words > {word for label in evaluation.labels for word in re.findall(r"[A-Za-z]+", label)}
    assert len(re.findall(r"\b[01]\.\d", written[-1])) > 3 * len(evaluation.labels)
