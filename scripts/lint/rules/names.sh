#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The files that the pages name exist, and so does every name in the last column of docs/GLOSSARY.md.
lint=${0%/*}/..
. "$lint/files.sh"
{
    each_file 'CSources Sources' "*.swift $c_files" cat | tr -cs 'A-Za-z0-9_' '\n' | sort -u
    each_file '. .ci' '*' printf '/%s\n'
    echo -- pages
    each_file 'README.md CONTRIBUTING.md docs Sources' '*.md' awk '{ print FILENAME ":" FNR ":" $0 }'
} | awk '
!pages { if (/^[/]/) files = files $0 "\n"; else if (/^-- pages/) pages = 1; else word[$0]; next }
{
    split($0, place, ":")
    cells = split($0, cell, "|")
    glossary = /^docs.GLOSSARY/ && cells > 1
    while (match($0, /`[^`]*`/)) {
        name = substr($0, RSTART + 1, RLENGTH - 2)
        $0 = substr($0, RSTART + RLENGTH)
        pattern = name
        gsub(/[.+]/, "[&]", pattern)
        gsub(/[*]/, "[^/\n]*", pattern)
        if (name ~ /^[A-Za-z0-9_+\/.*-]+[.](swift|[ch]|sh|txt|md|json)$/) {
            if (files !~ ("/" pattern "\n")) print place[1] ":" place[2] ": there is no file " name
            continue
        }
        if (!glossary || !index(cell[cells - 1], "`" name "`")) continue
        count = split(name, part, /[^A-Za-z0-9_]+/)
        for (i = 1; i <= count; i++)
            if (part[i] !~ /^_?$/ && !(part[i] in word)) print place[1] ":" place[2] ": no source says " part[i]
    }
}'
