#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Pages and code have none of the habits in english.txt, and no word that marks unfinished work.
#
# Usage: english.sh [PLACES]     PLACES: looks only there
lint=${0%/*}/..
. "$lint/files.sh"
each_file "${1:-README.md CONTRIBUTING.md SECURITY.md docs scripts $code}" '*' awk -v list="$lint/english.txt" '
BEGIN {
    while ((getline line < list) > 0) {
        if (!(at = index(line, " => "))) continue
        pattern[++habits] = substr(line, 1, at - 1)
        advice[habits] = substr(line, at + 4)
    }
}
FNR == 1 {
    exempt = FILENAME ~ /lint.(english|selftest)|[.]patch$/
    code = FILENAME ~ /[.](swift|[ch])$/
}
# The page of messages quotes the program, in code voice.
FILENAME ~ /\/Troubleshooting[.]md$/ { gsub(/`[^`]+`/, "`text`") }
{
    for (i = exempt ? habits + 1 : code && !/\/\// ? habits : 1; i <= habits; i++)
        if ($0 ~ pattern[i] || tolower($0) ~ pattern[i]) print FILENAME ":" FNR ": " advice[i] ": " $0
}' | except english
