// SPDX-License-Identifier: Apache-2.0

/// Whether two contexts are the same one, found without calling their code: objects are if they are
/// one object; values are if they have one type and the same bytes, while both exist. A wrapper is
/// the same as the context that it wraps.
package enum ContextIdentity: Sendable, Equatable {
    case object(ObjectIdentifier)
    case value(ObjectIdentifier, [UInt8])

    package init<Context: ExecutionContext>(_ context: Context) {
        if let wrapped = (context as? any ContextWrapper)?.wrapped {
            self.init(wrapped)
        } else if let closure = (context as? AnyContext)?.closure {
            self = .value(ObjectIdentifier(AnyContext.self), Self.bytes(of: closure))
        } else if Context.self is AnyClass {
            self = .object(ObjectIdentifier(context as AnyObject))
        } else {
            self = .value(ObjectIdentifier(Context.self), Self.bytes(of: context))
        }
    }

    private static func bytes<Value>(of value: Value) -> [UInt8] {
        withUnsafeBytes(of: value) { Array($0) }
    }
}
