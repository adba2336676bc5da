// SPDX-License-Identifier: Apache-2.0
internal import CSwivel
internal import CSwivel.Internal

extension Loop {
    /// The loop that keeps the time of every context that is not a loop. It is made at its first
    /// use and lives as long as the process. In the child of a `fork` it is dead for good if the
    /// parent has used it, and so are the timers of queues and of other contexts.
    public static var shared: Loop { theShared }

    /// The main thread's loop: `Loop.main.run()` drives it there. It lives as long as the process.
    ///
    /// In a program that uses Swivel's queues, its turns also run the main queue's blocks, and with
    /// them the main actor's jobs. Those are not the loop's closures: in them ``current`` is `nil`,
    /// and the main queue is the default context. A wait in one of them pumps the loop. Driven from
    /// another thread than the main one, it is a loop like any other.
    public static var main: Loop { theMain }

    private static let theShared = always(Configuration(name: "swivel.shared"), SWIVEL_OWN_THREAD)
    private static let theMain = always(
        Configuration(name: "swivel.main"), SWIVEL_CALLER, hostsMainQueue: true)

    private static func always(
        _ configuration: Configuration, _ drive: swivel_drive, hostsMainQueue: Bool = false
    ) -> Loop {
        do {
            return try Loop(
                configuration, drive, isPermanent: true, hostsMainQueue: hostsMainQueue)
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
        swivel__guest_host().flatMap { owning(swivel_loop_owner($0)) }
    }
}
