// SPDX-License-Identifier: Apache-2.0

/// A piece of work under way on some thread.
package final class Errand: @unchecked Sendable {
    // because the account's lock guards `round` and `isAway`, and the thread that runs the errand
    // alone touches `isAsleep`.
    let errands: Errands
    let kind: Errands.Kind
    var round = 0
    var isAway = false
    /// Whether the last thing that the work did was to put its task to sleep on a loop.
    var isAsleep = false

    init(_ errands: Errands, _ kind: Errands.Kind) {
        self.errands = errands
        self.kind = kind
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
