"""Write Markdown for the screen: uploaded text reaches a page only through here.

Labels, column names and file names are hostile: Streamlit's text elements render them as live markup.
They pass through `md` (a code span), or `st.text`, `st.code`, `st.dataframe` after `text.visible.show`.
"""

from __future__ import annotations

import re

from text import numbers
from text.visible import keep_together, show


def md(text: str, limit: int = 80) -> str:
    """Write uploaded text for a Markdown string: a code span, which nothing inside can leave.

    >>> md("**bold**"), md("a`b"), md(":material/home:")
    ('`**bold**`', '``a`b``', '`:material`&#47;`home:`')
    """
    # Streamlit makes ":material/" ":material_" before it reads the Markdown, code spans included: the "/" goes outside.
    return "&#47;".join(part and _code_span(part) for part in re.split(r"(?<=:material)/", show(text, limit)))


def _code_span(shown: str) -> str:
    fence = "`" * (1 + max((len(run) for run in re.findall(r"`+", shown)), default=0))
    pad = " " if shown.startswith("`") or shown.endswith("`") or not shown.strip() else ""
    return f"{fence}{pad}{shown}{pad}{fence}"


def percent(share: float) -> str:
    r"""Write a share as a percentage that no line is broken in; 0/0 reads "undefined".

    >>> percent(0.5)
    '50.0\xa0%'
    """
    return keep_together(numbers.percent(share))
