// SPDX-License-Identifier: Apache-2.0
internal import SwivelCore

/// A piece of work in flight on another thread than its manual loop's.
final class TrackedWork: @unchecked Sendable {
    // because the lock of `inFlight` guards `round`, and the thread that runs the work alone
    // touches `isAsleep`.
    let inFlight: InFlight
    let origin: InFlight.Origin
    /// How often work of its origin had been given up when it began; `nil`: it does not count.
    var round: Int?
    /// Whether the last thing that the work did was to put its task to sleep on a loop.
    var isAsleep = false

    /// Work that counts from now on. Its ``run(_:)`` must follow. **Thread:** any.
    init(_ inFlight: InFlight, _ origin: InFlight.Origin) {
        self.inFlight = inFlight
        self.origin = origin
        if Tracking.word == Self.resuming { Tracking.word = Self.hasSent }
        inFlight.begin(self)
    }

    /// Runs the work here. Work that it sends to other threads counts before it has returned.
    func run(_ work: () -> Void) {
        Self.with(UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque()), work)
        inFlight.end(self, losesTask: !isAsleep)
    }
}

// The word of a thread: the address of the work that it runs, or one of these.
extension TrackedWork {
    /// The thread's work is not tracked.
    private static let untracked: UInt = 1
    /// The thread is resuming a task and has not sent its job.
    private static let resuming: UInt = 2
    /// The thread has sent that job.
    private static let hasSent: UInt = 3

    private static func with<R>(_ word: UInt, _ body: () -> R) -> R {
        let before = Tracking.word
        Tracking.word = word
        defer { Tracking.word = before }
        return body()
    }

    /// The work that this thread runs.
    static var current: TrackedWork? {
        let word = Tracking.word
        return UnsafeRawPointer(bitPattern: word > hasSent ? word : 0).map {
            Unmanaged<TrackedWork>.fromOpaque($0).takeUnretainedValue()
        }
    }

    /// The count for work that this thread sends: its manual loop's, or that of the work that it
    /// runs.
    static var sender: (inFlight: InFlight, origin: InFlight.Origin)? {
        if isUntracked { return nil }
        if let loop = Loop.current { return loop.inFlight.map { ($0, .resumed) } }
        return current.map { ($0.inFlight, $0.origin) }
    }

    /// Whether the caller is inside ``withoutTracking(_:)``.
    static var isUntracked: Bool { Tracking.word == untracked }

    /// Runs `body`. Work that it sends to other threads is not tracked.
    @discardableResult
    static func withoutTracking<R>(_ body: () -> R) -> R { with(untracked, body) }

    /// Runs `body`, which resumes a task. Returns whether the task's job was sent as tracked work.
    static func resumes(_ body: () -> Void) -> Bool {
        with(resuming) {
            body()
            return Tracking.word == hasSent
        }
    }
}

/// The tracker of the process.
final class Tracker: WorkTracker {
    /// Installs it.
    static let installation: Void = Tracking.install(Tracker())

    /// The work whose threads are blocked, by their latches.
    private let blocked = Lock<[ObjectIdentifier: [TrackedWork]]>.ofProcess { _ in [:] }

    func track(_ work: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        guard let (inFlight, origin) = TrackedWork.sender else { return work }
        let tracked = TrackedWork(inFlight, origin)
        return { tracked.run(work) }
    }

    func resume(_ task: UInt, on loop: Loop, _ resume: () -> Void) {
        guard let inFlight = loop.inFlight else { return resume() }
        let posts = loop.ownPosts
        // First: the task may sleep again before this returns.
        inFlight.expect(task)
        if TrackedWork.resumes(resume) || loop.ownPosts != posts { inFlight.found(task) }
    }

    func fallAsleep(on loop: Loop) {
        guard let inFlight = loop.inFlight else { return }
        TrackedWork.current?.isAsleep = true
        withUnsafeCurrentTask { task in
            // A task's address, as in its continuation.
            if let task { inFlight.found(unsafeBitCast(task, to: UInt.self)) }
        }
    }

    func awake() { TrackedWork.current?.isAsleep = false }

    func block(on latch: Latch, _ wait: () -> Bool) -> Bool {
        guard let work = TrackedWork.current else { return wait() }
        let key = ObjectIdentifier(latch)
        blocked.withLock { $0[key, default: []].append(work) }
        // Registered first: the thread that opens the latch after this finds the work.
        let isBlocked = !latch.isOpen
        if isBlocked { work.inFlight.end(work, losesTask: true) }
        defer {
            let wasThere = blocked.withLock { blocked in
                guard let index = blocked[key]?.firstIndex(where: { $0 === work }) else {
                    return false
                }
                blocked[key]?.remove(at: index)
                if blocked[key]?.isEmpty == true { blocked[key] = nil }
                return true
            }
            if wasThere, isBlocked { work.inFlight.begin(work) }
        }
        return wait()
    }

    func unblock(_ latch: Latch) {
        // Under the lock: a thread that sees the latch open before this finds out here whether its
        // work counts again. Released outside.
        _ = blocked.withLock { blocked -> [TrackedWork]? in
            let works = blocked.removeValue(forKey: ObjectIdentifier(latch))
            works?.forEach { $0.inFlight.begin($0) }
            return works
        }
    }
}
