#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Pages and manifests take Swivel from the address and the version of docs/repository.txt.
lint=${0%/*}/..
. "$lint/files.sh"
address= version=
[ ! -f docs/repository.txt ] || read -r address version <docs/repository.txt
each_file "README.md CONTRIBUTING.md CHANGELOG.md SECURITY.md docs $code .github" '*.md *.swift *.yml' \
    awk -v address="$address" -v version="$version" '
{
    text = $0
    while (match(text, /https?:[^ ")<>,]*\/swivel([.]git)?/)) {
        found = substr(text, RSTART, RLENGTH)
        manifest = substr(text, 1, RSTART - 1) ~ /url: "$/
        text = substr(text, RSTART + RLENGTH)
        if (text ~ /^[A-Za-z0-9_-]/) continue # The name of another repository begins like this.
        if (found != address && (manifest || found ".git" != address))
            print FILENAME ":" FNR ": in docs/repository.txt the address is \"" address "\""
        else if (manifest && index(text, "\", from: \"" version "\"") != 1)
            print FILENAME ":" FNR ": in docs/repository.txt the version is \"" version "\""
    }
}'
