// SPDX-License-Identifier: Apache-2.0
internal import CSwivel.Internal
internal import Synchronization

/// The tasks that sleep on loops with the standard library's `Task.sleep`, by their addresses.
///
/// For a sleep the runtime makes a wake job and gives it to an executor, to be run at an instant.
/// It does not report a cancel: the task throws, and the wake job stays until its instant. But
/// nothing else makes a sleeping task run, so **a task that is enqueued while it sleeps here was
/// cancelled**: the timer is cancelled, and the wake job runs at once, finds that the sleep is
/// over, and frees what it holds. Swivel's executors ask for each job that they are given.
///
/// The table decides who runs a wake job: it belongs to the thread that takes the sleep out. The
/// timer is only an alarm.
///
/// One kind of cancel is not seen: between arming and suspending, or of a task that resumes on an
/// executor that is not Swivel's, such as a default actor. Its sleep stays until its instant, or
/// until a task with the same address is enqueued or sleeps: the memory of a task has one at most.
package enum TaskSleeps {
    private struct Sleep {
        /// The task's number: another one may have its address later.
        let number: UInt32
        let wake: UnownedJob
        let serial: UInt32
        let timer: swivel_timer
        let deadline: LoopClock.Instant
        let name: String?
    }

    private struct Table {
        var sleeps: [UInt: Sleep] = [:]
        /// Of the latest sleep, in as many bits as a node's word has for it.
        var serial: UInt32 = 0
        var cancelled = 0
        var missed = 0

        /// A task with this number has ended the sleep: its own cancel, or another task.
        mutating func count(_ sleep: Sleep, by number: UInt32) {
            if sleep.number == number { cancelled += 1 } else { missed += 1 }
        }

        /// Takes out the sleep of a task, if it has that serial; `nil`: in any case.
        mutating func take(_ task: UInt, serial: UInt32?) -> Sleep? {
            guard let index = sleeps.index(forKey: task) else { return nil }
            if let serial, sleeps.values[index].serial != serial { return nil }
            let (_, sleep) = sleeps.remove(at: index)
            // A dictionary keeps its memory.
            if sleeps.capacity > 1024, sleeps.count < sleeps.capacity / 8 {
                sleeps = Dictionary(sleeps.map { ($0, $1) }, uniquingKeysWith: { $1 })
            }
            return sleep
        }
    }

    private final class Shard: Sendable {
        let table = Lock<Table>.ofProcess { _ in Table() }
        /// How many sleeps the table has. Read without the lock: what makes a task sleep happens
        /// before what makes it run.
        let count = Atomic(0)
    }

    private static let shardBits: UInt64 = 6
    private static let shards = (0..<(1 << shardBits)).map { _ in Shard() }
    /// Whether there ever was a sleep.
    private static let isUsed = Atomic(false)

    private static func shard(of task: UInt) -> Shard {
        shards[Int((UInt64(task) &* 0x9E37_79B9_7F4A_7C15) >> (64 - shardBits))]
    }

    /// Arms a timer for the sleep of `task`, the current one, which ends it with `wake`. False: the
    /// loop refuses the timer, and the wake job stays the caller's.
    static func begin(
        _ task: UInt, _ wake: UnownedJob, named name: String?, on loop: Loop,
        until deadline: LoopClock.Instant, leeway: UInt64
    ) -> Bool {
        isUsed.store(true, ordering: .relaxed)
        let shard = shard(of: task)
        // Armed under the lock, so that the timer finds the sleep. This runs and releases nothing.
        let (begins, stale) = shard.table.withLock { table -> (Bool, Sleep?) in
            table.serial = (table.serial &+ 1) & TaskWords.serials
            let words = TaskWords.wake(task, serial: table.serial)
            let timer = loop.start(.at(deadline), leeway: leeway, words)
            guard timer.loop != nil else { return (false, nil) }
            let sleep = Sleep(
                number: WakeJob.number(ofTask: task), wake: wake, serial: table.serial,
                timer: timer, deadline: deadline, name: name)
            let stale = table.sleeps.updateValue(sleep, forKey: task)
            if stale == nil {
                shard.count.add(1, ordering: .relaxed)
            } else {
                table.missed += 1
            }
            return (true, stale)
        }
        if let stale { end(stale) }
        return begins
    }

    /// An executor was given this job: ends its sleep, if it is a task that sleeps here.
    @inline(__always)
    package static func enqueued(_ job: UnownedJob) {
        if _slowPath(isUsed.load(ordering: .relaxed)) { endIfCancelled(WakeJob.address(of: job)) }
    }

    @inline(never)
    private static func endIfCancelled(_ task: UInt) {
        let shard = shard(of: task)
        guard shard.count.load(ordering: .relaxed) != 0,
            let sleep = take(task, from: shard, { $0.count($1, by: WakeJob.number(ofTask: task)) })
        else { return }
        end(sleep)
    }

    /// The timer has fired, on its loop's thread.
    static func fire(_ words: TaskWords) {
        guard let sleep = take(words) else { return }
        Tracking.resume(words.word) { WakeJob.run(sleep.wake) }
    }

    /// The loop ends before the sleep: the rest of it passes on the default executor.
    static func move(_ words: TaskWords) {
        guard let sleep = take(words) else { return }
        let now = LoopClock.Instant(nanoseconds: swivel_loop_now(sleep.timer.loop))
        WakeJob.run(sleep.wake, after: now.duration(to: sleep.deadline))
    }

    private static func take(_ words: TaskWords) -> Sleep? {
        take(words.word, from: shard(of: words.word), serial: words.serial) { _, _ in }
    }

    private static func take(
        _ task: UInt, from shard: Shard, serial: UInt32? = nil,
        _ note: (inout Table, Sleep) -> Void
    ) -> Sleep? {
        shard.table.withLock { table in
            guard let sleep = table.take(task, serial: serial) else { return nil }
            shard.count.subtract(1, ordering: .relaxed)
            note(&table, sleep)
            return sleep
        }
    }

    /// The sleep of a task that was cancelled, and was taken out.
    private static func end(_ sleep: Sleep) {
        var work = swivel_work()
        _ = swivel__cancel(sleep.timer, &work)
        WakeJob.run(sleep.wake)
    }
}

// For reports.
extension TaskSleeps {
    /// The counts of all sleeps.
    package struct Counts: Sendable {
        /// Sleeps now, those included whose cancel was not seen.
        package var pending = 0
        /// Cancelled sleeps that left nothing.
        package var cancelled = 0
        /// Cancels that were not seen, until another task had the address.
        package var missed = 0
    }

    package static var counts: Counts {
        shards.reduce(into: Counts()) { counts, shard in
            shard.table.withLock { table in
                counts.pending += table.sleeps.count
                counts.cancelled += table.cancelled
                counts.missed += table.missed
            }
        }
    }

    /// The names and deadlines of the sleeps that end first, at most `limit`.
    package static func sleeping(limit: Int) -> [(name: String?, deadline: LoopClock.Instant)] {
        let all = shards.flatMap { shard in
            shard.table.withLock { $0.sleeps.values.map { ($0.name, $0.deadline) } }
        }
        return Array(all.sorted { $0.1 < $1.1 }.prefix(limit))
    }
}
