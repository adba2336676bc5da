// SPDX-License-Identifier: Apache-2.0
#if DEBUG
internal import Foundation
internal import SwivelCore

/// A wait without a deadline, for debug builds. If it lasts, it finds serial contexts whose waits
/// wait for each other, a cooperative pool all of whose threads wait, and manual loops that no
/// thread drives.
///
/// Only a waiting thread can find out which contexts it holds: when it checks, it notes which of
/// the other waits need one of them.
final class LastingWait: Sendable {
    private struct State {
        /// The contexts that must run something before the wait ends.
        var needed: [any ExecutionContext] = []
        /// The waits that need a context which this one's thread holds.
        var heldUp: [LastingWait] = []
    }

    private static let waits = Lock<[LastingWait]>.ofProcess { _ in [] }

    private let call: BlockingCall
    private let began = LoopClock.Instant.now
    private let isInPool = BlockingCall.isOnCooperativePool
    private let manual: ManualWait
    private let state: Lock<State>

    /// The wait begins.
    /// - Parameter contexts: Those that must run something before it ends, as far as is known.
    init(_ call: BlockingCall, needing contexts: [any ExecutionContext]) {
        self.call = call
        manual = ManualWait(for: contexts, call.operation, call.file, call.line)
        state = Lock(State(needed: contexts))
        Self.waits.withLock { $0.append(self) }
    }

    /// The wait is over.
    func end() {
        Self.waits.withLock { $0.removeAll { $0 === self } }
        become(State())
        manual.end()
    }

    /// The wait lasts: notes which contexts of the others this thread holds, and reports waits that
    /// cannot end.
    func check(needing contexts: [any ExecutionContext]) {
        let others = Self.waits.withLock { $0 }.filter { $0 !== self }
        let heldUp = others.filter { other in
            other.state.withLock { $0.needed }.contains { $0.isCurrent }
        }
        become(State(needed: contexts, heldUp: heldUp))
        var seen: Set<ObjectIdentifier> = []
        if let ring = ring([self], &seen) {
            report(ring) { operation, others in
                """
                \(operation) has waited for a second for a serial context that is itself waiting, \
                directly or through others, for the context of this call; the other waits are at \
                \(others). None of them ends; wait on .background, or handle the result in a callback
                """
            }
        }
        reportFullPool(others)
        manual.check(contexts)
    }

    /// The former state is released outside the lock.
    private func become(_ new: State) {
        _ = state.withLock { state in
            defer { state = new }
            return state
        }
    }

    /// The waits that lead on from `path`, and so from this one, back to it; each holds up the
    /// next. One that is over holds up none.
    private func ring(
        _ path: [LastingWait], _ seen: inout Set<ObjectIdentifier>
    ) -> [LastingWait]? {
        for next in path[path.count - 1].state.withLock({ $0.heldUp }) {
            if next === self { return path }
            guard seen.insert(ObjectIdentifier(next)).inserted else { continue }
            if let ring = ring(path + [next], &seen) { return ring }
        }
        return nil
    }

    private func reportFullPool(_ others: [LastingWait]) {
        let limit = began.advanced(by: .seconds(1))
        let waits = (others + [self]).filter { $0.isInPool && $0.began <= limit }
        guard isInPool, waits.count >= ProcessInfo.processInfo.activeProcessorCount else { return }
        report(waits) { operation, others in
            """
            \(operation) has waited for a second inside a Swift task, as have \(waits.count - 1) \
            others, at \(others), and the cooperative pool has no thread left: no task runs, and if \
            one of them needs a task, none ends; use 'await' there
            """
        }
    }

    /// Reports several waits together, at the first of their call sites.
    private func report(_ waits: [LastingWait], _ message: (StaticString, String) -> String) {
        let calls = waits.map(\.call).sorted { $0.site < $1.site }
        guard let first = calls.first else { return }
        let others = Set(calls.dropFirst().map(\.site)).sorted().joined(separator: ", ")
        Diagnostics.report(
            message(first.operation, others), file: first.file, line: first.line, others: others)
    }
}
#endif
