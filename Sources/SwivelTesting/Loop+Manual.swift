// SPDX-License-Identifier: Apache-2.0
public import SwivelCore

extension Loop {
    /// Makes a loop without a thread, whose time stands still until a test moves it.
    ///
    /// It is a ``Loop`` like any other and runs the production turn. Timers, posts, and the jobs
    /// and sleeps of tasks run on the thread that calls `advance(by:)` or one of its kind, each at
    /// its own virtual instant, in an order that is the same every time. `Loop.run()` and
    /// `Loop.runOnce(_:)` trap if they would wait, because nothing would ever end the wait.
    ///
    /// **Thread:** any.
    /// - Parameters:
    ///   - configuration: As for any loop.
    ///   - start: The first instant. The default leaves room for instants before it.
    ///   - seed: If given, posts of other threads wait for the next advance and run interleaved, in
    ///     an order that depends on the seed; those of each thread keep theirs. Timers are not
    ///     affected.
    ///   - patience: Real time for which virtual time waits for work that may never come back. A
    ///     wait inside a closure gives a hundredth of it to other threads; then time moves to the
    ///     next timer, or to the wait's own limit. If there is neither, the wait traps once the
    ///     patience is over. An advance waits this long for tasks that do not come back, and for
    ///     three seconds at most for threads that send more than the loop can run.
    /// - Returns: The loop.
    /// - Throws: Like `Loop.init(_:)`.
    /// - Complexity: O(1), a few system calls.
    public static func manual(
        _ configuration: Configuration = Configuration(name: "swivel.manual"),
        startingAt start: LoopClock.Instant = LoopClock.Instant(
            nanoseconds: 1_000_000_000_000_000),
        seed: UInt64? = nil, patience: Duration = .seconds(10)
    ) throws(SwivelError) -> Loop {
        Tracker.installation
        let seesJobs = JobHook.enter()
        do {
            let loop = try Loop.virtual(
                configuration,
                ManualTime(
                    startingAt: start, patience: patience, posts: seed.map(SeededPosts.init),
                    inFlight: seesJobs ? Directors.shared.open() : nil))
            loop.whenClosed { JobHook.leave() }
            return loop
        } catch {
            JobHook.leave()
            throw error
        }
    }

    /// Virtual time since a manual loop was made. **Thread:** any.
    public var elapsedTime: Duration { virtualTime(Caller("elapsedTime")).start.duration(to: now) }

    /// A manual loop's virtual time; traps on a real one.
    @discardableResult
    func virtualTime(_ caller: Caller) -> ManualTime {
        guard let manual else {
            caller.trap(
                """
                \(caller.name) is for loops with virtual time, and \(self) is a real one; make the \
                loop with Loop.manual()
                """)
        }
        return manual
    }
}

/// A test's call, and its line: the message of a trap shows both.
struct Caller: Sendable {
    let name: StaticString
    private let file: StaticString
    private let line: UInt

    /// Without a position, as a property has none: the library's.
    init(_ name: StaticString, _ file: StaticString = #fileID, _ line: UInt = #line) {
        self.name = name
        self.file = file
        self.line = line
    }

    /// Stops the program.
    func trap(_ message: String) -> Never { SwivelCore.trap(message, file: file, line: line) }
}
