// SPDX-License-Identifier: Apache-2.0

/// Makes closures whose runs and releases are counted. Every test must end with all released.
final class Probe: Sendable {
    /// Opened once, and closed by each closure that lives.
    static let allReleased = Gate(1)

    let runs = Gate()
    let releases = Gate()
    private let onRelease: @Sendable () -> Void

    var ran: Int { runs.value }
    var released: Int { releases.value }

    init(onRelease: @escaping @Sendable () -> Void = {}) {
        self.onRelease = onRelease
    }

    private final class Token: Sendable {
        let probe: Probe

        init(_ probe: Probe) {
            self.probe = probe
            Probe.allReleased.open(-1)
        }

        deinit {
            probe.onRelease()
            probe.releases.open()
            Probe.allReleased.open()
        }
    }

    /// A closure that counts its runs and its release.
    func work(_ body: @escaping @Sendable () -> Void = {}) -> @Sendable () -> Void {
        let token = Token(self)
        return {
            body()
            token.probe.runs.open()
        }
    }

    /// As `work`, for something that is called with a value.
    func work<Value>(_ body: @escaping @Sendable (Value) -> Void) -> @Sendable (Value) -> Void {
        let token = Token(self)
        return { value in
            body(value)
            token.probe.runs.open()
        }
    }
}
