#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A function of a suite is a test or is private: one that lost its @Test, or in XCTest its name, would never run.
lint=${0%/*}/..
. "$lint/files.sh"
# swift format fixes the indentation: suites begin a line, and their members stand four columns further in.
each_file 'Tests Benchmarks/Tests Examples/Tests' '*.swift' awk '
FNR == 1 { suite = named = marked = xctest = 0 }
/^@Suite/ { named = 1 }
/^([^ }\/].* )?(struct|class|actor|enum|extension) / {
    suite = named || /(struct|class|actor|enum|extension) [A-Za-z0-9_.]*Tests([^A-Za-z0-9_]|$)/
    named = 0
    xctest = FILENAME ~ /^Tests.Samples/ && /: XCTestCase/ # Only make readme runs XCTest.
}
/^    (@.*)?@Test/ { marked = 1 }
/^    [^ \/].*func |^    func / {
    if (xctest && / func test/) marked = 1
    if (suite && !marked && !/(private|fileprivate|static) .*func /) {
        sub(/^.*func +/, "")
        sub(/[(<].*/, "")
        print FILENAME ":" FNR ": " $0 " is neither a test nor private"
    }
    marked = 0
}'
