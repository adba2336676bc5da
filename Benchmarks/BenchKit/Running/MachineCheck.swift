// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// The state of the machine can be measured on, read before a run; the CPU time that others took is
/// read again at its end.
package struct MachineCheck: Sendable, Codable, Equatable {
    /// The frequency governor of the first core; `nil` where the system does not tell.
    package var governor: String?
    /// Threads that ran or wanted to, on average over the last minute.
    package var load: Double
    /// Shares of all cores' time, in percent: taken by the host of a virtual machine, and used by
    /// other processes.
    package var steal: Double
    package var others: Double
    /// How much longer than a millisecond a sleep of one takes, in nanoseconds.
    package var wakeP50: Double
    package var wakeP99: Double
    /// How far the times of one and the same computation lie apart: the ninth tenth over the
    /// middle, less 1, in percent.
    package var jitter: Double
    /// The shares while the run lasted; `nil` before its end.
    package var stealInRun: Double?
    package var othersInRun: Double?
    /// The share of the run's measurements beside which others used the same core, in percent; `nil`
    /// before its end.
    package var disturbed: Double?
    /// Whether the processor tells how many instructions it takes; `nil` of runs that did not ask.
    package var countsInstructions: Bool?

    package init(
        governor: String?, load: Double, steal: Double, others: Double, wakeP50: Double,
        wakeP99: Double, jitter: Double
    ) {
        self.governor = governor
        self.load = load
        self.steal = steal
        self.others = others
        self.wakeP50 = wakeP50
        self.wakeP99 = wakeP99
        self.jitter = jitter
    }

    /// The reasons to doubt figures of this machine; none if it is quiet.
    package var warnings: [String] {
        var warnings: [String] = []
        if let governor, governor == "powersave" || governor == "ondemand" {
            warnings.append("the cores change their speed (governor \(governor))")
        }
        let steal = max(steal, stealInRun ?? 0)
        if steal > 2 {
            warnings.append("the host took \(Figures.short(steal)) % of the cores' time")
        }
        let others = max(others, othersInRun ?? 0)
        if others > 5 {
            warnings.append("other processes used \(Figures.short(others)) % of the cores")
        }
        if jitter > 15 {
            warnings.append("the same computation took \(Figures.short(jitter)) % longer at times")
        }
        if let disturbed, disturbed > 10 {
            let share = Figures.short(disturbed)
            warnings.append("others used the same core beside \(share) % of the measurements")
        }
        if wakeP99 > 1_000_000 {
            let late = Figures.value(wakeP99, unit: "ns")
            warnings.append("one sleep in a hundred ended \(late) late")
        }
        return warnings
    }

    /// Measures for about half a second.
    package static func now() -> MachineCheck {
        let start = Usage.now()
        var sleeps = Lateness()
        for _ in 0..<200 {
            let due = Clocks.wall() + 1_000_000
            Clocks.pause(until: due)
            sleeps.record(Int64(Clocks.wall()) - Int64(due))
        }
        let times = (0..<100).map { _ in Double(spin()) }
        let shares = start.shares(until: Usage.now())
        let tenth = Statistics.quantile(0.9, of: times) / Statistics.median(times) - 1
        let governor = try? String(
            contentsOfFile: "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor",
            encoding: .utf8)
        var load = [0.0]
        getloadavg(&load, 1)
        var check = MachineCheck(
            governor: governor?.trimmingCharacters(in: .whitespacesAndNewlines),
            load: Statistics.rounded(load[0]), steal: Statistics.rounded(shares.steal),
            others: Statistics.rounded(shares.others),
            wakeP50: sleeps.percentile(50), wakeP99: sleeps.percentile(99),
            jitter: Statistics.rounded(100 * tenth))
        check.countsInstructions = Instructions.areCounted
        return check
    }

    /// Notes what others took between a reading at the start of a run and now.
    package mutating func note(since start: Usage) {
        let shares = start.shares(until: Usage.now())
        stealInRun = Statistics.rounded(shares.steal)
        othersInRun = Statistics.rounded(shares.others)
    }

    /// A millisecond or so of arithmetic that no compiler can leave out.
    @inline(never)
    private static func spin() -> UInt64 {
        let start = Clocks.wall()
        var random = SplitMix(seed: start)
        var sum: UInt64 = 0
        for _ in 0..<400_000 { sum &+= random.next() }
        return Clocks.wall() - start + (sum == 0 ? 1 : 0)
    }

    /// The cores' time up to now, and how it was used.
    package struct Usage: Sendable, Equatable {
        package var busy = 0.0
        package var idle = 0.0
        package var steal = 0.0
        /// The CPU time of this process, and of its children that have ended.
        package var own = 0.0

        package static func now() -> Usage {
            let stat = (try? String(contentsOfFile: "/proc/stat", encoding: .utf8)) ?? ""
            var usage = Usage(stat: stat, ticksPerSecond: Double(sysconf(Int32(_SC_CLK_TCK))))
            usage.own = Double(Clocks.processCPU() + Clocks.endedChildrenCPU()) / 1_000_000_000
            return usage
        }

        /// Reads the first line of the text of `/proc/stat`, as proc(5) describes it; all in seconds.
        package init(stat: String, ticksPerSecond: Double) {
            let line = stat.split(separator: "\n").first { $0.hasPrefix("cpu ") } ?? ""
            let ticks = line.split(separator: " ").dropFirst().compactMap { Double($0) }
            guard ticks.count >= 8 else { return }
            // User, nice, system, idle, I/O wait, interrupts, soft interrupts, steal; guests' time
            // is in the first two.
            busy = (ticks[0] + ticks[1] + ticks[2] + ticks[5] + ticks[6]) / ticksPerSecond
            idle = (ticks[3] + ticks[4]) / ticksPerSecond
            steal = ticks[7] / ticksPerSecond
        }

        /// The shares of the cores' time from this reading to a later one, in percent.
        package func shares(until end: Usage) -> (steal: Double, others: Double) {
            let all = (end.busy - busy) + (end.idle - idle) + (end.steal - steal)
            guard all > 0 else { return (0, 0) }
            let others = (end.busy - busy) - (end.own - own)
            return (100 * (end.steal - steal) / all, max(0, 100 * others / all))
        }
    }
}
