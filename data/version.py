"""Version of Blindspot, which stands in everything that leaves it, and what its command is called here."""

from pathlib import Path

VERSION = "1.0.0"
IS_INSTALLED = Path(__file__).resolve().parents[1].name == "_app"
"""True for an installed package (the folder that client/pyproject.toml gives the app), or the repository."""
COMMAND = "blindspot-eval" if IS_INSTALLED else "python cli.py"
WHEEL = f"./dist/blindspot_eval-{VERSION}-py3-none-any.whl"
"""The package as `make dist` leaves it."""
IS_PUBLISHED = False
"""True once its owner has published `blindspot-eval` on the package index; until then the name may be anybody's."""
_INDEX_PACKAGE = "blindspot-eval"


def install_command(extra: str) -> str:
    """Return the command that installs what is optional: app, models, login, object-store, engines, mcp or spark.

    >>> install_command("models"), install_command("app")
    ('pip install -r requirements-models.txt', 'pip install -r requirements.txt')
    """
    if not IS_INSTALLED:
        return f"pip install -r {'requirements' if extra == 'app' else f'requirements-{extra}'}.txt"
    return f"pip install '{_INDEX_PACKAGE if IS_PUBLISHED else WHEEL}[{extra}]'"
