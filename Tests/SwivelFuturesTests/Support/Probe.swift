// SPDX-License-Identifier: Apache-2.0
import Foundation
import SwivelCore
import Synchronization

/// An atomic number that closures can capture.
final class Counter: Sendable {
    private let number: Atomic<Int>

    init(_ value: Int = 0) {
        number = Atomic(value)
    }

    var value: Int { number.load(ordering: .sequentiallyConsistent) }

    @discardableResult
    func add(_ amount: Int = 1) -> Int {
        number.wrappingAdd(amount, ordering: .sequentiallyConsistent).newValue
    }
}

/// Makes closures whose runs and releases are counted. Every test must end with all released.
final class Probe: Sendable {
    static let alive = Counter()

    private let runs = Counter()
    private let releases = Counter()

    /// Runs begun, and captures released.
    var ran: Int { runs.value }
    var released: Int { releases.value }

    /// What a closure captures, or a future has as its value.
    final class Token: Sendable {
        private let probe: Probe

        fileprivate init(_ probe: Probe) {
            self.probe = probe
            Probe.alive.add()
        }

        fileprivate func run() {
            probe.runs.add()
        }

        deinit {
            probe.releases.add()
            Probe.alive.add(-1)
        }
    }

    /// Something to capture.
    func token() -> Token {
        Token(self)
    }

    /// A closure that counts its runs and its release.
    func work<Input, Output>(
        _ body: @escaping @Sendable (Input) -> Output
    ) -> @Sendable (Input) -> Output {
        let token = token()
        return {
            token.run()
            return body($0)
        }
    }

    /// A closure that counts its runs and its release.
    func work<Output>(_ body: @escaping @Sendable () -> Output) -> @Sendable () -> Output {
        let token = token()
        return {
            token.run()
            return body()
        }
    }

    /// Waits until all were released: the last act of a thread may still be under way.
    static func settle() -> Bool {
        eventually { alive.value == 0 }
    }
}

/// Waits for what other threads do, and not for ever.
func eventually(_ condition: () -> Bool) -> Bool {
    let ends = SuspendingClock.now + .seconds(20)
    while !condition() {
        if SuspendingClock.now > ends {
            return false
        }
        Thread.sleep(forTimeInterval: 0.0001)
    }
    return true
}
