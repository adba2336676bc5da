// SPDX-License-Identifier: Apache-2.0
internal import CSwivel.Internal

extension Loop {
    /// The work that keeps this loop alive: posts that wait, watched descriptors and signals, and
    /// the timers that fire first, in the order in which they fire.
    ///
    ///     for work in loop.pending(limit: 20) { print(work) }
    ///
    /// At most `limit` timers are listed, and as many watches; a negative one traps. A timer
    /// appears with its label, or with the place of its closure. Timers of queues and other
    /// contexts are ``shared``'s. The result is a snapshot: other threads do not stop.
    ///
    /// **Thread:** any. From another thread than the loop's the call waits for the loop's next
    /// turn, and so for the running closure, like every wait of Swivel's.
    /// - Returns: The work; empty after the loop's end.
    /// - Complexity: O(n log limit) in the number of timers that were ever pending at once, during
    ///   which the loop runs nothing else.
    public func pending(
        limit: Int, file: StaticString = #fileID, line: UInt = #line
    ) -> [PendingWork] {
        if let list = pendingHere(limit, file, line) { return list }
        let answer = Lock<[PendingWork]>([])
        Latch.borrowed { latch in
            request(limit) { list in
                answer.withLock { $0 = list }
                latch.signal()
            }
            _ = latch.wait(file: file, line: line)
        }
        return answer.withLock { $0 }
    }

    /// Returns the work that keeps this loop alive, with at most `limit` timers and as many
    /// watches; see ``pending(limit:file:line:)``. The call suspends instead of waiting.
    ///
    /// **Thread:** any.
    /// - Complexity: O(n log limit) in the number of timers that were ever pending at once.
    public func pending(limit: Int) async -> [PendingWork] {
        if let list = pendingHere(limit, #fileID, #line) { return list }
        return await withCheckedContinuation { continuation in
            request(limit) { continuation.resume(returning: $0) }
        }
    }

    /// The list, if this thread can make it.
    private func pendingHere(_ limit: Int, _ file: StaticString, _ line: UInt) -> [PendingWork]? {
        check(limit >= 0, "a limit must not be negative, and is \(limit)", file: file, line: line)
        if isCurrent { return list(limit) }
        // A loop without a thread may have no other thread that runs its turns.
        guard swivel__resting_enter(record) else { return nil }
        defer { swivel__resting_leave(record) }
        return list(limit)
    }

    /// Calls `body` on the loop's thread with the list, or with an empty one if the loop ends.
    private func request(_ limit: Int, _ body: @escaping @Sendable ([PendingWork]) -> Void) {
        let notice = DropNotice(body) { $0([]) }
        executeBeyondLimit { [unowned self] in
            let body = notice.dismiss()
            body(list(limit))
        }
    }

    /// **Thread:** the loop's.
    private func list(_ limit: Int) -> [PendingWork] {
        let posts = queuedPosts
        let first = posts > 0 ? [PendingWork(.posts(posts))] : []
        return first + watches(limit) + pendingTimers(limit: limit)
    }

    /// The `limit` timers that fire first, in the order in which they fire.
    ///
    /// **Thread:** the loop's; if it has none, the thread that drives it, outside its closures.
    package func pendingTimers(limit: Int = .max) -> [PendingWork] {
        guard limit > 0 else { return [] }
        var room = min(limit, 64)
        var list: [swivel_pending] = []
        repeat {
            // There may be more timers than the first call has room for, or than it has found.
            let capacity = room
            list = Array(unsafeUninitializedCapacity: 2 * capacity) { buffer, count in
                guard let base = buffer.baseAddress else { return }
                room = min(limit, swivel__pending(record, base, 2 * capacity, 0))
                count = min(room, capacity)
            }
        } while room > list.count
        let now = now
        return list.map { PendingWork($0, now: now) }
    }

    /// Posts that wait for the next turn. **Thread:** as above.
    package var queuedPosts: Int {
        Int(clamping: swivel__pending_posts(record)) + (manual?.posts?.count ?? 0)
    }

    private func watches(_ limit: Int) -> [PendingWork] {
        let room = min(limit, Int(swivel__watchers_number(record)))
        guard room > 0 else { return [] }
        let numbers = UnsafeMutablePointer<Int32>.allocate(capacity: room)
        let owners = UnsafeMutablePointer<UnsafeMutableRawPointer>.allocate(capacity: room)
        defer {
            numbers.deallocate()
            owners.deallocate()
        }
        let count = swivel__watchers_list(record, numbers, owners, room)
        return (0..<count).map { index in
            // Retained by the core's record, which only this thread closes.
            let watcher = Unmanaged<Watcher>.fromOpaque(owners[index]).takeUnretainedValue()
            let number = numbers[index]
            return PendingWork(
                number < 0 ? .signal(Signal(rawValue: -number)) : .descriptor(number),
                label: watcher.label?.description, site: watcher.site)
        }
    }
}
