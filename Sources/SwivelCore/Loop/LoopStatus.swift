// SPDX-License-Identifier: Apache-2.0
internal import CSwivel
internal import Synchronization

/// A loop's words for threads that do not keep it: whether it has closed, and the label of the
/// closure that it runs.
final class LoopStatus: Sendable {
    private let over = Atomic(false)
    /// The address of a label's bytes, which end with a zero; 0: the closure has none.
    private let label = Atomic<UInt>(0)

    /// Whether the loop has closed. Its record may be another loop's from then on.
    var isOver: Bool { over.load(ordering: .acquiring) }

    func end() { over.store(true, ordering: .releasing) }

    var labelText: String? {
        UnsafePointer<CChar>(bitPattern: label.load(ordering: .relaxed)).map { String(cString: $0) }
    }

    /// Runs `work` under a label, on the current loop or worker.
    static func run<R>(_ label: StaticString, _ work: () -> R) -> R {
        guard let status = Loop.current?.status else { return Thread.running(label, work) }
        // A label of one character may have no bytes of its own.
        let address = label.hasPointerRepresentation ? UInt(bitPattern: label.utf8Start) : 0
        let before = status.label.load(ordering: .relaxed)
        status.label.store(address, ordering: .relaxed)
        defer { status.label.store(before, ordering: .relaxed) }
        return work()
    }
}

/// A loop for code that must not keep it. Its record is never freed.
package struct LoopRecord: @unchecked Sendable {
    // because the record is guarded by the core.
    private let record: OpaquePointer

    package init(_ loop: Loop) { record = loop.record }

    /// Why the loop refuses work; `nil` while it does not. Read it only while this loop, or its
    /// shutdown, releases its work: a later loop may have the record afterwards.
    package var refusal: SwivelError? {
        let status = swivel_loop_refusal(record)
        return status == SWIVEL_OK ? nil : SwivelError(status: status)
    }
}
