// SPDX-License-Identifier: Apache-2.0
internal import CSwivel.Internal

extension Loop {
    /// How much one turn does before the poller is served again.
    ///
    /// **Thread:** any.
    public struct TurnBudget: Hashable, Sendable {
        /// Closures of each kind (posts from elsewhere, own posts, timers) that one turn runs; at
        /// least 1.
        public var count: Int
        /// Time after which a turn starts no more closures of a kind; above zero.
        public var time: Duration

        /// A budget of this `count` and this `time`.
        ///
        /// - Complexity: O(1).
        public init(count: Int = 1024, time: Duration = .milliseconds(1)) {
            self.count = count
            self.time = time
        }
    }

    /// Settings of a loop and its thread. Each has a good default.
    ///
    /// **Thread:** any.
    public struct Configuration: Sendable {
        /// The thread's name; Linux shows its first 15 bytes.
        public var name: String
        /// The processor to which the thread is pinned; `nil`: none. One that the system refuses
        /// leaves the thread unpinned; see ``Loop/pinningError``.
        ///
        /// Swivel moves no thread by itself. Two threads that answer each other take less than a
        /// microsecond for a round trip if each has a processor of its own, and 4 to 5 µs if the
        /// kernel keeps them on one.
        public var cpu: Int?
        /// Timer slack of the loop's thread, for sleeps that its closures make (Linux). The loop's
        /// own timers have none. `nil`: no slack, so that the loop may sleep on a word of memory
        /// and wake in time.
        public var timerSlack: Duration?
        /// How much one turn does.
        public var turnBudget: TurnBudget
        /// How long the loop polls for work, using its processor, before it parks. Zero: a few
        /// microseconds, if that has paid off recently.
        public var busyPoll: Duration
        /// Posts that may wait before the loop refuses more, at least 1; `nil`: any number.
        ///
        /// The limit holds for ``Loop/execute(_:)`` and ``Loop/tryExecute(_:)``, and for work whose
        /// future can fail with ``SwivelError/Code/queueFull``. Callbacks of futures and jobs, the
        /// operators and `each` count but are not refused, because they continue accepted work or a
        /// caller waits for them. Timers and the jobs of tasks are no posts.
        public var maxPendingPosts: Int?
        /// Posts that wait when ``onHighWater`` is called, from 1 up to the limit; `nil`: three
        /// quarters of ``maxPendingPosts``.
        public var highWaterMark: Int?
        /// Called when ``highWaterMark`` posts wait, and then when no more than half as many do, in
        /// the background, one call at a time. The loop retains it. It needs a mark or a limit.
        @preconcurrency public var onHighWater: (@Sendable (HighWater) -> Void)?

        /// Settings with this `name`, `cpu`, `timerSlack`, `turnBudget`, `busyPoll`,
        /// `maxPendingPosts`, `highWaterMark` and `onHighWater`. If a value is out of range,
        /// ``Loop/init(_:)`` throws ``SwivelError/Code/invalidConfiguration``.
        ///
        /// - Complexity: O(1).
        @preconcurrency
        public init(
            name: String = "swivel.loop", cpu: Int? = nil, timerSlack: Duration? = nil,
            turnBudget: TurnBudget = TurnBudget(), busyPoll: Duration = .zero,
            maxPendingPosts: Int? = nil, highWaterMark: Int? = nil,
            onHighWater: (@Sendable (HighWater) -> Void)? = nil
        ) {
            self.name = name
            self.cpu = cpu
            self.timerSlack = timerSlack
            self.turnBudget = turnBudget
            self.busyPoll = busyPoll
            self.maxPendingPosts = maxPendingPosts
            self.highWaterMark = highWaterMark
            self.onHighWater = onHighWater
        }

        func effective(name: String, isPinned: Bool, hasThread: Bool) -> Configuration {
            var effective = self
            effective.name = name
            effective.cpu = isPinned ? cpu : nil
            #if os(Linux)
            effective.timerSlack = hasThread ? timerSlack : nil
            #else
            effective.timerSlack = nil
            #endif
            effective.highWaterMark = reportedMark
            return effective
        }

        /// The number of waiting posts that is reported; `nil`: none is.
        var reportedMark: Int? {
            guard onHighWater != nil else { return nil }
            return highWaterMark ?? maxPendingPosts.map { max(1, $0 - $0 / 4) }
        }

        var countsPosts: Bool { maxPendingPosts != nil || onHighWater != nil }

        /// The first value that is out of range, by its name.
        private var fault: String? {
            if turnBudget.count < 1 || turnBudget.count > UInt32.max {
                return "turnBudget.count is \(turnBudget.count)"
            }
            if turnBudget.time <= .zero { return "turnBudget.time is \(turnBudget.time)" }
            if busyPoll < .zero { return "busyPoll is \(busyPoll)" }
            if let timerSlack, timerSlack < .zero { return "timerSlack is \(timerSlack)" }
            if let cpu, cpu < 0 || cpu >= Int32.max { return "cpu is \(cpu)" }
            if let maxPendingPosts, maxPendingPosts < 1 {
                return "maxPendingPosts is \(maxPendingPosts)"
            }
            if let highWaterMark, highWaterMark < 1 || highWaterMark > maxPendingPosts ?? .max {
                return "highWaterMark is \(highWaterMark); from 1 to maxPendingPosts is possible"
            }
            if onHighWater != nil && reportedMark == nil {
                return "onHighWater needs a highWaterMark or maxPendingPosts"
            }
            return nil
        }

        func core() throws(SwivelError) -> swivel_config {
            if let fault {
                throw SwivelError(
                    .invalidConfiguration, "a value of '\(name)' is out of range: \(fault)")
            }
            var config = swivel_config()
            config.cpu = cpu.map { Int32($0) + 1 } ?? 0
            config.timer_slack_ns = (timerSlack ?? .zero).nanosecondsRoundedUp
            config.turn_count = UInt32(turnBudget.count)
            config.turn_ns = turnBudget.time.nanosecondsRoundedUp
            config.busy_poll_ns = busyPoll.nanosecondsRoundedUp
            config.max_pending_posts = UInt64(maxPendingPosts ?? 0)
            config.high_water_posts = UInt64(reportedMark ?? 0)
            return config
        }
    }
}

extension Loop {
    /// Why a new loop's thread is not pinned to the processor that was asked for; `nil`: it is, or
    /// none was.
    static func pinningError(
        _ record: OpaquePointer, _ configuration: Configuration, hasThread: Bool
    ) -> SwivelError? {
        guard let cpu = configuration.cpu else { return nil }
        let status = swivel__pin_status(record)
        guard !hasThread || status != SWIVEL_OK else { return nil }
        let reason =
            hasThread
            ? "the system says: \(String(cString: swivel_status_text(status)))"
            : "only a loop with a thread of its own can be"
        let error = SwivelError(
            .system, "\(configuration.name) is not pinned to processor \(cpu): \(reason)",
            errno: hasThread ? -status : 0)
        Diagnostics.report(error.message)
        return error
    }
}
