// SPDX-License-Identifier: Apache-2.0
import Testing

// Where the wheel is compared with a sorted list.
extension WheelModelTests {
    struct Terrain: Sendable, CustomTestStringConvertible {
        let name: String
        let start: UInt64
        /// Timers that are outstanding at most.
        let outstanding: Int
        let deadlines: Deadlines
        var leeway = false
        /// Timers that one step examines, and the due queue's memory.
        var step: UInt32 = 1024
        var room = Room.plenty

        var testDescription: String { name }
    }

    enum Deadlines: Sendable {
        /// Within the current slot or the next.
        case near
        /// Any power of two away, up to 2^50 ns.
        case mixed
        /// A nanosecond or a slot to either side of a level's edge.
        case edges
        /// A few instants that many timers share.
        case equal
        /// A few slots far away, each with many timers, some of one instant.
        case crowded
        /// The same delay for nearly all: slots whose timers lie in order.
        case constant
    }

    enum Room: Sendable {
        case plenty
        /// For 64 entries, and sometimes for more.
        case little
    }

    static let terrains: [Terrain] = [
        Terrain(name: "near", start: 7, outstanding: 60, deadlines: .near),
        Terrain(name: "mixed", start: 123_456_789_012, outstanding: 150, deadlines: .mixed),
        Terrain(name: "edges", start: 0, outstanding: 80, deadlines: .edges),
        Terrain(name: "equal deadlines", start: 1 << 40, outstanding: 80, deadlines: .equal),
        Terrain(name: "constant", start: 1 << 36, outstanding: 150, deadlines: .constant),
        Terrain(name: "few", start: 1 << 33, outstanding: 6, deadlines: .mixed),
        Terrain(
            name: "leeway", start: 5_000_000, outstanding: 100, deadlines: .mixed, leeway: true),
        Terrain(
            name: "before 2^64, mixed", start: .max - (1 << 51), outstanding: 80, deadlines: .mixed),
        Terrain(
            name: "before 2^64, edges", start: .max - (1 << 38), outstanding: 80, deadlines: .edges),
        Terrain(
            name: "before 2^64, near", start: .max - (1 << 26), outstanding: 30, deadlines: .near),
        Terrain(
            name: "across 2^63", start: (1 << 63) - (1 << 44), outstanding: 80, deadlines: .mixed),
    ]

    /// Operations come between the steps that empty a slot, and between those that sort the queue.
    static let steppedTerrains: [Terrain] = [
        Terrain(name: "crowded, 1", start: 77, outstanding: 300, deadlines: .crowded, step: 1),
        Terrain(name: "crowded, 7", start: 1 << 50, outstanding: 900, deadlines: .crowded, step: 7),
        Terrain(name: "crowded, 150", start: 5, outstanding: 900, deadlines: .crowded, step: 150),
        Terrain(name: "near, 2", start: 7, outstanding: 200, deadlines: .near, step: 2),
        Terrain(name: "mixed, 1", start: 1 << 41, outstanding: 150, deadlines: .mixed, step: 1),
        Terrain(name: "edges, 3", start: 0, outstanding: 80, deadlines: .edges, step: 3),
        Terrain(name: "constant, 1", start: 3, outstanding: 300, deadlines: .constant, step: 1),
        Terrain(name: "equal, 2", start: 1 << 40, outstanding: 80, deadlines: .equal, step: 2),
        Terrain(
            name: "crowded, little memory", start: 1 << 50, outstanding: 2_000, deadlines: .crowded,
            step: 5, room: .little),
        Terrain(
            name: "constant, little memory", start: 9, outstanding: 2_000, deadlines: .constant,
            step: 9, room: .little),
        Terrain(
            name: "near, little memory", start: 7, outstanding: 2_000, deadlines: .near, step: 9,
            room: .little),
    ]
}
