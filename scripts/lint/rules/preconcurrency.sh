#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Public functions that take a @Sendable closure are @preconcurrency, so that Swift 5 code compiles.
lint=${0%/*}/..
. "$lint/files.sh"
each_file docs/api '*.txt' awk '
/@Sendable/ && / (func |init[?]?[(<])/ && !/@preconcurrency/ {
    print FILENAME ":" FNR ": is not @preconcurrency: " $0
}'
