// SPDX-License-Identifier: Apache-2.0
// Firefly's names. Below each use is what its deprecation says to write.
import Dispatch
import FireflyCompat
import Swivel

private struct Fault: Error {}

private func tasks(_ parts: [Job<Int, Fault>]) {
    let two: Job<Int, Fault> = Firefly.task { succeed, _ in succeed(1) }
    // use: let two: Job<Int, Fault> = Job { succeed, _ in succeed(1) }
    let three: Job<Int, Fault> = Firefly.task { succeed, _, progress in succeed(1) }
    // use: let three: Job<Int, Fault> = Job { succeed, _, progress in succeed(1) }
    let four: Job<Int, Fault> = Firefly.task { task, succeed, _, progress in succeed(1) }
    // use: let four: Job<Int, Fault> = Job { task, succeed, _, progress in succeed(1) }
    let done: Job<Int, Fault> = Firefly.succeed(3)
    // use: let done: Job<Int, Fault> = Job.succeeded(3)
    let sure = Firefly.succeed(3)
    // use: let sure = Job<Int, Never>.succeeded(3)
    let lost: Job<Int, Fault> = Firefly.fail(Fault())
    // use: let lost: Job<Int, Fault> = Job.failed(Fault())
    let never = Firefly.fail(Fault())
    // use: let never = Job<Never, Fault>.failed(Fault())
    let inOrder = Firefly.sequential(parts)
    // use: let inOrder = Job.sequential(parts)
    let together = Firefly.concurrent(parts)
    // use: let together = Job.concurrent(parts)
    _ = (two, three, four, done, sure, lost, never, inOrder, together)
}

private func handlers(_ job: Job<Int, Fault>, _ note: @escaping @Sendable (Int) -> Void) {
    job.success { print($0) }
    // use: job.onSuccess { print($0) }
    job.success(note)
    // use: job.onSuccess(note)
    job.failure { print($0) }
    // use: job.onFailure { print($0) }
    job.completion { print($0) }
    // use: job.onComplete { print($0) }
    job.progress { print($0) }
    // use: job.onProgress { print($0) }
    _ = job.mapResult { $0 + 1 }
    // use: _ = job.map { $0 + 1 }
    _ = job.mapProgress(byScalingFractionIntoRange: (0, 0.5))
    // use: _ = job.mapProgress(into: 0...0.5)
    _ = DispatchQueue.main.asyncAfter(deadline: .now() + 1)
    // use: _ = DispatchQueue.main.delay(.seconds(1))
}

private func types(
    _ progress: JobProgress, _ outcome: Result<Int, Fault>, _ state: Job<Int, Fault>.State
) {
    let first: TaskProgress = progress
    // use: let first: JobProgress = progress
    let second: TaskOutcome<Int, Fault> = outcome
    // use: let second: Result<Int, Fault> = outcome
    let third: TaskState<Int, Fault> = state
    // use: let third: Job<Int, Fault>.State = state
    _ = (first, second, third)
}
