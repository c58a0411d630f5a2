#!/bin/sh
# Installs into the environment of $PYTHON what the arguments name, as pip would: install_packages.sh -r requirements.txt
set -u

pip_install() {
    "$PYTHON" -m pip install --quiet --disable-pip-version-check --no-compile "$@" # compiling all takes many times as long
}

# uv takes a tenth of pip's time. It reads nothing of pip's settings: where these name a registry, pip asks that alone.
own_registry() {
    "$PYTHON" -m pip config list 2>/dev/null | grep -Eq '\.(index-url|no-index)='
}

if ! own_registry && pip_install uv==0.13.9 2>/dev/null; then
    "$PYTHON" -m uv pip install --quiet --python "$PYTHON" "$@" 2>/dev/null && exit 0
fi
pip_install "$@"
