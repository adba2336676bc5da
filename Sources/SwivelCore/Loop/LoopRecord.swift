// SPDX-License-Identifier: Apache-2.0
internal import CSwivel

/// A loop for those who must not keep it: what its own timers hold. Its record is never freed.
package struct LoopRecord: @unchecked Sendable {
    // because the record is guarded by the core.
    private let record: OpaquePointer

    /// The record of `loop`.
    package init(_ loop: Loop) {
        record = loop.record
    }

    /// Why the loop refuses work; `nil` while it does not. A loop made later may have the record
    /// after this one: to be asked while this one, or its shutdown, releases its work.
    package var refusal: SwivelError? {
        let status = swivel_loop_refusal(record)
        return status == SWIVEL_OK ? nil : SwivelError(status: status)
    }
}
