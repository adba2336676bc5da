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
    let options: [SimulationOption]

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
        let simulated = SimulatedTest(test, options)
        await unescaped(function) { await simulated.run(seeds, testCase, $0) }
    }
}

extension Trait where Self == SimulatedTrait {
    /// Returns a trait that runs a test in a simulated world, `seeds` times, with these `options`.
    ///
    /// **Thread:** any.
    /// - Complexity: O(1).
    public static func simulated(seeds: Int, _ options: SimulationOption...) -> Self {
        SimulatedTrait(seeds: seeds, options: options)
    }
}

/// A test that is simulated.
private final class SimulatedTest: Sendable {
    private struct State {
        /// Of the latest run.
        var seed: UInt64 = 0
        var hasFailed = false
        /// Issues of tasks that do not know their test.
        var strays: [Issue] = []
    }

    private let test: Test
    private let search: Search
    private let state = Lock(State())

    init(_ test: Test, _ options: [SimulationOption]) {
        self.test = test
        search = Search(options, test: test.name)
    }

    /// Runs seeds until one fails, and records what is wrong with a run itself. Returns whether the
    /// last body has ended.
    func run(_ seeds: Int, _ testCase: Test.Case?, _ body: @escaping Search.Body) async -> Bool {
        do {
            let handler = IssueHandlingTrait.compactMapIssues { [self] in received($0) }
            try await handler.provideScope(for: test, testCase: testCase) { [self] in
                let body: Search.Body = { [self] in
                    state.withLock { $0.seed = World.seed(of: search) ?? 0 }
                    try await body()
                }
                _ = try await search.run(seeds: seeds, body, until: hasFailed)
            }
        } catch let failure as SimulationFailure {
            recordStrays()
            if failure.error is ExpectationFailedError {
                // It was recorded when it was thrown.
            } else if let thrown = failure.error {
                let text = Comment(rawValue: failure.description)
                Issue.record(thrown, text, sourceLocation: test.sourceLocation)
            } else {
                record(failure.description)
            }
            return failure.run?.end == .finished
        } catch {
            // The test was cancelled.
        }
        return true
    }

    /// Issues of this test get the seed of their run, and those of detached tasks, which Swift
    /// Testing shows to all running tests, their test.
    private func received(_ issue: Issue) -> Issue? {
        if Test.current == nil {
            guard World.isCurrent else { return issue }
            if World.seed(of: search) != nil { state.withLock { $0.strays.append(issue) } }
            return nil
        }
        var issue = issue
        let seed = state.withLock { state in
            state.hasFailed = state.hasFailed || issue.isFailure
            return state.seed
        }
        issue.comments.append(Comment(rawValue: search.hint(seed)))
        return issue
    }

    /// Whether issues were recorded in the run.
    private func hasFailed(in run: SimulatedRun) -> Bool {
        for escape in run.escapes.prefix(5) {
            record("this run is not repeatable: \(escape)", .warning)
        }
        recordStrays()
        guard state.withLock({ $0.hasFailed }) else { return false }
        Diagnostics.warn("\(run)\n\(run.details)")
        return true
    }

    private func recordStrays() {
        let strays = state.withLock { state in
            defer { state.strays = [] }
            return state.strays
        }
        for stray in strays { record("in a detached task: \(stray)", at: stray.sourceLocation) }
    }

    private func record(
        _ text: String, _ severity: Issue.Severity = .error, at location: SourceLocation? = nil
    ) {
        Issue.record(
            Comment(rawValue: text), severity: severity,
            sourceLocation: location ?? test.sourceLocation)
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
