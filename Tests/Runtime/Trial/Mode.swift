// SPDX-License-Identifier: Apache-2.0

internal import SwivelCore
internal import SwivelRuntime

/// The executor and the timers under the tasks of the program.
enum Mode: String {
    /// The default executor.
    case off
    /// Swivel's timers under the default executor.
    case timers
    /// Swivel's pool and timers.
    case everything
    /// The default executor, but for tasks that prefer a loop.
    case loop

    /// Makes ready, and returns the executor that the tasks prefer, if there is one. To be called
    /// before the first task.
    func install() throws -> (any TaskExecutor)? {
        switch self {
        case .off: break
        case .timers: try SwivelRuntime.install(.timers)
        case .everything: try SwivelRuntime.install(.everything)
        case .loop: return try Loop(Loop.Configuration(name: "trial")).taskExecutor
        }
        return nil
    }
}
