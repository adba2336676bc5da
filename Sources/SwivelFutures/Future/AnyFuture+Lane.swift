// SPDX-License-Identifier: Apache-2.0
internal import SwivelCore
internal import Synchronization

// The lane of a completed future's callbacks, and the thread's trampoline, which runs those that are
// immediate. Nothing here calls itself: a chain of any length needs one frame.
extension AnyFuture {
    /// Has the callbacks in `lane` run; this thread owns the lane. They run before this returns,
    /// unless a frame further up is running callbacks.
    final func beginLane() {
        let trampoline = Trampoline.current
        Self.append(.passRetained(self), to: trampoline)
        if !trampoline.pointee.isRunning {
            Self.run(trampoline)
        }
    }

    private static func append(
        _ future: Unmanaged<AnyFuture>, to trampoline: UnsafeMutablePointer<Trampoline>
    ) {
        future._withUnsafeGuaranteedRef { $0.next = nil }
        if let last = trampoline.pointee.last {
            Unmanaged<AnyFuture>.fromOpaque(last)._withUnsafeGuaranteedRef { $0.next = future }
        } else {
            trampoline.pointee.first = future.toOpaque()
            trampoline.pointee.run = { run(Trampoline.current) }
        }
        trampoline.pointee.last = future.toOpaque()
    }

    /// Takes the first entry out. The caller gets its reference.
    private static func removeFirst(of trampoline: UnsafeMutablePointer<Trampoline>) {
        guard let first = trampoline.pointee.first else { return }
        let next = Unmanaged<AnyFuture>.fromOpaque(first)._withUnsafeGuaranteedRef { $0.next }
        trampoline.pointee.first = next?.toOpaque()
        if next == nil {
            trampoline.pointee.last = nil
        }
    }

    /// Runs what the thread has promised. A callback that waits runs the rest in a frame of its own:
    /// nothing is known here from one round to the next.
    private static func run(_ trampoline: UnsafeMutablePointer<Trampoline>) {
        trampoline.pointee.isRunning = true
        while let first = trampoline.pointee.first {
            let future = Unmanaged<AnyFuture>.fromOpaque(first)
            let callback = future._withUnsafeGuaranteedRef { $0.nextInLane() }
            guard let callback else {
                removeFirst(of: trampoline)
                future.release()
                continue
            }
            if callback._withUnsafeGuaranteedRef({ $0.home.isInline }) {
                let source = future.takeUnretainedValue()
                callback._withUnsafeGuaranteedRef { $0.step?($0, source) }
                callback.release()
            } else {
                // From here on the lane is the callback's, on whatever thread that runs.
                removeFirst(of: trampoline)
                LaneTicket(callback.takeRetainedValue(), future.takeRetainedValue()).send()
            }
        }
        trampoline.pointee.isRunning = false
    }

    /// The next callback of the lane, with its reference; `nil`: there is none, and the lane is free.
    private final func nextInLane() -> Unmanaged<AnyFuture>? {
        if lane == nil {
            let busy = FutureState.completed | FutureState.busy
            if state.compareExchange(
                expected: busy, desired: FutureState.completed, ordering: .acquiringAndReleasing
            ).exchanged {
                return nil
            }
            let word = state.exchange(busy, ordering: .acquiringAndReleasing)
            lane = Self.reversed(FutureState.top(word))
        }
        let callback = lane
        lane = callback?._withUnsafeGuaranteedRef { $0.next }
        return callback
    }

    static func reversed(_ newest: Unmanaged<AnyFuture>?) -> Unmanaged<AnyFuture>? {
        var (node, oldest) = (newest, Unmanaged<AnyFuture>?.none)
        while let current = node {
            current._withUnsafeGuaranteedRef { future in
                node = future.next
                future.next = oldest
            }
            oldest = current
        }
        return oldest
    }
}
