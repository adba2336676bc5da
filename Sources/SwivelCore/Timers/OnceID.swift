// SPDX-License-Identifier: Apache-2.0

/// What an id of `once` is compared by: its type and its value, so that a private type is a private
/// namespace. (`AnyHashable` takes `1` and `1.0` for equal.)
struct OnceID: Sendable, Equatable {
    let hash: Int
    /// Most ids are strings, and are compared without a look at their type's tables. Empty for others.
    private let name: String
    /// An id that is no string.
    private let other: (any OtherID)?

    @inline(__always)
    init<ID: Hashable & Sendable>(_ id: ID) {
        if ID.self == String.self {
            name = unsafeBitCast(id, to: String.self)  // ID is String
            other = nil
            hash = name.hashValue
        } else {
            name = ""
            other = TypedID(id)
            hash = id.hashValue
        }
    }

    @inline(__always)
    static func == (lhs: Self, rhs: Self) -> Bool {
        guard lhs.hash == rhs.hash, lhs.name == rhs.name else { return false }
        guard let other = lhs.other else { return rhs.other == nil }
        return rhs.other?.isSame(as: other) ?? false
    }
}

/// An id of any type, behind one word. An existential of three would cost more to copy than all the
/// rest of a call.
private protocol OtherID: AnyObject, Sendable {
    func isSame(as other: any OtherID) -> Bool
}

private final class TypedID<ID: Hashable & Sendable>: OtherID {
    let id: ID

    init(_ id: ID) {
        self.id = id
    }

    func isSame(as other: any OtherID) -> Bool {
        // A cast would ask the runtime; an id's class says as much, and is compared as a word.
        type(of: other) == Self.self && unsafeDowncast(other, to: Self.self).id == id
    }
}
