// SPDX-License-Identifier: Apache-2.0
internal import CSwivel.Internal
internal import Synchronization

/// An event loop: timers, intervals and posts on one thread.
///
/// ```swift
/// let loop = try Loop(.init(name: "io"))
/// let timeout = loop.schedule(after: .seconds(30)) {
///     print("no answer")
/// }
/// loop.schedule(every: .seconds(1)) { tick in print(tick.index) }
/// loop.execute { timeout.cancel() }
/// await loop.shutdown(.drain(within: .seconds(5)))
/// ```
///
/// A loop made with ``init(_:)`` has a thread of its own and lives until `shutdown(_:)`: a release
/// does not end it, and its thread and descriptors stay. The thread that calls `run()` or
/// `runOnce(_:)` drives ``main`` and loops made with ``embedded(_:)``; an embedded loop shuts down
/// when it is released.
///
/// Closures run one at a time, never inside the call that scheduled them and never under a lock:
/// they may schedule, cancel, post, stop and shut down at will.
///
/// **Thread:** any, unless a member's documentation names one.
public final class Loop: ExecutionContext, @unchecked Sendable {
    // because the record is guarded by the core.
    let record: OpaquePointer
    /// The virtual time of a manual loop; `nil` on real ones.
    package let manual: ManualTime?
    /// Whether the loop lives as long as the process and cannot be shut down.
    let isPermanent: Bool
    #if DEBUG
    /// The innermost of the waits that pump this loop. The loop's thread only.
    var innermostWait: PumpWatch?
    /// Whether the loop has reported that it refuses work.
    let hasReportedRefusal = Atomic(false)
    #endif
    /// The work that waits for room; `nil`: the loop does not count its posts.
    let backlog: Backlog?
    /// Whether the loop has a thread of its own, which keeps it until it has closed.
    let hasThread: Bool
    /// The loop's side of its host; `nil`: it has none, or one that watches its descriptor.
    let hosting: LoopHosting?
    /// The loop's side of the host's libuv loop; `nil`: it lives in none.
    let adoption: LoopAdoption?
    /// The settings that took effect: the name as the system has it, no processor and no slack
    /// if the thread has none, and the mark that follows from the limit.
    public let configuration: Configuration
    /// Why the thread is not pinned to the processor that its configuration names; `nil`: it is, or
    /// none is named. Debug builds report it as well.
    public let pinningError: SwivelError?
    let status = LoopStatus()
    /// Called when the loop has closed.
    let endings = Lock<[@Sendable () -> Void]>([])
    let tasks = LoopTasks()

    /// A loop on a thread of its own, which starts now, with this `configuration`.
    ///
    /// - Throws: ``SwivelError`` if the process is out of descriptors
    ///   (``SwivelError/Code/tooManyFiles``), threads or memory, or if a setting is out of range.
    ///   Nothing is left behind, and a later try can succeed.
    /// - Complexity: O(1), a few system calls and a thread.
    public convenience init(_ configuration: Configuration = Configuration()) throws(SwivelError) {
        if let world = Simulated.world {
            try self.init(configuration, SWIVEL_MANUAL, manual: ManualTime(startingAt: world.now))
            world.add(self)
        } else {
            try self.init(configuration, SWIVEL_OWN_THREAD)
        }
    }

    init(
        _ configuration: Configuration, _ drive: swivel_drive, manual: ManualTime? = nil,
        isPermanent: Bool = false, hostsMainQueue: Bool = false, hosting: LoopHosting? = nil,
        adoption: LoopAdoption? = nil
    ) throws(SwivelError) {
        record = try Self.create(configuration, drive, manual, hostsMainQueue, hosting)
        hasThread = drive == SWIVEL_OWN_THREAD
        pinningError = Self.pinningError(record, configuration, hasThread: hasThread)
        self.configuration = configuration.effective(
            name: String(cString: swivel__loop_name(record)), isPinned: pinningError == nil,
            hasThread: hasThread)
        self.hosting = hosting
        self.adoption = adoption
        self.manual = manual
        backlog = configuration.countsPosts ? Backlog(configuration) : nil
        self.isPermanent = isPermanent
        // `hasClosed` in LoopHooks releases the thread's reference.
        let this = Unmanaged.passUnretained(self)
        let owner = hasThread ? this.retain() : this
        swivel__set_owner(record, owner.toOpaque())
        #if DEBUG
        if hasThread || manual != nil { OpenLoops.add(self) }
        #endif
    }

    deinit {
        #if DEBUG
        if manual != nil { OpenLoops.remove(self) }
        #endif
        // Closures released from here on find no current loop: this one can no longer be retained.
        swivel__set_owner(record, nil)
        hosting?.end()
        adoption?.end()
        swivel_loop_release(record)
        runEndings()
    }

    /// Whether it has neither a thread, nor a host, nor virtual time.
    package var isDrivenByCallers: Bool {
        !hasThread && manual == nil && hosting == nil && adoption == nil
    }

    /// Calls `body` when the loop has closed; at once if it has. **Thread:** any.
    package func whenClosed(_ body: @escaping @Sendable () -> Void) {
        endings.withLock { $0.append(body) }
        if status.isOver { runEndings() }
    }

    /// The loop has closed.
    func runEndings() {
        status.end()
        let ended = endings.withLock { endings in
            defer { endings = [] }
            return endings
        }
        ended.forEach { $0() }
    }

    private static func create(
        _ configuration: Configuration, _ drive: swivel_drive, _ manual: ManualTime?,
        _ hostsMainQueue: Bool, _ hosting: LoopHosting?
    ) throws(SwivelError) -> OpaquePointer {
        var config = try configuration.core()
        config.drive = drive
        config.owns_source = hostsMainQueue
        configureBacklog(&config)
        manual?.configure(&config)
        hosting?.configure(&config)
        #if DEBUG
        OpenLoops.reportDropped()
        #endif
        var record: OpaquePointer?
        let status = configuration.name.withCString { name in
            withUnsafePointer(to: LoopHooks.all) { hooks in
                withUnsafePointer(to: LoopHooks.deferredFree) { deferredFree in
                    config.name = name
                    config.hooks = hooks
                    config.deferred_free = DeferredFree.pays ? deferredFree : nil
                    return swivel_loop_create(&config, &record)
                }
            }
        }
        guard status == SWIVEL_OK, let record else { throw SwivelError(status: status) }
        return record
    }
}

extension Loop {
    /// The name of the loop and its thread, from its configuration; Linux has its first 15 bytes.
    public var name: String { configuration.name }

    /// The loop whose closure this thread is running, if any.
    public static var current: Loop? { swivel_loop_current().flatMap { owning(swivel__owner($0)) } }

    /// The loop that is the core's `owner`, and that another reference retains.
    @inline(__always)
    static func owning(_ owner: UnsafeMutableRawPointer?) -> Loop? {
        owner.map { Unmanaged<Loop>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Whether the caller is inside one of this loop's closures.
    public var isCurrent: Bool { swivel_loop_is_current(record) }

    /// Traps unless the caller is inside one of this loop's closures.
    ///
    /// - Complexity: O(1).
    public func preconditionCurrent(file: StaticString = #fileID, line: UInt = #line) {
        check(
            isCurrent, "this must run on the loop; post it there with execute(_:)", file: file,
            line: line)
    }

    /// The time now on the loop's clock: real, or virtual on a manual loop. On one thread it never
    /// goes back, and `schedule(after:)` and `schedule(at:)` read the same clock: equal delays fire
    /// in the order of their calls. See ``LoopClock/Instant/now``.
    public var now: LoopClock.Instant { LoopClock.Instant(nanoseconds: swivel_loop_now(record)) }

    /// The time at which the loop's current turn began. **Thread:** the loop's.
    public var turnTime: LoopClock.Instant {
        LoopClock.Instant(nanoseconds: swivel__turn_time(record))
    }
}

extension Loop {
    /// The loop that keeps the time of every context that is not a loop. It is made at its first
    /// use and lives as long as the process. In the child of a `fork` it is dead for good if the
    /// parent has used it, and so are the timers of queues and of other contexts.
    public static var shared: Loop { Simulated.world?.sharedLoop ?? theShared }

    /// The main thread's loop: `Loop.main.run()` drives it there. It lives as long as the process.
    ///
    /// In a program that uses Swivel's queues, its turns also run the main queue's blocks, and with
    /// them the main actor's jobs. Those are not the loop's closures: in them ``current`` is `nil`,
    /// and the main queue is the default context. A wait in one of them pumps the loop. Driven from
    /// another thread than the main one, it is a loop like any other.
    public static var main: Loop { Simulated.world?.mainLoop ?? theMain }

    private static let theShared = always(Configuration(name: "swivel.shared"), SWIVEL_OWN_THREAD)
    private static let theMain = always(
        Configuration(name: "swivel.main"), SWIVEL_CALLER, hostsMainQueue: true)

    private static func always(
        _ configuration: Configuration, _ drive: swivel_drive, hostsMainQueue: Bool = false
    ) -> Loop {
        do {
            return try Loop(configuration, drive, isPermanent: true, hostsMainQueue: hostsMainQueue)
        } catch {
            trap(
                """
                the loop '\(configuration.name)' cannot be made: \(error). It keeps the time of \
                queues and of the main thread; raise the limit (ulimit -n for descriptors), or use \
                it once while the process starts
                """)
        }
    }

    /// The loop whose turn runs the main queue's block that this thread is in, if any.
    package static var hosting: Loop? {
        swivel__source_owner().flatMap { owning(swivel__owner($0)) }
    }
}

extension Loop: CustomStringConvertible {
    /// The loop's name.
    public var description: String { "Loop(\(name))" }
}
