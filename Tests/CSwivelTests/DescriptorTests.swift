// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
import CSwivel
import CSwivelTestSupport
import Foundation
import Testing

/// Descriptors that the application closes under a loop: S6.
@Suite struct DescriptorTests {
    enum Lost: UInt32, Codable, CaseIterable, Sendable { case bell, time, poller, timeAsleep }
    enum Found: UInt32, Codable, CaseIterable, Sendable {
        case nothing, file, eventfd, timerfd, poller
    }

    /// Whose closing is lost, and what is found in its place: the program stops with the reason, and a
    /// stranger's file is as it was.
    @Test(
        .enabled(if: !swivel_is_portable()), .timeLimit(.minutes(1)),
        arguments: Lost.allCases, Found.allCases)
    func aLoopThatHasLostADescriptorSaysSo(_ lost: Lost, _ found: Found) async throws {
        for hasThread in [false, true] {
            let file = FileManager.default.temporaryDirectory
                .appendingPathComponent("swivel-\(UUID())").path
            defer { try? FileManager.default.removeItem(atPath: file) }
            let result = try await #require(
                processExitsWith: .failure, observing: [\.standardErrorContent]
            ) {
                [
                    lost = lost as Lost, found = found as Found, hasThread = hasThread as Bool,
                    file = file as String
                ] in
                alarm(20)
                swivel_lose_descriptor(
                    swivel_lost(lost.rawValue), swivel_found(found.rawValue), hasThread, file)
            }
            let text = String(decoding: result.standardErrorContent, as: UTF8.self)
            #expect(text.contains("Swivel: ") && text.contains("test.loses"), "\(text)")
            #expect(text.contains("closed"), "\(text)")
            if found == .file {
                let size = try FileManager.default.attributesOfItem(atPath: file)[.size] as? Int
                #expect(size == 0, "something was written to a stranger's file")
            }
        }
    }
}
#endif
