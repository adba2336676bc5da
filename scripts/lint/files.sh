# SPDX-License-Identifier: Apache-2.0
# Sourced by the rules, which look at the project in the current folder; $lint is this folder.
# shellcheck shell=sh

set -f          # Patterns are for find, not for the shell.
export LC_ALL=C # In awk a character is a byte.

code='CSources Sources Tests Benchmarks Examples Integrations Schedules Snippets'
c_files='*.c *.h'

# each_file 'PLACES' 'PATTERNS' COMMAND...: runs the command with the files as further arguments.
each_file() {
    places=
    for place in $1; do
        [ ! -e "$place" ] || places="$places $place"
    done
    names=
    for pattern in $2; do
        names="$names -o -name $pattern"
    done
    shift 2
    [ -n "$places" ] || return 0
    # shellcheck disable=SC2086
    find $places -name '.build*' -prune -o -type f \( ${names# -o} \) -exec "$@" {} +
}

# except RULE: drops the findings in files that exceptions.txt names for the rule.
except() {
    grep -vE "$(sed -n "s/^$1  *//p" "$lint/exceptions.txt" |
        sed 's/[.+]/[&]/g; s/[*]/[^\/]*/g; s/.*/^&:|/' | tr -d '\n')^#" || true
}
