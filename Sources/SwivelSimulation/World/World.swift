// SPDX-License-Identifier: Apache-2.0
internal import SwivelCore

/// The simulated world that the caller is in; see ``simulate(seed:_:body:)``.
///
/// **Thread:** a world's; ``isCurrent`` and ``note(_:)`` on any.
public enum World {
    #if compiler(>=6.3) && compiler(<6.4) && os(Linux)
    /// Whether the caller runs in a world.
    public static var isCurrent: Bool { Simulator.here != nil }

    /// The virtual time since the run began; zero outside of a world.
    public static var elapsed: Duration { .nanoseconds(Simulator.here?.time ?? 0) }

    /// The network of the world. Traps outside of one.
    public static var network: SimulatedNetwork {
        guard let world = Simulator.here else {
            trap("World.network outside of a simulated world: call it in the body of simulate")
        }
        return world.network
    }

    /// Adds a line of `text` to the timeline of the run. Outside of a world it does nothing.
    ///
    /// - Complexity: O(1).
    public static func note(_ text: @autoclosure () -> String) {
        guard let world = Simulator.here else { return }
        let text = world.timeline.keep(text())
        world.timeline.add(.notes, world.running, world.step, world.time, text)
    }

    /// The seed of the caller's world, if that is a run of the search.
    static func seed(of search: Search) -> UInt64? {
        Simulator.here.flatMap { $0.search === search ? $0.seed : nil }
    }
    #else
    /// Whether the caller runs in a world.
    public static var isCurrent: Bool { false }

    /// The virtual time since the run began; zero outside of a world.
    public static var elapsed: Duration { .zero }

    /// Adds a line of `text` to the timeline of the run. Outside of a world it does nothing.
    ///
    /// - Complexity: O(1).
    public static func note(_ text: @autoclosure () -> String) {}

    static func seed(of search: Search) -> UInt64? { nil }
    #endif
}

/// Called before `main`.
@_cdecl("swivel_simulation_at_start")
func installRouter() {
    #if compiler(>=6.3) && compiler(<6.4) && os(Linux)
    MainRouter.install()
    #endif
}
