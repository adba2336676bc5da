// SPDX-License-Identifier: Apache-2.0
internal import CSwivel.Internal
internal import Synchronization

extension Loop {
    /// Posts `work`: it runs once in one of the loop's next turns, in order with the other posts of
    /// this thread, never inside this call, and is released.
    ///
    /// The loop refuses it after shutdown, while ``Configuration/maxPendingPosts`` or more posts
    /// wait, and when memory runs out. It then releases the closure and counts it in
    /// ``LoopMetrics/refused``; debug builds report the last two cases, once per loop.
    /// ``tryExecute(_:)`` returns whether it was refused.
    ///
    /// - Complexity: O(1). No allocation but that of the closure's captures and of one queue
    ///   segment in 512 posts.
    @preconcurrency
    public func execute(_ work: consuming @escaping @Sendable () -> Void) {
        let words = Work.words(work)
        report(swivel_try_post(record, words), words)
    }

    /// Posts `work` like ``execute(_:)``. Returns false if the closure was released, because the
    /// loop is shut down or full or memory ran out.
    ///
    /// - Complexity: O(1), as ``execute(_:)``.
    @preconcurrency
    public func tryExecute(_ work: consuming @escaping @Sendable () -> Void) -> Bool {
        let words = Work.words(work)
        let status = swivel_try_post(record, words)
        return status == SWIVEL_OK || divertOrRelease(words, status)
    }

    /// Posts `work` that continues accepted work, or that a caller waits for: it counts as a post,
    /// and no limit refuses it. **Thread:** any.
    package func executeBeyondLimit(_ work: consuming @escaping @Sendable () -> Void) {
        let words = Work.words(work)
        report(swivel_post(record, words), words)
    }

    @inline(__always)
    private func report(_ status: Int32, _ words: swivel_work) {
        if status != SWIVEL_OK, !divertOrRelease(words, status) { reportRefusal(Int(status)) }
    }

    /// Whether ``Configuration/maxPendingPosts`` is set.
    package var limitsPosts: Bool { swivel__limits_posts(record) }

    /// Keeps a post that the core has not taken, on a manual loop that orders other threads' posts.
    /// Else releases it. True: it is kept.
    @inline(never)
    func divertOrRelease(_ words: swivel_work, _ status: Int32) -> Bool {
        var words = words
        let work = Work.take(&words)
        guard let posts = manual?.posts, Int(status) == SWIVEL_EDIVERTED else { return false }
        posts.keep(work.run, from: swivel__thread_number())
        return true
    }

    /// In debug builds, reports once that the loop has refused work without its caller's knowledge.
    /// Work that comes after the loop's end is expected.
    @inline(never)
    func reportRefusal(_ status: Int) {
        #if DEBUG
        guard !isOver, !hasReportedRefusal.exchange(true, ordering: .relaxed) else { return }
        Diagnostics.report(
            status == SWIVEL_EFULL
                ? "\(self) is full: execute(_:) has released work, because maxPendingPosts or more "
                    + "posts wait. metrics.refused counts such work; tryExecute(_:) returns false"
                : "\(self) has no memory for more work, and has released some. metrics.refused "
                    + "counts it")
        #endif
    }
}

// Callbacks of futures. False: the loop has refused it, and it is the caller's.
extension Loop {
    /// Queues a callback on the loop that the calling thread runs. It runs after the closure under
    /// way has returned, in order with the thread's posts. False also if the loop is another
    /// thread's. **Thread:** any.
    @inline(__always)
    package func acceptHere(_ callback: CallbackWords) -> Bool {
        swivel__own_callback(record, callback.words)
    }

    /// Queues a callback, as a post, for which ``Configuration/maxPendingPosts`` holds if it
    /// `isLimited`. **Thread:** any.
    package func accept(_ callback: CallbackWords, isLimited: Bool) -> Bool {
        let words = callback.words
        let status = isLimited ? swivel_try_post(record, words) : swivel_post(record, words)
        if status == SWIVEL_OK { return true }
        if Int(status) == SWIVEL_EDIVERTED, let posts = manual?.posts {
            let box = CallbackBox(callback)
            posts.keep({ box.run() }, from: swivel__thread_number())
            return true
        }
        if !isLimited { reportRefusal(Int(status)) }
        return false
    }
}
