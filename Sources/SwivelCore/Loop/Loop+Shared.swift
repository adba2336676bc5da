// SPDX-License-Identifier: Apache-2.0
internal import CSwivel

extension Loop {
    /// The loop that keeps the time of every context that is not a loop. Made on first use; it lives
    /// as long as the process.
    public static let shared = always(Configuration(name: "swivel.shared"), SWIVEL_OWN_THREAD)

    /// The main thread's loop: `Loop.main.run()` drives it there. It lives as long as the process.
    public static let main = always(Configuration(name: "swivel.main"), SWIVEL_CALLER)

    private static func always(_ configuration: Configuration, _ drive: swivel_drive) -> Loop {
        do {
            return try Loop(configuration, drive, isPermanent: true)
        } catch {
            trap("there is no loop without its resources: \(error)")
        }
    }
}
