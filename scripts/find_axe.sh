#!/bin/sh
# Makes sure the accessibility tests find axe-core: npm fetches it once, it is checked, and git ignores it.
# Prints the path of the script; ends with 3 where there is no npm, and with 1 where it could not be fetched.
set -u
cd "$(dirname "$0")/.."

version=4.14.1
sha256=29348999450cdf2849a8e70b7912fc2da85a849da39c0d0d5394f51d4a9ed95c
file=.axe/axe-$version.min.js

is_right() {
    { sha256sum "$1" 2>/dev/null || shasum -a 256 "$1"; } | grep -q "^$sha256 "
}

if ! is_right "$file" 2>/dev/null; then
    command -v npm >/dev/null || { echo "The accessibility tests need npm to fetch axe-core." >&2; exit 3; }
    folder=$(mktemp -d)
    trap 'rm -rf "$folder"' EXIT
    npm pack --silent --pack-destination "$folder" "axe-core@$version" >/dev/null 2>"$folder/said" &&
        tar -xzf "$folder/axe-core-$version.tgz" -C "$folder" package/axe.min.js ||
        { echo "npm could not fetch axe-core $version:" >&2; cat "$folder/said" >&2; exit 1; }
    is_right "$folder/package/axe.min.js" || { echo "axe-core $version is not the file that was accepted." >&2; exit 1; }
    mkdir -p .axe
    mv "$folder/package/axe.min.js" "$file"
fi
echo "$file"
