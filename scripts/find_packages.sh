#!/bin/sh
# Makes sure that tests find the programs they need: those of the machine, else the system's packages.
# It always succeeds: without its programs a test is skipped, and this says so.
set -u
PATH=$PATH:/usr/sbin:/usr/local/sbin

have() {
    for program in $1; do
        command -v "$program" >/dev/null || return 1
    done
}

# What is tested, the programs, Debian's packages.
find() {
    have "$2" && return
    if command -v apt-get >/dev/null; then
        sudo=
        [ "$(id -u)" = 0 ] || sudo="sudo -n"
        echo "No $2 found: installing the system's package." >&2
        { $sudo apt-get update && $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $3; } >/dev/null 2>&1
        have "$2" && return
    fi
    echo "The tests of $1 are skipped; to run them, install $2 (Debian: sudo apt install $3)." >&2
}

find "nginx's configuration" "nginx openssl" "nginx-light openssl"
find "the pages in Firefox" "firefox-esr" "firefox-esr"
exit 0
