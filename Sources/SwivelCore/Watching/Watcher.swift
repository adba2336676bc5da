// SPDX-License-Identifier: Apache-2.0
internal import CSwivel.Internal
internal import Synchronization

/// A descriptor or signals that a loop watches for a closure. Any thread may cancel it.
///
///     any thread                          the loop's thread
///     start: a post, or at once there     open: a record of the core for each number
///     cancel: takes the closure, or the   receive: takes the closure, calls it, puts it back
///       thread that calls it releases it  close: after a cancel, or with the loop
final class Watcher: @unchecked Sendable {
    // because the phase decides which thread has the closure, the lock guards the end, and only the
    // loop's thread touches the rest.
    /// The closure. A concrete struct around a concrete function type: a function that goes in and
    /// out of generic memory gets a thunk around it each time.
    struct Listener {
        let run: @Sendable (WatchEvent) -> Void

        /// The first word, which is the closure's function as its maker has it.
        var site: UInt64 { withUnsafeBytes(of: self) { UInt64($0.load(as: UInt.self)) } }
    }
    /// Makes the core's records. On the loop's thread.
    typealias Opening = @Sendable (Watcher, Loop) -> Void

    /// Cancelled: while the closure runs.
    private enum Phase: UInt8, AtomicRepresentable { case quiet, running, cancelled, over }
    private struct End {
        /// Called once the closure is not called any more.
        var ended: (@Sendable () -> Void)?
        /// Called once a closure that was cancelled while it ran has been released.
        var waiting: [@Sendable () -> Void] = []
        /// The loop ended it before any cancel. A signal watcher has several records.
        var isOfLoop = false
    }

    // The fields that an event uses come first, in one or two cache lines.
    private let phase = Atomic(Phase.quiet)
    private let restsAfterNews: Bool
    /// The events that a descriptor is watched for, as the core has them.
    let wanted = Atomic<Int32>(0)
    /// The closure, while the phase is `quiet`. The thread that ends that phase has taken it
    /// out, so no access needs a check for exclusivity.
    @exclusivity(unchecked) private var work: Listener?
    /// Events that came while the closure ran, and pumped the loop; the same counts once. The
    /// loop's thread only, so no access needs a check for exclusivity.
    @exclusivity(unchecked) private var missed: [WatchEvent] = []
    /// The label of the user's closure, and its first word (0: not known), for reports.
    let label: StaticString?
    let site: UInt64
    private let ending: Lock<End>
    /// The loop's record and status. A watcher does not retain its loop; records are never freed.
    /// Set once, before another thread sees the watcher.
    private var loop: (record: OpaquePointer, status: LoopStatus)?
    /// The core's records. Each of them retains the watcher. As `missed`.
    @exclusivity(unchecked) private var records: [OpaquePointer] = []

    /// With `restsAfterNews` a descriptor is watched for nothing before the closure is called.
    init(
        _ work: @escaping @Sendable (WatchEvent) -> Void, label: StaticString? = nil,
        site: UInt64 = 0, restsAfterNews: Bool = false, ended: (@Sendable () -> Void)? = nil
    ) {
        self.label = label
        self.site = site
        self.restsAfterNews = restsAfterNews
        self.work = Listener(run: work)
        ending = Lock(End(ended: ended))
    }

    /// Makes the records, on the loop's thread, with `opening`.
    func start(on loop: Loop, opening: @escaping Opening) {
        self.loop = (loop.record, loop.status)
        loop.hosting?.watchDescriptor(of: loop)
        if swivel__is_own(loop.record) { return opening(self, loop) }
        later(on: loop) { watcher in
            if let loop = Loop.current { opening(watcher, loop) }
        }
    }

    /// Runs `body` in a later turn. A loop that is over before ends the watcher.
    private func later(on loop: Loop, _ body: @escaping @Sendable (Watcher) -> Void) {
        let notice = DropNotice(self) { $0.endWithLoop() }
        loop.executeBeyondLimit {
            let watcher = notice.dismiss()
            if watcher.isActive { body(watcher) }
        }
    }

    /// Whether the closure may be called again.
    var isActive: Bool {
        let phase = phase.load(ordering: .acquiring)
        return phase == .quiet || phase == .running
    }

    /// Ends the phase in which the closure may be called. Returns the phase before.
    private func stop() -> Phase {
        var before = phase.load(ordering: .relaxed), isDone = false
        while !isDone, before == .quiet || before == .running {
            (isDone, before) = phase.weakCompareExchange(
                expected: before, desired: before == .quiet ? .over : .cancelled,
                successOrdering: .acquiringAndReleasing, failureOrdering: .acquiring)
        }
        return before
    }

    /// The closure is not called any more. It is released here, or by its own end if it runs.
    func cancel() -> CancelResult {
        switch stop() {
        case .quiet:
            finish(work.take())
            onLoop { watcher in watcher.close() }
            return .cancelled
        case .running:
            onLoop { watcher in watcher.close() }
            return .running
        case .cancelled, .over:
            return .finished
        }
    }

    /// Releases the closure of a watcher that is at its end, and then reports the end.
    private func finish(_ work: consuming Listener?) {
        _ = consume work
        let end = ending.withLock { end in
            phase.store(.over, ordering: .releasing)
            defer { end = End(isOfLoop: end.isOfLoop) }
            return end
        }
        end.ended?()
        end.waiting.forEach { $0() }
    }

    /// As `cancel`, and waits for the end of a closure that runs.
    func cancelAndWait() async -> CancelResult {
        let result = cancel()
        if result == .running {
            await withCheckedContinuation { continuation in
                let isOver = ending.withLock { end in
                    guard phase.load(ordering: .acquiring) == .cancelled else { return true }
                    end.waiting.append { continuation.resume() }
                    return false
                }
                if isOver { continuation.resume() }
            }
        }
        return result
    }

    /// Runs `body` on the loop's thread: now if that is this one. Not at all after the loop's end.
    func onLoop(_ body: @escaping @Sendable (Watcher) -> Void) {
        guard let loop, !loop.status.isOver else { return }
        if swivel_loop_is_current(loop.record) { return body(self) }
        // A loop that has closed since then refuses, and has ended the watcher: then the core has
        // no record left for `body`.
        let words = Work.words { [self] in body(self) }
        if swivel__post(loop.record, words, SWIVEL_POST_SURELY) != SWIVEL_OK { Work.release(words) }
    }
}

// On the loop's thread.
extension Watcher {
    /// Passes what is wanted on to the core.
    func applyWanted() {
        for record in records { swivel__watcher_want(record, wanted.load(ordering: .relaxed)) }
    }

    /// Adds the record that `make` makes. If that fails, the closure gets the error in a later
    /// turn.
    func add(
        _ number: Int32, to loop: Loop,
        _ make: (UnsafeMutableRawPointer, inout OpaquePointer?) -> Int32
    ) -> Int32 {
        let retained = Unmanaged.passRetained(self)
        var record: OpaquePointer?
        let status = make(retained.toOpaque(), &record)
        if let record, status == SWIVEL_OK {
            records.append(record)
        } else {
            retained.release()
            later(on: loop) { watcher in
                watcher.receive(
                    WatchEvent(number: number, events: 0, status: status, watcher: watcher))
            }
        }
        return status
    }

    /// Closes the record of a descriptor if another thread has cancelled its watcher, and the
    /// message is still on its way. Returns whether there was one.
    static func closeCancelled(_ descriptor: Int32, on loop: Loop) -> Bool {
        guard let owner = swivel__watcher_owner(loop.record, descriptor) else { return false }
        let watcher = Unmanaged<Watcher>.fromOpaque(owner).takeUnretainedValue()
        guard !watcher.isActive else { return false }
        watcher.close()
        return true
    }

    private func close() {
        let closed = records
        records = []
        for record in closed {
            swivel__watcher_close(record)
            Unmanaged.passUnretained(self).release()
        }
    }

    /// How the core calls a watcher.
    var calls: swivel_watcher_calls {
        swivel_watcher_calls(
            heard: { owner, number, events, status in
                // The event retains the watcher, whose record the closure may close.
                let event = WatchEvent(
                    number: number, events: events, status: status,
                    watcher: Unmanaged<Watcher>.fromOpaque(owner).takeUnretainedValue())
                Watcher.receive(event)
                // The core closes the record of a descriptor that has ended.
                if status != SWIVEL_OK, !event.watcher.records.isEmpty {
                    event.watcher.records = []
                    Unmanaged.passUnretained(event.watcher).release()
                }
            },
            ended: { owner in
                let watcher = Unmanaged<Watcher>.fromOpaque(owner).takeRetainedValue()
                watcher.records = []
                return watcher.endWithLoop()
            },
            site: site)
    }

    /// Static, so that the event alone retains the watcher. Between two system calls little code
    /// stays in the processor's caches: the rare cases lie apart.
    @inline(__always) private static func receive(_ event: WatchEvent) {
        event.watcher.receive(event)
    }

    @inline(__always) private func receive(_ event: WatchEvent) {
        let (isTaken, before) = phase.compareExchange(
            expected: .quiet, desired: .running, ordering: .acquiring)
        guard isTaken, let work = self.work.take() else { return miss(event, in: before) }
        call(work, event)
        let isLast = event.status != SWIVEL_OK || (!missed.isEmpty && callMissed(work))
        guard !isLast else {
            missed = []
            phase.store(.cancelled, ordering: .relaxed)
            return finish(work)
        }
        self.work = consume work
        let (rests, _) = phase.compareExchange(
            expected: .running, desired: .quiet, ordering: .releasing)
        if !rests { finish(self.work.take()) }  // Cancelled while it ran.
    }

    @inline(__always) private func call(_ work: Listener, _ event: WatchEvent) {
        if restsAfterNews || label != nil { prepareAndCall(work, event) } else { work.run(event) }
    }

    @inline(never) private func prepareAndCall(_ work: Listener, _ event: WatchEvent) {
        if restsAfterNews {
            wanted.store(0, ordering: .relaxed)
            applyWanted()
        }
        guard let label else { return work.run(event) }
        LoopStatus.run(label) { work.run(event) }
    }

    /// Keeps an event that came while the closure runs.
    @inline(never) private func miss(_ event: WatchEvent, in phase: Phase) {
        let isNew = !missed.contains { $0.number == event.number && $0 == event }
        if phase == .running, isNew { missed.append(event) }
    }

    /// Calls the closure for events that came while it ran. Returns whether it has had its last one.
    @inline(never) private func callMissed(_ work: Listener) -> Bool {
        defer { missed = [] }
        while !missed.isEmpty, phase.load(ordering: .relaxed) == .running {
            let event = missed.removeFirst()
            call(work, event)
            if event.status != SWIVEL_OK { return true }
        }
        return false
    }

    /// The loop is over, or has refused the watcher. Returns false if it was cancelled before.
    @discardableResult
    func endWithLoop() -> Bool {
        let before = stop()
        guard before == .quiet || before == .running else { return ending.withLock { $0.isOfLoop } }
        // One that runs ends with its closure, which is still in use.
        let released = before == .quiet ? work.take() : nil
        let ended = ending.withLock { end in
            end.isOfLoop = true
            return end.ended.take()
        }
        ended?()
        withExtendedLifetime(released) {}
        return true
    }
}
