// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelJobs
import SwivelTestSupport
import Testing

/// Jobs that run an asynchronous closure, with and without reports.
@Suite struct JobAsyncTests {
    private let notes = Shared<[String]>()

    @Sendable private static func load() async -> Int { 7 }
    @Sendable private static func loadOrFail() async throws -> Int { throw JobFault(code: 8) }
    @Sendable private static func count(
        _ report: @escaping Job<Int, any Error>.Report
    ) async throws -> Int {
        report(JobProgress(0.5))
        return 9
    }

    /// Each form of the closure fits one function, and a job whose type is not given may fail.
    @Test func everyFormOfTheClosureFits() async throws {
        let short = Job(async: { 7 })
        let long = Job(async: {
            let number = await Self.load()
            return number
        })
        var jobs: [Job<Int, any Error>] = [short, long]
        jobs.append(Job(async: Self.load))
        jobs.append(Job(async: Self.loadOrFail))
        jobs.append(Job(async: Self.count))
        jobs.append(Job(async: { try await Self.loadOrFail() }))
        jobs.append(Job(async: { report in try await Self.count(report) }))
        jobs.append(Job(async: { _ in 9 }))
        let reporting = Job(async: { report in
            report(JobProgress(0.25))
            try await Task.sleep(for: .zero)
            return 9
        })
        jobs += [reporting, Job { try await Self.count($0) }]
        var results: [Int] = []
        for job in jobs {
            do { results.append(try await job.value) } catch { results.append(-1) }
        }
        #expect(results == [7, 7, 7, -1, 9, -1, 9, 9, 9, 9])
    }

    /// A job may have another type of error than `any Error`.
    @Test func theErrorMayHaveAType() async throws {
        let never: Job<Int, Never> = Job(async: { await Self.load() })
        let reporting = Job<Int, Never>(async: { report in
            report(JobProgress(0.5))
            return await Self.load()
        })
        reporting.log(to: notes).execute()
        #expect(try await never.value == 7)
        #expect(try await reporting.value == 7)
        #expect(notes.value == ["0.5", "success 7"])
        let failing = Job<Int, JobFault>(async: { () async throws(JobFault) in
            throw JobFault(code: 1)
        })
        let other = Job<Int, JobFault>(async: { (_) async throws(JobFault) in
            throw JobFault(code: 2)
        })
        for (code, job) in [(1, failing), (2, other)] {
            await #expect(throws: JobFault(code: code)) { try await job.value }
        }
    }

    /// Reports arrive in order, clamped, and none after the end (P5).
    @Test func reportsEndWithTheJob() async throws {
        let kept = Shared<Job<Int, any Error>.Report?>(nil)
        let job = Job(async: { report in
            for step in [0.25, 0.5, .nan, 2] { report(JobProgress(step)) }
            kept.value = report
            return 3
        })
        job.log(to: notes)
        #expect(try await job.value == 3)
        kept.value?(JobProgress(0.75))
        #expect(notes.value == ["0.25", "0.5", "1.0", "success 3"])
        let updates = Job(async: { report in report(JobProgress(0.5)) }).progressUpdates
        for await _ in updates { Issue.record("a job that was never executed has reported") }
    }

    /// The cancel of the job cancels its task, whose reports and result count no more.
    @Test func aCancelledJobDeliversNothing() async throws {
        let (began, begins) = AsyncStream.makeStream(of: Void.self)
        let (ended, ends) = AsyncStream.makeStream(of: Bool.self)
        let job = Job<Int, Never>(async: { report in
            report(JobProgress(0.5))
            begins.finish()
            while !Task.isCancelled { await Task.yield() }
            report(JobProgress(0.75))
            ends.yield(true)
            return 1
        }).log(to: notes).execute()
        for await _ in began {}
        job.cancel()
        for await isOver in ended.prefix(1) { #expect(isOver && job.state == .cancelled) }
        #expect(notes.value == ["0.5", "cancel"])
    }

    /// A job that is cancelled as its task reports ends once, and no report starts after that.
    @Test func aCancelRacesReports() async throws {
        for round in 0..<Machine.scaled(2000) {
            let (ended, late) = (Counter(), Counter())
            let (over, ends) = AsyncStream.makeStream(of: Void.self)
            let job = Job(async: { report in
                for step in 1...20 { report(JobProgress(Double(step) / 20)) }
                return round
            })
            job.onProgress(on: .background, buffering: .all) { _ in
                if ended.value != 0 { late.add() }
            }
            let end: @Sendable () -> Void = {
                ended.add()
                ends.finish()
            }
            job.onComplete(on: .background) { _ in end() }.onCancel(on: .background, end)
            job.execute()
            if round % 2 == 0 { await Task.yield() }
            job.cancel()
            for await _ in over {}
            #expect(late.value == 0 && ended.value == 1)
        }
    }
}
