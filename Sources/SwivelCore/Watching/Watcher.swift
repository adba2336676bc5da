// SPDX-License-Identifier: Apache-2.0
internal import CSwivel
internal import CSwivel.Internal
internal import Synchronization

/// The core's news of a descriptor or a signal.
struct WatcherNews: Sendable {
    let number: Int32
    let events: Int32
    /// Why nothing more is heard; 0: it goes on.
    let status: Int32
    let watcher: Watcher

    /// Whether a closure that has yet to be called for the other one needs no call for this one.
    func isSame(as other: WatcherNews) -> Bool {
        number == other.number && events == other.events && status == other.status
    }
}

/// A descriptor or signals that a loop watches for a closure. Any thread may cancel it.
///
///     any thread                          the loop's thread
///     start: a post, or at once there     open: a record of the core for each number
///     cancel: decides under the lock      hear: decides under the lock, calls the closure
///                                         close: after a cancel, or with the loop
final class Watcher: @unchecked Sendable {
    // because the records are touched by the loop's thread only, and the rest is behind a lock.
    typealias Listener = @Sendable (WatcherNews) -> Void
    /// Makes the core's records. On the loop's thread.
    typealias Opening = @Sendable (Watcher, Loop) -> Void

    private enum Phase { case quiet, running, cancelled, over }
    private struct State {
        var phase = Phase.quiet
        var work: Listener?
        var ended: (@Sendable () -> Void)?
        /// News that came while the closure ran, and pumped the loop; the same counts once.
        var news: [WatcherNews] = []
        /// The loop ended it, and nobody cancelled it before. A signal watcher has several records.
        var isEndedByLoop = false
        /// Called once a closure that was cancelled while it ran has been released.
        var waiting: [@Sendable () -> Void] = []

        var isActive: Bool { phase == .quiet || phase == .running }

        /// Releases the closure of a watcher that is over, and then says so. Outside the lock.
        mutating func release() {
            work = nil
            ended?()
            ended = nil
            waiting.forEach { $0() }
            waiting = []
        }
    }

    /// The events that a descriptor is watched for, as the core has them.
    let wanted = Atomic<Int32>(0)
    /// The label of the closure, and its first word, for the watchdog and for `pending`.
    let label: StaticString?
    let site: UInt64
    private let restsAfterNews: Bool
    private let state: Lock<State>
    /// The loop's record, and its word that the loop has closed. A watcher does not keep its loop;
    /// records are never freed. Set once, before another thread sees the watcher.
    private var loop: (record: OpaquePointer, status: LoopStatus)?
    /// The core's records. Each of them retains the watcher.
    private var records: [OpaquePointer] = []

    /// - Parameters:
    ///   - label: The name of the closure in reports.
    ///   - site: The first word of the user's closure; 0: not known.
    ///   - restsAfterNews: Whether a descriptor is watched for nothing before the closure is called.
    ///   - ended: Called once the closure is not called any more.
    init(
        _ work: @escaping Listener, label: StaticString? = nil, site: UInt64 = 0,
        restsAfterNews: Bool = false, ended: (@Sendable () -> Void)? = nil
    ) {
        self.label = label
        self.site = site
        self.restsAfterNews = restsAfterNews
        state = Lock(State(work: work, ended: ended))
    }

    /// The closure hears what `opening` has the loop watch.
    func start(on loop: Loop, opening: @escaping Opening) {
        self.loop = (loop.record, loop.status)
        loop.hosting?.watchDescriptor(of: loop)
        if swivel__is_own(loop.record) {
            opening(self, loop)
            return
        }
        later(on: loop) { watcher in
            if let loop = Loop.current { opening(watcher, loop) }
        }
    }

    /// Runs `body` in a later turn. A loop that is over before ends the watcher.
    private func later(on loop: Loop, _ body: @escaping @Sendable (Watcher) -> Void) {
        let notice = DropNotice(self) { $0.end() }
        loop.executeBeyondLimit {
            let watcher = notice.dismiss()
            if watcher.isActive { body(watcher) }
        }
    }

    /// Whether the closure may be called again.
    var isActive: Bool {
        state.withLock { $0.isActive }
    }

    /// The closure is not called any more. It is released here, or by its own end if it runs.
    func cancel() -> CancelResult {
        var (result, released) = state.withLock { state -> (CancelResult, State?) in
            switch state.phase {
            case .quiet:
                let before = state
                state = State(phase: .over)
                return (.cancelled, before)
            case .running:
                state.phase = .cancelled
                return (.running, nil)
            case .cancelled, .over:
                return (.finished, nil)
            }
        }
        released?.release()
        if result != .finished {
            onLoop { watcher in watcher.close() }
        }
        return result
    }

    /// As `cancel`, and waits for the end of a closure that runs.
    func cancelAndWait() async -> CancelResult {
        let result = cancel()
        if result == .running {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    guard state.phase == .cancelled else { return true }
                    state.waiting.append { continuation.resume() }
                    return false
                }
                if isOver { continuation.resume() }
            }
        }
        return result
    }

    /// Watches a descriptor for something else.
    func rearm(for interest: Readiness) {
        wanted.store(interest.wanted, ordering: .relaxed)
        onLoop { watcher in watcher.ask() }
    }

    /// Runs `body` on the loop's thread: now if that is this one. Not at all after the loop's end.
    func onLoop(_ body: @escaping @Sendable (Watcher) -> Void) {
        guard let loop, !loop.status.isOver else { return }
        if swivel_loop_is_current(loop.record) {
            return body(self)
        }
        // A loop that closes meanwhile refuses, and has ended the watcher: then there is no record
        // of the core's left for `body`, whichever loop runs it.
        let words = Work.words { [self] in body(self) }
        if swivel__post_surely(loop.record, words) != SWIVEL_OK { Work.release(words) }
    }
}

// On the loop's thread.
extension Watcher {
    /// Has the descriptor watched for what is wanted.
    func ask() {
        for record in records {
            swivel__watcher_want(record, wanted.load(ordering: .relaxed))
        }
    }

    /// Adds a record that `make` has the core make; tells the closure in a later turn if it cannot.
    func add(
        _ number: Int32, to loop: Loop,
        _ make: (UnsafeMutableRawPointer, inout OpaquePointer?) -> Int32
    ) -> Int32 {
        let retained = Unmanaged.passRetained(self)
        var record: OpaquePointer?
        let status = make(retained.toOpaque(), &record)
        if let record, status == SWIVEL_OK {
            swivel__watcher_set_site(record, site)
            records.append(record)
        } else {
            retained.release()
            later(on: loop) { watcher in
                watcher.hear(
                    WatcherNews(number: number, events: 0, status: status, watcher: watcher))
            }
        }
        return status
    }

    /// Closes the record of a descriptor whose watcher another thread has cancelled, though word of
    /// that is still on its way. Returns whether there was one.
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

    private func hear(_ news: WatcherNews) {
        var work = begin(news)
        var next = work == nil ? nil : news
        while let news = next {
            if restsAfterNews {
                wanted.store(0, ordering: .relaxed)
                ask()
            }
            if let label {
                LoopStatus.run(label) { work?(news) }
            } else {
                work?(news)
            }
            var over: State?
            (next, over) = goOn(after: news, &work)
            if over != nil {
                work = nil
                over?.release()
            }
        }
    }

    /// Takes the closure, if it is to be called: whoever cancels while it rests has its last reference.
    private func begin(_ news: WatcherNews) -> Listener? {
        state.withLock { state in
            if state.phase == .running, !state.news.contains(where: news.isSame) {
                state.news.append(news)
            }
            guard state.phase == .quiet else { return nil }
            state.phase = .running
            defer { state.work = nil }
            return state.work
        }
    }

    /// After the closure has returned: what it is to hear next, or its last state. Puts it back if it
    /// rests.
    private func goOn(
        after news: WatcherNews, _ work: inout Listener?
    ) -> (WatcherNews?, State?) {
        state.withLock { state in
            if state.phase == .running && news.status == SWIVEL_OK {
                if !state.news.isEmpty { return (state.news.removeFirst(), nil) }
                state.phase = .quiet
                state.work = work
                work = nil
                return (nil, nil)
            }
            let before = state
            state = State(phase: .over)
            return (nil, before)
        }
    }

    /// The loop is over, or has refused the watcher. Returns whether nobody cancelled it before.
    @discardableResult
    func end() -> Bool {
        let released = state.withLock { state -> State in
            let before = state
            // One that runs ends with its closure, which is still in use.
            state.phase = before.phase == .running ? .cancelled : .over
            if state.phase == .over { state.work = nil }
            state.ended = nil
            state.isEndedByLoop = before.isActive || before.isEndedByLoop
            return before
        }
        if released.isActive { released.ended?() }
        withExtendedLifetime(released) {}
        return released.isActive || released.isEndedByLoop
    }

    /// How the core calls a watcher.
    static let calls = swivel_watcher_calls(
        heard: { owner, number, events, status in
            let watcher = Unmanaged<Watcher>.fromOpaque(owner).takeUnretainedValue()
            watcher.hear(
                WatcherNews(number: number, events: events, status: status, watcher: watcher))
            if status != SWIVEL_OK { watcher.forgetRecord() }
        },
        ended: { owner in
            let watcher = Unmanaged<Watcher>.fromOpaque(owner).takeRetainedValue()
            watcher.records = []
            return watcher.end()
        })

    /// The core closes the record of a descriptor that has ended.
    private func forgetRecord() {
        if !records.isEmpty {
            records = []
            Unmanaged.passUnretained(self).release()
        }
    }
}
