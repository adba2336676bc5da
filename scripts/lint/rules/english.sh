#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Pages and code have none of the habits in english.txt, and no word that marks unfinished work.
#
# Usage: english.sh [PLACES]     PLACES: finds all the habits there
lint=${0%/*}/..
. "$lint/files.sh"
each_file "${1:-README.md CONTRIBUTING.md SECURITY.md docs scripts $code}" '*' awk -v list="$lint/english.txt" -v all="$1" '
BEGIN {
    while ((getline line < list) > 0) {
        if (line ~ /^# Pages/) for_pages = habits
        if (!(at = index(line, " => "))) continue
        pattern[++habits] = substr(line, 1, at - 1)
        advice[habits] = substr(line, at + 4)
    }
}
FNR == 1 {
    first = all || FILENAME ~ /[.]md$|^Snippets|^scripts/ ? 1 : for_pages + 1
    if (FILENAME ~ /lint.(english|selftest)|[.]patch$/) first = habits + 1
}
{
    for (i = first; i <= habits; i++)
        if ($0 ~ pattern[i] || tolower($0) ~ pattern[i]) print FILENAME ":" FNR ": " advice[i] ": " $0
}' | except english
