#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The page of troubleshooting has the text of every trap, report and thrown error.
lint=${0%/*}/..
. "$lint/files.sh"
page=Sources/Swivel/Swivel.docc/Troubleshooting.md
{
    [ ! -f "$page" ] || tr -s '\n' ' ' <"$page"
    echo
    # A file at a time: marked lines keep the names and the numbers.
    each_file 'Sources CSources' "*.swift $c_files" awk '{ print FILENAME ":" FNR ":" $0 }'
} | awk '
# Leaves the longest part of a literal that does not stand for a value, shortened, in the list.
function keep(literal,    part, count, i, best) {
    gsub(/%[a-z]+/, "\001", literal)
    count = split(literal, part, "\001")
    best = ""
    for (i = 1; i <= count; i++) if (length(part[i]) > length(best)) best = part[i]
    gsub(/^[ :;,.\047]+|[ :;,.\047]+$/, "", best)
    sub(/^Swivel: /, "", best)
    if (length(best) > 60) { best = substr(best, 1, 60); sub(/ [^ ]*$/, "", best) }
    if (best ~ / / && !index(page, best)) print place ": the page of troubleshooting does not say: " best
}
# Reads a call from its opening parenthesis on, and keeps each of its literals.
function read_on(text,    c, at) {
    for (at = 1; at <= length(text); at++) {
        c = substr(text, at, 1)
        if (quoted) {
            if (c == "\\" && substr(text, at + 1, 1) == "(") {
                inner = 1
                named = 0 # Within a literal of the expression.
                for (at += 2; inner && at <= length(text); at++) {
                    c = substr(text, at, 1)
                    if (c == "\"") named = !named
                    if (!named) inner += (c == "(") - (c == ")")
                }
                at--
                literal = literal "\001"
            } else if (c == "\\") {
                at++
            } else if (substr(text, at, quoted) == (quoted == 3 ? "\"\"\"" : "\"")) {
                at += quoted - 1
                keep(literal)
                quoted = 0
            } else literal = literal c
            continue
        }
        if (c == "\"") {
            quoted = substr(text, at, 3) == "\"\"\"" ? 3 : 1
            at += quoted - 1
            literal = ""
        } else if (c == "/" && substr(text, at, 2) == "//") return
        else if (c ~ /[({]/) depth++
        else if (c ~ /[)}]/ && --depth <= 0) {
            # A report may take its text from the closure that follows.
            if (!(closure && substr(text, at + 1) ~ /^ [{]/)) { reading = 0; return }
        }
    }
}
NR == 1 { page = $0; gsub(/ +/, " ", page); next }
{
    split($0, mark, ":")
    text = substr($0, length(mark[1]) + length(mark[2]) + 3)
    if (reading && mark[1] != file) reading = quoted = 0
    file = mark[1]
    if (reading) {
        sub(/^ +/, "", text)
        read_on(text)
        next
    }
    if (text ~ /^ *\/\// || text ~ /func |^ *([a-z]+ )*init[?(]/ || text ~ /#define/) next
    if (text ~ /reason = "/) text = "(" substr(text, index(text, "\"")) ")"
    else if (file ~ /status[.]c$/ && text ~ /return "/) text = "(" substr(text, index(text, "\"")) ")"
    else if (file ~ /Signal[.]swift$/ && text ~ /: "[a-z]+ [a-z]/) text = "(" substr(text, index(text, "\"")) ")"
    else if (match(text, /(^|[^A-Za-z_])(check|trap|refuse|report|fatalError|swivel__fatal|SwivelError|self[.]init)[(]/))
        text = substr(text, RSTART + RLENGTH - 1)
    else next
    place = mark[1] ":" mark[2]
    closure = $0 ~ /report[(]/
    depth = quoted = 0
    reading = 1
    read_on(text)
}' | except messages
