"""Collect what the page Compare, the command and its Markdown claim of two or more runs on the same rows."""

import contextlib
import io
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from streamlit.testing.v1 import AppTest

import cli
from data.comparison.run_names import RunName, write_runs
from export.interval_text import FEW_DECIDE
from metrics.catalogue.registry import ROWS, class_rows
from tests.opened_pages import open_page
from tests.opened_runs import keep_file
from tests.walk.claims import Claim, Facts, claims_of, exact, plain, read_figure, whole

METRICS = ("accuracy", "macro_f1", "subset_accuracy", "roc_auc")
_NAMES = {row.name: row.key for row in ROWS if not row.eats.endswith("one class")} | {
    row.name: key for key, row in class_rows("binary").items()
}
_CHIPS = {"Broken": "broken", "Fixed": "fixed", "Same wrong label": "wrong_alike", "Same wrong labels": "wrong_alike"}
_FLIPS = {
    "both right": "both_right", "fixed: wrong in A, right in B": "fixed", "broken: right in A, wrong in B": "broken",
    "wrong in both, the same prediction": "wrong_alike",
}  # fmt: skip


def write_pairs(folder: Path) -> dict[str, list[Path]]:
    """Write files of runs: a clear difference, none, three runs, label sets, and two classes with scores."""
    rng, n = np.random.default_rng(5), 500
    truth = rng.integers(0, 4, n)
    sets = rng.choice(["a|b", "a", "b|c", "c", "a|c"], n)
    positive = rng.integers(0, 2, n)

    def write(name: str, **columns: object) -> Path:
        path = folder / f"{name}.csv"
        rows = zip(range(n), *columns.values(), strict=True)
        path.write_text("\n".join([",".join(["id", *columns]), *(",".join(map(str, row)) for row in rows)]))
        return path

    def predict(name: str, right: float) -> Path:
        other = rng.integers(0, 4, n)
        codes = np.where(rng.random(n) < right, truth, other)
        return write(name, label=[f"c{code}" for code in truth], prediction=[f"c{code}" for code in codes])

    def score(name: str, noise: float) -> Path:
        return write(name, label=positive, score=np.clip(0.3 + 0.4 * positive + rng.normal(0, noise, n), 0, 1).round(4))

    def score_few(name: str, noise: float) -> Path:
        """Return scores of few positives: their areas and losses are grey."""
        few = np.arange(n) < 16
        return write(
            name, label=few.astype(int), score=np.clip(0.3 + 0.4 * few + rng.normal(0, noise, n), 0, 1).round(4)
        )

    def label(name: str, right: float) -> Path:
        return write(name, labels=sets, predictions=np.where(rng.random(n) < right, sets, "b"))

    weak, near, strong = predict("weak", 0.7), predict("near", 0.72), predict("strong", 0.85)
    return {
        "clear": [weak, strong],
        "lost": [strong, weak],
        "close": [weak, near],
        "three": [weak, near, strong],
        "scores": [score("noisy", 0.4), score("sharp", 0.15)],
        "few": [score_few("steady", 0.1), score_few("shaky", 0.4)],
        "sets": [label("some", 0.7), label("most", 0.85)],
    }


def ask_comparison(paths: Sequence[Path]) -> list[Claim]:
    """Return what every surface claims of runs that have the same rows."""
    return [*ask_compare_command(paths), *ask_compare_page(paths)]


def ask_compare_command(paths: Sequence[Path]) -> list[Claim]:
    """Return what `compare` claims in JSON, on the terminal and as Markdown, and `score` of each file by itself."""
    numbers = json.loads(_run("compare", *paths, "--json"))
    claims = [*claims_of("JSON", _facts_of_json(numbers))]
    printed, markdown = _run("compare", *paths), _run("compare", *paths, "--markdown").replace("`", "")
    claims += claims_of("terminal", _facts_of_sentences(printed, numbers))
    claims += claims_of(
        "terminal", _facts_of_cells((re.split(r"  +", line.strip()) for line in printed.split("\n")), numbers)
    )
    claims += claims_of("Markdown", _facts_of_sentences(markdown.replace("\n\n", ", ", 1), numbers))
    cells = ([cell.strip() for cell in line.strip("| ").split("|")] for line in markdown.split("\n"))
    claims += claims_of("Markdown", _facts_of_cells(cells, numbers))
    for path in paths:
        alone = json.loads(_run("score", path, "--json"))
        model = next(model for model in numbers["models"] if model["name"] == path.name)
        shared = [key for key in alone["intervals"] if key in model and key in alone and "label_space" not in key]
        claims += claims_of(f"score {path.name}", ((f"{key} of {path.name}", exact(alone[key])) for key in shared))
    return claims


def _run(*arguments: object) -> str:
    """Return what a command prints."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        assert not cli.main([str(argument) for argument in arguments])
    return plain(printed.getvalue())


def _facts_of_json(numbers: Mapping[str, Any]) -> Facts:
    metric, names = numbers["metric"], [model["name"] for model in numbers["models"]]
    yield "rows joined", numbers["rows"]["joined"]
    for model in numbers["models"]:
        for key, interval in model.items():
            if isinstance(interval, dict) and "value" in interval:
                yield f"{key} of {model['name']}", exact(interval["value"])
    for place, tier in enumerate(numbers["tiers"]):
        for name in tier:
            yield f"tier of {name}", place + 1
    first = numbers["pairs"][0]
    moved = first["differences"][metric]
    yield "change from A to B", exact(moved["value"])
    for key, each in first["differences"].items():
        yield f"{key} is judged", each["p"] is not None
    for kind, n in first["flips"].items():
        yield f"rows {kind}", n
    if len(names) == 2:
        clear = moved["low"] > 0 or moved["high"] < 0
        yield "better run", (names[int(moved["value"] > 0)] if clear else "")


def _facts_of_sentences(text: str, numbers: Mapping[str, Any]) -> Facts:
    """Yield what sentences say of A and B: the better run, their values, what is fixed, broken and lost most."""
    a, b = (re.escape(model["name"]) for model in numbers["models"][:2])
    value = r"(\d[\d.]*(?: ?%)?)"
    pair = re.search(
        rf"(?:{b} (is|looks) (better|worse)|No difference found between {a} and {b}): [^.:]*?{value} → {value}", text
    )
    if pair is None:
        return
    clear, side, before, after = pair.groups()
    yield "better run", (numbers["models"][int(side == "better")]["name"] if clear == "is" else "")
    for model, value in zip(numbers["models"], (before, after), strict=False):
        yield f"{numbers['metric']} of {model['name']}", read_figure(value)
    rest = text[pair.end() :].partition("\n")[0]
    moved, changed = (
        re.search(r"([+−][\d.]+)( points)? \(95\s%", rest),
        re.search(r"fixes ([\d,]+) rows? and breaks ([\d,]+)", rest),
    )
    if moved:
        yield "change from A to B", read_figure(moved[1].replace("+", "") + (" %" if moved[2] else ""))
    if changed:
        yield from (("rows fixed", whole(changed[1])), ("rows broken", whole(changed[2])))
    lost = re.search(r"the largest clear loss is in ([^.]+)\.", rest)
    if changed:
        yield "label that lost the most", lost[1].strip("'") if lost else ""


def _facts_of_cells(lines: Iterable[Sequence[str]], numbers: Mapping[str, Any]) -> Facts:
    """Yield what the lines of tables say: runs in tiers, rows by who has them right, metrics of A and B.

    Tables of a second pair are left out.
    """
    names = [model["name"] for model in numbers["models"]]
    seen: set[str] = set()
    for head, *cells in lines:
        if head in seen or not cells:
            continue
        seen.add(head)
        if head in names and cells[0].isdecimal():
            yield f"tier of {head}", int(cells[0])
            yield f"{numbers['metric']} of {head}", read_figure(cells[1])
        elif head in _FLIPS:
            yield f"rows {_FLIPS[head]}", whole(cells[0])
        elif head in _NAMES:
            for name, value in zip(names[:2], cells, strict=False):
                yield f"{_NAMES[head]} of {name}", read_figure(value)
            is_grey = FEW_DECIDE in cells[2]
            yield f"{_NAMES[head]} is judged", any(cells[3:]) and not is_grey


def ask_compare_page(paths: Sequence[Path]) -> list[Claim]:
    """Return what the page Compare claims of files that are opened and added."""
    runs = [keep_file(path) for path in paths]
    app = open_page("compare", run=runs[0], **{"with": write_runs([RunName("run", run) for run in runs[1:]])})
    return [*claims_of("Compare", _facts_of_page(app, [path.name for path in paths]))]


def _facts_of_page(app: AppTest, names: Sequence[str]) -> Facts:
    captions = [plain(caption.value).replace("`", "") for caption in app.caption]
    change = next((text for text in captions if re.match(r"but among|[+−]", text)), "")
    tables = {table["label"]: table for table in sent(app, "result_table")}
    title = next(title for title in tables if title.startswith("Runs by"))
    metric = _NAMES[title.removeprefix("Runs by ")]
    numbers = {"models": [{"name": name} for name in names], "metric": metric}
    yield from _facts_of_sentences(plain(f"{app.title[0].value}, {change}").replace("`", ""), numbers)
    yield from (("rows joined", whole(text.split()[0])) for text in captions if " joined by " in text)
    for option in next(group for group in app.button_group if group.label == "Rows").options:
        kind, n = re.findall(r"(.+) \*\*([\d,]+)\*\*", option)[0]
        if kind in _CHIPS:
            yield f"rows {_CHIPS[kind]}", whole(n)
    for part in sent(app, "flips")[0]["parts"]:
        yield f"rows {part[2].replace(' ', '_')}", whole(part[1])
    yield from _facts_of_runs(tables[title], metric)
    said = next(part.value for part in app.header if re.match("Recall (falls|is the same)", part.value))
    most = re.search(r"the largest clear loss is in `+ ?(.+?) ?`+$", said)
    yield "label that lost the most", most[1] if most else ""
    if most:
        yield "label that lost the most", tables["Classes by change"]["rows"][0]["cells"][0]["text"]


def _facts_of_runs(table: Mapping[str, Any], metric: str) -> Facts:
    tier = 1
    for row in table["rows"]:
        if "heading" in row:
            tier = int(row["heading"][0].removeprefix("Tier "))
        name, value, _ = row["cells"]
        yield f"tier of {name['text']}", tier
        yield f"{metric} of {name['text']}", read_figure(value["text"])


def sent(app: AppTest, component: str) -> list[dict[str, Any]]:
    """Return what components of a name are sent."""
    parts = (part.proto for part in app.get("bidi_component"))
    return [json.loads(part.json) for part in parts if part.component_name == f"blindspot_{component}"]
