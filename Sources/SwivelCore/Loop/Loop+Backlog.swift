// SPDX-License-Identifier: Apache-2.0
internal import CSwivel.Internal

extension Loop {
    /// A report that the waiting posts have risen to the mark, or fallen to half of it.
    public struct HighWater: Hashable, Sendable {
        /// True: ``Configuration/highWaterMark`` posts wait. False: no more than half as many do,
        /// for the first time since.
        public let isAbove: Bool
        /// The posts that waited at the report.
        public let pendingPosts: Int
    }

    /// Posts `work` as soon as fewer than ``Configuration/maxPendingPosts`` posts wait, and
    /// suspends the task until then. Tasks that wait are served in their order.
    ///
    /// Leave `nothing` and `nothingElse` out: because of these parameters a trailing closure in a
    /// task's code means ``execute(_:)`` and not this form, in Swift 5 too. Pass `work`, which runs
    /// once on the loop's thread and is released there or in the task, by its label.
    ///
    /// - Returns: False if the loop has not accepted the work, because it is shut down, the task
    ///   was cancelled while it waited, or memory ran out. The closure is released then.
    /// - Complexity: O(1); a cancelled wait O(n) in those that wait.
    @preconcurrency
    @discardableResult
    public func execute(
        _ nothing: ((Never) -> Never)? = nil,
        waitingIfFull work: @escaping @Sendable () -> Void = {},
        _ nothingElse: ((Never) -> Never)? = nil
    ) async -> Bool {
        let status = submit(work)
        guard status == SWIVEL_EFULL, let backlog else { return status == SWIVEL_OK }
        let post = WaitingPost(work)
        return await withTaskCancellationHandler {
            await withUnsafeContinuation { backlog.add(post, $0, on: self) }
        } onCancel: {
            backlog.cancel(post, on: self)
        }
    }

    package var tasksWaitingForRoom: Int { backlog?.count ?? 0 }

    /// Posts the work if there is room. Refusals for want of room are not counted.
    func submit(_ work: @escaping @Sendable () -> Void) -> Int {
        let words = Work.words(work)
        let status = swivel__post(record, words, SWIVEL_POST_IF_ROOM)
        return status == SWIVEL_OK || divertOrRelease(words, status) ? SWIVEL_OK : Int(status)
    }

    static func configureBacklog(_ config: inout swivel_config) {
        config.has_room = { owner in
            if let loop = Loop.owning(owner) { loop.backlog?.admit(to: loop) }
        }
        config.high_water = { owner in
            if let loop = Loop.owning(owner) { loop.backlog?.rise(on: loop) }
        }
    }
}
