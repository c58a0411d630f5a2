"""Version of Blindspot, which stands in everything that leaves it, and what its command is called here."""

from pathlib import Path

VERSION = "1.0.0"
IS_INSTALLED = Path(__file__).resolve().parents[1].name == "_app"
"""True for an installed package (the folder that client/pyproject.toml gives the app), or the repository."""
COMMAND = "blindspot" if IS_INSTALLED else "python cli.py"


def install_command(extra: str) -> str:
    """Return the command that installs what is optional: app, models, login or object-store.

    >>> install_command("models")
    'pip install -r requirements-models.txt'
    """
    return f"pip install 'blindspot[{extra}]'" if IS_INSTALLED else f"pip install -r requirements-{extra}.txt"
