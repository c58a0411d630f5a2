"""Reading the hand-written phrase files, and small text noise: what the text samples are made from."""

from __future__ import annotations

from pathlib import Path

import numpy as np

HERE = Path(__file__).parent


def read_phrases(name: str) -> dict[str, list[str]]:
    """Return headings of a phrase file and the indented lines below each, in file order.

    >>> list(read_phrases("genres.txt"))[:3]
    ['common', 'action', 'comedy']
    """
    phrases: dict[str, list[str]] = {}
    heading = ""
    for line in (HERE / name).read_text(encoding="utf-8").splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        if line.startswith(" "):
            phrases[heading].append(line.strip())
        else:
            heading = line.strip()
            phrases[heading] = []
    return phrases


def pick(rng: np.random.Generator, options: list[str] | tuple[str, ...]) -> str:
    """Choose one of the options, each as likely."""
    return options[int(rng.integers(len(options)))]


def misspell(rng: np.random.Generator, text: str) -> str:
    """Swap two neighbouring characters of a text, as a hurried hand does (never the first one)."""
    if len(text) < 4:
        return text
    place = int(rng.integers(1, len(text) - 2))
    return text[:place] + text[place + 1] + text[place] + text[place + 2 :]
