// SPDX-License-Identifier: Apache-2.0
internal import CSwivel
internal import CSwivel.Internal
internal import Synchronization

/// The core's news of a descriptor or a signal.
struct WatcherNews: Equatable, Sendable {
    let number: Int32
    let events: Int32
    /// Why nothing more is heard; 0: it goes on.
    let status: Int32
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

        var isActive: Bool { phase == .quiet || phase == .running }
    }

    /// The events that a descriptor is watched for, as the core has them.
    let wanted = Atomic<Int32>(0)
    private let restsAfterNews: Bool
    private let state: Lock<State>
    /// The loop's record, and its word that the loop has closed. A watcher does not keep its loop;
    /// records are never freed. Set once, before another thread sees the watcher.
    private var loop: (record: OpaquePointer, status: LoopStatus)?
    /// The core's records. Each of them retains the watcher.
    private var records: [OpaquePointer] = []

    /// - Parameters:
    ///   - restsAfterNews: Whether a descriptor is watched for nothing before the closure hears.
    ///   - ended: Called once the loop is over, or refuses, unless there was a cancel.
    init(
        _ work: @escaping Listener, restsAfterNews: Bool = false,
        ended: (@Sendable () -> Void)? = nil
    ) {
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
        let (result, released) = state.withLock { state -> (CancelResult, State?) in
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
        withExtendedLifetime(released) {}
        if result != .finished {
            onLoop { watcher in watcher.close() }
        }
        return result
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
            records.append(record)
        } else {
            retained.release()
            later(on: loop) { watcher in
                watcher.hear(WatcherNews(number: number, events: 0, status: status))
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
        let work = state.withLock { state -> Listener? in
            if state.phase == .running, !state.news.contains(news) { state.news.append(news) }
            guard state.phase == .quiet else { return nil }
            state.phase = .running
            return state.work
        }
        guard let work else { return }
        var next: WatcherNews? = news
        while let news = next {
            if restsAfterNews {
                wanted.store(0, ordering: .relaxed)
                ask()
            }
            work(news)
            next = goOn(after: news)
        }
    }

    /// After the closure has returned: what it is to hear next. Releases it if it hears no more.
    private func goOn(after news: WatcherNews) -> WatcherNews? {
        let (next, released) = state.withLock { state -> (WatcherNews?, State?) in
            if state.phase == .running && news.status == SWIVEL_OK {
                if !state.news.isEmpty { return (state.news.removeFirst(), nil) }
                state.phase = .quiet
                return (nil, nil)
            }
            let before = state
            state = State(phase: .over)
            return (nil, before)
        }
        withExtendedLifetime(released) {}
        return next
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
            watcher.hear(WatcherNews(number: number, events: events, status: status))
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
