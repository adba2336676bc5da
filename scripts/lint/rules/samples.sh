#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A sample below a line <!-- Snippets/NAME.swift --> stands in that file to the letter.
lint=$(cd "${0%/*}/.." && pwd)
. "$lint/files.sh"

set +f # Here the shell does match patterns.
for page in *.md docs/*.md docs/*/*.md; do
    [ -f "$page" ] || continue
    awk -v page="$page" '
    function finish() {
        if (index(whole, sample) == 0) print page ":" start ": the sample differs from " file
        file = ""
        inside = 0
    }
    /^<!-- Snippets\/.* -->$/ {
        file = $2
        whole = ""
        while ((getline line < file) > 0) whole = whole line "\n"
        close(file)
        if (whole == "") print page ":" NR ": there is no " file
        next
    }
    file != "" && !inside && /^```swift$/ { inside = 1; start = NR; sample = ""; next }
    inside && /^```$/ { finish(); next }
    inside { sample = sample $0 "\n" }
    file != "" && !inside && /^.+$/ { print page ":" NR ": no sample follows the line that names " file; file = "" }
    ' "$page"
done
