// SPDX-License-Identifier: Apache-2.0
#if compiler(>=6.3) && compiler(<6.4) && os(Linux)
internal import CSwivelSimulation
internal import SwivelCore
internal import Synchronization

/// The members of a world, which take its steps: tasks, and the places of closures. Each has a number,
/// which is the same in each run of a seed. The body is number 0.
struct Cast {
    enum State {
        case ready
        case running
        case waiting
    }

    struct Member {
        /// The task; `nil`: it has ended, or is a place.
        var task: UnsafeRawPointer?
        /// Its function; `nil`: not known.
        var site: UnsafeRawPointer?
        let maker: Int
        var state = State.ready
        /// The virtual time since which it is in this state.
        var since: Int64
        /// The number of its sleep, 0 if it does not sleep, and the job that ends it.
        var sleep: UInt = 0
        var wake: UInt = 0
        /// It is among the ``Cast/mainTasks``.
        var isOnMain = false
    }

    /// The tasks whose jobs for the main actor are a world's, on whatever thread these come. One
    /// that never ends stays here, and never continues.
    static let mainTasks = Lock<[UnsafeRawPointer: WorldExecutor]>([:])
    static let hasMainTasks = Atomic(false)

    private(set) var count = 0
    private(set) var taskCount = 0
    private var capacity = 0
    private var members: UnsafeMutablePointer<Member>?
    private var names: [Int: String] = [:]
    /// The numbers of the tasks that have not ended, by address. Each is retained, so that no other
    /// task has its address.
    private var numbers: [UInt: Int] = [:]
    /// The latest of them that were looked for, by some bits of their addresses.
    private let recent = UnsafeMutablePointer<(task: UInt, number: Int)>.allocate(capacity: 256)

    init() { recent.initialize(repeating: (0, 0), count: 256) }

    func free() {
        members?.deallocate()
        recent.deallocate()
    }

    subscript(_ number: Int) -> UnsafeMutablePointer<Member> {
        members.unsafelyUnwrapped + number
    }

    /// The tasks that have not ended, as far as is known.
    var tasks: [Int] { numbers.values.sorted() }

    /// Forgets the tasks that have ended in an actor's turn.
    mutating func forgetEnded() { for number in tasks { _ = ends(number) } }

    func number(of task: UnsafeRawPointer) -> Int? {
        let address = UInt(bitPattern: task)
        let known = recent + Int((address >> 4) & 255)
        if known.pointee.task == address { return known.pointee.number }
        guard let number = numbers[address] else { return nil }
        known.pointee = (address, number)
        return number
    }

    /// Adds a task, which cannot end during the call.
    mutating func add(_ task: UnsafeRawPointer, by maker: Int, _ now: Int64) -> Int {
        _ = Unmanaged<AnyObject>.fromOpaque(task).retain()
        let number = append(Member(task: task, maker: maker, since: now))
        numbers[UInt(bitPattern: task)] = number
        taskCount += 1
        return number
    }

    /// Adds a place.
    mutating func add(_ name: String) -> Int {
        let number = append(Member(maker: 0, since: 0))
        names[number] = name
        return number
    }

    private mutating func append(_ member: Member) -> Int {
        if count == capacity {
            capacity = max(64, 2 * capacity)
            let larger = UnsafeMutablePointer<Member>.allocate(capacity: capacity)
            if let members {
                larger.moveInitialize(from: members, count: count)
                members.deallocate()
            }
            members = larger
        }
        (members.unsafelyUnwrapped + count).initialize(to: member)
        count += 1
        return count - 1
    }

    /// A task has come to the main actor.
    func enterMain(_ number: Int, of world: WorldExecutor) {
        guard let task = self[number].pointee.task, !self[number].pointee.isOnMain else { return }
        self[number].pointee.isOnMain = true
        Self.mainTasks.withLock { $0[task] = world }
        Self.hasMainTasks.store(true, ordering: .releasing)
    }

    func name(_ number: Int) -> String {
        names[number] ?? (number == 0 ? "body" : "task \(number)")
    }

    /// Notes a task's name and function, as the runtime was told.
    mutating func describe(_ number: Int, named name: String?, site: UnsafeRawPointer?) {
        if let name { names[number] = "\"\(name)\"" }
        self[number].pointee.site = site
    }

    /// Whether the member is a task that has ended; then it is forgotten.
    mutating func ends(_ number: Int) -> Bool {
        guard let task = self[number].pointee.task, TaskState(task).isEnded else { return false }
        if self[number].pointee.isOnMain {
            _ = Self.mainTasks.withLock { $0.removeValue(forKey: task) }
        }
        self[number].pointee.task = nil
        let address = UInt(bitPattern: task)
        numbers[address] = nil
        (recent + Int((address >> 4) & 255)).pointee.task = 0
        Unmanaged<AnyObject>.fromOpaque(task).release()
        return true
    }
}

/// A task's state, as the runtime notes it: a word whose place was read from Swift 6.3, and which
/// ``SelfTest`` checks.
struct TaskState {
    private let word: UInt

    // Literals, because a constant costs a call in tests.
    init(_ task: UnsafeRawPointer) { word = task.load(fromByteOffset: 12 * 8, as: UInt.self) }

    var isQueued: Bool { word & 0x1000 != 0 }
    var isEnded: Bool { word & 0x2000 != 0 }
}
#endif
