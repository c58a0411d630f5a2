"""Text for a terminal."""


def visible(text: str) -> str:
    r"""Spell out what would move the cursor or reorder the line of a terminal.

    >>> visible("a\x1b[2Jb")
    'a\\x1b[2Jb'
    """
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
