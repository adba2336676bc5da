// SPDX-License-Identifier: Apache-2.0
import Foundation
import SwivelJobs
import SwivelTestSupport
import Testing

@Suite struct JobReportTests {
    private typealias Work = Job<Int, JobFault>

    #if DEBUG
    @Test func aJobThatIsDroppedWithoutExecutionIsReportedOnce() async throws {
        let result = try await #require(processExitsWith: .success, observing: standardError) {
            for _ in 0..<3 { Work.succeeded(1).onSuccess { _ in } }
            for _ in 0..<3 { Work { _, _ in }.onSuccess { _ in } }
            exit(0)
        }
        let text = String(decoding: result.standardErrorContent, as: UTF8.self)
        let reports = text.split(separator: "\n").filter { $0.contains("call execute()") }
        // One for each place where jobs were made; those of `succeeded` are made in one.
        #expect(reports.count == 2, "\(text)")
        #expect(reports.filter { $0.contains("JobReportTests.swift") }.count == 1, "\(text)")
    }
    #endif

    @Test func jobsThatNobodyForgotAreNotReported() async throws {
        let result = try await #require(processExitsWith: .success, observing: standardError) {
            Work.succeeded(1).onSuccess { _ in }.execute()
            Work.succeeded(1).onSuccess { _ in }.cancel()
            _ = Work.succeeded(1)
            let spare = Work.succeeded(1).onSuccess { _ in }
            Work.succeeded(1).recover(spare).execute()
            exit(0)
        }
        #expect(
            !String(decoding: result.standardErrorContent, as: UTF8.self).contains("call execute()")
        )
    }

    @Test(arguments: [-1, 0])
    func aWeightThatIsNoneTraps(_ sign: Double) async {
        await #expect(processExitsWith: .failure) { [sign] in
            // Numbers without an end cannot be passed to another process.
            Work.succeeded(1).weight = sign < 0 ? sign : .infinity
        }
    }
}
