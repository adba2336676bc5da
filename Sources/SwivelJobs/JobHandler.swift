// SPDX-License-Identifier: Apache-2.0
internal import SwivelCore

/// A closure that is called when a job ends, once at most.
final class JobHandler: @unchecked Sendable {
    // because the number is set once, under the job's lock and before any other thread has it.
    var number = 0
    let kinds: JobEventKinds
    let context: any ExecutionContext
    /// Whether it runs at once. Kept because the context's own property takes longer.
    let isImmediate: Bool
    let body: @Sendable (JobEnd) -> Void

    init(
        _ kinds: JobEventKinds, on context: any ExecutionContext,
        _ body: @escaping @Sendable (JobEnd) -> Void
    ) {
        self.kinds = kinds
        self.context = context
        isImmediate = context.isImmediate
        self.body = body
    }
}
