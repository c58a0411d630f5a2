"""A login that is set up wrongly, or gets lost, lets nobody in."""

import os
import re
import subprocess
import sys

import pytest
import streamlit as st
from streamlit import config
from streamlit.runtime.secrets import Secrets

from data.environment import SettingError
from data.store import access
from tests.access.tab import COOKIE_SECRET, SECRETS
from tests.browser.driver import ROOT
from tests.ceiling import CEILING_SECONDS
from ui.person import people
from web import login, start

WHOLE = SECRETS.format(port=8501, secret=COOKIE_SECRET)


def test_unusable_secrets_are_refused_in_one_sentence(tmp_path, monkeypatch):
    path = tmp_path / "secrets.toml"
    monkeypatch.setattr(access, "LOGINS", [])
    option = config.get_option
    monkeypatch.setattr(config, "get_option", lambda name: [str(path)] if name == "secrets.files" else option(name))
    for secrets, sentence in (
        ("[auth\n", "is no TOML file that can be read, so a login in it is lost; correct it."),
        (WHOLE + "\n[auth]\n", "is no TOML file that can be read"),
        ("[auth]\n", "lacks redirect_uri, cookie_secret, client_id, client_secret, server_metadata_url"),
        (WHOLE.replace(COOKIE_SECRET, ""), "lacks cookie_secret; docs/deployment.md has an example."),
        (WHOLE.replace(COOKIE_SECRET, "x" * 31), "cookie_secret of the [auth] has 31 characters, 32 are needed"),
    ):
        path.write_text(secrets, encoding="utf-8")
        for module in (start, login):
            monkeypatch.setattr(module, "secrets_singleton", Secrets())
        with pytest.raises(SettingError, match=re.escape(sentence)):
            start.require_usable_secrets()


def test_server_does_not_start_with_unusable_secrets(tmp_path):
    (tmp_path / ".streamlit").mkdir()
    (tmp_path / ".streamlit/secrets.toml").write_text("[auth\n", encoding="utf-8")
    ended = subprocess.run(
        [sys.executable, "server.py", "--port", "0"], cwd=ROOT, env={**os.environ, "HOME": str(tmp_path)},
        capture_output=True, text=True, timeout=CEILING_SECONDS, check=False,
    )  # fmt: skip
    assert ended.returncode == 2 and "is no TOML file that can be read" in ended.stderr
    assert "Traceback" not in ended.stderr


def test_lost_secrets_let_nobody_in(monkeypatch):
    read = {"auth": {}}
    monkeypatch.setattr(access, "LOGINS", [])
    monkeypatch.setattr(type(st.secrets), "load_if_toml_exists", lambda self: bool(read))
    monkeypatch.setattr(type(st.secrets), "__contains__", lambda self, name: name in read, raising=False)
    assert people.has_login() and not people.may_change()
    read.clear()
    assert people.has_login() and not people.may_change()


@pytest.mark.parametrize(("exists", "has_login"), [(True, True), (False, False)])
def test_unreadable_secrets_count_as_a_login(exists, has_login, tmp_path, monkeypatch):
    path = tmp_path / "secrets.toml"
    if exists:
        path.write_text("[auth", encoding="utf-8")
    monkeypatch.setattr(access, "LOGINS", [])
    monkeypatch.setattr(type(st.secrets), "load_if_toml_exists", lambda self: False)
    monkeypatch.setattr(people, "_secret_files", lambda: (path,))
    assert people.has_login() is has_login
    path.unlink(missing_ok=True)
    assert people.has_login() is has_login, "and it stays so"
