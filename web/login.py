"""Tell whether people log in on this server."""

from __future__ import annotations

from streamlit.runtime.secrets import secrets_singleton

from data import environment


def has_login() -> bool:
    """Return whether people have to log in: Streamlit's login has its secrets, or a proxy names the person."""
    return has_own_login() or bool(environment.value("BLINDSPOT_USER_HEADER"))


def has_own_login() -> bool:
    """Return whether the secrets have an `[auth]` section."""
    return bool(secrets_singleton.load_if_toml_exists() and "auth" in secrets_singleton)
