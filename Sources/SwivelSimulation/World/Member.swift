// SPDX-License-Identifier: Apache-2.0
#if compiler(>=6.3) && compiler(<6.4) && os(Linux)
internal import SwivelCore

/// A member of a world, which takes its steps: a task, or a place of closures.
final class Member: @unchecked Sendable {
    // because its world's thread alone touches what changes.
    enum State {
        case ready
        case running
        case waiting
    }

    /// The tasks of all worlds that have not ended, as far as is known, by address. One that never
    /// ends stays here, because something may still refer to it, and never continues.
    private static let tasks = Lock<[UInt: Member]>([:])

    /// The same in each run of a seed. The body has number 0.
    let number: Int
    /// The member that made it.
    let maker: Int
    let world: WorldExecutor
    /// The task's; 0: it is a place.
    let address: UInt
    /// The runtime's number of the task, by which it differs from a later one at its address.
    private let id: UInt32
    /// It is a task that has not ended, as far as is known.
    @exclusivity(unchecked) private(set) var isTask: Bool
    /// The task is retained, so that no other one has its address. A task of `async let` is not: it
    /// lies in its parent's memory, and may be gone when the parent continues.
    @exclusivity(unchecked) private var retained: AnyObject?
    let isAsyncLet: Bool
    var name: String
    /// The task's function; 0: not known.
    var site: UInt = 0
    @exclusivity(unchecked) var state = State.ready
    /// The virtual time since which it is in this state.
    @exclusivity(unchecked) var since: Int64
    /// The order of its sleep, 0 if it does not sleep, and the job that ends it.
    @exclusivity(unchecked) var sleep: UInt64 = 0
    @exclusivity(unchecked) var wake: UInt = 0

    /// A task cannot end during the call.
    init(
        _ number: Int, _ name: String, task: UInt, maker: Int, in world: WorldExecutor, _ now: Int64
    ) {
        self.number = number
        self.name = name
        self.maker = maker
        self.world = world
        address = task
        id = WakeJob.number(ofTask: task)
        since = now
        isTask = task != 0
        // A flag of the runtime's `Job`.
        isAsyncLet = (UnsafePointer<UInt32>(bitPattern: task)?[8] ?? 0) & 1 << 28 != 0
        if !isTask { return }
        if !isAsyncLet { retained = unsafeBitCast(task, to: AnyObject.self) }
        Self.tasks.withLock { $0.updateValue(self, forKey: task) }?.isTask = false
    }

    /// The member that is this task, which exists. **Thread:** any.
    static func of(_ task: UInt) -> Member? {
        tasks.withLock { $0[task] }.flatMap { $0.id == WakeJob.number(ofTask: task) ? $0 : nil }
    }

    /// The same, if it is of this world: an actor's turn may run tasks that another one has left.
    static func of(_ task: UInt, in world: WorldExecutor) -> Member? {
        of(task).flatMap { $0.world === world ? $0 : nil }
    }

    /// Whether it is a task that has ended in its own step; then it is forgotten.
    func ends() -> Bool {
        guard isTask, isEnded else { return false }
        forget()
        return true
    }

    func forget() {
        Self.tasks.withLock { $0[address] = nil }
        isTask = false
        retained = nil
    }

    var isQueued: Bool { !isAsyncLet && status & 0x1000 != 0 }
    var isEnded: Bool { status & 0x2000 != 0 }

    /// The task's state, as the runtime notes it: a word whose place was read from Swift 6.3, as
    /// that of the flag was. ``SelfTest`` checks both.
    private var status: UInt { UnsafePointer<UInt>(bitPattern: address)?[12] ?? 0 }
}
#endif
