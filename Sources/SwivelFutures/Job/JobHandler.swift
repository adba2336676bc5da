// SPDX-License-Identifier: Apache-2.0
internal import SwivelCore

/// A handler of a job's events. Its calls never overlap and come in order, on any context.
final class JobHandler<Value: Sendable, Failure: Error>: Sendable {
    typealias Event = JobEvent<Value, Failure>

    /// Events on their way to the context.
    private struct Mailbox {
        var events: [Event] = []
        var isOnItsWay = false
    }

    let number: Int
    let kinds: JobEventKinds
    private let body: @Sendable (Event) -> Void
    /// `nil`: the handler runs at once.
    private let context: (any ExecutionContext)?
    private let mailbox: Lock<Mailbox>?

    init(
        _ number: Int, _ kinds: JobEventKinds, on context: any ExecutionContext,
        _ body: @escaping @Sendable (Event) -> Void
    ) {
        self.number = number
        self.kinds = kinds
        self.body = body
        let isImmediate = context.route == .immediate
        self.context = isImmediate ? nil : context
        mailbox = isImmediate ? nil : Lock(Mailbox())
    }

    var isImmediate: Bool { context == nil }

    /// Calls the handler, here or on its context, if the job still lets it when it starts.
    func hand(_ event: Event, of job: Job<Value, Failure>) {
        guard let context, let mailbox else {
            return call(event, of: job)
        }
        let sends = mailbox.withLock { mailbox in
            mailbox.events.append(event)
            defer { mailbox.isOnItsWay = true }
            return !mailbox.isOnItsWay
        }
        if sends {
            context.executeBeyondLimit { [self] in
                while let event = next() { call(event, of: job) }
            }
        }
    }

    private func next() -> Event? {
        mailbox?.withLock { mailbox in
            guard !mailbox.events.isEmpty else {
                mailbox.isOnItsWay = false
                return nil
            }
            return mailbox.events.removeFirst()
        }
    }

    private func call(_ event: Event, of job: Job<Value, Failure>) {
        if job.starts(self, with: event) {
            body(event)
        }
    }
}
