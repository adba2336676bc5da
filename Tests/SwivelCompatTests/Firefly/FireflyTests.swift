// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Swivel
import SwivelCompat
import Testing

private enum Fault: Error, Equatable { case lost, burnt }

/// The samples of Firefly's documentation.
@Suite struct FireflyTests {
    @available(*, deprecated)
    @Test func tasksAreLazyAndChainable() {
        let notes = Note<[String]>([])
        let task: Job<String, Fault> = Firefly.task { succeed, fail in
            notes.update { $0.append("running") }
            succeed("done")
        }
        #expect(task.state == .notExecuted)
        task
            .success { result in notes.update { $0.append(result) } }
            .failure { _ in notes.update { $0.append("failed") } }
            .completion { outcome in
                switch outcome {
                case .success: notes.update { $0.append("success") }
                case .failure: notes.update { $0.append("failure") }
                }
            }
            .execute()
        #expect(notes.value == ["running", "done", "success"])
        #expect(task.state == .completed)
    }

    @available(*, deprecated)
    @Test func tasksReportProgress() {
        let fractions = Note<[Double]>([])
        let task: Job<Int, Fault> = Firefly.task { succeed, fail, progress in
            progress(TaskProgress(0.5))
            fail(.lost)
        }
        task.progress { report in fractions.update { $0.append(report.fraction) } }.execute()
        #expect(fractions.value == [0.5])
    }

    @available(*, deprecated)
    @Test func tasksCanLookForTheirCancellation() {
        let seen = Note<Bool>()
        let task: Job<Int, Fault> = Firefly.task { task, succeed, fail, progress in
            task.cancel()
            seen.set(task.isCancelled)
        }
        task.success { _ in Issue.record("a cancelled task succeeded") }.execute()
        #expect(seen.wait())
    }

    @available(*, deprecated)
    @Test func succeedAndFailInferTheirTypes() {
        let succeeded = Firefly.succeed(3)
        let failed = Firefly.fail(CancellationError())
        let annotated: Job<Int, CancellationError> = Firefly.succeed(4)
        #expect(type(of: succeeded) == Job<Int, Never>.self)
        #expect(type(of: failed) == Job<Never, CancellationError>.self)
        #expect(type(of: annotated) == Job<Int, CancellationError>.self)
    }

    @available(*, deprecated)
    @Test func succeedAndFail() {
        let good: Job<Int, Fault> = Firefly.succeed(1)
        let bad: Job<Int, Fault> = Firefly.fail(.burnt)
        let notes = Note<[String]>([])
        good.success { value in notes.update { $0.append("\(value)") } }.execute()
        bad.failure { error in notes.update { $0.append("\(error)") } }.execute()
        #expect(notes.value == ["1", "burnt"])
    }

    @available(*, deprecated)
    @Test func thenRecoverAndChain() {
        let first: Job<Int, Fault> = Firefly.succeed(1)
        let lost: Job<Int, Fault> = Firefly.fail(.lost)
        let sum = Note<Int>(0)
        first.then { result in Firefly.succeed(result + 1) as Job<Int, Fault> }
            .success { value in sum.update { $0 += value } }.execute()
        lost.recover { _ in Firefly.succeed(10) as Job<Int, Fault> }
            .success { value in sum.update { $0 += value } }.execute()
        (Firefly.fail(.burnt) as Job<Int, Fault>)
            .chain { outcome in Firefly.succeed(outcome.value ?? 100) as Job<Int, Fault> }
            .success { value in sum.update { $0 += value } }.execute()
        #expect(sum.value == 112)
    }

    @available(*, deprecated)
    @Test func sequentialAndConcurrentAddUpTheirProgress() {
        let fractions = Note<[Double]>([])
        let tasks = [1.0, 3, 6].map { weight in
            (Firefly.succeed(weight) as Job<Double, Fault>).setWeight(weight)
        }
        Firefly.sequential(tasks)
            .progress { report in fractions.update { $0.append(report.fraction) } }
            .success { values in #expect(values == [1, 3, 6]) }
            .execute()
        #expect(fractions.value == [0.1, 0.4, 1])
        let quarters = Note<[Double]>([])
        Firefly.concurrent((0..<4).map { Firefly.succeed($0) as Job<Int, Fault> })
            .progress { report in quarters.update { $0.append(report.fraction) } }
            .execute()
        #expect(quarters.value == [0.25, 0.5, 0.75, 1])
    }

    @available(*, deprecated)
    @Test func mappings() {
        let task: Job<Int, Fault> = Firefly.task { succeed, fail, progress in
            progress(TaskProgress(0.5, userInfo: "half"))
            succeed(4)
        }
        let seen = Note<[String]>([])
        task.mapResult { "\($0)" }
            .mapProgress(byScalingFractionIntoRange: (0.6, 1))
            .progress { report in
                seen.update { $0.append("\(report.fraction) \(report.userInfo as? String ?? "")") }
            }
            .success { text in seen.update { $0.append(text) } }
            .execute()
        #expect(seen.value == ["0.8 half", "4"])
        let void: Job<Void, Fault> = (Firefly.succeed(1) as Job<Int, Fault>).mapResult { _ in }
        #expect(void.execute().state == .completed)
        let error = Note<String>()
        (Firefly.fail(.lost) as Job<Int, Fault>).mapError { _ in Fault.burnt }
            .mapOutcome { (outcome: TaskOutcome<Int, Fault>) in outcome }
            .failure { error.set("\($0)") }.execute()
        #expect(error.wait() == "burnt")
    }

    @available(*, deprecated)
    @Test func aQueueDelaysATask() {
        let ran = Note<Int>()
        let task: Job<Int, Never> = Firefly.succeed(1)
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(2)).then(task)
            .success { ran.set($0) }.execute()
        #expect(ran.wait() == 1)
        let state: TaskState<Int, Never> = task.state
        #expect(state == .completed)
    }

    @available(*, deprecated)
    @Test func aDispatchTimeIsAJobThatWaitsForIt() async throws {
        let queue = DispatchQueue(label: "jobs")
        let deadline = DispatchTime.now() + .milliseconds(2)
        let job = queue.asyncAfter(deadline: deadline)
        #expect(job.state == .notExecuted)
        try await job.value
        #expect(DispatchTime.now() >= deadline)
        try await queue.asyncAfter(deadline: .now()).then(Job<Void, Never>.succeeded(())).value
        let never = queue.asyncAfter(deadline: .distantFuture).execute()
        #expect(never.state == .executing)
        never.cancel()
    }
}
