// SPDX-License-Identifier: Apache-2.0
internal import CSwivel
internal import CSwivel.Internal

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
