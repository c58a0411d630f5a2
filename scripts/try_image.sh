#!/bin/sh
# Builds the image and the Space (deploy/space/) with docker, or podman, starts each without rights, and waits for its health.
set -eu
cd "$(dirname "$0")/.."
for builder in docker podman; do
    "$builder" info >/dev/null 2>&1 && break
    builder=
done
[ "$builder" ] || { echo "Neither docker nor podman works here, so no image was built." >&2; exit 1; }

space=$(mktemp -d)
trap 'rm -rf "$space"; "$builder" rm --force blindspot-try >/dev/null 2>&1 || true' EXIT
cp deploy/space/* dist/*.whl constraints.txt "$space"

try() { # image, options of run
    image=$1
    shift
    "$builder" run --detach --name blindspot-try --read-only --tmpfs /tmp --cap-drop ALL --security-opt no-new-privileges \
        "$@" "$image" >/dev/null
    for _ in $(seq 60); do
        "$builder" exec blindspot-try python -c "import os, urllib.request as u; u.urlopen('http://127.0.0.1:' + os.environ['PORT'] + '/_stcore/health')" \
            2>/dev/null && { echo "$image: its server is healthy."; "$builder" rm --force blindspot-try >/dev/null; return; }
        sleep 1
    done
    "$builder" logs blindspot-try >&2
    echo "$image: its server did not become healthy." >&2
    exit 1
}

"$builder" build --tag blindspot --file Containerfile .
try blindspot --volume /data --env BLINDSPOT_WITHOUT_LOGIN=yes
"$builder" build --tag blindspot-space "$space"
try blindspot-space --user 1000 --tmpfs /var/lib/blindspot:uid=1000 --env SPACE_HOST=owner-name.hf.space
