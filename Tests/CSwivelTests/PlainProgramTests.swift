// SPDX-License-Identifier: Apache-2.0
import CSwivelTestSupport
import Testing

/// The interface from C alone: a program that includes `swivel.h` and nothing else.
@Suite struct PlainProgramTests {
    struct Part: Sendable, CustomTestStringConvertible {
        let name: String
        let run: @Sendable () -> UnsafePointer<CChar>?

        var testDescription: String { name }
    }

    static let parts = [
        Part(name: "timers") { swivel_plain_timers() },
        Part(name: "repeats") { swivel_plain_repeats() },
        Part(name: "shutdown") { swivel_plain_shutdown() },
        Part(name: "limits") { swivel_plain_limits() },
    ]

    @Test(arguments: parts)
    func aProgramInCFindsWhatTheHeaderSays(_ part: Part) async throws {
        let broken = try await offPool { part.run().map { String(cString: $0) } }
        #expect(broken == nil)
    }
}
