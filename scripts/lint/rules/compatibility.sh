#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Each row of docs/COMPATIBILITY.md names tests in its last column, as `Suite/function`, and they exist.
lint=${0%/*}/..
. "$lint/files.sh"
page=docs/COMPATIBILITY.md
[ -f "$page" ] || exit 0
tests=$(each_file Tests '*.swift' awk '
FNR == 1 { suite = ""; marked = 0 }
/^((@[A-Za-z]+([(].*[)])?|final|public|private) +)*(struct|class|actor|enum|extension) / {
    suite = $0
    sub(/^.*(struct|class|actor|enum|extension) +/, "", suite)
    sub(/[^A-Za-z0-9_].*/, "", suite)
}
/^ *(@[A-Za-z]+([(].*[)])? +)*@Test/ { marked = 1 }
marked && /func / {
    name = $0
    sub(/^.*func +/, "", name)
    sub(/[(<].*/, "", name)
    print suite "/" name
    marked = 0
}')
TESTS=$tests awk -v page="$page" '
BEGIN {
    count = split(ENVIRON["TESTS"], list, "\n")
    for (i = 1; i <= count; i++) exists[list[i]]
}
!/^[|]/ { header = 0; next }
# The first line of a table is its header; the second one rules it off.
header < 2 { header++; next }
{
    row = $0
    gsub(/\\[|]/, "/", row)
    cells = split(row, cell, "|")
    names = cell[cells - 1]
    found = 0
    while (match(names, /`[^`]*`/)) {
        name = substr(names, RSTART + 1, RLENGTH - 2)
        names = substr(names, RSTART + RLENGTH)
        found = 1
        if (!(name in exists)) print page ":" FNR ": there is no test " name
    }
    if (!found) print page ":" FNR ": the row names no test"
}' "$page"
