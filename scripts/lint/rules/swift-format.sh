#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Swift files are laid out as `make format` lays them out.
lint=${0%/*}/..
. "$lint/files.sh"
each_file "$code Package.swift" '*.swift' \
    swift format lint --strict --parallel --configuration "$lint/../../.swift-format" 2>&1 || true
