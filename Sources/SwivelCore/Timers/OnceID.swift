// SPDX-License-Identifier: Apache-2.0

/// An id of `once`. Its type counts as well as its value, so a private type is a private namespace.
/// (`AnyHashable` takes `1` and `1.0` for equal.)
struct OnceID: Sendable, Hashable {
    let hash: Int
    /// The id if it is a string, as most are: strings are compared without their type's tables.
    private let name: String
    /// The id if it is no string.
    private let other: (any OtherID)?

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

    func hash(into hasher: inout Hasher) { hasher.combine(hash) }

    static func == (lhs: Self, rhs: Self) -> Bool {
        guard lhs.hash == rhs.hash, lhs.name == rhs.name else { return false }
        guard let other = lhs.other else { return rhs.other == nil }
        return rhs.other?.isSame(as: other) ?? false
    }
}

/// An id of any type, behind one word: copying an existential would cost more than the rest of a call.
private protocol OtherID: AnyObject, Sendable {
    func isSame(as other: any OtherID) -> Bool
}

private final class TypedID<ID: Hashable & Sendable>: OtherID {
    let id: ID

    init(_ id: ID) {
        self.id = id
    }

    func isSame(as other: any OtherID) -> Bool {
        // A cast would call the runtime. Classes are compared as words.
        type(of: other) == Self.self && unsafeDowncast(other, to: Self.self).id == id
    }
}
