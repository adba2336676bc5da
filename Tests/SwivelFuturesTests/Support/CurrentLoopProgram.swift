// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelFutures
import SwivelTestSupport

/// A random program of one loop's thread: closures that post, arm timers without delay, and
/// register callbacks with futures and complete them, in any order.
struct CurrentLoopProgram: Sendable {
    enum Act: Sendable {
        /// Queues the closure that is named, as a post or a timer without delay.
        case post(Int), timer(Int)
        /// Registers the closure that is named with a future; with `map`, whose future is `as`.
        case register(Int, with: Int), map(Int, from: Int, as: Int)
        case complete(Int)
    }

    /// The promises; the futures of maps come after them.
    static let promises = 4

    /// The acts of the first closure, of the last one, and of each other one.
    private(set) var first: [Act] = []
    var last: [Act] { (0..<Self.promises).map { .complete($0) } }
    private(set) var acts: [[Act]] = []
    private(set) var futures = Self.promises

    init(_ random: inout Seeded) {
        first = someActs(12, &random)
        while acts.contains(where: { $0.isEmpty }), acts.count < 150 {
            for name in acts.indices where acts[name].isEmpty {
                acts[name] = someActs(random.below(4), &random)
            }
            if random.below(8) == 0 { break }
        }
    }

    private mutating func newClosure() -> Int {
        acts.append([])
        return acts.count - 1
    }

    private mutating func someActs(_ count: Int, _ random: inout Seeded) -> [Act] {
        (0..<count).map { _ in
            switch random.below(8) {
            case 0: return .post(newClosure())
            case 1: return .timer(newClosure())
            case 2, 3: return .register(newClosure(), with: random.below(futures))
            case 4, 5:
                futures += 1
                return .map(newClosure(), from: random.below(futures - 1), as: futures - 1)
            default: return .complete(random.below(Self.promises))
            }
        }
    }
}

// The reference: one queue, and for each future that is pending a list of callbacks.
extension CurrentLoopProgram {
    private struct Known {
        /// The map that makes it has been called.
        var exists = false
        var isCompleted = false
        var waiting: [(closure: Int, future: Int?)] = []
    }

    private struct Model {
        typealias Entry = (closure: Int, future: Int?)
        var queue: [Entry] = []
        var known: [Known]

        mutating func serve(_ future: Int) {
            guard known[future].isCompleted else { return }
            queue += known[future].waiting.map { ($0.closure, $0.future) }
            known[future].waiting = []
        }

        mutating func complete(_ future: Int) {
            known[future].isCompleted = true
            serve(future)
        }

        mutating func register(_ closure: Int, _ future: Int, _ derived: Int?) {
            guard known[future].exists else { return }
            if let derived { known[derived].exists = true }
            known[future].waiting.append((closure, derived))
            serve(future)
        }

        mutating func act(_ acts: [Act]) {
            for act in acts {
                switch act {
                case .post(let closure), .timer(let closure): queue.append((closure, nil))
                case .register(let closure, let future): register(closure, future, nil)
                case .map(let closure, let future, let derived):
                    register(closure, future, derived)
                case .complete(let future): complete(future)
                }
            }
        }
    }

    /// The closures in the order in which they run.
    func expected() -> [Int] {
        var model = Model(known: Array(repeating: Known(), count: futures))
        for promise in 0..<Self.promises { model.known[promise].exists = true }
        var order: [Int] = []
        for acts in [first, last] {
            model.act(acts)
            while !model.queue.isEmpty {
                order.append(run(model.queue.removeFirst(), &model))
            }
        }
        return order
    }

    private func run(_ entry: Model.Entry, _ model: inout Model) -> Int {
        model.act(acts[entry.closure])
        if let derived = entry.future { model.complete(derived) }
        return entry.closure
    }
}

/// Runs a program on a loop.
final class CurrentLoopRun: @unchecked Sendable {
    // because all of it runs on one thread.
    let seen = Shared<[Int]>()
    let hasNested = Shared(false)
    private let program: CurrentLoopProgram
    private let loop: Loop
    private let promises = (0..<CurrentLoopProgram.promises).map { _ in Promise<Int, Boom>() }
    private var futures: [Int: Future<Int, Boom>] = [:]
    private var isInside = false

    init(_ program: CurrentLoopProgram, on loop: Loop) {
        self.program = program
        self.loop = loop
        for (number, promise) in promises.enumerated() { futures[number] = promise.future }
    }

    /// Does what the first closure or the last one does. It is inside no other.
    func begin(_ acts: [CurrentLoopProgram.Act]) {
        isInside = true
        act(acts)
        isInside = false
    }

    private func act(_ acts: [CurrentLoopProgram.Act]) {
        for act in acts {
            switch act {
            case .post(let name): loop.execute { self.run(name) }
            case .timer(let name): loop.schedule(after: .zero) { self.run(name) }
            case .register(let name, let future):
                futures[future]?.onComplete(on: loop) { _ in self.run(name) }
            case .map(let name, let future, let derived):
                futures[derived] = futures[future]?.map(on: loop) { value in
                    self.run(name)
                    return value
                }
            case .complete(let future): promises[future].trySucceed(future)
            }
        }
    }

    private func run(_ name: Int) {
        if isInside { hasNested.value = true }
        seen.append(name)
        begin(program.acts[name])
    }
}
