// SPDX-License-Identifier: Apache-2.0
internal import CSwivel
internal import CSwivel.Internal

extension Loop {
    /// Queues a future's callback on the loop that the calling thread runs. It runs after the
    /// closure under way has returned, in order with the thread's posts. False: the loop is another
    /// thread's, is closing, or has no memory; the callback is the caller's.
    ///
    /// **Thread:** any.
    @inline(__always)
    package func acceptHere(_ callback: CallbackWords) -> Bool {
        swivel__own_callback(record, callback.words)
    }

    /// Queues a future's callback, as a post. False: the loop has refused it; the callback is the
    /// caller's.
    ///
    /// **Thread:** any.
    /// - Parameter isLimited: Whether ``Configuration/maxPendingPosts`` holds for it.
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
