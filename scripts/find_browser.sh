#!/bin/sh
# Makes sure the browser tests find a Chromium: one in the PATH, else the system's package, else Playwright's own.
# It succeeds if there is one afterwards. $PYTHON is the environment that holds Playwright.
set -u

in_path() {
    for name in chromium-headless-shell chromium chromium-browser google-chrome; do
        # Ubuntu's package is a stub that only points at a snap: ask the browser itself.
        command -v "$name" >/dev/null && "$name" --version >/dev/null 2>&1 && return 0
    done
    return 1
}

playwrights_own() {
    "$PYTHON" - <<'END'
import pathlib, sys
from playwright.sync_api import sync_playwright
with sync_playwright() as playwright:
    sys.exit(not pathlib.Path(playwright.chromium.executable_path).exists())
END
}

in_path || playwrights_own && exit 0

if command -v apt-get >/dev/null; then
    sudo=
    [ "$(id -u)" = 0 ] || sudo="sudo -n"
    echo "No Chromium found: installing the system's package." >&2
    $sudo apt-get update >/dev/null 2>&1
    for package in chromium-headless-shell chromium; do # the first has no window, and does a page with a quarter less work
        $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$package" >/dev/null 2>&1
        in_path && exit 0
    done
fi

echo "No Chromium found: fetching Playwright's own." >&2
"$PYTHON" -m playwright install chromium >&2 && playwrights_own && exit 0

echo "The browser tests need Chromium or Google Chrome: install one (Debian: sudo apt install chromium) and try again." >&2
exit 1
