// SPDX-License-Identifier: Apache-2.0
internal import SwivelCore
#if os(Linux)
internal import Runtime

/// The places where a loop's timers were armed. Only in debug builds does the loop report them.
final class SchedulingSites: TimerObserver {
    /// How many timers may be known before those that are over are forgotten.
    private static let sweepCount = 4096
    /// How many frames are captured: the caller's is behind a few of Swivel's.
    private static let depth = 24

    /// The libraries of the process, captured once: capturing reads memory that another thread may
    /// be unmapping.
    private static let images = ImageMap.capture()

    private struct State {
        var traces: [TimerHandle: Backtrace] = [:]
        /// Of timers that are armed again and again.
        var makings: [TimerHandle: Backtrace] = [:]
        var sweepAt = SchedulingSites.sweepCount
    }

    private let state = Lock(State())

    func armed(_ handle: TimerHandle) {
        guard let trace = Self.capture() else { return }
        let known = state.withLock { state -> [TimerHandle] in
            state.traces[handle] = trace
            return state.traces.count > state.sweepAt ? Array(state.traces.keys) : []
        }
        if !known.isEmpty {
            forget(known.filter { $0 != handle && !$0.isPending })
        }
    }

    func made(_ handle: TimerHandle) {
        guard let trace = Self.capture() else { return }
        state.withLock { $0.makings[handle] = trace }
    }

    func freed(_ handle: TimerHandle) {
        state.withLock { _ = $0.makings.removeValue(forKey: handle) }
    }

    private static func capture() -> Backtrace? {
        try? Backtrace.capture(limit: depth, top: 0, images: images)
    }

    private func forget(_ handles: [TimerHandle]) {
        state.withLock { state in
            for handle in handles {
                state.traces.removeValue(forKey: handle)
            }
            state.sweepAt = max(Self.sweepCount, 2 * state.traces.count)
        }
    }

    func site(of handle: TimerHandle) -> String? {
        let trace = state.withLock { $0.traces[handle] ?? $0.makings[handle] }
        guard let frames = trace?.symbolicated()?.frames else { return nil }
        let symbols = frames.lazy.compactMap(\.symbol)
        guard let symbol = symbols.first(where: { !Self.isOwn($0.rawName) }) else { return nil }
        let place = symbol.sourceLocation.map { location in
            let file = location.path.split(separator: "/").last.map(String.init) ?? location.path
            return " in \(file):\(location.line)"
        }
        return symbol.name + (place ?? "")
    }

    /// Whether the function belongs to Swivel or to the code that took the trace, by the module in
    /// its mangled name.
    private static func isOwn(_ symbol: String) -> Bool {
        ["$s10SwivelCore", "$s13SwivelTesting", "$s7Runtime"].contains { symbol.hasPrefix($0) }
            || !symbol.hasPrefix("$s")
    }
}
#else
/// Swift's backtraces need a newer system here than the package does, so no site is known.
final class SchedulingSites: TimerObserver {
    func armed(_ handle: TimerHandle) {}
    func made(_ handle: TimerHandle) {}
    func freed(_ handle: TimerHandle) {}
    func site(of handle: TimerHandle) -> String? { nil }
}
#endif
