#!/bin/sh
# Makes sure the tests of docs/deployment.md find nginx and openssl: those of the machine, else the system's packages.
# It always succeeds: without them tests/deployment/test_nginx.py is skipped, and this says so.
set -u
PATH=$PATH:/usr/sbin:/usr/local/sbin

have() {
    command -v nginx >/dev/null && command -v openssl >/dev/null
}

have && exit 0

if command -v apt-get >/dev/null; then
    sudo=
    [ "$(id -u)" = 0 ] || sudo="sudo -n"
    echo "No nginx found: installing the system's package." >&2
    { $sudo apt-get update && $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends nginx-light openssl; } >/dev/null 2>&1
    have && exit 0
fi

echo "The tests of nginx's configuration are skipped; to run them, install nginx and openssl (Debian: sudo apt install nginx-light openssl)." >&2
exit 0
