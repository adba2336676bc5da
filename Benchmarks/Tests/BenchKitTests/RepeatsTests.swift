// SPDX-License-Identifier: Apache-2.0

internal import BenchKit
internal import Testing

struct RepeatsTests {
    @Test func rowsThatAreMeasuredAgainAreNamed() {
        var repeats = Repeats()
        #expect(repeats.text == "No row was measured again.")
        repeats.note(["churn / 100k / cpu / NIO"])
        #expect(
            repeats.text
                == "1 row was measured again, and the last figures count:\n"
                + "  churn / 100k / cpu / NIO: once")
        repeats.note(["post / 1 producer / cpu / NIO", "churn / 100k / cpu / NIO"])
        #expect(
            repeats.text
                == "2 rows were measured again, and the last figures count:\n"
                + "  churn / 100k / cpu / NIO: 2 times\n  post / 1 producer / cpu / NIO: once")
    }
}
