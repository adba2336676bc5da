#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Follows the article "When one process is not enough": two processes of its program, and a report that
# is written once. Run by clients.sh, with a database.
# Usage: nightly.sh PROGRAM
set -eu
createdb app
psql -q app -c 'CREATE TABLE orders (id int); CREATE TABLE report (night date, orders int)'
"$1" 2>/dev/null &
one=$!
"$1" 2>/dev/null &
other=$!
trap 'kill $one $other 2>/dev/null || true' EXIT

# until_it_holds SQL: the first column of its one row is true.
until_it_holds() {
    tries=0
    until [ "$(psql -At app -c "$1" 2>/dev/null)" = t ]; do
        tries=$((tries + 1))
        [ "$tries" -lt 300 ] || return 1
        sleep 0.1
    done
}
until_it_holds "SELECT count(*) = 1 FROM swivel_schedule WHERE next_at > now()"
psql -q app -c "UPDATE swivel_schedule SET next_at = now()"
until_it_holds "SELECT count(*) = 1 FROM swivel_tick WHERE state = 'done'"
until_it_holds "SELECT count(*) = 1 FROM report"
# The process that is left does the next one.
kill -9 $one
psql -q app -c "UPDATE swivel_schedule SET next_at = now()"
until_it_holds "SELECT count(*) = 2 FROM report"
kill $other
wait $other
