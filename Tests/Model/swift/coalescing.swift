// SPDX-License-Identifier: Apache-2.0
// Stand-ins for the code around `Coalescer` and `LoopTimer` in SwivelCore: a loop on the model's
// stub, and a context whose thread the model runs.
internal import CSwivel
internal import CSwivel.Internal
internal import Explorer
@preconcurrency internal import Stub
internal import Synchronization

/// Where a coalescer's work runs.
public protocol ExecutionContext: Sendable {
    /// Has `work` run later.
    func execute(_ work: @escaping @Sendable () -> Void)
}

extension ExecutionContext {
    func executeBeyondLimit(_ work: @escaping @Sendable () -> Void) { execute(work) }
}

/// A loop of a model has no virtual time.
enum Tracking {
    static func resume<Value: Sendable, Failure>(
        _ task: UnsafeContinuation<Value, Failure>, with result: Result<Value, Failure>
    ) {
        task.resume(with: result)
    }
}

/// No model reads labels.
enum Label {
    static func labelled(
        _ text: StaticString?, _ work: @escaping @Sendable (Tick) -> Void
    ) -> @Sendable (Tick) -> Void { work }
}

/// The stub's loop.
public final class Loop: ExecutionContext, @unchecked Sendable {
    // because the record is guarded by the core.
    let record: OpaquePointer

    init(_ record: OpaquePointer) { self.record = record }

    static var shared: Loop { Loop(stub_loop) }

    var isOver: Bool { false }
    var manual: Never? { nil }
    var isCurrent: Bool { swivel_loop_is_current(record) }

    /// Posts.
    public func execute(_ work: @escaping @Sendable () -> Void) {
        let status = swivel_post(record, Work.words(work))
        expect(status == 0, "the loop takes posts")
    }
}

/// A context that is no loop.
struct Elsewhere: ExecutionContext {
    private final class Entry: Sendable {
        let work: @Sendable () -> Void

        init(_ work: @escaping @Sendable () -> Void) { self.work = work }
    }

    func execute(_ work: @escaping @Sendable () -> Void) {
        runtime_send(Unmanaged.passRetained(Entry(work)).toOpaque())
    }

    /// The work of its thread.
    static func serve() {
        while let object = runtime_receive(&stub_ending) {
            Unmanaged<Entry>.fromOpaque(object).takeRetainedValue().work()
        }
    }
}

/// The stub's clock.
public enum LoopClock {
    /// An instant of it.
    public struct Instant {
        let nanoseconds: UInt64

        static var now: Instant { Instant(nanoseconds: stub_now) }
    }
}
