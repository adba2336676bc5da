// SPDX-License-Identifier: Apache-2.0
/// A job of the Swift runtime.
package struct FollowedJob: Equatable {
    package let address: UInt
    /// Whether the job only resumes its task. `Task.yield()` queues one.
    let isYield: Bool

    package init(address: UInt, isYield: Bool) {
        self.address = address
        self.isYield = isYield
    }

    /// Whether work that queues `next` while it runs this job goes on as `next`.
    func goesOn(as next: FollowedJob) -> Bool {
        self == next || isYield || next.isYield
    }
}

/// A piece of work under way on some thread.
package final class Errand: @unchecked Sendable {
    // because the account's lock guards `round`, `isAway` and `isQueuedAgain`, and the thread that
    // runs the errand alone touches `isAsleep`.
    let errands: Errands
    let kind: Errands.Kind
    /// The job that the work is, if that is known.
    let job: FollowedJob?
    var round = 0
    var isAway = false
    var isQueuedAgain = false
    /// Whether the last thing that the work did was to put its task to sleep on a loop.
    var isAsleep = false

    init(_ errands: Errands, _ kind: Errands.Kind, _ job: FollowedJob?) {
        self.errands = errands
        self.kind = kind
        self.job = job
    }

    /// Runs the work here. Work that it sends away counts before it has returned.
    package func run(_ work: () -> Void) {
        let thread = Trampoline.ofThread
        let before = thread.pointee.errand
        thread.pointee.errand = UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque())
        work()
        thread.pointee.errand = before
        errands.arrive(self, losesSight: !isAsleep)
    }
}
