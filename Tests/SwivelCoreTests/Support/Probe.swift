// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import Synchronization
#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

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

/// Makes closures whose runs and releases are counted.
///
/// A closure holds a token; the token's end is the closure's release. The number of tokens alive is
/// kept for all probes together, and every test must end with none.
final class Probe: Sendable {
    static let alive = Counter()

    private let madeCount = Counter()
    private let ranCount = Counter()
    private let releasedCount = Counter()

    /// Closures made, runs begun, closures released.
    var made: Int { madeCount.value }
    var ran: Int { ranCount.value }
    var released: Int { releasedCount.value }
    var live: Int { made - released }

    /// What a closure captures. Its end calls `onRelease`.
    final class Token: Sendable {
        private let probe: Probe
        private let onRelease: (@Sendable () -> Void)?

        fileprivate init(_ probe: Probe, _ onRelease: (@Sendable () -> Void)?) {
            self.probe = probe
            self.onRelease = onRelease
            probe.madeCount.add()
            Probe.alive.add()
        }

        fileprivate func run() {
            probe.ranCount.add()
        }

        deinit {
            onRelease?()
            probe.releasedCount.add()
            Probe.alive.add(-1)
        }
    }

    /// Something to capture.
    func token(onRelease: (@Sendable () -> Void)? = nil) -> Token {
        Token(self, onRelease)
    }

    /// A closure that counts its runs and its release.
    func work(_ body: @escaping @Sendable () -> Void = {}) -> @Sendable () -> Void {
        let token = token()
        return {
            token.run()
            body()
        }
    }

    /// A closure with a capture whose deinit calls `deed`.
    func reentrant(_ deed: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        let token = token(onRelease: deed)
        return { token.run() }
    }

    /// As `work`, for each tick of a repeating timer.
    func tick(_ body: @escaping @Sendable (Tick) -> Void = { _ in }) -> @Sendable (Tick) -> Void {
        let token = token()
        return { tick in
            token.run()
            body(tick)
        }
    }

    /// Waits until all closures were released: the last act of a thread may still be under way.
    static func settle() -> Bool {
        let ends = SuspendingClock.now + .seconds(10)
        while alive.value != 0 {
            if SuspendingClock.now > ends {
                return false
            }
            sched_yield()
        }
        return true
    }
}
