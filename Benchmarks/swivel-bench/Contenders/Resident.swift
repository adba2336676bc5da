// SPDX-License-Identifier: Apache-2.0
internal import BenchKit
internal import Swivel

/// An actor that lives on a loop.
actor Resident {
    private let loop: Loop
    private(set) var count = 0
    private(set) var sum = 0

    init(_ loop: Loop) { self.loop = loop }

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        loop.serialExecutor.asUnownedSerialExecutor()
    }

    func receive() -> Int {
        count &+= 1
        return count
    }

    func visit(_ other: Resident, times: Int) async {
        let isAlone = other.loop === loop
        if isAlone { Cores.stay() }
        for _ in 0..<times { sum &+= await other.receive() }
        if isAlone { Cores.leave() }
    }
}

extension Resident {
    /// Calls from an actor on one loop to one on another, or on the same.
    static func hops(_ count: Int, from near: Loop, to far: Loop) throws -> Measurement {
        let (visitor, visited) = (Resident(near), Resident(far))
        let (span, visits) = Awaited.time(on: nil) {
            await visitor.visit(visited, times: count)
            return Visits(count: await visited.count, sum: await visitor.sum)
        }
        return try visits.measurement(span, count)
    }

    /// Calls from a task to an actor on `loop`.
    static func calls(_ count: Int, to loop: Loop) throws -> Measurement {
        let visited = Resident(loop)
        Cores.place(.shared)
        defer { Cores.release() }
        let (span, visits) = Awaited.time(on: nil) {
            var sum = 0
            for _ in 0..<count { Visits.add(await visited.receive(), to: &sum) }
            return Visits(count: await visited.count, sum: sum)
        }
        return try visits.measurement(span, count)
    }

    /// Measures with fresh loops, which are closed afterwards.
    static func withLoops<R>(
        _ count: Int, _ measure: ([Loop]) throws -> R
    ) throws -> R {
        let loops = try (0..<count).map { _ in try Loop.open() }
        defer { loops.forEach { _ = $0.close() } }
        return try measure(loops)
    }
}
