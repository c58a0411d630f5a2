"""The report holds the numbers that the pages show, asks nobody for anything, and keeps what it was not asked for."""

import base64
import hashlib
import html
import json
import re
from html.parser import HTMLParser

import numpy as np
import pyarrow as pa
import pytest
from sklearn import metrics

from charts import theme
from data.building.build import build
from data.errors import DataError
from data.evaluation import Settings
from data.rows import made_files
from data.rows.limited_export import make_file
from export.limits import MAX_PICTURED_CLASSES
from export.measurement import measure
from export.overview.lenses import lenses_of
from export.pictures import matrix, svg
from export.pictures.words import width
from export.report.page import html_report
from export.report.rows import choose_rows
from metrics.confusion.counts import confusion_counts_from_matrix
from metrics.findings.tables import count_confusions
from tests.data.rows.test_row_files import repeated
from tests.export.evaluations import HOSTILE, hostile, made, sample
from text.visible import show

KEYS = ["screening", "support-intents", "movie-genres", "support-intents-llm", "digits"]


class Page(HTMLParser):
    """A report as a browser takes it apart: tags, attributes, the text of tables, and what the scripts hold."""

    VOID = frozenset(["meta", "link", "br", "hr", "img", "input"])

    def __init__(self, content: bytes) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.scripts: list[tuple[dict[str, str | None], str]] = []
        self.styles: list[str] = []
        self.cells: dict[str, list[list[str]]] = {}
        self._table = ""
        self._in: list[str] = []
        self.feed(content.decode())

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in self.VOID and not (self.get_starttag_text() or "").endswith("/>"):
            self.open.append(tag)
        if tag == "script":
            self.scripts.append((dict(attrs), ""))
        if tag == "style":
            self.styles.append("")
        if tag == "table":
            self._table = dict(attrs)["id"]
            self.cells[self._table] = []
        if tag == "tr" and self._table:
            self.cells[self._table].append([])
        if tag in ("td", "th") and self._table:
            self.cells[self._table][-1].append("")

    def handle_startendtag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open and self.open[-1] == tag, f"</{tag}> closes {self.open[-3:]}"
        self.open.pop()
        if tag == "table":
            self._table = ""

    def handle_data(self, data):
        if self.open and self.open[-1] == "script":
            attributes, before = self.scripts[-1]
            self.scripts[-1] = (attributes, before + data)
        elif self.open and self.open[-1] == "style":
            self.styles[-1] += data
        elif self._table and {"td", "th"} & set(self.open):
            self.cells[self._table][-1][-1] += data


def of(evaluation, **options) -> Page:
    page = Page(html_report(evaluation, **options))
    assert page.open == [], "every element is closed"
    return page


@pytest.mark.parametrize("key", KEYS)
def test_report_of_every_task_is_whole_html(key):
    page = of(sample(key))
    ids = [attributes["id"] for _, attributes in page.tags if "id" in attributes]
    assert len(ids) == len(set(ids))
    for tag, attributes in page.tags:
        for name, value in attributes.items():
            assert not name.startswith("on") and name != "style", f"{tag} {name}: the policy blocks it"
            if name in ("src", "href", "srcset", "action", "data", "poster") and tag != "button":
                assert (value or "").startswith(("#", "data:")), f"{tag} {name}={value}"
    styles = "".join(page.styles)
    assert "@import" not in styles and set(re.findall(r'url\("(\w+:\w+/\w+);', styles)) == {"data:font/woff2"}
    assert styles.count("url(") == 1


@pytest.mark.parametrize("key", KEYS)
def test_policy_names_exactly_the_scripts_and_styles(key):
    page = of(sample(key))
    policy = next(a["content"] for tag, a in page.tags if tag == "meta" and "http-equiv" in a)
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert rules["default-src"] == "'none'" and "unsafe" not in policy and "http" not in policy

    def digest(text):
        return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"

    code = [text for attributes, text in page.scripts if attributes.get("type") != "application/json"]
    assert [digest(text) for text in code] == rules["script-src"].split()
    assert sorted(map(digest, page.styles)) == sorted(rules["style-src"].split())


def test_table_of_classes_equals_scikit_learn():
    e = sample("digits")
    scored = [(e.labels[a], e.labels[b]) for a, b in zip(e.y_true[e.scored], e.y_pred[e.scored], strict=True)]
    wanted = metrics.classification_report(*zip(*scored, strict=True), output_dict=True)
    head, *body = of(e).cells["classes"]
    at = {name: head.index(name) for name in ("Precision", "Recall", "F1", "True rows")}
    assert len(body) == 10
    for row in body:
        for name, place in at.items():
            value = wanted[row[0]][{"F1": "f1-score", "True rows": "support"}.get(name, name.lower())]
            assert row[place] == (f"{value:,.0f}" if name == "True rows" else f"{value:.3f}")


def test_rates_of_few_rows_are_grey():
    text = html_report(sample("support-intents")).decode()
    classes = text[text.index('id="classes"') :]
    line = re.search(r'<tr><th scope="row">network_roaming.*?</tr>', classes)[0]
    assert 'class="n undefined" data-v="1.0">1.000' in line, "precision of one predicted row"
    assert "Grey: too few rows to tell, or too few rows decide it." in text


def test_matrix_has_the_colours_of_the_page():
    """Correct cells are linear, errors follow the square root; each scale ends at its own largest share."""
    counts = confusion_counts_from_matrix([[3, 1, 0], [0, 2, 2], [0, 0, 4]], ("a", "b", "c"))
    drawn = matrix.matrix_picture(counts, "t").canvas.drawn("matrix")
    opacity = {hover: float(strong or 1) for strong, hover in re.findall(
        r'<rect [^>]*?fill="#[0-9a-f]{6}"(?: fill-opacity="([\d.]+)")?><title>([^<]*)</title>', drawn)}  # fmt: skip
    assert opacity["4 of 4 rows of c predicted as c (100.0 %)"] == 1
    assert opacity["2 of 4 rows of b predicted as b (50.0 %)"] == pytest.approx(0.16 + 0.84 * 0.5)
    assert opacity["1 of 4 rows of a predicted as b (25.0 %)"] == pytest.approx(0.16 + 0.84 * 0.5**0.5, abs=0.01)
    words = re.findall(r"<text[^>]*>([^<]*)</text>", drawn)
    assert {"Predicted class", "True class", "Correct", "Errors"}.issubset(words)
    starts = re.findall(r'<text x="([\d.]+)" y="[\d.]+"(?: class="heavy")?>([^<]*)</text>', drawn)
    assert len(starts) == 6, "two scales: a word, 0 % and the largest share"
    assert max(float(x) + width(word, 11) for x, word in starts) <= float(re.search(r' width="([\d.]+)"', drawn)[1])


def test_picture_of_few_classes_shrinks_on_a_phone():
    assert 'class="scroll wide"' not in html_report(sample("digits")).decode()
    assert 'class="scroll wide"' in html_report(sample("support-intents")).decode()


def test_matrix_twin_adds_up_to_scored_rows():
    e = sample("digits")
    body = of(e).cells["matrix-table"][1:]
    counted = np.array([[int(cell.replace(",", "")) for cell in row[1:]] for row in body])
    names = np.array(e.labels)
    assert (counted == metrics.confusion_matrix(names[e.y_true[e.scored]], names[e.y_pred[e.scored]])).all()
    many = sample("support-intents")
    assert sum(int(row[2].replace(",", "")) for row in of(many).cells["matrix-table"][1:]) == many.n_scored


def test_tile_says_why_roc_auc_is_undefined():
    table = pa.table({"y": ["no"] * 4, "s": [0.1, 0.7, 0.3, 0.2]})
    settings = Settings(truth="y", scores=(("s", "yes"),), label_set=("no", "yes"))
    page = html_report(build(table, settings, name="t", content_sha256="0")).decode()
    shown = re.search(r'<h3>ROC AUC</h3>.*?<p class="figure(?: few)?">(.*?)</p>.*?<p class="note">(.*?)</p>', page)
    assert shown is not None and shown.groups() == ("undefined", "no row is positive")


def test_undefined_and_three_kinds_of_absence_differ():
    labels = ("asked", "never said", "not asked")
    e = made(labels[:2], 4)
    e = type(e)(**{**vars(e), "labels": (*labels, "made up"), "n_space": 3, "y_true": np.array([0, 0, 1, 1], np.int32),
                   "y_pred": np.array([0, 3, 0, 0], np.int32)})  # fmt: skip
    page, text = of(e), html_report(e).decode()
    never = next(row for row in page.cells["classes"] if row[0] == "never said")
    assert never[1:3] == ["undefined", "0.000"] and never[-1] == "never predicted"
    assert [row[-1] for row in page.cells["classes"][1:]] == [
        "never predicted", "not in the label list", "", "not in the data",
    ]  # fmt: skip
    for title in ("Never predicted: 1", "Not in the data: 1", "Not in the label list: 1"):
        assert title in text


def test_settings_are_written_as_json():
    evaluation = hostile()
    shown = re.search(r"<pre>(.*?)</pre>", html_report(evaluation).decode(), re.DOTALL)
    text = html.unescape(shown[1])
    assert json.loads(text) == json.loads(json.dumps(evaluation.settings.to_json())) and '\n "truth"' in text


def test_report_begins_as_overview_does():
    e = sample("support-intents")
    text = html_report(e).decode()
    measured = measure(e)
    assert "<h1>57.2\u00a0% accurate, but 15 classes with 277 true rows in total are never predicted</h1>" in text
    assert re.findall(r'class="tile"><h3>(.*?)</h3>', text)[:5] == [lens.name for lens in lenses_of(measured)]
    lines = re.findall(r'<li class="(\w+)"><span class="severity"', text)
    assert lines == [finding.severity for finding in measured.findings]


def test_finding_links_to_its_chapter():
    text = html_report(sample("digits")).decode()
    assert text.count('href="#calibration">Calibration</a>') == 2, "of the finding and of the list of chapters"


def test_legend_filters_without_a_script():
    text = html_report(sample("support-intents")).decode()
    assert re.findall(r'<input type="checkbox" class="(\w+)">.*?</svg>([^<]*)<', text) == [
        ("serious", "Serious 2"), ("warning", "Worth a look 7"), ("info", "Good to know 1"),
    ]  # fmt: skip


def test_answers_without_label_are_counted_three_ways():
    e = sample("support-intents-llm")
    counts = count_confusions(e)
    right, read = int(counts.correct.sum()), counts.n - counts.n_unparsed
    text = html_report(e).decode()
    for share in (right / counts.n, right / read, counts.n_unparsed / counts.n):
        assert f"{share:.1%}".replace("%", "\u00a0%") in text


def test_two_accuracies_stand_side_by_side():
    e = sample("movie-genres")
    cells = {row[0]: row[1] for row in of(e).cells["accuracies-table"]}
    assert cells["Subset accuracy"] == f"{metrics.accuracy_score(e.y_true, e.y_pred):.1%}".replace("%", "\u00a0%")
    assert cells["Mean per-label accuracy"] == f"{1 - metrics.hamming_loss(e.y_true, e.y_pred):.1%}".replace(
        "%", "\u00a0%"
    )


def test_numbers_inside_equal_the_json_file():
    page = of(hostile())
    (data,) = (text for attributes, text in page.scripts if attributes.get("type") == "application/json")
    assert "<" not in data
    assert set(json.loads(data)["numbers"]["per_class"]) == set(HOSTILE)


def test_uploaded_text_is_text():
    page, content = of(hostile(), with_rows=True), html_report(hostile(), with_rows=True).decode()
    tags = {tag for tag, _ in page.tags}
    assert "img" not in tags and len(page.scripts) == 2
    assert not any(name.startswith("on") for _, attributes in page.tags for name in attributes)
    assert sorted(row[0] for row in page.cells["classes"][1:]) == sorted(show(label) for label in HOSTILE)
    assert "\u202e" not in content, "nothing turns a line around"
    assert html.escape(HOSTILE[0]) in content


def test_rows_stay_out_unless_they_are_asked_for():
    e = made(("a", "b", "c"), 50)
    assert "spoke up" not in html_report(e).decode() and "no row of the file" in html_report(e).decode()
    every = of(e, with_rows=True).cells["rows-table"]
    assert len(every) == 51 and sum("spoke up" in cell for row in every for cell in row) == 50


def test_limit_on_rows_keeps_wrong_ones():
    e = made(("a", "b", "c"), 50)
    wrong = np.flatnonzero(e.y_true != e.y_pred)
    assert 5 < len(wrong) < 25
    assert set(choose_rows(e, 5)) <= set(wrong) and set(choose_rows(e, 25)) >= set(wrong)
    text = html_report(e, with_rows=True, at_most=5).decode()
    assert "5 rows of 50" in text and len(of(e, with_rows=True, at_most=5).cells["rows-table"]) == 6


def test_left_out_rows_cannot_be_put_in():
    from data.columns.table_metadata import with_mark

    e = made(("a", "b"), 10)
    part = type(e)(**{**vars(e), "rows": with_mark(e.rows, counts_only=True)})
    html_report(part)
    with pytest.raises(DataError, match="left the rows out"):
        html_report(part, with_rows=True)


def test_nothing_to_score_is_one_sentence():
    e = made(("a", "b"), 10)
    none = type(e)(**{**vars(e), "scored": np.zeros(10, bool)})
    with pytest.raises(DataError, match="nothing to score"):
        html_report(none)


@pytest.mark.parametrize(("k", "most"), [(2, 400_000), (77, 3_000_000), (1_000, 4_000_000)])
def test_a_report_stays_small(k, most):
    e = made(tuple(f"a fairly long class name {i:04d}" for i in range(k)), 20 * k + 100)
    content = html_report(e)
    scripts = sum(len(text) for attributes, text in Page(content).scripts if attributes.get("type") is None)
    assert len(content) < most and scripts < 20_000


def test_folded_classes_are_named_and_lose_nothing():
    e = made(tuple(f"class {i:03d}" for i in range(150)), 2_000)
    drawn = matrix.matrix_picture(count_confusions(e), "t")
    assert drawn.block.n == 2_000 and drawn.block.n_classes == MAX_PICTURED_CLASSES
    assert f"The {MAX_PICTURED_CLASSES} classes with the most errors are drawn" in html_report(e).decode()


def test_how_many_classes_a_curve_shows_is_said():
    assert "Drawn: 6 of 10" in html_report(sample("movie-genres")).decode()


def test_colours_are_those_of_the_pages():
    assert (svg.MODEL, svg.ACCENT, svg.REFERENCE) == (theme.MODEL, theme.ACCENT, theme.REFERENCE)
    assert {colour for colour, _ in svg.LINES} == {colour for colour, _ in theme.LINES}


def test_strength_is_a_square_root():
    assert svg.strength(1e-9) >= svg.FAINTEST, "the smallest count above zero can be seen"
    assert svg.strength(0.25) == pytest.approx((svg.FAINTEST + 1) / 2), "a quarter is half as strong"


def test_picture_file_is_xml_with_its_style():
    from xml.etree import ElementTree

    canvas = matrix.matrix_picture(count_confusions(hostile()), HOSTILE[1]).canvas
    root = ElementTree.fromstring(svg.as_file(canvas))
    assert root.tag.endswith("svg") and root[0].tag.endswith("style")
    texts = [node.text for node in root.iter() if node.tag.endswith("}text")]
    assert show(HOSTILE[0], 26) in texts


def test_a_report_of_too_many_rows_is_refused(monkeypatch):
    monkeypatch.setenv("BLINDSPOT_EXPORT_MB", "16")
    evaluation = repeated(100_000)
    html_report(evaluation, with_rows=True, at_most=100)
    with pytest.raises(DataError) as refused:
        html_report(evaluation, with_rows=True, at_most=50_000)
    assert str(refused.value) == (
        "A report with 50,000 rows would be a file of some 26.6 MB; the limit is 16 MB: put fewer rows in, or whoever "
        "runs the server can raise it with BLINDSPOT_EXPORT_MB."
    )


def test_child_process_writes_the_same_report(own_store):
    options = {"with_rows": True, "at_most": 50, "view": {}}
    made = make_file(sample("digits"), "export.report.page:write_report", "report.html", run="", options=options)
    texts = (
        made.path.read_text(),
        html_report(sample("digits"), **options).decode(),
    )  # around this: the time of making
    body, wanted = (text.partition("<main>")[2].partition('<section id="about"')[0] for text in texts)
    assert body == wanted and "rows-table" in body
    made_files.drop_all()
