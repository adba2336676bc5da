// SPDX-License-Identifier: Apache-2.0
#if canImport(Testing) && os(Linux)
internal import CSwivelSimulation
internal import SwivelCore
public import Testing

/// Runs a test once for each seed, each time in a simulated world; see
/// ``simulate(seed:_:body:)``.
///
/// ```swift
/// @Test(.simulated(seeds: 1_000)) func twoSavesKeepBoth() async throws { … }
/// ```
///
/// The first run that fails ends the search. Its issues have the line that repeats it:
/// `SWIVEL_SEED=17 SWIVEL_HASH=… swift test --filter twoSavesKeepBoth`. The variable `SWIVEL_SEEDS`
/// replaces the number of seeds, for a longer search. Simulated tests run one at a time; other
/// tests run beside them as ever. An expectation in a detached task belongs to its test too.
///
/// **Thread:** any.
public struct SimulatedTrait: TestTrait, SuiteTrait, TestScoping {
    let seeds: Int
    let settings: Settings

    /// True: each test of a suite is simulated.
    public var isRecursive: Bool { true }

    /// Runs a `function` of `test`, for one `testCase`. Swift Testing calls it.
    ///
    /// - Throws: No error: each is recorded as an issue.
    /// - Complexity: That of the runs.
    @preconcurrency
    public func provideScope(
        for test: Test, testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        // That of a suite, and a test of it with a trait of its own.
        if World.isCurrent { return try await function() }
        for seed in Replay.seeds(seeds) where !Task.isCancelled {
            let run = TestedRun(of: test, seed, settings)
            try await run.collectingIssues(of: testCase) {
                await unescaped(function) { await run.perform($0) }
            }
            if run.hasFailed { return }
        }
    }
}

extension Trait where Self == SimulatedTrait {
    /// Returns a trait that runs a test in a simulated world, `seeds` times, with these `options`.
    ///
    /// **Thread:** any.
    /// - Complexity: O(1).
    public static func simulated(seeds: Int, _ options: SimulationOption...) -> Self {
        SimulatedTrait(seeds: seeds, settings: Settings(options))
    }
}

/// A test's run of one seed.
private final class TestedRun: Sendable {
    private struct State {
        var hasFailed = false
        /// Issues of tasks that do not know their test.
        var strays: [Issue] = []
    }

    private let test: Test
    private let seed: UInt64
    private let settings: Settings
    private let hint: Comment
    private let state = Lock(State())

    init(of test: Test, _ seed: UInt64, _ settings: Settings) {
        self.test = test
        self.seed = seed
        self.settings = settings
        hint = Comment(rawValue: Replay.hint(seed, test: test.name))
    }

    var hasFailed: Bool { state.withLock { $0.hasFailed } }

    /// Runs the body, and records what is wrong with the run itself. Returns whether the body has
    /// ended.
    func perform(_ body: @escaping @Sendable () async throws -> Void) async -> Bool {
        let search = Search(settings, test: test.name, body)
        do throws(SimulationFailure) {
            let run = try await search.run(seed)
            for escape in run.escapes.prefix(5) {
                record("this run is not repeatable: \(escape)", .warning)
            }
            // Its issues were recorded while it ran.
            if hasFailed { Diagnostics.warn("\(run)\n\(run.details)") }
            return true
        } catch {
            if error.error is ExpectationFailedError {
                // It was recorded when it was thrown.
            } else if let thrown = error.error {
                Issue.record(
                    thrown, Comment(rawValue: error.description),
                    sourceLocation: test.sourceLocation)
            } else {
                record(error.description, .error)
            }
            return error.run?.end == .finished
        }
    }

    private func record(_ text: String, _ severity: Issue.Severity) {
        Issue.record(
            Comment(rawValue: text), severity: severity, sourceLocation: test.sourceLocation)
    }

    /// Calls `body`. Issues of this run learn its seed, and those of detached tasks, which Swift
    /// Testing shows to all running tests, their test.
    func collectingIssues(
        of testCase: Test.Case?, _ body: @Sendable () async -> Void
    ) async throws {
        let handler = IssueHandlingTrait.compactMapIssues { [self] issue in
            if Test.current == nil {
                guard World.isCurrent else { return issue }
                if World.isOf(self) { state.withLock { $0.strays.append(issue) } }
                return nil
            }
            var issue = issue
            state.withLock { $0.hasFailed = $0.hasFailed || issue.isFailure }
            issue.comments.append(hint)
            return issue
        }
        try await handler.provideScope(for: test, testCase: testCase) { [self] in
            await World.$owner.withValue(self) { await body() }
            for issue in state.withLock({ $0.strays }) {
                Issue.record(
                    Comment(rawValue: "in a detached task: \(issue)"),
                    sourceLocation: issue.sourceLocation ?? test.sourceLocation)
            }
        }
    }
}

/// Passes on a function that does not escape as one that does. A run that could not go on leaves
/// tasks that refer to it and never run again: their references are given back.
///
/// - Parameter use: Returns false if tasks were left.
private func unescaped(
    _ function: @Sendable () async throws -> Void,
    _ use: (@escaping @Sendable () async throws -> Void) async -> Bool
) async {
    await withoutActuallyEscaping(function) { escaping in
        // Its second word is the object that it refers to.
        let object = withUnsafeBytes(of: Held(function: escaping)) {
            $0.load(fromByteOffset: MemoryLayout<UInt>.size, as: UnsafeMutableRawPointer?.self)
        }
        let references = object.map(swift_retainCount) ?? 0
        if await use(escaping) { return }
        guard let object else { return }
        while swift_retainCount(object) > references {
            Unmanaged<AnyObject>.fromOpaque(object).release()
        }
    }
}

private struct Held {
    let function: @Sendable () async throws -> Void
}
#endif
