// SPDX-License-Identifier: Apache-2.0

internal import BenchKit

/// Who Swivel is compared with, as rows and `--rivals` name them.
package enum RivalName {
    /// Swivel's own timers on DispatchSourceTimer and nothing else: the same code, another context.
    package static let backend = "DispatchBackend"
    /// DispatchSourceTimer written by hand.
    package static let source = "DispatchSource"
    /// DispatchQueue.asyncAfter with a DispatchWorkItem.
    package static let asyncAfter = "asyncAfter"
    /// DispatchQueue.async written by hand.
    package static let queue = "DispatchQueue"
    /// Timers of Foundation's, on the run loop of a thread.
    package static let foundation = "Foundation Timer"
    /// Task.sleep.
    package static let task = "Task.sleep"
    /// Swift tasks that wait for one another.
    package static let swiftTask = "Swift Task"
    /// Swift's own executor: the cooperative pool and the actors on it.
    package static let executor = "default executor"
    /// Actors on a serial queue.
    package static let queueExecutor = "queue executor"
    /// swift-nio: event loops, their scheduled tasks and their futures.
    package static let nio = "NIO"
    /// swift-nio's scheduled callbacks, which take a handler and make no future.
    package static let nioCallback = "NIO callback"
    /// swift-nio's event loop for tests, whose time is virtual.
    package static let nioTesting = "NIO testing loop"
    /// The pattern of swift-nio's IdleStateHandler.
    package static let nioIdle = "NIO idle handler"
    /// OpenCombine's schedulers and futures.
    package static let combine = "OpenCombine"
    /// libuv in C.
    package static let libuv = "libuv"
    /// epoll in C, level-triggered, with nothing around it.
    package static let epoll = "epoll"
    /// Go's timers, goroutines and channels, in a process of their own.
    package static let go = "Go"
    /// tokio's timers and channels, in a process of their own.
    package static let tokio = "tokio"
    /// libev in C, in a process of its own.
    package static let libev = "libev"
    /// libevent in C, in a process of its own.
    package static let libevent = "libevent"
    private static let ofDispatch = [backend, source, asyncAfter, queue, queueExecutor]

    /// Whether a rival is Dispatch in one form or another.
    package static func isDispatch(_ name: String) -> Bool { ofDispatch.contains(name) }

    /// Every name, in the order of the tables.
    package static let all = [
        backend, source, asyncAfter, queue, queueExecutor, foundation, task, swiftTask, executor,
        nio, nioCallback, nioTesting, nioIdle, combine, libuv, epoll, libev, libevent, go, tokio,
        Yardstick.core, Yardstick.futex, Yardstick.looking, Yardstick.immediate,
        Yardstick.swivelAt1k,
    ]

    /// The names that a word on the command line stands for: a name in any case, or `dispatch` or
    /// `nio` for everything that is one of them. Nothing if there is no such rival.
    package static func names(for word: String) -> [String] {
        if word.lowercased() == "dispatch" { return ofDispatch }
        if word.lowercased() == "nio" { return [nio, nioCallback, nioTesting, nioIdle] }
        return all.filter { $0.lowercased() == word.lowercased() }
    }
}
