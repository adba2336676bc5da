// SPDX-License-Identifier: Apache-2.0

/// Whether two contexts are the same one, found without calling their code: objects are if they are
/// one object; values are if they have one type and the same bytes, while both exist. A wrapper is
/// the same as the context that it wraps, and a ``ContextAlias`` the same as others of its context.
package enum ContextIdentity: Sendable, Equatable {
    case object(ObjectIdentifier)
    case value(ObjectIdentifier, [UInt8])

    package init<Context: ExecutionContext>(_ context: Context) {
        if let wrapped = (context as? any ContextWrapper)?.wrapped {
            self.init(wrapped)
        } else if let closure = (context as? AnyContext)?.closure {
            self = .value(ObjectIdentifier(AnyContext.self), Self.bytes(of: closure))
        } else if Context.self is AnyClass {
            self =
                (context as? any ContextAlias)?.identity
                ?? .object(ObjectIdentifier(context as AnyObject))
        } else {
            self = .value(ObjectIdentifier(Context.self), Self.bytes(of: context))
        }
    }

    /// The bytes of the value's fields. Those between two fields are no part of it: in a copy they
    /// are zero.
    private static func bytes<Value>(of value: Value) -> [UInt8] {
        let size = MemoryLayout<Value>.size
        guard size > 0 else { return [] }
        let copy = UnsafeMutablePointer<Value>.allocate(capacity: 1)
        defer {
            copy.deinitialize(count: 1)
            copy.deallocate()
        }
        UnsafeMutableRawPointer(copy).initializeMemory(as: UInt8.self, repeating: 0, count: size)
        withUnsafePointer(to: value) { copy.initialize(from: $0, count: 1) }
        return Array(UnsafeRawBufferPointer(start: copy, count: size))
    }
}

/// An object that stands for a context as other objects may do: on Linux `DispatchQueue.main` and
/// `.global()` make a new one each time.
package protocol ContextAlias: ExecutionContext {
    var identity: ContextIdentity { get }
}
