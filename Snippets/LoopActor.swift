// SPDX-License-Identifier: Apache-2.0
// snippet.hide
import Swivel

// snippet.show
@globalActor
actor LoopActor {
    static let shared = LoopActor()

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        Loop.shared.serialExecutor.asUnownedSerialExecutor()
    }

    /// For closures of the loop, which the compiler takes for unisolated.
    static func assumeIsolated<T: Sendable>(
        _ body: @LoopActor () throws -> T
    ) rethrows -> T {
        shared.preconditionIsolated()
        // As in MainActor.assumeIsolated: the type loses its actor, which
        // was checked above.
        return try withoutActuallyEscaping(body) { body in
            try unsafeBitCast(body, to: (() throws -> T).self)()
        }
    }
}

@LoopActor
final class Scoreboard {
    private var points: [String: Int] = [:]

    func add(_ count: Int, to name: String) {
        points[name, default: 0] += count
    }
    func total() -> Int { points.values.reduce(0, +) }
}

let board = Scoreboard()
await board.add(3, to: "home")
Loop.shared.execute {
    LoopActor.assumeIsolated { board.add(1, to: "guests") }
}
// snippet.hide
let counting = Task {
    while await board.total() < 4 { await Task.yield() }
}
await counting.value
