// SPDX-License-Identifier: Apache-2.0
internal import SwivelCore

/// How a simulation chooses the next step among the tasks, closures and loops that could go on.
///
/// **Thread:** any.
public struct SimulationStrategy: Sendable {
    fileprivate enum Kind: Sendable {
        case uniform
        case pct
        case delayBounded
    }

    fileprivate let kind: Kind
    /// How often something changes, and within which number of steps.
    fileprivate let changes: Int
    fileprivate let steps: Int

    /// Each of them is as likely as any other, at every step.
    public static let uniform = SimulationStrategy(kind: .uniform, changes: 0, steps: 1)

    /// Returns a strategy with which each task has a random priority, and the first in rank runs;
    /// at `depth` − 1 random steps the running task falls behind all others.
    ///
    /// For a bug that needs `depth` steps in one order, among *n* tasks and in a run of at most
    /// `steps`, a seed finds it with a probability of at least 1/(*n* · `steps`^(`depth` − 1))
    /// (Burckhardt, Kothari, Musuvathi and Nagarakatte, ASPLOS 2010). It lets one task be slow for
    /// long, which ``uniform`` hardly does.
    ///
    /// - Complexity: O(1); each step O(*n*).
    public static func pct(depth: Int, steps: Int = 1_000) -> SimulationStrategy {
        SimulationStrategy(kind: .pct, changes: max(1, depth) - 1, steps: max(1, steps))
    }

    /// Returns a strategy with which steps come in the order in which they became possible; at
    /// `delays` random ones of the first `steps` the next one goes behind all others. With 0 there
    /// is one order. Most bugs need few delays.
    ///
    /// - Complexity: O(1); each step O(n) in the tasks.
    public static func delayBounded(delays: Int, steps: Int = 1_000) -> SimulationStrategy {
        SimulationStrategy(kind: .delayBounded, changes: max(0, delays), steps: max(1, steps))
    }
}

#if compiler(>=6.3) && compiler(<6.4) && os(Linux)
/// A strategy at work, in one run.
struct Chooser {
    private var random: SplitMix64
    private let kind: SimulationStrategy.Kind
    /// The steps at which something changes.
    private var changes: Set<Int> = []
    /// The ranks of members, or of orders; the greatest runs.
    private var ranks: [UInt64: Int64] = [:]
    private var lowest = -Int64.max / 2

    init(_ strategy: SimulationStrategy, seed: UInt64) {
        random = SplitMix64(seed: seed)
        kind = strategy.kind
        while changes.count < min(strategy.changes, strategy.steps) {
            changes.insert(below(strategy.steps))
        }
    }

    private mutating func below(_ bound: Int) -> Int { Int(random.next() % UInt64(bound)) }

    /// Chooses one of `count` items at this step.
    mutating func choose(among count: Int, at step: Int, _ item: (Int) -> Item) -> Int {
        if kind == .uniform { return count == 1 ? 0 : below(count) }
        let first = first(of: count, item)
        guard changes.contains(step) else { return first }
        lowest -= 1
        ranks[key(item(first))] = lowest
        return self.first(of: count, item)
    }

    private mutating func first(of count: Int, _ item: (Int) -> Item) -> Int {
        let ranks = (0..<count).map { rank(item($0)) }
        return ranks.indices.max { ranks[$0] < ranks[$1] } ?? 0
    }

    private func key(_ item: Item) -> UInt64 {
        // Each closure of a pool is a thread of its own.
        let isThread = item.kind == .closure && item.lane == Simulator.poolLane
        return kind == .pct && !isThread ? UInt64(item.member) | 1 << 63 : item.order
    }

    private mutating func rank(_ item: Item) -> Int64 {
        let key = key(item)
        if let known = ranks[key] { return known }
        guard kind == .pct else { return -Int64(item.order) }
        let rank = Int64(random.next() >> 2)
        ranks[key] = rank
        return rank
    }
}
#endif
