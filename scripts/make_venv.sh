#!/bin/sh
# Makes the virtual environment $VENV with $PYTHON. Debian ships Python without what that takes: it is installed here.
set -u

existed=$([ -e "$VENV" ] && echo yes)
make_it() {
    "$PYTHON" -m venv "$VENV" && return 0
    [ "$existed" ] || rm -rf "$VENV" # half of one would be taken for a whole one next time
    return 1
}

make_it >/dev/null 2>&1 && exit 0

package=$("$PYTHON" -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])')
if command -v apt-get >/dev/null; then
    sudo=
    [ "$(id -u)" = 0 ] || sudo="sudo -n"
    echo "Python's venv module is missing: installing $package." >&2
    { $sudo apt-get update && $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$package"; } >/dev/null 2>&1
fi

make_it && exit 0
echo "The virtual environment $VENV could not be made: install Python's venv module (Debian, Ubuntu: sudo apt install $package)." >&2
exit 1
