// SPDX-License-Identifier: Apache-2.0
/// The rivals as rows and `--rivals` name them.
package enum RivalName {
    package static let backend = "DispatchBackend"
    package static let source = "DispatchSource"
    package static let queue = "DispatchQueue"
    package static let queueExecutor = "queue executor"
    package static let foundation = "Foundation Timer"
    package static let task = "Task.sleep"
    package static let swiftTask = "Swift Task"
    package static let executor = "default executor"
    package static let nio = "NIO"
    package static let combine = "OpenCombine"
    package static let libuv = "libuv"
    package static let epoll = "epoll"
    package static let libev = "libev"
    package static let tokio = "tokio"
    package static let semaphore = "execute + semaphore"
    package static let swivelAt1k = "Swivel at 1k"

    /// Every rival, in the order of the tables, and a sentence about each.
    package static let meanings = [
        (backend, "Swivel's own interface on Dispatch's timers: the same code, another context"),
        (source, "DispatchSourceTimer, written by hand"),
        (queue, "serial and global queues of Dispatch, written by hand"),
        (queueExecutor, "actors on a serial queue of Dispatch"),
        (foundation, "Timer on the run loop of a thread; up to 10,000 of them"),
        (task, "Swift's own sleep"),
        (swiftTask, "Swift tasks that wait for one another"),
        (executor, "actors and tasks on Swift's own pool of threads"),
        (nio, "an event loop of swift-nio, with its futures and its executor"),
        (combine, "Future of OpenCombine with maps"),
        (libuv, "libuv in C: uv_timer_t, uv_async_send, uv_poll"),
        (epoll, "Linux's epoll in C, with nothing around it"),
        (libev, "libev in C, in a program of its own"),
        (tokio, "tokio in Rust, in a program of its own"),
        (semaphore, "no rival: a loop of Swivel's, execute and a DispatchSemaphore"),
        (swivelAt1k, "no rival: Swivel with 1,000 timers"),
    ]

    /// Every name, in the order of the tables.
    package static var all: [String] { meanings.map(\.0) }

    /// The names that a word on the command line stands for: a name in any case, or `dispatch` for
    /// everything that is Dispatch. Nothing if there is no such rival.
    package static func names(for word: String) -> [String] {
        if word.lowercased() == "dispatch" { return [backend, source, queue, queueExecutor] }
        return all.filter { $0.lowercased() == word.lowercased() }
    }
}
