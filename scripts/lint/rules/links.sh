#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Links between pages lead to files, headings and articles that exist.
lint=${0%/*}/..
. "$lint/files.sh"
pages='README.md CONTRIBUTING.md CHANGELOG.md SECURITY.md docs Sources Integrations .github'
{
    each_file '. .ci .github' '*' printf '%s\n' | sed 's|^\./||; s|^|-- file |'
    each_file "$pages" '*.md' awk '
    FNR == 1 { fenced = 0 }
    /^ *```/ { fenced = !fenced }
    { print (fenced ? "-- code " : "-- text ") FILENAME ":" FNR ":" $0 }'
} | awk '
# As GitHub names headings; docc keeps the letters as they are.
function slug(text) {
    gsub(/[^A-Za-z0-9_ -]/, "", text)
    gsub(/ /, "-", text)
    return tolower(text)
}
# The path of a link, from the folder of its page on.
function resolve(page, link,    part, count, i, path, depth) {
    sub(/[^\/]*$/, "", page)
    count = split(page link, part, "/")
    for (i = 1; i <= count; i++) {
        if (part[i] == "..") { if (!depth--) return "outside" }
        else if (part[i] != "." && part[i] != "") path[++depth] = part[i]
    }
    link = ""
    for (i = 1; i <= depth; i++) link = link (i > 1 ? "/" : "") path[i]
    return link
}
$2 == "file" {
    file = substr($0, 9)
    exists[file]
    while (sub(/\/[^\/]*$/, "", file)) exists[file]
    next
}
$2 == "text" {
    line = substr($0, 9)
    split(line, place, ":")
    text = substr(line, length(place[1]) + length(place[2]) + 3)
    if (text ~ /^#+ /) {
        heading = text
        sub(/^#+ /, "", heading)
        headings[place[1] "#" slug(heading)]
    }
    gsub(/`[^`]*`/, "", text)
    lines[++count] = place[1] ":" place[2]
    texts[count] = text
}
END {
    for (i = 1; i <= count; i++) {
        text = texts[i]
        split(lines[i], place, ":")
        while (match(text, /[]][(][^)]*[)]|<doc:[^>]*>/)) {
            link = substr(text, RSTART, RLENGTH)
            text = substr(text, RSTART + RLENGTH)
            article = link ~ /^<doc:/
            link = article ? substr(link, 6, length(link) - 6) : substr(link, 3, length(link) - 3)
            if (link ~ /^(https?|mailto):/) continue
            # A picture of docc is named without its ending.
            if (!article && place[1] ~ /[.]docc\// && link !~ /[.\/#]/) link = "Resources/" link ".svg"
            anchor = index(link, "#") ? slug(substr(link, index(link, "#") + 1)) : ""
            sub(/#.*/, "", link)
            path = link == "" ? place[1] : resolve(place[1], article ? link ".md" : link)
            if (!(path in exists)) print lines[i] ": the link leads nowhere: " link
            else if (anchor != "" && !((path "#" anchor) in headings))
                print lines[i] ": there is no heading #" anchor " in " path
        }
    }
}'
