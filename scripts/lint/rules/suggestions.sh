#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Tests/Suggestions uses each deprecated name of the Compat products, and the code to write instead compiles.
lint=${0%/*}/..
. "$lint/files.sh"
command -v swiftc >/dev/null 2>&1 || exit 0
. "$lint/modules.sh"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# The compiler's diagnostics, with the edits that it suggests below the line of code.
diagnose() {
    swiftc -typecheck -diagnostic-style llvm "$@" 2>&1
}

for file in Tests/Suggestions/*.swift; do
    [ -f "$file" ] || continue
    # The new code takes the place of the old one, above the line that names it.
    awk '
    /^ *\/\/ use: / { new = $0; sub(/\/\/ use: /, "", new); print new; print; held = 0; next }
    held { print old }
    { old = $0; held = 1 }
    END { if (held) print old }' "$file" >"$folder/new.swift"
    diagnose "$@" "$file" >"$folder/old"
    if grep -q 'no such module' "$folder/old"; then
        echo "skipped: $file does not compile with what is built; run swift build first"
        continue
    fi
    cat "$folder/old" >>"$folder/all"
    diagnose "$@" "$folder/new.swift" |
        sed -nE "s#^[^ ]*:([0-9]+):[0-9]+: (error|warning): #$file:\1: the new code has \2: #p" |
        sort -u
    awk -v file="$file" '
    # The line of code with the edits, none of which lies in another: text is at the place of its edit,
    # and a part of the code that goes is marked.
    function edited(code, marks, texts,    i, result, chunk, gone) {
        sub(/\^( |$)/, "  ", marks) # The place of the diagnostic alone.
        result = ""
        for (i = 1; i <= length(code) || i <= length(texts); i++) {
            chunk = substr(texts, i)
            if (chunk ~ /^[^ ]/ && (i == 1 || substr(texts, i - 1, 1) == " ")) {
                sub(/ .*$/, "", chunk)
                result = result chunk
            }
            if (substr(marks, i, 1) !~ /[~^]/) result = result substr(code, i, 1)
        }
        return result
    }
    function stripped(text) { gsub(/ /, "", text); return text }
    FILENAME ~ /new[.]swift$/ { new[FNR] = $0; next }
    FILENAME ~ /old$/ && /^[^ ]*:[0-9]+:[0-9]+: (error|warning|note): / {
        split(substr($0, index($0, file) + length(file)), place, ":")
        line = place[2]
        if (/: error: /) print file ":" line ": " $0
        if (/ is deprecated/) deprecated[line]
        after = / note: use .* instead$/ ? 1 : 4
        next
    }
    FILENAME ~ /old$/ {
        if (after == 1) code = $0
        if (after == 2) marks = $0
        if (after == 3) writes[line] = edited(code, marks, $0)
        after++
        next
    }
    /^ *\/\/ use: / { used[FNR - 1] }
    END {
        for (line in used)
            if (!(line in deprecated)) print file ":" line ": nothing is deprecated here"
        for (line in deprecated)
            if (!(line in used)) print file ":" line ": the next line does not say what to use"
        for (line in writes)
            if (stripped(writes[line]) != stripped(new[line]))
                print file ":" line ": the compiler writes:" writes[line]
    }' "$folder/new.swift" "$folder/old" "$file"
done
[ -f "$folder/all" ] || exit 0

# Each declaration is used: as many uses have a text as there are declarations with it.
set -f # As files.sh wants it.
each_file Sources '*.swift' awk '
FILENAME ~ /Compat\// && /deprecated, (renamed|message): "/ {
    sub(/^.*deprecated, (renamed|message): "/, "")
    sub(/"[^"]*$/, "")
    print
}' | sort | uniq -c | while read -r count text; do
    uses=$(grep -cF -e "is deprecated: $text" -e "is deprecated: renamed to '$text'" \
        -e "is deprecated: replaced by '$text'" "$folder/all")
    [ "$uses" -ge "$count" ] ||
        echo "Tests/Suggestions: $count declarations say \"$text\", and $uses uses"
done
