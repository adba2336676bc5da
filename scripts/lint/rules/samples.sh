#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A sample stands below a line <!-- PATH.swift --> or <!-- docs/Dockerfile -->, and is in that file, character by character.
#
# The file is a complete program or a test, so the sample compiles.
lint=${0%/*}/..
. "$lint/files.sh"
each_file 'README.md CONTRIBUTING.md docs Sources Integrations Schedules' '*.md' awk '
/^<!-- ((Snippets|Tests|Benchmarks|Integrations|Schedules)\/.*[.]swift|docs\/Dockerfile) -->$/ {
    file = $2
    fence = file ~ /swift$/ ? "```swift" : "```dockerfile"
    start = FILENAME ":" FNR
    sample = whole = ""
    if (getline <= 0 || $0 != fence) print start ": no sample follows"
    while (getline > 0 && $0 != "```") sample = sample $0 "\n"
    while ((getline line < file) > 0) if (line !~ /^(\/\/|#) SPDX/) whole = whole line "\n"
    close(file)
    if (!index(whole, sample)) print start ": the sample is not in " file
    next
}
/^ *```(swift|dockerfile)/ { print FILENAME ":" FNR ": nothing says from which file this sample is" }'
