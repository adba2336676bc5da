// SPDX-License-Identifier: Apache-2.0
internal import SwivelCore

/// A closure that is called when a job ends, once at most.
final class JobHandler<Value: Sendable, Failure: Error>: Sendable {
    typealias Event = JobEvent<Value, Failure>

    let number: Int
    let kinds: JobEventKinds
    private let body: @Sendable (Event) -> Void
    /// `nil`: the handler runs at once.
    private let context: (any ExecutionContext)?

    init(
        _ number: Int, _ kinds: JobEventKinds, on context: any ExecutionContext,
        _ body: @escaping @Sendable (Event) -> Void
    ) {
        self.number = number
        self.kinds = kinds
        self.body = body
        self.context = context.route == .immediate ? nil : context
    }

    var isImmediate: Bool { context == nil }

    /// Calls the handler, here or on its context, if the job still lets it when it starts.
    func hand(_ event: Event, of job: Job<Value, Failure>) {
        if let context {
            context.executeBeyondLimit { [self] in call(event, of: job) }
        } else {
            call(event, of: job)
        }
    }

    private func call(_ event: Event, of job: Job<Value, Failure>) {
        if job.starts(self, with: event) {
            body(event)
        }
    }
}
