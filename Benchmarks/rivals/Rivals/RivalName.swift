// SPDX-License-Identifier: Apache-2.0
/// The rivals as rows and `--rivals` name them.
package enum RivalName {
    /// Swivel's own timers on DispatchSourceTimer and nothing else: the same code, another context.
    package static let backend = "DispatchBackend"
    /// DispatchSourceTimer written by hand.
    package static let source = "DispatchSource"
    /// Dispatch's queues, written by hand.
    package static let queue = "DispatchQueue"
    /// Timers of Foundation's, on the run loop of a thread.
    package static let foundation = "Foundation Timer"
    package static let task = "Task.sleep"
    /// Swift tasks that wait for one another.
    package static let swiftTask = "Swift Task"
    /// Swift's own executor: the cooperative pool and the actors on it.
    package static let executor = "default executor"
    /// Actors on a serial queue.
    package static let queueExecutor = "queue executor"
    /// swift-nio: event loops, their scheduled tasks and their futures.
    package static let nio = "NIO"
    package static let combine = "OpenCombine"
    /// libuv in C.
    package static let libuv = "libuv"
    /// epoll in C, level-triggered, with nothing around it.
    package static let epoll = "epoll"
    /// In processes of their own.
    package static let libev = "libev"
    package static let tokio = "tokio"
    /// Swivel's loop and a DispatchSemaphore: `execute { signal }` and a wait.
    package static let semaphore = "execute + semaphore"
    /// Swivel itself with a thousand timers outstanding.
    package static let swivelAt1k = "Swivel at 1k"

    private static let ofDispatch = [backend, source, queue, queueExecutor]

    /// Every name, in the order of the tables.
    package static let all =
        ofDispatch + [
            foundation, task, swiftTask, executor, nio, combine, libuv, epoll, libev, tokio,
            semaphore, swivelAt1k,
        ]

    /// The names that a word on the command line stands for: a name in any case, or `dispatch` for
    /// everything that is Dispatch. Nothing if there is no such rival.
    package static func names(for word: String) -> [String] {
        if word.lowercased() == "dispatch" { return ofDispatch }
        return all.filter { $0.lowercased() == word.lowercased() }
    }
}
