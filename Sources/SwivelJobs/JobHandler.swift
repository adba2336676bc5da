// SPDX-License-Identifier: Apache-2.0
internal import SwivelCore

/// A closure that is called when a job ends, once at most.
@usableFromInline
final class JobHandler: @unchecked Sendable {
    // because `number` is written once, before anybody else has the handler.
    /// Calls the closure, with the result of the job if it is for one. Captures nothing.
    @usableFromInline typealias Step = @Sendable (_ closure: JobClosure, _ job: AnyJob) -> Void

    var number = 0
    let kinds: JobEventKinds
    private let closure: JobClosure
    private let step: Step
    private let context: any ExecutionContext
    /// Whether it runs at once. Beside the context, whose type says so: that question takes longer.
    let isImmediate: Bool

    init(
        _ kinds: JobEventKinds, on context: any ExecutionContext, _ closure: JobClosure,
        _ step: @escaping Step
    ) {
        self.kinds = kinds
        self.closure = closure
        self.step = step
        self.context = context
        isImmediate = context.isImmediate
    }

    /// Calls the handler, here or on its context, if the job still lets it when it starts.
    func hand(_ kind: JobEventKinds, of job: AnyJob) {
        if isImmediate {
            call(kind, of: job)
        } else {
            context.executeBeyondLimit { [self] in call(kind, of: job) }
        }
    }

    private func call(_ kind: JobEventKinds, of job: AnyJob) {
        if job.starts(self, with: kind) {
            start(job)
        }
    }

    /// Calls the handler, which may be called now.
    func start(_ job: AnyJob) {
        step(closure, job)
    }
}

/// Handlers in registration order. The first needs no array.
struct JobHandlers: Sendable {
    private var first: JobHandler?
    private var others: [JobHandler] = []

    mutating func append(_ handler: JobHandler) {
        if first == nil { first = handler } else { others.append(handler) }
    }

    func forEach(_ body: (JobHandler) -> Void) {
        if let first {
            body(first)
            others.forEach(body)
        }
    }

    /// The first one that hears of an end of this kind.
    func first(hearing kind: JobEventKinds) -> JobHandler? {
        if let first, first.kinds.contains(kind) { return first }
        return others.first { $0.kinds.contains(kind) }
    }

    /// All that hear of an end of this kind.
    func hearing(_ kind: JobEventKinds) -> JobHandlers {
        var handlers = JobHandlers()
        forEach { if $0.kinds.contains(kind) { handlers.append($0) } }
        return handlers
    }
}
