// SPDX-License-Identifier: Apache-2.0
internal import Runtime
internal import SwivelCore

/// Where a loop's timers were armed. In debug builds only: there the loop tells.
final class SchedulingSites: TimerObserver {
    /// Timers that may be known before those that are over are forgotten.
    private static let sweepCount = 4096
    /// Frames that are looked at: the caller's is behind a few of Swivel's.
    private static let depth = 24

    private struct State {
        var traces: [TimerHandle: Backtrace] = [:]
        var sweepAt = SchedulingSites.sweepCount
    }

    private let state = Lock(State())

    func armed(_ handle: TimerHandle) {
        guard let trace = try? Backtrace.capture(limit: Self.depth, top: 0) else { return }
        let known = state.withLock { state -> [TimerHandle] in
            state.traces[handle] = trace
            return state.traces.count > state.sweepAt ? Array(state.traces.keys) : []
        }
        if !known.isEmpty {
            keep(Set(known.filter(\.isPending)).union([handle]))
        }
    }

    /// Forgets all timers but these.
    func keep(_ handles: Set<TimerHandle>) {
        state.withLock { state in
            state.traces = state.traces.filter { handles.contains($0.key) }
            state.sweepAt = max(Self.sweepCount, 2 * state.traces.count)
        }
    }

    func site(of handle: TimerHandle) -> String? {
        let trace = state.withLock { $0.traces[handle] }
        guard let frames = trace?.symbolicated()?.frames else { return nil }
        let symbols = frames.lazy.compactMap(\.symbol)
        guard let symbol = symbols.first(where: { !Self.isOwn($0.rawName) }) else { return nil }
        let place = symbol.sourceLocation.map { location in
            let file = location.path.split(separator: "/").last.map(String.init) ?? location.path
            return " in \(file):\(location.line)"
        }
        return symbol.name + (place ?? "")
    }

    /// Whether the function is Swivel's own, or belongs to what took the trace. By the mangled name's
    /// module.
    private static func isOwn(_ symbol: String) -> Bool {
        ["$s10SwivelCore", "$s13SwivelTesting", "$s7Runtime"].contains { symbol.hasPrefix($0) }
            || !symbol.hasPrefix("$s")
    }
}
