// SPDX-License-Identifier: Apache-2.0

internal import Testing

@testable internal import BenchKit

struct MachineCheckTests {
    private let quiet = Samples.machine

    @Test func aQuietMachineHasNoWarning() {
        #expect(quiet.warnings.isEmpty)
    }

    @Test func everyDisturbanceHasItsWarning() {
        let changes: [(inout MachineCheck) -> Void] = [
            { $0.governor = "powersave" }, { $0.steal = 3 }, { $0.stealInRun = 3 },
            { $0.others = 6 }, { $0.othersInRun = 6 }, { $0.jitter = 20 },
            { $0.wakeP99 = 2_000_000 }, { $0.disturbed = 20 },
        ]
        for change in changes {
            var noisy = quiet
            change(&noisy)
            #expect(noisy.warnings.count == 1)
        }
    }

    @Test func theKernelsTextGivesTheShares() {
        let start = MachineCheck.Usage(
            stat: "cpu  100 0 100 700 100 0 0 0 0 0\ncpu0 1 1\n", ticksPerSecond: 100)
        var end = MachineCheck.Usage(
            stat: "cpu  150 10 130 780 110 5 5 10 9 9\n", ticksPerSecond: 100)
        #expect(start.idle == 8)
        end.own = 0.4
        let shares = start.shares(until: end)
        // 2 s in all: 1 s busy, of which 0.4 s are our own; 0.1 s stolen.
        #expect(abs(shares.steal - 5) < 1e-9)
        #expect(abs(shares.others - 30) < 1e-9)
        #expect(start.shares(until: start) == (0, 0))
    }

    @Test func aRealReadingIsPlausible() {
        let check = MachineCheck.now()
        #expect(check.wakeP50 <= check.wakeP99)
        #expect(check.jitter >= 0)
        #expect(check.countsInstructions != nil)
    }
}
