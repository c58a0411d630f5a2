#!/bin/sh
# Installs into the environment of $PYTHON what the arguments name, as pip would: install_packages.sh -r requirements.txt
set -u

pip_install() {
    "$PYTHON" -m pip install --quiet --disable-pip-version-check --no-compile "$@" # compiling all takes many times as long
}

# uv takes a tenth of pip's time. It does not read pip's configuration: where that names the only registry, pip is left.
pip_install uv==0.13.9 2>/dev/null && "$PYTHON" -m uv pip install --quiet --python "$PYTHON" "$@" 2>/dev/null && exit 0
pip_install "$@"
