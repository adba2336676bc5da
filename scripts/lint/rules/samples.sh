#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A sample below a line <!-- Snippets/NAME.swift --> is in that file, character by character.
lint=${0%/*}/..
. "$lint/files.sh"
each_file 'README.md CONTRIBUTING.md docs' '*.md' awk '
/^<!-- Snippets\/.* -->$/ {
    file = $2
    start = FILENAME ":" FNR
    sample = whole = ""
    if (getline <= 0 || $0 != "```swift") print start ": no sample follows"
    while (getline > 0 && $0 != "```") sample = sample $0 "\n"
    while ((getline line < file) > 0) whole = whole line "\n"
    close(file)
    if (!index(whole, sample)) print start ": the sample is not in " file
}'
