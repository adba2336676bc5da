// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelDispatch
import SwivelFutures
import SwivelTestSupport
import Testing

/// Random graphs of combinators, on random contexts, completed in a random order by several threads,
/// agree with an interpreter that knows nothing but results.
@Suite(.offPool) struct RandomGraphTests {
    private typealias Outcome = Result<Int, Boom>

    /// The operation of a node of the graph on nodes before it.
    private enum Node {
        case leaf(Outcome)
        case map(Int), flatMap(Int, Int), flatMapResult(Int), mapError(Int), recover(Int)
        case recoverWith(Int, Int), orElse(Int), filter(Int), zip(Int, Int), andThen(Int)
        case flatten(Int, Int), follow(Int), timeout(Int)
        case sequence([Int]), fold([Int]), find([Int]), all(Int, Int, Int)
    }

    private static func half(_ value: Int) -> Outcome {
        value % 2 == 0 ? .success(value / 2) : .failure(Boom(code: value))
    }

    private static func unwrap(_ error: FutureError<Boom>) -> Boom {
        if case .failed(let boom) = error { boom } else { Boom(code: -1) }
    }

    private static func randomNode(_ index: Int, _ random: inout Seeded) -> Node {
        func earlier() -> Int { Int.random(in: 0..<index, using: &random) }
        func several() -> [Int] {
            (0..<Int.random(in: 0...5, using: &random)).map { _ in earlier() }
        }
        guard index > 3 else {
            let value = Int.random(in: 0..<100, using: &random)
            return .leaf(value % 4 == 0 ? .failure(Boom(code: value)) : .success(value))
        }
        switch Int.random(in: 0..<18, using: &random) {
        case 0:
            let value = Int.random(in: 0..<100, using: &random)
            return .leaf(value % 4 == 0 ? .failure(Boom(code: value)) : .success(value))
        case 1: return .map(earlier())
        case 2: return .flatMap(earlier(), earlier())
        case 3: return .flatMapResult(earlier())
        case 4: return .mapError(earlier())
        case 5: return .recover(earlier())
        case 6: return .recoverWith(earlier(), earlier())
        case 7: return .orElse(earlier())
        case 8: return .filter(earlier())
        case 9: return .zip(earlier(), earlier())
        case 10: return .andThen(earlier())
        case 11: return .flatten(earlier(), earlier())
        case 12: return .follow(earlier())
        case 13: return .timeout(earlier())
        case 14: return .sequence(several())
        case 15: return .fold(several())
        case 16: return .find(several())
        default: return .all(earlier(), earlier(), earlier())
        }
    }

    /// The interpreter.
    private static func results(_ nodes: [Node]) -> [Outcome] {
        var known: [Outcome] = []
        for node in nodes {
            known.append(result(node, known))
        }
        return known
    }

    private static func result(_ node: Node, _ known: [Outcome]) -> Outcome {
        switch node {
        case .leaf(let outcome): return outcome
        case .map(let a): return known[a].map { $0 &+ 1 }
        case .flatMap(let a, let b), .flatten(let a, let b):
            return known[a].flatMap { _ in known[b] }
        case .flatMapResult(let a): return known[a].flatMap(half)
        case .mapError(let a): return known[a].mapError { Boom(code: $0.code &+ 1) }
        case .recover(let a): return known[a].flatMapError { .success($0.code) }
        case .recoverWith(let a, let b): return known[a].flatMapError { _ in known[b] }
        case .orElse(let a): return known[a].flatMapError { _ in .success(7) }
        case .filter(let a):
            return known[a].flatMap { $0 % 3 == 0 ? .failure(Boom(code: -1)) : .success($0) }
        case .zip(let a, let b): return known[a].flatMap { x in known[b].map { x &- $0 } }
        case .andThen(let a), .follow(let a), .timeout(let a): return known[a]
        case .sequence(let list), .fold(let list):
            return list.reduce(.success(0)) { sum, a in
                sum.flatMap { x in known[a].map { x &* 3 &+ $0 } }
            }
        case .find(let list):
            for a in list {
                switch known[a] {
                case .success(let value) where value % 2 == 0: return .success(value)
                case .success: continue
                case .failure(let error): return .failure(error)
                }
            }
            return .failure(Boom(code: -1))
        case .all(let a, let b, let c):
            return known[a].flatMap { x in known[b].flatMap { y in known[c].map { x &+ y &* $0 } } }
        }
    }

    /// The future that a node is.
    private static func future(
        _ node: Node, _ known: [Future<Int, Boom>], on context: any ExecutionContext, _ probe: Probe
    ) -> Future<Int, Boom> {
        switch node {
        case .leaf: return Future()
        case .map(let a): return known[a].map(on: context, probe.work { $0 &+ 1 })
        case .flatMap(let a, let b):
            let other = known[b]
            return known[a].flatMap(on: context, probe.work { _ in other })
        case .flatMapResult(let a):
            return known[a].flatMap(on: context, probe.work { half($0) })
        case .mapError(let a):
            return known[a].mapError(on: context, probe.work { Boom(code: $0.code &+ 1) })
        case .recover(let a):
            return known[a].recover(on: context, probe.work { $0.code }).promoteError()
        case .recoverWith(let a, let b):
            let other = known[b]
            return known[a].recover(on: context, probe.work { _ in other })
        case .orElse(let a): return (known[a] ?? 7).promoteError()
        case .filter(let a):
            return known[a].filter(on: context, probe.work { $0 % 3 != 0 })
                .mapError(on: .immediate) { unwrap($0) }
        case .zip(let a, let b):
            return known[a].zip(known[b]).map(on: context) { $0.0 &- $0.1 }
        case .andThen(let a): return known[a].andThen(on: context, probe.work { _ in })
        case .flatten(let a, let b):
            let other = known[b]
            return known[a].map(on: context) { _ in other }.flatten()
        case .follow(let a):
            let promise = Promise<Int, Boom>()
            promise.complete(with: known[a])
            return promise.future
        case .timeout(let a):
            return known[a].timeout(.seconds(3600)).mapError(on: context) { unwrap($0) }
        case .sequence(let list):
            return list.map { known[$0] }.sequence()
                .map(on: context) { $0.reduce(0) { $0 &* 3 &+ $1 } }
        case .fold(let list):
            return list.map { known[$0] }.fold(on: context, 0) { $0 &* 3 &+ $1 }
        case .find(let list):
            return list.map { known[$0] }.find(on: context, probe.work { $0 % 2 == 0 })
                .mapError(on: .immediate) { unwrap($0) }
        case .all(let a, let b, let c):
            return SwivelFutures.all(known[a], known[b], known[c])
                .map(on: context) { $0.0 &+ $0.1 &* $0.2 }
        }
    }

    @Test func combinatorsAgreeWithAnInterpreter() throws {
        var random = Seeded()
        let loop = try Loop()
        let contexts: [any ExecutionContext] = [
            .immediate, .immediate, loop, .background, serialQueue(), inline,
        ]
        for _ in 0..<60 {
            let nodes = (0..<80).reduce(into: [Node]()) { nodes, index in
                nodes.append(Self.randomNode(index, &random))
            }
            let expected = Self.results(nodes)
            let probe = Probe()
            var futures: [Future<Int, Boom>] = []
            var leaves: [(Promise<Int, Boom>, Outcome)] = []
            for node in nodes {
                if case .leaf(let outcome) = node {
                    let promise = Promise<Int, Boom>()
                    leaves.append((promise, outcome))
                    futures.append(promise.future)
                    // Some are there before anything is registered.
                    if Bool.random(using: &random) { promise.complete(outcome) }
                } else {
                    // swift-format-ignore: NeverForceUnwrap
                    let context = contexts.randomElement(using: &random)!  // because there are some
                    futures.append(Self.future(node, futures, on: context, probe))
                }
            }
            let order = leaves.shuffled(using: &random)
            onThreads(3) { thread in
                for (promise, outcome) in order[
                    order.count * thread / 3..<order.count * (thread + 1) / 3]
                {
                    promise.tryComplete(outcome)
                }
            }
            for (number, future) in futures.enumerated() {
                #expect(
                    future.awaitedResult == expected[number], "node \(number): \(nodes[number])")
            }
            #expect(Probe.allAreReleased())
        }
        loop.shutdown()
    }
}
