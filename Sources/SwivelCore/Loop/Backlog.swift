// SPDX-License-Identifier: Apache-2.0
internal import CSwivel.Internal

/// The work that waits for room on a full loop, first come, first served; and the reports of high
/// water. A loop that counts its posts has one.
final class Backlog: Sendable {
    private struct State {
        var posts = WaitingLine<WaitingPost>()
        /// Whether the loop has risen to its mark and not fallen to half of it since.
        var isHigh = false
        /// Whether a thread posts what waits, and whether another thread has seen room since then.
        /// One at a time keeps the order.
        var isAdmitting = false
        var hasRoomAgain = false
        /// Whether the first one is being posted, without the lock: a post may report.
        var isPosting = false
    }

    private let state = Lock(State())
    private let reports = PoolLane()
    private let limit: UInt64
    /// High water is over when no more posts wait.
    private let low: UInt64
    private let report: (@Sendable (Loop.HighWater) -> Void)?

    init(_ configuration: Loop.Configuration) {
        limit = configuration.maxPendingPosts.map { UInt64($0) } ?? .max
        low = UInt64(configuration.reportedMark ?? 0) / 2
        report = configuration.onHighWater
    }

    var count: Int { state.withLock { $0.posts.count } }

    /// Queues the work, and resumes `task` once the loop has taken it. **Thread:** any.
    func add(_ post: WaitingPost, _ task: UnsafeContinuation<Bool, Never>, on loop: Loop) {
        let isCancelled = state.withLock { state in
            guard !post.isCancelled else { return true }
            post.task = task
            state.posts.append(post)
            setMark(state, loop)
            return false
        }
        if isCancelled { task.resume(returning: false) }
        // In any case: the try that has failed took room for a moment, and the loop may have seen
        // none for those that wait.
        admit(to: loop)
    }

    /// The task no longer waits. **Thread:** any.
    func cancel(_ post: WaitingPost, on loop: Loop) {
        // The work is released outside of the lock.
        let end = state.withLock { state -> WaitingPost.End? in
            post.isCancelled = true
            guard !(state.isPosting && state.posts.first === post), state.posts.remove(post)
            else { return nil }
            setMark(state, loop)
            return post.end()
        }
        end?.task?.resume(returning: false)
    }

    /// Posts work as far as there is room, and notes the end of high water. **Thread:** any.
    func admit(to loop: Loop) {
        guard beginAdmitting() else { return }
        repeat {
            admitWhileThereIsRoom(to: loop)
        } while continuesAdmitting()
        fall(on: loop)
    }

    private func beginAdmitting() -> Bool {
        state.withLock { state in
            state.hasRoomAgain = state.isAdmitting
            defer { state.isAdmitting = true }
            return !state.isAdmitting
        }
    }

    private func continuesAdmitting() -> Bool {
        state.withLock { state in
            state.isAdmitting = state.hasRoomAgain
            state.hasRoomAgain = false
            return state.isAdmitting
        }
    }

    private func admitWhileThereIsRoom(to loop: Loop) {
        while let post = first() {
            let status = loop.submit(post.work)
            let end = state.withLock { state -> WaitingPost.End? in
                state.isPosting = false
                guard status != SWIVEL_EFULL || post.isCancelled else { return nil }
                state.posts.remove(post)
                return post.end()
            }
            if let end {
                end.task?.resume(returning: status == SWIVEL_OK)
            } else if swivel__waiting_posts(loop.record) >= limit {
                // The mark is set since ``add(_:_:on:)``: the loop sees it, or this sees the room.
                break
            }
        }
    }

    private func first() -> WaitingPost? {
        state.withLock { state in
            state.isPosting = state.posts.first != nil
            return state.posts.first
        }
    }

    /// The loop has risen to its mark. **Thread:** any.
    func rise(on loop: Loop) {
        state.withLock { state in
            state.isHigh = true
            setMark(state, loop)
            addReport(isAbove: true, loop)
        }
        reports.run()
        fall(on: loop)
    }

    private func fall(on loop: Loop) {
        let hasFallen = state.withLock { state in
            defer { setMark(state, loop) }
            guard state.isHigh, swivel__waiting_posts(loop.record) <= low else { return false }
            state.isHigh = false
            addReport(isAbove: false, loop)
            return true
        }
        if hasFallen {
            swivel__end_high_water(loop.record)
            reports.run()
        }
    }

    /// Under the lock, which keeps reports in order.
    private func addReport(isAbove: Bool, _ loop: Loop) {
        let news = Loop.HighWater(
            isAbove: isAbove, pendingPosts: Int(clamping: swivel__waiting_posts(loop.record)))
        reports.add { [report] in report?(news) }
    }

    private func setMark(_ state: State, _ loop: Loop) {
        let fallen = state.isHigh ? low + 1 : 0
        swivel__await_room(loop.record, state.posts.first == nil ? fallen : limit)
    }
}

/// Work that a task has for a loop without room.
final class WaitingPost: Waits, @unchecked Sendable {
    // because the backlog's lock guards it, and no thread changes ``work`` while another posts it.
    typealias End = (task: UnsafeContinuation<Bool, Never>?, work: @Sendable () -> Void)

    private(set) var work: @Sendable () -> Void
    /// Gets whether the loop has accepted the work; `nil`: the task does not wait (any more).
    var task: UnsafeContinuation<Bool, Never>?
    var isCancelled = false
    var links = WaitingLinks<WaitingPost>()

    init(_ work: @escaping @Sendable () -> Void) { self.work = work }

    /// The wait is over. Returns the task, to be resumed, and the work, to be released.
    func end() -> End {
        defer { (task, work) = (nil, {}) }
        return (task, work)
    }
}
